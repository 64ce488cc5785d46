//! Golden figures: computed cases replayed through the public interface.
