//! Plain-text summaries of the server for language models, made from what the profile itself declares.

use std::fmt::Write;

use crate::mcp::Profile;

/// `/llms.txt`: what this is, how to reach it, which tools there are.
pub fn summary(profile: &dyn Profile, endpoint: &str) -> String {
    let mut text = format!(
        "# {}\n\nA remote MCP server. Endpoint: {endpoint} (Streamable HTTP, OAuth access token in the Authorization header).\n\n## Tools\n\n",
        profile.title()
    );
    for tool in profile.tools().iter() {
        let first = tool
            .description
            .split_inclusive(". ")
            .next()
            .unwrap_or_default()
            .trim();
        // Writing into a string cannot fail.
        let _ = writeln!(text, "- {}: {first}", tool.name);
    }
    text
}

/// `/llms-full.txt`: the summary, the instructions, every tool's whole description, and every resource.
pub fn full(profile: &dyn Profile, endpoint: &str) -> String {
    let mut text = summary(profile, endpoint);
    let _ = write!(
        text,
        "\n## Instructions\n\n{}\n\n## Tools in full\n",
        profile.instructions()
    );
    for tool in profile.tools().iter() {
        let _ = write!(text, "\n### {}\n\n{}\n", tool.name, tool.description);
    }
    for resource in profile.resources() {
        let _ = write!(text, "\n## {}\n\n{}\n", resource.uri, resource.text);
    }
    text
}
