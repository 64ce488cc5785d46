//! Reports: one result told to people (terminal) and to machines (JUnit, JSON).
