#!/usr/bin/env bash
# Runs the suite with the inputs of the action. Each input is one word of the command, whatever it contains: no string is
# evaluated. Ends as Proofmark does, after the outputs and the summary page are written.
set -uo pipefail

program=${PROOFMARK/#\~/$HOME}
reports=${INPUT_REPORTS:-proofmark-reports}
mkdir -p -- "$reports"

arguments=(run --color never)
for option in config url command stdio baseline; do
  name="INPUT_${option^^}"
  value=${!name:-}
  if [ -n "$value" ]; then arguments+=("--$option" "$value"); fi
done
while IFS= read -r profile; do
  if [ -n "$profile" ]; then arguments+=(--profile "$profile"); fi
done <<<"${INPUT_PROFILES:-}"
if [ "${INPUT_STRICT:-false}" = true ]; then arguments+=(--strict); fi
arguments+=(
  --report "json=$reports/run.json"
  --report "junit=$reports/run.xml"
  --report "markdown=$reports/run.md"
)

# A report of an earlier run is not taken for this one's.
rm -f -- "$reports/run.json" "$reports/run.xml" "$reports/run.md"
"$program" "${arguments[@]}"
code=$?

# read NAME: one value of the JSON report; nothing where there is no report.
read_report() {
  [ -f "$reports/run.json" ] || return 0
  python3 - "$reports/run.json" "$1" <<'PYTHON'
import json, sys
value = json.load(open(sys.argv[1], encoding="utf-8"))
for name in sys.argv[2].split("."):
    value = value[name]
print(value)
PYTHON
}

{
  printf 'exit-code=%s\n' "$code"
  printf 'verdict=%s\n' "$(read_report verdict)"
  printf 'proven=%s\n' "$(read_report summary.requirements.proven)"
  printf 'violated=%s\n' "$(read_report summary.requirements.violated)"
  printf 'reports=%s\n' "${reports//$'\n'/ }"
} >>"${GITHUB_OUTPUT:-/dev/null}"
if [ -f "$reports/run.md" ]; then cat -- "$reports/run.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"; fi
exit "$code"
