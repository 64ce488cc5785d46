//! Printing to the standard output, which may be a pipe that nobody reads to its end.

use std::fmt;
use std::io::{self, ErrorKind};

/// Prints `text`. A reader that has seen enough, such as `head`, is not an error.
///
/// # Errors
/// When the standard output takes nothing for another reason, such as a full disk.
pub fn print(text: impl fmt::Display) -> io::Result<()> {
    to(&mut io::stdout().lock(), text)
}

fn to(output: &mut impl io::Write, text: impl fmt::Display) -> io::Result<()> {
    match write!(output, "{text}").and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Failing(ErrorKind);

    impl io::Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_has_gone_is_no_error_and_a_full_disk_is_one() {
        assert!(to(&mut Failing(ErrorKind::BrokenPipe), "a line\n").is_ok());
        assert!(to(&mut Failing(ErrorKind::StorageFull), "a line\n").is_err());
    }
}
