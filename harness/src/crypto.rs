//! Chooses the process-wide cryptography once, so that no HTTP client panics for want of a provider.

use std::sync::OnceLock;

use rustls_platform_verifier::BuilderVerifierExt as _;

/// Makes aws-lc-rs the provider of TLS for this process.
///
/// `reqwest` is built without a default provider and panics on its first client otherwise, also for plain HTTP. Every
/// binary and every test that opens a connection calls this first; a second call changes nothing.
pub fn install() {
    // An error only says that a provider is installed already, which is what is wanted.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}

/// The trust store of the machine, read once: reading it takes longer than most exchanges.
static TRUST: OnceLock<Option<rustls::ClientConfig>> = OnceLock::new();

/// The beginning of every HTTP client of this program: one shared set of trusted certificates.
///
/// A machine without a readable trust store gets the library's own defaults, which then say what is wrong when
/// the first encrypted connection is made.
pub fn http_client() -> reqwest::ClientBuilder {
    install();
    let builder = reqwest::Client::builder();
    match TRUST.get_or_init(trust) {
        Some(trust) => builder.tls_backend_preconfigured(trust.clone()),
        None => builder,
    }
}

fn trust() -> Option<rustls::ClientConfig> {
    let mut trust = rustls::ClientConfig::builder()
        .with_platform_verifier()
        .ok()?
        .with_no_client_auth();
    trust.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Some(trust)
}
