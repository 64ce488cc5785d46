#!/usr/bin/env bash
# Runs the step of the GitHub Action as the runner would, and looks at what it leaves behind: the words it hands on, exit
# code, outputs, summary page.
# usage: ci/test_action.sh [PROOFMARK]     the program to run; target/debug/proofmark without it
set -euo pipefail
cd "$(dirname "$0")/.."
proofmark=$(realpath "${1:-target/debug/proofmark}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# step NAME=VALUE…: one run of the step in a fresh folder; its exit code goes to $code.
step() {
  rm -rf "$work/job" && mkdir "$work/job"
  : >"$work/output" && : >"$work/summary"
  code=0
  (
    cd "$work/job" && env -i PATH="$PATH" HOME="$HOME" PROOFMARK="$proofmark" \
      GITHUB_OUTPUT="$work/output" GITHUB_STEP_SUMMARY="$work/summary" "$@" \
      bash "$OLDPWD/ci/action/run.sh"
  ) >"$work/log" 2>&1 || code=$?
}

# expect FILE TEXT: the file holds the text.
expect() {
  grep -qF -- "$2" "$work/$1" || {
    printf 'FAILED: "%s" is not in %s:\n' "$2" "$1" >&2
    cat "$work/$1" "$work/log" >&2
    exit 1
  }
}

cat >"$work/one.toml" <<'TOML'
[run]
tags = "@AUTH-CHALLENGE-001"
revisions = ["2026-07-28"]
TOML

printf '== a run that conforms\n'
step INPUT_CONFIG="$work/one.toml" INPUT_PROFILES=$'core\n'
[ "$code" = 0 ] || { cat "$work/log"; exit 1; }
for line in exit-code=0 verdict=conforms proven=1 violated=0 reports=proofmark-reports; do expect output "$line"; done
expect summary 'conforms (exit 0)'
[ -s "$work/job/proofmark-reports/run.xml" ]

printf '== a server that cannot be reached\n'
step INPUT_URL=http://127.0.0.1:9/mcp INPUT_REPORTS='other reports'
[ "$code" = 3 ] || { cat "$work/log"; exit 1; }
expect output verdict=incomplete
expect output 'reports=other reports'
expect summary 'incomplete (exit 3)'

printf '== wrong usage has no report and no verdict\n'
step INPUT_PROFILES=wrothbase
[ "$code" = 2 ] || { cat "$work/log"; exit 1; }
expect output exit-code=2
grep -qx 'verdict=' "$work/output"

printf '== no input is evaluated\n'
for text in '$(touch evaluated)' '`touch evaluated`' '"; touch evaluated; "' $'a\ntouch evaluated'; do
  step INPUT_CONFIG="$text" INPUT_BASELINE="$text"
  [ "$code" = 2 ] || { cat "$work/log"; exit 1; }
  [ ! -e "$work/job/evaluated" ] || { printf 'FAILED: %s was evaluated\n' "$text" >&2; exit 1; }
done

printf '== the words reach the program as they are\n'
cat >"$work/echo" <<'SHELL'
#!/bin/sh
for word in "$@"; do printf '[%s]\n' "$word"; done
SHELL
chmod +x "$work/echo"
proofmark=$work/echo
step INPUT_COMMAND="my server --port {port} 'a b'" INPUT_PROFILES=$'core\nworthbase' INPUT_STRICT=true
for word in '[--command]' "[my server --port {port} 'a b']" '[core]' '[worthbase]' '[--strict]'; do expect log "$word"; done
printf 'the action does what it says\n'
