//! The one cryptography provider of the process, installed before the first client is made.

/// Installs the provider. A second call does nothing.
pub fn install() {
    rustls::crypto::aws_lc_rs::default_provider()
        .install_default()
        .ok();
}
