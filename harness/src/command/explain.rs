//! Explains one requirement, scenario or fault.
