//! The one cryptography provider of this process, chosen once for TLS and token signatures.

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
