//! What the program carries inside itself: features, requirements, faults and fixtures.
