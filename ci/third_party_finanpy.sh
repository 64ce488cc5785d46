#!/usr/bin/env bash
# Runs the finanpy profile against an independent Finanpy in Python (fixtures/third-party/finanpy), which must conform, and
# against each of its deliberate mistakes, which must be called by the name of the right requirement. A database that it
# wrote must open in the reference cash book.
# usage: ci/third_party_finanpy.sh [PROOFMARK]     the program to run; target/debug/proofmark without it
# Where there is no Python 3.10 with venv it says so and passes, except with CI=true, where that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

proofmark=${1:-target/debug/proofmark}
folder=fixtures/third-party/finanpy
work=target/third-party/finanpy
reports=target/reports
mkdir -p "$work" "$reports"
# Compiled modules belong beside neither the sources nor the statements. Without them every start would compile everything.
export PYTHONPYCACHEPREFIX=$PWD/$work/pycache
unset PYTHONDONTWRITEBYTECODE

give_up() {
  printf '\n*** SKIPPED, NOTHING WAS PROVEN: %s ***\n\n' "$1" >&2
  [ "${CI:-}" = true ] && exit 1
  exit 0
}

python=
for candidate in python3 python3.13 python3.12 python3.11 python3.10 python; do
  if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    python=$candidate
    break
  fi
done
[ -n "$python" ] || give_up "there is no Python 3.10 or newer with venv"

if ! cmp -s "$folder/requirements.txt" "$work/installed.txt"; then
  rm -rf "$work/venv"
  "$python" -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$folder/requirements.txt" ||
    give_up "its libraries could not be installed"
  cp "$folder/requirements.txt" "$work/installed.txt"
fi
runs=("$PWD/$work/venv/bin/python" "$PWD/$folder")

# run REPORT ARGUMENTS…: the profile against the Python program. It starts slowly, so few at a time.
run() {
  local report=$1
  shift
  "$proofmark" run --profile finanpy --jobs 4 --timeout 30s --color never \
    --stdio "${runs[0]} ${runs[1]}/mcp_server.py {data}" \
    --import "${runs[0]} ${runs[1]}/import_csv.py {file} {data}" \
    --access control --report "json=$reports/finanpy-python-$report.json" "$@"
}

# The whole profile in one revision, and in the others what depends on the revision: a start takes this program seconds.
# FINANPY_WHOLE=true runs everything in all of them.
printf '== the independent Finanpy conforms\n'
if [ "${FINANPY_WHOLE:-}" = true ]; then
  run healthy --strict
else
  run healthy --strict --revision 2025-11-25
  others=()
  for number in 1 2 3 4 5 6 7 8 9; do others+=(--requirement "STDIO-00$number"); done
  run other-revisions --strict --revision 2025-06-18 --revision 2026-07-28 \
    "${others[@]}" --requirement STDIO-010 --requirement STDIO-F-002 --requirement STDIO-F-025
fi

printf '== a database that it wrote opens in the reference cash book, which knows its transactions\n'
data=$work/data
statement=fixtures/statements/finanpy/nubank-utf8.csv
rm -rf "$data" && mkdir -p "$data"
"${runs[0]}" "${runs[1]}/import_csv.py" "$statement" "$data"
imported=$("$proofmark" import "$statement" --data "$data" --format json)
listed=$("$proofmark" serve --stdio --data "$data" <<'REQUESTS'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"ci","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"listar_transacoes","arguments":{"period":"2026-05","type":"receita"}}}
REQUESTS
)
if ! grep -q '"imported":0,"known":4' <<<"$imported" || ! grep -q '"amount":188.03' <<<"$listed"; then
  printf '%s\n%s\n*** the reference cash book did not find what the Python program wrote ***\n' "$imported" "$listed" >&2
  exit 1
fi

# mistake NAME REQUIREMENT: it ends with 1 and names the requirement. One revision is enough to see it.
mistake() {
  printf '== %s is caught as %s\n' "$1" "$2"
  local said code=0
  said=$(FINANPY_MISTAKE=$1 run "$1" --revision 2025-11-25 --requirement "$2" 2>&1) || code=$?
  if [ "$code" -ne 1 ] || ! grep -q "\"id\":\"$2\"[^}]*\"status\":\"violated\"" <(tr -d ' \n' <"$reports/finanpy-python-$1.json"); then
    printf '%s\n*** %s was not caught as %s (exit %s) ***\n' "$said" "$1" "$2" "$code" >&2
    exit 1
  fi
}

mistake float-rounding STDIO-F-018
mistake print-on-stdout STDIO-001
mistake duplicate-inserted STDIO-F-012
mistake impossible-date STDIO-F-007
mistake summary-of-all-time STDIO-F-026

printf '== all five mistakes were caught\n'
