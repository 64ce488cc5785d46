//! A server that speaks over its standard streams: how it is started, as often as a scenario needs it, on one data folder.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use jiff::Timestamp;
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use url::Url;

use super::launcher::executable;
use super::placeholders::Placeholders;
use super::reference;
use super::{Access, Kind, LaunchOptions, Launcher, Target, TargetError};

/// The file that the page promises, inside the data folder.
pub const DATABASE: &str = "finance.db";

/// How long the import of a statement may take.
const IMPORT_LIMIT: Duration = Duration::from_secs(120);

/// A program and its import command, ready to be started on one data folder.
#[derive(Debug, Clone)]
pub struct LocalProgram {
    pub(super) words: Vec<String>,
    pub(super) import: Option<Vec<String>>,
    pub(super) placeholders: Placeholders,
    pub(super) data: PathBuf,
    pub(super) ready_within: Duration,
    pub(super) environment: Vec<(String, String)>,
    pub(super) folder: Option<PathBuf>,
}

/// A running program with its children, without the streams it is spoken to through.
#[derive(Debug)]
pub struct LocalProcess {
    child: Box<dyn ChildWrapper>,
    ended: bool,
}

/// The three streams of a running program.
#[derive(Debug)]
pub struct Streams {
    /// What it reads.
    pub input: ChildStdin,
    /// What it says.
    pub output: ChildStdout,
    /// Where it may log.
    pub errors: ChildStderr,
}

/// How an import ended.
#[derive(Debug, Clone)]
pub struct Imported {
    /// Whether it ended without an error.
    pub success: bool,
    /// Everything it wrote, errors last.
    pub said: String,
    /// How long it took.
    pub took: Duration,
}

impl LocalProgram {
    /// The folder that holds what must outlive the program.
    #[must_use]
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Where the database is.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.data.join(DATABASE)
    }

    /// How long the first answer may take, which includes the start of the program.
    #[must_use]
    pub fn ready_within(&self) -> Duration {
        self.ready_within
    }

    /// Adds a variable to the environment of every later start; it wins over one that is there already.
    pub fn set_variable(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Sets the working directory of every later start.
    pub fn start_in(&mut self, folder: PathBuf) {
        self.folder = Some(folder);
    }

    /// The command that starts the program at the time `now` of the steered clock, its streams not yet connected.
    ///
    /// # Errors
    /// If the command names a placeholder that does not exist.
    pub fn command(&self, now: Timestamp) -> Result<Command, TargetError> {
        self.filled(
            &self.words,
            &self.placeholders.clone().with("now", &now.to_string()),
        )
    }

    /// Starts the program, in a process group of its own.
    ///
    /// # Errors
    /// If the operating system cannot start it.
    pub fn start(&self, now: Timestamp) -> Result<(LocalProcess, Streams), TargetError> {
        let mut command = self.command(now)?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut wrapped = CommandWrap::from(command);
        wrapped.wrap(KillOnDrop);
        #[cfg(unix)]
        wrapped.wrap(process_wrap::tokio::ProcessGroup::leader());
        let not_started = |reason: String| TargetError::CommandNotStarted {
            command: shell_words::join(&self.words),
            reason,
        };
        let mut child = wrapped
            .spawn()
            .map_err(|error| not_started(error.to_string()))?;
        let (input, output, errors) = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let process = LocalProcess {
            child,
            ended: false,
        };
        match (input, output, errors) {
            (Some(input), Some(output), Some(errors)) => Ok((
                process,
                Streams {
                    input,
                    output,
                    errors,
                },
            )),
            _ => Err(not_started("its streams could not be connected".to_owned())),
        }
    }

    /// Runs the import command on `file`; none where the target has no such command.
    ///
    /// # Errors
    /// If it cannot be started, or does not end within two minutes.
    pub async fn import(
        &self,
        file: &Path,
        now: Timestamp,
    ) -> Result<Option<Imported>, TargetError> {
        let Some(words) = &self.import else {
            return Ok(None);
        };
        let placeholders = self
            .placeholders
            .clone()
            .with("now", &now.to_string())
            .with("file", &file.display().to_string());
        let mut command = self.filled(words, &placeholders)?;
        command.stdin(Stdio::null()).kill_on_drop(true);
        let failed = |reason: String| TargetError::CommandNotStarted {
            command: shell_words::join(words),
            reason,
        };
        let started = std::time::Instant::now();
        let output = match tokio::time::timeout(IMPORT_LIMIT, command.output()).await {
            Ok(output) => output.map_err(|error| failed(error.to_string()))?,
            Err(_) => {
                return Err(failed(format!(
                    "no end within {} s",
                    IMPORT_LIMIT.as_secs()
                )));
            }
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Some(Imported {
            success: output.status.success(),
            said: text(&output.stdout) + &text(&output.stderr),
            took: started.elapsed(),
        }))
    }

    fn filled(
        &self,
        words: &[String],
        placeholders: &Placeholders,
    ) -> Result<Command, TargetError> {
        let words: Vec<String> = words
            .iter()
            .map(|word| placeholders.fill(word))
            .collect::<Result<_, _>>()?;
        let Some((program, arguments)) = words.split_first() else {
            return Err(TargetError::CommandMalformed {
                command: String::new(),
                reason: "it is empty".to_owned(),
            });
        };
        let mut command = Command::new(program);
        command.args(arguments).envs(placeholders.environment());
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        Ok(command)
    }
}

impl LocalProcess {
    /// Waits until the program has ended by itself; none if it has not by then.
    ///
    /// # Errors
    /// If the operating system does not let it.
    pub async fn ends_within(
        &mut self,
        limit: Duration,
    ) -> Result<Option<ExitStatus>, TargetError> {
        match tokio::time::timeout(limit, self.child.wait()).await {
            Ok(status) => {
                self.ended = true;
                status.map(Some).map_err(|source| TargetError::System {
                    doing: "waiting for the program to end",
                    source,
                })
            }
            Err(_) => Ok(None),
        }
    }

    /// Kills the program with its children and waits until they are gone.
    pub async fn kill(&mut self) {
        // An error means that nobody of the group is left, which is what is wanted.
        let _ = self.child.start_kill();
        let _ = self.child.wait().await;
        self.ended = true;
    }
}

impl Drop for LocalProcess {
    fn drop(&mut self) {
        // Also after a good end: a child that outlived the program belongs to the group still.
        let _ = self.child.start_kill();
    }
}

impl Launcher {
    /// Whether the target speaks over its standard streams, if only besides something else.
    #[must_use]
    pub fn speaks_stdio(&self) -> bool {
        matches!(self, Self::Reference | Self::Stdio { .. })
    }

    /// Whether the target has a command that imports a statement.
    #[must_use]
    pub fn imports(&self) -> bool {
        matches!(
            self,
            Self::Reference
                | Self::Stdio {
                    import: Some(_),
                    ..
                }
        )
    }

    /// The program that speaks over its standard streams, with its data in `data` and its time from `control`; none for a
    /// target that does not.
    ///
    /// # Errors
    /// If a command line cannot be read, or our own program cannot be found.
    pub fn local(
        &self,
        control: &Url,
        data: &Path,
        options: &LaunchOptions,
    ) -> Result<Option<LocalProgram>, TargetError> {
        let (words, import) = match self {
            Self::Reference => {
                let (words, import) = reference::local_words(&executable(options)?, options);
                (words, Some(import))
            }
            Self::Stdio { line, import, .. } => {
                let import = import.as_deref().map(words_of).transpose()?;
                (words_of(line)?, import)
            }
            Self::Url { .. } | Self::Command { .. } => return Ok(None),
        };
        Ok(Some(LocalProgram {
            words,
            import,
            placeholders: Placeholders::local(control, data),
            data: data.to_owned(),
            ready_within: options.ready_within,
            environment: Vec::new(),
            folder: None,
        }))
    }

    /// What reports say of a target that is started for each scenario. A command that names `{data}` keeps its data where
    /// the suite wants it; one that names `{control}` or `{now}` takes its time from it as well.
    ///
    /// # Errors
    /// If the command line cannot be read.
    pub(super) fn local_target(&self, options: &LaunchOptions) -> Result<Target, TargetError> {
        let Self::Stdio {
            line,
            name,
            contract,
            ..
        } = self
        else {
            return Err(TargetError::NotOurs("started over stdio"));
        };
        let words = words_of(line)?;
        let steered = line.contains("{control}") || line.contains("{now}");
        let found = match (steered, line.contains("{data}")) {
            (true, true) => Access::Control,
            (_, true) => Access::MockAs,
            (_, false) => Access::Url,
        };
        let mut endpoint = Url::parse("stdio:program")
            .map_err(|error| TargetError::Reference(error.to_string()))?;
        let program = words
            .first()
            .and_then(|word| Path::new(word).file_name())
            .map_or("program".into(), |name| name.to_string_lossy());
        endpoint.set_path(&program);
        Ok(Target {
            kind: Kind::Stdio,
            name: name.clone().unwrap_or_else(|| program.into_owned()),
            resource: endpoint.to_string(),
            endpoint,
            access: options.access.unwrap_or(found),
            contract: contract.clone(),
        })
    }
}

/// The words of a command line. Paths of files that exist are made absolute, so that the program can be started from any
/// folder.
fn words_of(line: &str) -> Result<Vec<String>, TargetError> {
    let malformed = |reason: &str| TargetError::CommandMalformed {
        command: line.to_owned(),
        reason: reason.to_owned(),
    };
    let words = shell_words::split(line).map_err(|error| malformed(&error.to_string()))?;
    if words.is_empty() {
        return Err(malformed("it is empty"));
    }
    Ok(words.into_iter().map(absolute).collect())
}

fn absolute(word: String) -> String {
    let path = Path::new(&word);
    if path.is_absolute() || !path.is_file() {
        return word;
    }
    match std::path::absolute(path) {
        Ok(path) => path.display().to_string(),
        Err(_) => word,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

    use super::*;
    use crate::target::LaunchOptions;

    fn program(line: &str, import: Option<&str>, data: &Path) -> LocalProgram {
        let launcher = Launcher::Stdio {
            line: line.to_owned(),
            import: import.map(str::to_owned),
            name: None,
            contract: None,
        };
        let control = "http://127.0.0.1:9".parse().unwrap();
        launcher
            .local(&control, data, &LaunchOptions::default())
            .unwrap()
            .unwrap()
    }

    #[tokio::test]
    async fn a_program_gets_its_data_folder_its_time_and_its_variables() {
        let folder = tempfile::tempdir().unwrap();
        let line =
            "sh -c 'echo {data} $PROOFMARK_DATA {now} $PROOFMARK_NOW $PROOFMARK_CONTROL $LANG'";
        let mut program = program(line, None, folder.path());
        program.set_variable("LANG", "C");
        let now: Timestamp = "2026-06-23T12:00:00Z".parse().unwrap();
        let (mut process, mut streams) = program.start(now).unwrap();
        let mut said = String::new();
        streams.output.read_to_string(&mut said).await.unwrap();
        let data = folder.path().display().to_string();
        assert_eq!(
            said.trim(),
            format!("{data} {data} {now} {now} http://127.0.0.1:9 C")
        );
        let status = process.ends_within(Duration::from_secs(5)).await.unwrap();
        assert!(status.unwrap().success());
    }

    #[tokio::test]
    async fn a_program_that_is_dropped_leaves_no_child_behind() {
        let folder = tempfile::tempdir().unwrap();
        let program = program("sh -c 'sleep 600 & echo $!; wait'", None, folder.path());
        let (process, streams) = program.start(Timestamp::UNIX_EPOCH).unwrap();
        let mut child = String::new();
        BufReader::new(streams.output)
            .read_line(&mut child)
            .await
            .unwrap();
        drop(process);
        let family = super::super::process_table::family(program.data());
        let gone = tokio::time::timeout(Duration::from_secs(5), async {
            while !super::super::process_table::family(program.data())
                .unwrap()
                .is_empty()
            {
                tokio::task::yield_now().await;
            }
        });
        assert!(gone.await.is_ok(), "{family:?}, child {child}");
    }

    #[tokio::test]
    async fn an_import_is_handed_the_file_and_what_it_said_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let program = program(
            "cat",
            Some("sh -c 'echo {file}; echo {data} >&2; exit 3'"),
            folder.path(),
        );
        let imported = program
            .import(Path::new("/tmp/a b.csv"), Timestamp::UNIX_EPOCH)
            .await
            .unwrap()
            .unwrap();
        assert!(!imported.success);
        assert!(imported.said.starts_with("/tmp/a b.csv\n/"), "{imported:?}");
    }

    #[tokio::test]
    async fn closing_its_input_lets_a_program_end() {
        let folder = tempfile::tempdir().unwrap();
        let program = program("cat", None, folder.path());
        let (mut process, mut streams) = program.start(Timestamp::UNIX_EPOCH).unwrap();
        streams.input.write_all(b"one\n").await.unwrap();
        drop(streams.input);
        let status = process.ends_within(Duration::from_secs(5)).await.unwrap();
        assert!(status.unwrap().success());
    }
}
