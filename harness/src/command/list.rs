//! Lists requirements, scenarios, faults, steps and profiles.
