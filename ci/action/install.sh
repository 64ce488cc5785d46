#!/usr/bin/env bash
# Builds Proofmark from the checkout this action stands in, into the folder that the action keeps in the cache.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cargo install --locked --path "$here/../../harness" --root "$HOME/.cache/proofmark"
