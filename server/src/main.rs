//! The reference server as a program of its own.

use clap::Parser;

/// Proofmark's reference server: a finance MCP server that keeps every promise.
#[derive(Debug, Parser)]
#[command(version)]
struct Program {
    #[command(flatten)]
    arguments: proofmark_server::command_line::Arguments,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    proofmark_server::crypto::install();
    proofmark_server::command_line::run(Program::parse().arguments).await
}
