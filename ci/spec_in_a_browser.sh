#!/usr/bin/env bash
# Opens the living specification and the report of a run that fails in headless Chromium, from files, as a reader does: no
# console error, no request that leaves the folder, search, links there and back, and axe-core in light and dark.
# It also holds the site to two seconds (in a release build) and 5 MB.
# usage: ci/spec_in_a_browser.sh [PROOFMARK]     the program to run; target/debug/proofmark without it
# Chromium comes from Debian's packages where there is none, the two libraries from npm into target/. Where they cannot be
# had it says so and passes, except with CI=true, where that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

proofmark=${1:-target/debug/proofmark}
work=target/browser
libraries=(playwright-core@1.65.1 axe-core@4.14.1)
mkdir -p "$work"

give_up() {
  printf '\n*** SKIPPED, NO PAGE WAS OPENED: %s ***\n\n' "$1" >&2
  [ "${CI:-}" = true ] && exit 1
  exit 0
}

command -v node >/dev/null && command -v npm >/dev/null || give_up "there is no Node.js with npm"
if ! command -v chromium >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 || true
  fi
  command -v chromium >/dev/null || give_up "there is no Chromium"
fi
if [ "$(cat "$work/installed.txt" 2>/dev/null)" != "${libraries[*]}" ]; then
  npm install --silent --no-audit --no-fund --no-save --prefix "$work" "${libraries[@]}" >/dev/null ||
    give_up "its libraries could not be installed"
  printf '%s' "${libraries[*]}" >"$work/installed.txt"
fi

printf '== the site without results, and the site and the report of a run that fails\n'
rm -rf "$work/plain" "$work/site"
fastest=
for _ in 1 2 3; do
  begun=$(date +%s%N)
  "$proofmark" spec --out "$work/plain"
  took=$((($(date +%s%N) - begun) / 1000000))
  [ -n "$fastest" ] && [ "$fastest" -le "$took" ] || fastest=$took
done
bytes=$(find "$work/plain" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
printf 'written in %s ms at best, %s bytes\n' "$fastest" "$bytes"
# A debug build is slower, and runs beside other work.
if [ "$bytes" -ge 5000000 ] || { [ "$fastest" -ge 2000 ] && [[ "$proofmark" == */release/* ]]; }; then
  printf '*** the site must be written in under two seconds and stay under 5 MB ***\n' >&2
  exit 1
fi
# The mocks of a sandbox let the suite try everything on a server that breaks every promise.
rm -f "$work/address.txt" "$work/mocks.toml"
node ci/spec_in_a_browser/wrong_server.mjs "$work/address.txt" &
started=($!)
"$proofmark" serve --config "$work/mocks.toml" >/dev/null 2>&1 &
started+=($!)
trap 'kill "${started[@]}" 2>/dev/null || true' EXIT
for file in address.txt mocks.toml; do
  timeout 60 bash -c 'until [ -s "$1" ]; do sleep 0.1; done' - "$work/$file" ||
    { printf '*** the wrong server or its mocks did not start ***\n' >&2; exit 1; }
done
code=0
"$proofmark" run --quiet --color never --profile core --config "$work/mocks.toml" --url "$(cat "$work/address.txt")" \
  --report "html=$work/report.html" --report "json=$work/run.json" >/dev/null || code=$?
[ "$code" -eq 1 ] || { printf '*** the wrong server was not found wrong (exit %s) ***\n' "$code" >&2; exit 1; }
"$proofmark" spec --out "$work/site" --results "$work/run.json"

NODE_PATH=$PWD/$work/node_modules node ci/spec_in_a_browser/check.mjs "$PWD/$work" "$(command -v chromium)"
