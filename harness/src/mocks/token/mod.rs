//! Token recipes: a good access token, plus alterations that each change exactly one thing.

pub mod alteration;
pub mod recipe;
pub mod secret;

pub use alteration::Alteration;
pub use recipe::TokenRecipe;
pub use secret::Token;
