//! The catalogue: requirements, faults and scenarios, loaded and cross-checked.
