//! The profiles this server can serve; each owns its tools, rules, resources and prompts.

pub mod finanpy;
pub mod kobana;
pub mod worthbase;
