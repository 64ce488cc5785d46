#!/usr/bin/env bash
# Runs the suite against the reference server and then against deliberate faults, one on each seam; reports go to the
# folder given as the first argument (target/reports without one). `proofmark selftest` alone tries every fault.
set -euo pipefail
cd "$(dirname "$0")/.."
reports=${1:-target/reports}
mkdir -p "$reports"
cargo run --release --quiet --locked -- run \
  --report "junit=$reports/run.xml" --report "json=$reports/run.json"
cargo run --release --quiet --locked -- selftest --fault lots-average-cost --fault challenge-removed \
  --report "junit=$reports/selftest.xml" --report "json=$reports/selftest.json"
