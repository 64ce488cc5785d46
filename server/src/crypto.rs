//! The one cryptography provider of this process, chosen once for TLS and token signatures.

use std::sync::OnceLock;

use rustls_platform_verifier::BuilderVerifierExt as _;

/// Makes aws-lc-rs the process-wide TLS provider.
///
/// Must run before the first HTTP client is built, in binaries and in tests: the HTTP client is built without a provider of its own
/// and would panic. A second call changes nothing.
pub fn install() {
    // Err means that a provider is already installed, which is what the caller wants.
    rustls::crypto::aws_lc_rs::default_provider()
        .install_default()
        .ok();
}

/// The trust store of the machine, read once: reading it takes longer than most exchanges.
static TRUST: OnceLock<Option<rustls::ClientConfig>> = OnceLock::new();

/// The beginning of every HTTP client of this server: one shared set of trusted certificates.
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

/// The beginning of an HTTP client for an address that needs no encryption: it trusts nobody, and so need not read the
/// machine's certificates, which a process that lives for a few requests would spend most of its time on.
pub fn plain_http_client() -> reqwest::ClientBuilder {
    install();
    let nobody = rustls::RootCertStore::empty();
    let trust = rustls::ClientConfig::builder()
        .with_root_certificates(nobody)
        .with_no_client_auth();
    reqwest::Client::builder().tls_backend_preconfigured(trust)
}

fn trust() -> Option<rustls::ClientConfig> {
    let mut trust = rustls::ClientConfig::builder()
        .with_platform_verifier()
        .ok()?
        .with_no_client_auth();
    trust.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Some(trust)
}
