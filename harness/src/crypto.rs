//! Chooses the process-wide cryptography once, so that no HTTP client panics for want of a provider.

/// Makes aws-lc-rs the provider of TLS for this process.
///
/// `reqwest` is built without a default provider and panics on its first client otherwise, also for plain HTTP. Every
/// binary and every test that opens a connection calls this first; a second call changes nothing.
pub fn install() {
    // An error only says that a provider is installed already, which is what is wanted.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}
