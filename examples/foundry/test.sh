#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a script of calls cannot say: what outlives a process, however it ends; several processes on
# one folder; callers with keys; a wrong configuration or command line; the commands of the README.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
background=()
clean_up() {
  for process in "${background[@]}"; do
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  rm -rf "$folder"
}
trap clean_up EXIT
cd "$folder"

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}
# expect WHERE TEXT
expect() { grep -qF -- "$2" <<<"$1" || fail "expected: $2" "found: $1"; }

meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
# message TOOL ARGUMENTS
message() {
  printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s,%s}}\n' "$1" "$2" "$meta"
}
# call TOOL ARGUMENTS [CONFIG]: in a process of its own
call() { message "$1" "$2" | "$program" --config "${3:-config.json}" 2>/dev/null; }
printf '{"sample": "%s/specs", "principal": "ada", "budget_tokens": 2000}' "$here" > config.json

# --- What outlives a process ----------------------------------------------------------------------

page='{"action":"query","spec_id":"search-index","limit":20'
first=$(call task "$page}")
cursor=$(grep -o '"cursor":"[^"]*' <<<"$first" | head -n 1 | cut -d'"' -f4)
second=$(call task "$page,\"cursor\":\"$cursor\"}")
expect "$second" '"isError":false'
expect "$second" '"task_id":"tokenizer-arabic"'

cut=$(call spec '{"action":"get","spec_id":"search-index","response_level":"full"}')
expect "$cut" '"content_fidelity":"partial"'
notes='The sample for Finnish has 5069 sentences'
! grep -qF "$notes" <<<"$cut" || fail "expected to be left out: $notes" "found: $cut"
handle=$(grep -o '"content_archive_hashes":{"[0-9]*' <<<"$cut" | head -n 1 | grep -o '[0-9]*$')
fetched=$(call enfold_fetch "{\"handle\":\"$handle\",\"id\":\"stemmer-finnish\"}")
expect "$fetched" '"isError":false'
expect "$fetched" "$notes"

printf '{"folder": "limited", "rate_limits": {"spec": {"per_minute": 1, "burst": 3}}}' > limits.json
for _ in 1 2 3; do expect "$(call spec '{"action":"list"}' limits.json)" '"isError":false'; done
expect "$(call spec '{"action":"list"}' limits.json)" 'RATE_LIMIT_EXCEEDED'

[[ $(stat -c %a foundry/.key) == 600 ]] || fail 'expected that only the owner can read the key'

# --- Several processes ----------------------------------------------------------------------------

note='{"action":"add","spec_id":"dark-mode","note":"at the same time"}'
# A writer that finds the folder locked for too long is told so, and tries again.
add_note() {
  for _ in {1..20}; do
    [[ $(call journal "$note") == *'"isError":false'* ]] && return
  done
}
writers=()
for _ in {1..12}; do
  add_note &
  writers+=($!)
done
wait "${writers[@]}"
expect "$(call journal '{"action":"list","spec_id":"dark-mode"}')" '"total_count":12'

# The lock is one of the operating system: other programs can take it, and it ends with its holder.
flock --no-fork foundry/.lock sleep 60 &
holder=$!
background+=("$holder")
until ! flock --nonblock foundry/.lock true; do sleep 0.01; done
refused=$(call journal "$note")
expect "$refused" '"error_code":"UNAVAILABLE"'
expect "$refused" '"retry_after_seconds":5'
read=$(call spec '{"action":"get","spec_id":"dark-mode"}')
expect "$read" '"success":true'
expect "$read" '"code":"STALE_CACHE"'
kill -9 "$holder"
until flock --nonblock foundry/.lock true; do sleep 0.01; done
expect "$(call journal "$note")" '"success":true'

# --- Killed at any moment -------------------------------------------------------------------------

# Each round moves a specification to and fro until the process is killed; it is never lost, never
# doubled, and never half written.
rounds() {
  for round in {1..5}; do
    { while true; do
        message spec '{"action":"move","spec_id":"report-export","status":"active"}'
        message spec '{"action":"move","spec_id":"report-export","status":"pending"}'
      done; } 2>/dev/null | "$program" --config config.json > /dev/null 2>&1 &
    local server=$!
    sleep "0.$round"
    kill -9 "$server"
    wait "$server" 2>/dev/null || true
    local all
    all=$(call spec '{"action":"list"}')
    expect "$all" '"total_count":6'
    expect "$(call spec '{"action":"get","spec_id":"report-export"}')" '"success":true'
  done
}
rounds
moved=$(call journal '{"action":"list","spec_id":"report-export"}' | grep -o '"total_count":[0-9]*' | head -n 1 | cut -d: -f2)
[[ $moved -gt 5 ]] || fail "expected moves before the kills, found $moved"

# The state that a kill in the middle of a move leaves: the later revision counts.
cp foundry/pending/dark-mode.json old.json
call spec '{"action":"move","spec_id":"dark-mode","status":"active"}' > /dev/null
cp old.json foundry/pending/dark-mode.json
expect "$(call spec '{"action":"get","spec_id":"dark-mode"}')" 'status\":\"active'
call journal "$note" > /dev/null
[[ ! -e foundry/pending/dark-mode.json ]] || fail 'expected one file of dark-mode, found two'

# --- Callers --------------------------------------------------------------------------------------

hash() { printf %s "$1" | sha256sum | cut -d' ' -f1; }
printf '{"keys": {"%s": "ada", "%s": "ben"}}' "$(hash key-of-ada)" "$(hash key-of-ben)" > keys.json
"$program" --config keys.json --http 0 2> listening &
background+=($!)
until grep -q 'listening on' listening; do sleep 0.01; done
url=$(grep -o 'http:.*' listening)
complete='{"action":"complete","spec_id":"search-index","task_id":"ranking-english"}'
# as KEY TOOL ARGUMENTS
as() { "$(dirname "$program")/enfold" call "$2" "$3" --json --url "$url" --header "Authorization: Bearer $1" 2>&1 || true; }
expect "$(as nobody task "$complete")" '401'
expect "$(as key-of-ada task "$complete")" 'ranking-english belongs to ben'
expect "$(as key-of-ben task "$complete")" '"status":"completed"'
expect "$(as key-of-ada journal '{"action":"list","spec_id":"search-index"}')" '"by":"ben"'

# --- Configuration and command line ---------------------------------------------------------------

# refused EXIT_CODE ARGUMENTS… ; what it said is in $said
refused() {
  local want=$1 code=0
  shift
  said=$("$program" "$@" 2>&1 </dev/null) || code=$?
  [[ $code -eq $want ]] || fail "expected exit code $want, found $code" "$said"
}
printf '{\n  "folder": "x",\n  "rate_limits": {"spec": {"burts": 3}},\n  "budget_tokens": 12\n}\n' > wrong.json
refused 4 --config wrong.json
expect "$said" 'error: expected a known key, found "burts"'
expect "$said" '  at wrong.json, line 3, column '
expect "$said" 'hint: did you mean burst?'
expect "$said" 'error: /budget_tokens: expected at least 128, found number 12'
[[ ! -e x ]] || fail 'expected nothing to be made before the configuration is sound'
printf '{"folder": "x", "flags": {"spec_order": {"percentage_rollout": 101}}}' > flags.json
refused 4 --config flags.json
expect "$said" 'expected a number from 0 to 100, found 101'
expect "$said" '  at /flags/spec_order/percentage_rollout'
[[ ! -e x ]] || fail 'expected nothing to be made before the flags are sound'
printf '{"keys": {"key-of-ada": "ada"}}' > plain-key.json
refused 4 --config plain-key.json
expect "$said" 'expected a SHA-256 as 64 hex digits'
refused 4 --config nowhere.json
expect "$said" '  at nowhere.json'
refused 5 --confg wrong.json
expect "$said" 'hint: did you mean --config?'
refused 0 --help
expect "$said" 'rate_limits'

# --- Answers --------------------------------------------------------------------------------------

mkdir checked
(cd checked && "$(dirname "$program")/enfold" check --strict --calls "$here/calls.json" \
  -- "$program" --config "$here/config.json" > report) || fail "$(cat checked/report)"

# shellcheck source=../readme_commands.sh
source "$here/../readme_commands.sh"
run_readme "$here/README.md" "$(dirname "$program")"
