//! A full disk for one process: a limit on the size of every file it writes (`RLIMIT_FSIZE`), set from outside and taken
//! away again. A server sees the failing writes that a full disk gives it; nothing else on the machine does.

use std::io;

/// Whether this system can do it.
pub const CAN_BE_STEERED: bool = cfg!(target_os = "linux");

/// The words that start `words` so that a write over the limit fails, as on a full disk, in place of ending the process
/// (`SIGXFSZ`). The shell replaces itself by the program, so that the process is the program's own.
#[must_use]
pub fn outliving_a_full_disk(words: &[String]) -> Vec<String> {
    if !CAN_BE_STEERED {
        return words.to_vec();
    }
    let shell = ["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh"];
    shell
        .into_iter()
        .map(str::to_owned)
        .chain(words.iter().cloned())
        .collect()
}

/// Lets the process write no byte more to any file, or lifts that limit.
///
/// # Errors
/// The system does not let it, or is none that can.
#[cfg(target_os = "linux")]
pub fn fill(process: u32, full: bool) -> io::Result<()> {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let gone = || io::Error::new(io::ErrorKind::NotFound, "the server process is gone");
    let process = i32::try_from(process)
        .ok()
        .and_then(Pid::from_raw)
        .ok_or_else(gone)?;
    let limit = Rlimit {
        current: full.then_some(0),
        maximum: None,
    };
    prlimit(Some(process), Resource::Fsize, limit)?;
    Ok(())
}

/// Lets the process write no byte more to any file, or lifts that limit.
///
/// # Errors
/// Always: this system has no such limit that can be set from outside.
#[cfg(not(target_os = "linux"))]
pub fn fill(_process: u32, _full: bool) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "only Linux can limit another process's files",
    ))
}
