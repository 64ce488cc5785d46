//! The progress line: how far a run is, while it runs, on a terminal only.

use std::{io::IsTerminal, time::Duration};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line on the error stream that shows how far a run is. Nothing is drawn where nobody looks.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A line for a run of unknown length.
    #[must_use]
    pub fn start(wanted: bool, activity: &str) -> Self {
        if !wanted || !std::io::stderr().is_terminal() {
            return Self {
                bar: ProgressBar::hidden(),
            };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos}/{len} {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_message(activity.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar }
    }

    /// Shows how many are done, how many there are, and what was done last.
    pub fn step(&self, done: usize, total: usize, last: &str) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        self.bar.set_message(last.to_owned());
    }

    /// Takes the line away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
