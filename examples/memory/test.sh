#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a script of calls cannot say: what outlives a process, however it ends; several processes on
# one database; a file of another program; the commands of the README.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}
# expect WHERE TEXT
expect() { grep -qF -- "$2" <<<"$1" || fail "expected: $2" "found: $1"; }

meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
# message TOOL ARGUMENTS [ID]
message() {
  printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s,%s}}\n' "${3:-1}" "$1" "$2" "$meta"
}
# call TOOL ARGUMENTS: in a process of its own
call() { message "$1" "$2" | "$program" 2>/dev/null; }
count_of() { grep -o '"total_count":[0-9]*' <<<"$1" | head -n 1 | cut -d: -f2; }

# --- Several processes, on a file that is not there yet -------------------------------------------

writers=()
for number in {1..12}; do
  call memory_store "{\"content\":\"東京 number $number\",\"scope\":\"parallel\"}" > "stored.$number" &
  writers+=($!)
done
wait "${writers[@]}"
for number in {1..12}; do expect "$(cat "stored.$number")" '"success":true'; done
[[ $(count_of "$(call memory_search '{"query":"東京","scope":"parallel"}')") -eq 12 ]] || fail 'expected 12 memories'

[[ $(stat -c %a memory.db) == 600 ]] || fail 'expected that only the owner can read the memories'

# --- What outlives a process ----------------------------------------------------------------------

first=$(call memory_list '{"scope":"parallel","limit":8}')
cursor=$(grep -o '"cursor":"[^"]*' <<<"$first" | head -n 1 | cut -d'"' -f4)
second=$(call memory_list "{\"scope\":\"parallel\",\"limit\":8,\"cursor\":\"$cursor\"}")
[[ $(grep -o '"structuredContent".*' <<<"$second" | grep -o '"memory_id"' | wc -l) -eq 4 ]] || fail "expected 4 memories" "$second"

long=$(for line in {1..9000}; do printf 'line %s of a long text. ' "$line"; done)
id=$(call memory_store "{\"content\":\"$long\",\"scope\":\"long\"}" | grep -o 'mem_[0-9a-f]*' | head -n 1)
cut=$(call memory_get "{\"memory_id\":\"$id\"}")
handle=$(grep -o '"content_archive_hashes":{"[0-9]*' <<<"$cut" | head -n 1 | grep -o '[0-9]*$')
expect "$(call enfold_fetch "{\"handle\":\"$handle\",\"pointer\":\"/content\",\"chars\":\"200000..200400\"}")" 'of a long text.'

# --- Killed at any moment -------------------------------------------------------------------------

# What was answered as stored is there, and can be found.
for round in {1..6}; do
  { number=0; while true; do
      number=$((number + 1))
      message memory_store "{\"content\":\"round $round\",\"scope\":\"killed\",\"metadata\":{}}" "$number"
    done; } 2>/dev/null | "$program" > answers 2>/dev/null &
  server=$!
  sleep "0.$((round + 2))"
  kill -9 "$server"
  wait "$server" 2>/dev/null || true
  answered=$(grep -c '"isError":false' answers || true)
  found=$(count_of "$(call memory_search "{\"query\":\"round $round\",\"match\":\"phrase\",\"scope\":\"killed\"}")")
  [[ $found -ge $answered ]] || fail "round $round: $answered answered as stored, $found found"
done

# --- A file of another program --------------------------------------------------------------------

printf 'not a database, but something that nobody wants to lose' > other.db
printf '{"database": "other.db"}' > other.json
! said=$("$program" --config other.json 2>&1 </dev/null) || fail 'expected a refusal of other.db'
expect "$said" 'error: '
expect "$(cat other.db)" 'nobody wants to lose'

# --- Answers --------------------------------------------------------------------------------------

mkdir checked
(cd checked && "$(dirname "$program")/enfold" check --contract memory --calls "$here/calls.json" \
  -- "$program" > report) || fail "$(cat checked/report)"

# shellcheck source=../readme_commands.sh
source "$here/../readme_commands.sh"
run_readme "$here/README.md" "$(dirname "$program")"
