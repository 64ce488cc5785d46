-- Version 2: prices that providers gave, the runs that fetched them, and what is limited.

-- Never updated, never deleted; of an item and date the last one counts.
CREATE TABLE fetched_prices (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace  TEXT    NOT NULL REFERENCES workspaces (id),
    id         TEXT    NOT NULL UNIQUE,
    item       TEXT    NOT NULL,
    date       TEXT    NOT NULL,
    price      TEXT    NOT NULL,
    currency   TEXT    NOT NULL,
    provider   TEXT    NOT NULL,
    fetched_at TEXT    NOT NULL
) STRICT;

CREATE INDEX fetched_prices_of_workspace ON fetched_prices (workspace, number);

-- The last run of a workspace; errors is a JSON list of texts.
CREATE TABLE price_runs (
    workspace   TEXT NOT NULL PRIMARY KEY REFERENCES workspaces (id),
    started_at  TEXT NOT NULL,
    finished_at TEXT,
    status      TEXT NOT NULL CHECK (status IN ('running', 'finished', 'failed')),
    errors      TEXT NOT NULL
) STRICT;

-- How often something limited was used in the window that began with its first use.
CREATE TABLE limits (
    name  TEXT    NOT NULL PRIMARY KEY,
    since TEXT    NOT NULL,
    used  INTEGER NOT NULL
) STRICT;

-- What is forgotten is looked up by when it expired.
CREATE INDEX previews_by_expiry ON previews (expires_at);

PRAGMA user_version = 2;
