//! Which processes a program under test left running, and which ports they listen on, as the operating system tells.

use std::path::Path;

use super::TargetError;

/// Processes that were started for the data folder, by the environment they were given: also those that left the group.
///
/// # Errors
/// If the operating system does not tell.
pub fn family(data: &Path) -> Result<Vec<u32>, TargetError> {
    system::family(data)
}

/// TCP ports on which one of the processes listens.
///
/// # Errors
/// If the operating system does not tell.
pub fn listening(processes: &[u32]) -> Result<Vec<u16>, TargetError> {
    system::listening(processes)
}

fn failed(source: std::io::Error) -> TargetError {
    TargetError::System {
        doing: "looking at the running processes",
        source,
    }
}

#[cfg(target_os = "linux")]
mod system {
    //! Linux shows processes and sockets as files.

    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::{TargetError, failed};

    /// The state of a listening socket in `/proc/net/tcp`.
    const LISTENING: &str = "0A";

    pub(super) fn family(data: &Path) -> Result<Vec<u32>, TargetError> {
        let mark = format!("PROOFMARK_DATA={}", data.display());
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let Some(process) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
                continue;
            };
            // Processes come and go, and those of other users are closed to us; neither is ours.
            let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            if environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == mark.as_bytes())
            {
                found.push(process);
            }
        }
        Ok(found)
    }

    pub(super) fn listening(processes: &[u32]) -> Result<Vec<u16>, TargetError> {
        let mut sockets = BTreeSet::new();
        for process in processes {
            let Ok(entries) = fs::read_dir(format!("/proc/{process}/fd")) else {
                continue;
            };
            for entry in entries.flatten() {
                let link = fs::read_link(entry.path()).unwrap_or_default();
                let link = link.display().to_string();
                if let Some(inode) = link
                    .strip_prefix("socket:[")
                    .and_then(|rest| rest.strip_suffix(']'))
                {
                    sockets.insert(inode.to_owned());
                }
            }
        }
        let mut ports = Vec::new();
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            // A machine without IPv6 has no such table.
            let text = fs::read_to_string(table).unwrap_or_default();
            ports.extend(text.lines().filter_map(|line| port(line, &sockets)));
        }
        Ok(ports)
    }

    /// The port of a line of the table, if it is a listening socket of these.
    fn port(line: &str, sockets: &BTreeSet<String>) -> Option<u16> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, local, _, state, ..] = fields.as_slice() else {
            return None;
        };
        let inode = fields.get(9)?;
        if *state != LISTENING || !sockets.contains(*inode) {
            return None;
        }
        u16::from_str_radix(local.rsplit(':').next()?, 16).ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    //! Elsewhere `ps` and `lsof` tell.

    use std::path::Path;
    use std::process::Command;

    use super::{TargetError, failed};

    pub(super) fn family(data: &Path) -> Result<Vec<u32>, TargetError> {
        let mark = format!("PROOFMARK_DATA={}", data.display());
        let output = Command::new("ps")
            .args(["-A", "-E", "-ww", "-o", "pid=,command="])
            .output()
            .map_err(failed)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text
            .lines()
            .filter(|line| line.contains(&mark))
            .filter_map(|line| line.split_whitespace().next()?.parse().ok())
            .collect())
    }

    pub(super) fn listening(processes: &[u32]) -> Result<Vec<u16>, TargetError> {
        let mut ports = Vec::new();
        for process in processes {
            let output = Command::new("lsof")
                .args(["-a", "-n", "-P", "-F", "n", "-iTCP", "-sTCP:LISTEN", "-p"])
                .arg(process.to_string())
                .output()
                .map_err(failed)?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            ports.extend(text.lines().filter_map(|line| {
                line.strip_prefix('n')?
                    .rsplit(':')
                    .next()?
                    .parse::<u16>()
                    .ok()
            }));
        }
        Ok(ports)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_listening_socket_of_this_process_is_seen() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let ports = listening(&[std::process::id()]).unwrap();
        assert!(ports.contains(&port), "{ports:?}");
        drop(listener);
        assert!(!listening(&[std::process::id()]).unwrap().contains(&port));
    }

    #[test]
    fn a_process_is_found_by_the_folder_it_was_given() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(family(folder.path()).unwrap(), [0_u32; 0]);
        let mut child = std::process::Command::new("sleep")
            .arg("600")
            .env("PROOFMARK_DATA", folder.path())
            .spawn()
            .unwrap();
        assert_eq!(family(folder.path()).unwrap(), [child.id()]);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(family(folder.path()).unwrap(), [0_u32; 0]);
    }
}
