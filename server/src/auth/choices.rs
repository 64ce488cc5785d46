//! Each choice of the door as a type: the first variant is correct, every other one is a way servers have been wrong.

use serde::{Deserialize, Serialize};

/// Defines a choice: an enum whose first variant is the correct one and the default.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $(#[$first_doc:meta])* $first:ident, $($(#[$other_doc:meta])* $other:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $(#[$first_doc])*
            #[default]
            $first,
            $($(#[$other_doc])* $other),+
        }
    };
}

choice!(
    /// What happens to a request without a token.
    MissingToken {
        /// 401.
        Refused,
        /// It is served as a person called `anonymous`.
        Anonymous,
    }
);
choice!(
    /// The status of a refusal.
    RefusalStatus {
        /// 401.
        Unauthorized,
        /// 403.
        Forbidden,
        /// 400.
        BadRequest,
        /// 200 with a JSON-RPC error in the body.
        Ok,
        /// 302 to a login page.
        Redirect,
    }
);
choice!(
    /// What the `WWW-Authenticate` header of a refusal says.
    ChallengeForm {
        /// `Bearer resource_metadata="…"`, with `error` only if a token was sent.
        Correct,
        /// No header at all.
        Absent,
        /// Only on a missing token.
        OnlyWhenMissing,
        /// Without `resource_metadata`.
        WithoutMetadata,
        /// With an error code also when no token was sent.
        ErrorAlways,
        /// Without an error code also when a bad token was sent.
        ErrorNever,
        /// With the token's own `kid` in the description.
        EchoesToken,
        /// The metadata address follows the request's `Host` and `X-Forwarded-Host`.
        FollowsHost,
    }
);
choice!(
    /// Where a token is looked for.
    TokenPlace {
        /// In the `Authorization` header alone.
        Header,
        /// Also in the query parameter `access_token`.
        HeaderOrQuery,
    }
);
choice!(
    /// What happens to several credentials in one request.
    SeveralTokens {
        /// 400.
        Refused,
        /// The first `Authorization` line counts.
        FirstTaken,
        /// The last `Authorization` line counts.
        LastTaken,
    }
);
choice!(
    /// How the scheme's name is compared.
    SchemeMatch {
        /// `Bearer` in any case.
        AnyCase,
        /// `Bearer` in exactly this case.
        ExactCase,
        /// Any scheme counts as bearer.
        AnyScheme,
    }
);
choice!(
    /// How the encoding of a token is read.
    Encoding {
        /// base64url without padding, nothing else.
        Strict,
        /// Padding and the standard alphabet are accepted too.
        Lenient,
    }
);
choice!(
    /// What happens to a member that stands twice in a token's header or payload.
    DuplicateMembers {
        /// The token is refused.
        Refused,
        /// The first value counts, so that a good value hides a bad one.
        FirstCounts,
    }
);
choice!(
    /// Whether the signature is verified.
    SignatureCheck {
        /// With the published key that the token names.
        Verified,
        /// With any published key that fits, whatever the token names.
        AnyPublishedKey,
        /// With the key that the token itself carries (`jwk`), where it carries one.
        EmbeddedKey,
        /// Not at all.
        Ignored,
        /// Not if the token is not signed (`alg` none, in any case).
        NoneAccepted,
    }
);
choice!(
    /// Which algorithms are accepted.
    AlgorithmCheck {
        /// RS256 and ES256, each only with a key published for it.
        Pinned,
        /// Every algorithm that the key's family can do.
        AnyOfFamily,
        /// Also HMAC, keyed with the public key's modulus.
        PublicKeyAsSecret,
    }
);
choice!(
    /// Which keys of a published set are used.
    KeyStrength {
        /// RSA from 2048 bits, marked for signing or not marked.
        Sufficient,
        /// Any.
        Any,
    }
);
choice!(
    /// Which `typ` a token may have.
    TypeCheck {
        /// `at+jwt`, `application/at+jwt`, `JWT` or none.
        AccessToken,
        /// Only `at+jwt` and `application/at+jwt`.
        AccessTokenOnly,
        /// Any.
        Ignored,
    }
);
choice!(
    /// What happens to a token with `crit`.
    CriticalHeader {
        /// It is refused, since no extension is known here.
        Refused,
        /// It is ignored.
        Ignored,
    }
);
choice!(
    /// How the issuer is compared.
    IssuerCheck {
        /// Whole and exact.
        Exact,
        /// A final slash makes no difference.
        SlashIgnored,
        /// Letter case makes no difference.
        CaseIgnored,
        /// Anything that begins with the issuer.
        Prefix,
        /// Absent is accepted too.
        AbsentAccepted,
        /// Not at all.
        Ignored,
    }
);
choice!(
    /// How the audience is compared.
    AudienceCheck {
        /// The resource as the whole string, or as one element of an array.
        Exact,
        /// Anything that begins with the resource.
        Prefix,
        /// The bare origin of the resource, or anything on it.
        Origin,
        /// Anything that contains the resource.
        Substring,
        /// Absent is accepted too.
        AbsentAccepted,
        /// Only the first element of an array counts.
        FirstElement,
        /// Not at all.
        Ignored,
    }
);
choice!(
    /// How `exp` is checked.
    ExpiryCheck {
        /// Required, a number, and later than now less the tolerance.
        Checked,
        /// Checked where present.
        AbsentAccepted,
        /// Not at all.
        Ignored,
    }
);
choice!(
    /// How another time of the token (`nbf`, `iat`) is checked.
    TimeCheck {
        /// A number, and not later than now plus the tolerance, where present.
        Checked,
        /// Not at all.
        Ignored,
    }
);
choice!(
    /// How `sub` is checked.
    SubjectCheck {
        /// A non-empty string.
        Required,
        /// Absent means a person called `anonymous`.
        AbsentAccepted,
    }
);
choice!(
    /// What happens to a token that is bound to a key of its sender (`cnf`).
    ConfirmationCheck {
        /// It is refused, since no proof of possession can be checked here.
        Refused,
        /// It is taken as a plain bearer token.
        Ignored,
    }
);
choice!(
    /// Where the identity comes from.
    IdentitySource {
        /// The verified token alone.
        Token,
        /// `X-User-Id`, where the request has it.
        Header,
        /// The token that was first seen, for every later request.
        FirstToken,
    }
);
choice!(
    /// What is answered when keys are needed and cannot be had.
    KeyOutage {
        /// 503 with `Retry-After`.
        Unavailable,
        /// 401, as if the token were at fault.
        Unauthorized,
        /// The token is accepted unverified.
        Accepted,
    }
);
choice!(
    /// When keys are fetched.
    KeyCache {
        /// Kept for as long as their answer says, up to 15 minutes; an unknown `kid` refetches a bounded number of times.
        Bounded,
        /// Fetched for every request.
        Never,
        /// Kept for ever; an unknown `kid` is refused.
        Forever,
        /// An unknown `kid` refetches every time.
        RefetchUnbounded,
    }
);
choice!(
    /// Which `Origin` is served.
    OriginCheck {
        /// The server's own, or none.
        Checked,
        /// Also `null`.
        NullAccepted,
        /// Anything that begins like the server's own.
        Prefix,
        /// Anything.
        Ignored,
    }
);
choice!(
    /// Which `Host` is served.
    HostCheck {
        /// The server's own names.
        Checked,
        /// Anything.
        Ignored,
    }
);
choice!(
    /// What the protected resource metadata says.
    ResourceMetadata {
        /// The same, true document at both places.
        Correct,
        /// Only at the root place.
        RootOnly,
        /// At neither place.
        Absent,
        /// `resource` is the bare origin.
        OriginAsResource,
        /// `resource` ends in a slash.
        SlashAppended,
        /// `authorization_servers` is missing.
        WithoutServers,
        /// `scopes_supported` is missing.
        WithoutScopes,
        /// It is behind the door.
        Protected,
    }
);
choice!(
    /// How the authorization server's metadata is passed through.
    ServerMetadata {
        /// As it is.
        Verbatim,
        /// With the issuer rewritten to this server's origin.
        IssuerRewritten,
        /// Not at all.
        Absent,
        /// As an empty object with 200 when the authorization server cannot be reached.
        EmptyOnOutage,
    }
);
