//! The agent: reads statement files as an AI client would and records them.
