#!/usr/bin/env bash
# Runs the core profile against a small independent server in Python (fixtures/third-party/plain) that asks for no token,
# for a static key, or for tokens of an authorization server. None may be accused of what it never claimed.
# usage: ci/third_party_plain.sh [PROOFMARK]     the program to run; target/debug/proofmark without it
set -euo pipefail
cd "$(dirname "$0")/.."
proofmark=${1:-target/debug/proofmark}
server=fixtures/third-party/plain/server.py
reports=target/reports
work=$(mktemp -d)
mkdir -p "$reports"
export PYTHONDONTWRITEBYTECODE=1 PLAIN_KEY=plain-key-3f1c9a

if ! command -v python3 >/dev/null; then
  printf '\n*** SKIPPED, NOTHING WAS PROVEN: there is no python3 ***\n\n' >&2
  [ "${CI:-}" = true ] && exit 1
  exit 0
fi

running=
trap '[ -z "$running" ] || kill "$running"; rm -rf "$work"' EXIT

# hosted WAY: starts the server as one that runs already, and gives its port in $port.
hosted() {
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  python3 "$server" "$1" "$port" & running=$!
  python3 - "$port" <<'PYTHON'
import socket, sys, time
for _ in range(100):
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1).close()
        break
    except OSError:
        time.sleep(0.05)
else:
    sys.exit("the server did not start")
PYTHON
}

ended() { kill "$running" && { wait "$running" || true; } 2>/dev/null; running=; }

# config AUTHORIZATION: what the server declares.
config() {
  printf '[target]\nname = "tides, %s"\nurl = "http://127.0.0.1:%s/mcp"\nwithout = ["resources", "prompts", "structured-results", "identity"]\n' "$1" "$port"
  [ "$1" = undeclared ] || printf 'authorization = "%s"\n' "$1"
}

run() {
  local name=$1
  shift
  "$proofmark" run --profile core --jobs 4 --color never --report "json=$reports/plain-$name.json" "$@"
}

printf '== a server that asks for no token\n'
hosted none
config none >"$work/none.toml"
run none --config "$work/none.toml"
printf '== the same, which says nothing about itself: warnings that name the fact, and no accusation\n'
config undeclared >"$work/undeclared.toml"
run undeclared --config "$work/undeclared.toml" | tee "$work/undeclared.txt"
grep -q 'declare `authorization` under' "$work/undeclared.txt"
ended

printf '== a server with a static key\n'
hosted static-key
config static-key >"$work/key.toml"
run static-key --config "$work/key.toml" --token env:PLAIN_KEY
if grep -q "$PLAIN_KEY" "$reports/plain-static-key.json"; then
  printf 'FAILED: the key is in the report\n' >&2
  exit 1
fi
ended

printf '== a server with OAuth that trusts the mocks and goes by its own clock\n'
port=0
printf '[target]\nauthorization = "oauth"\nwithout = ["resources", "prompts", "structured-results", "identity"]\n' >"$work/oauth.toml"
run oauth --config "$work/oauth.toml" \
  --command "python3 $server oauth {port} {issuer} {jwks_uri} {resource}"
