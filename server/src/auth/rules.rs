//! The door's choices as one value: the default is correct, every other value is a named defect that the suite must notice.

use serde::{Deserialize, Serialize};

use super::choices::{
    AlgorithmCheck, AudienceCheck, ChallengeForm, ConfirmationCheck, CriticalHeader,
    DuplicateMembers, Encoding, ExpiryCheck, HostCheck, IdentitySource, IssuerCheck, KeyCache,
    KeyOutage, KeyStrength, MissingToken, OriginCheck, RefusalStatus, ResourceMetadata,
    SchemeMatch, ServerMetadata, SeveralTokens, SignatureCheck, SubjectCheck, TimeCheck,
    TokenPlace, TypeCheck,
};

/// What the door checks, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DoorRules {
    /// What happens without a token.
    pub missing_token: MissingToken,
    /// The status of a refusal.
    pub refusal: RefusalStatus,
    /// The challenge of a refusal.
    pub challenge: ChallengeForm,
    /// Where a token is looked for.
    pub token_place: TokenPlace,
    /// What happens to several credentials.
    pub several_tokens: SeveralTokens,
    /// How the scheme is compared.
    pub scheme: SchemeMatch,
    /// How the encoding is read.
    pub encoding: Encoding,
    /// What happens to duplicated members.
    pub duplicate_members: DuplicateMembers,
    /// Whether the signature is verified.
    pub signature: SignatureCheck,
    /// Which algorithms are accepted.
    pub algorithm: AlgorithmCheck,
    /// Which published keys are used.
    pub key_strength: KeyStrength,
    /// Which token types are accepted.
    pub token_type: TypeCheck,
    /// What `crit` does.
    pub critical_header: CriticalHeader,
    /// How the issuer is compared.
    pub issuer: IssuerCheck,
    /// How the audience is compared.
    pub audience: AudienceCheck,
    /// How the end of life is checked.
    pub expiry: ExpiryCheck,
    /// How the beginning of life is checked.
    pub not_before: TimeCheck,
    /// How the time of issue is checked.
    pub issued_at: TimeCheck,
    /// Tolerance between clocks, in seconds.
    pub leeway_seconds: u32,
    /// How the subject is checked.
    pub subject: SubjectCheck,
    /// What a sender-constrained token does.
    pub confirmation: ConfirmationCheck,
    /// Where the identity comes from.
    pub identity: IdentitySource,
    /// What is answered without keys.
    pub key_outage: KeyOutage,
    /// When keys are fetched.
    pub key_cache: KeyCache,
    /// Which origins are served.
    pub origin: OriginCheck,
    /// Which hosts are served.
    pub host: HostCheck,
    /// The protected resource metadata.
    pub resource_metadata: ResourceMetadata,
    /// The authorization server's metadata.
    pub server_metadata: ServerMetadata,
}

impl Default for DoorRules {
    fn default() -> Self {
        Self {
            missing_token: MissingToken::default(),
            refusal: RefusalStatus::default(),
            challenge: ChallengeForm::default(),
            token_place: TokenPlace::default(),
            several_tokens: SeveralTokens::default(),
            scheme: SchemeMatch::default(),
            encoding: Encoding::default(),
            duplicate_members: DuplicateMembers::default(),
            signature: SignatureCheck::default(),
            algorithm: AlgorithmCheck::default(),
            key_strength: KeyStrength::default(),
            token_type: TypeCheck::default(),
            critical_header: CriticalHeader::default(),
            issuer: IssuerCheck::default(),
            audience: AudienceCheck::default(),
            expiry: ExpiryCheck::default(),
            not_before: TimeCheck::default(),
            issued_at: TimeCheck::default(),
            leeway_seconds: 60,
            subject: SubjectCheck::default(),
            confirmation: ConfirmationCheck::default(),
            identity: IdentitySource::default(),
            key_outage: KeyOutage::default(),
            key_cache: KeyCache::default(),
            origin: OriginCheck::default(),
            host: HostCheck::default(),
            resource_metadata: ResourceMetadata::default(),
            server_metadata: ServerMetadata::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_defect_is_one_other_value_of_the_default() {
        let rules: DoorRules = serde_json::from_str(r#"{"audience": "prefix"}"#).unwrap();
        assert_eq!(
            rules,
            DoorRules {
                audience: AudienceCheck::Prefix,
                ..DoorRules::default()
            }
        );
        assert!(serde_json::from_str::<DoorRules>(r#"{"audiance": "prefix"}"#).is_err());
        assert!(serde_json::from_str::<DoorRules>(r#"{"audience": "sometimes"}"#).is_err());
    }
}
