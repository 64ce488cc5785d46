-- The store of a profile: an append-only log of batches per workspace, and the people around it.
-- Instants are RFC 3339 in UTC; ids are prefixed ULIDs; JSON columns hold what the profile wrote and are read by nobody else.

CREATE TABLE people (
    subject TEXT NOT NULL PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    email   TEXT NOT NULL,
    name    TEXT NOT NULL
) STRICT;

-- head is the number of the last log entry; an append succeeds only on the head it was computed on.
CREATE TABLE workspaces (
    id            TEXT    NOT NULL PRIMARY KEY,
    name          TEXT    NOT NULL,
    base_currency TEXT    NOT NULL,
    created_at    TEXT    NOT NULL,
    head          INTEGER NOT NULL
) STRICT;

-- joined orders a person's workspaces: the earliest is their default.
CREATE TABLE members (
    joined    INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT    NOT NULL REFERENCES workspaces (id),
    person    TEXT    NOT NULL REFERENCES people (id),
    role      TEXT    NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
    party     TEXT,
    joined_at TEXT    NOT NULL,
    UNIQUE (workspace, person)
) STRICT;

CREATE INDEX members_of_person ON members (person, joined);

-- Only a digest of the code is kept; email is lower case.
CREATE TABLE invites (
    id          TEXT NOT NULL PRIMARY KEY,
    workspace   TEXT NOT NULL REFERENCES workspaces (id),
    email       TEXT NOT NULL,
    role        TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
    code_digest TEXT NOT NULL UNIQUE,
    invited_by  TEXT NOT NULL REFERENCES people (id),
    expires_at  TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'revoked'))
) STRICT;

CREATE INDEX invites_by_email ON invites (email, state);
CREATE INDEX invites_by_workspace ON invites (workspace, state);

-- Never updated, never deleted. A batch stands in it once, and an undo of it at most once.
CREATE TABLE log (
    workspace  TEXT    NOT NULL REFERENCES workspaces (id),
    number     INTEGER NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('founding', 'batch', 'undo')),
    batch      TEXT    NOT NULL,
    at         TEXT    NOT NULL,
    provenance TEXT    NOT NULL,
    changes    TEXT,
    PRIMARY KEY (workspace, number),
    UNIQUE (workspace, batch, kind)
) STRICT;

-- batch is empty until the preview is committed.
CREATE TABLE previews (
    id         TEXT NOT NULL PRIMARY KEY,
    workspace  TEXT NOT NULL REFERENCES workspaces (id),
    person     TEXT NOT NULL REFERENCES people (id),
    expires_at TEXT NOT NULL,
    body       TEXT NOT NULL,
    batch      TEXT
) STRICT;

-- What makes cursors unforgeable; made once, shared by every process on the file.
CREATE TABLE keys (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

PRAGMA user_version = 1;
