#!/usr/bin/env bash
# Runs the suite against the reference server, then its heavy scenarios, then the suite against every deliberate fault;
# reports go to the folder given as the first argument (target/reports without one).
set -euo pipefail
cd "$(dirname "$0")/.."
reports=${1:-target/reports}
mkdir -p "$reports"
cargo run --release --quiet --locked -- run \
  --report "junit=$reports/run.xml" --report "json=$reports/run.json" --report "html=$reports/run.html"
cargo run --release --quiet --locked -- run --all --tags @heavy --revision 2026-07-28 \
  --report "junit=$reports/heavy.xml" --report "json=$reports/heavy.json"
cargo run --release --quiet --locked -- selftest --quiet \
  --report "junit=$reports/selftest.xml" --report "json=$reports/selftest.json"
