//! Entry of the `proofmark` program: hands the command line to the library and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    proofmark::command::main().into()
}
