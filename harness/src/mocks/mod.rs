//! The services around the server under test: authorization server, directories, prices and rates.

/// The handle by which steps speak to the mocks, in this process or in another one.
#[derive(Debug, Clone, Default)]
pub struct Mocks;
