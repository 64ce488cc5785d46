//! Entry of the `proofmark` program: hands the command line to the library and returns its exit code.

use std::process::ExitCode;

/// JSON of many small parts is made and dropped on many threads here, which the allocator of the C library is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    proofmark::command::main().into()
}
