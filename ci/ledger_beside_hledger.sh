#!/usr/bin/env bash
# Times a cold start of the ledger on a long book beside hledger on the same book, in one run: net worth on one day, and on
# 120 month ends. Both must give the same figures, and the ledger must be at least 10 and 20 times as fast.
# usage: ci/ledger_beside_hledger.sh [ROWS]     100,000 without it
# Where there is no hledger it is installed from Debian's packages; where that cannot be, it says so and passes, except with
# CI=true, where that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

rows=${1:-100000}
day=2024-12-31
work=target/beside-hledger

give_up() {
  printf '\n*** SKIPPED, NOTHING WAS MEASURED: %s ***\n\n' "$1" >&2
  [ "${CI:-}" = true ] && exit 1
  exit 0
}

if ! command -v hledger >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends hledger; } >/dev/null 2>&1 || true
  fi
  command -v hledger >/dev/null || give_up "there is no hledger"
fi

cargo build --release --quiet --locked -p proofmark-ledger --example replay
replay=$PWD/target/release/examples/replay
[ -z "${CARGO_TARGET_DIR:-}" ] || replay=$CARGO_TARGET_DIR/release/examples/replay
rm -rf "$work" && "$replay" write "$work" "$rows"

# timed OUTPUT COMMAND…: seconds and the most memory in KiB; what the command prints goes to OUTPUT.
timed() {
  local output=$1
  shift
  python3 - "$output" "$@" <<'PYTHON'
import resource, subprocess, sys, time
with open(sys.argv[1], "w") as output:
    started = time.monotonic()
    subprocess.run(sys.argv[2:], stdout=output, check=True)
    print(time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
}

# hledger's period ends are exclusive: the day after the last.
ours_day=$(timed "$work/ours-day.txt" "$replay" worth "$work/book.jsonl" "$day")
theirs_day=$(timed "$work/theirs-day.csv" hledger -f "$work/book.journal" balance assets \
  --value=end,USD --end 2025-01-01 --depth 1 -O csv)
ours_months=$(timed "$work/ours-months.txt" "$replay" months "$work/book.jsonl")
theirs_months=$(timed "$work/theirs-months.csv" hledger -f "$work/book.journal" balance assets \
  --value=end,USD --historical --monthly --begin 2015-01-01 --end 2025-01-01 --depth 1 -O csv)

python3 - "$rows" "$work" "$ours_day" "$theirs_day" "$ours_months" "$theirs_months" <<'PYTHON'
import csv, sys
from decimal import Decimal

rows, work, *timings = sys.argv[1:]
(ours_day, our_memory), (theirs_day, their_memory), (ours_months, _), (theirs_months, _) = (
    map(float, timing.split()) for timing in timings
)

def ours(name):
    return [Decimal(line.split()[1]) for line in open(f"{work}/{name}.txt")]

def theirs(name):
    for row in csv.reader(open(f"{work}/{name}.csv")):
        if row[0] == "assets":
            return [Decimal(cell.replace("USD", "").replace(",", "").strip()) for cell in row[1:]]
    sys.exit(f"hledger's {name} has no line of assets")

for name in ("day", "months"):
    left, right = ours(f"ours-{name}"), theirs(f"theirs-{name}")
    if left != right:
        place = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), "the end")
        sys.exit(f"the figures differ in {name} at {place}: {len(left)} of ours, {len(right)} of hledger's, {left[:2]} and {right[:2]}")

failed = False
for what, mine, other, least in (
    ("net worth on one day", ours_day, theirs_day, 10),
    ("net worth on 120 month ends", ours_months, theirs_months, 20),
):
    ratio = other / mine
    failed |= ratio < least
    print(f"{what}: hledger takes {ratio:.0f} times as long ({rows} rows, cold, same figures; at least {least} is asked for)")
print(f"most memory: {our_memory / 1024:.0f} MiB, hledger {their_memory / 1024:.0f} MiB")
sys.exit(failed)
PYTHON
