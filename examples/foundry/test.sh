#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a script of calls cannot say: an answer that was cut is fetched by its handle after a restart,
# and a wrong configuration or command line is refused with its place.
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
# call TOOL ARGUMENTS
call() {
  printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s,%s}}\n' \
    "$1" "$2" "$meta" | "$program" --config "$here/config.json" 2>/dev/null
}

cut=$(call task '{"action":"query","spec_id":"search-index","limit":50,"response_level":"full"}')
expect "$cut" '"content_fidelity":"partial"'
notes='The sample for Finnish has 5069 sentences'
! grep -qF "$notes" <<<"$cut" || fail "expected to be left out: $notes" "found: $cut"
handle=$(grep -o '"content_archive_hashes":{"[0-9]*' <<<"$cut" | head -n 1 | grep -o '[0-9]*$')
fetched=$(call enfold_fetch "{\"handle\":\"$handle\",\"id\":\"stemmer-finnish\"}")
expect "$fetched" '"isError":false'
expect "$fetched" "$notes"

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
printf '{"flags": {"spec_order": {"percentage_rollout": 101}}}' > flags.json
refused 4 --config flags.json
expect "$said" 'expected a number from 0 to 100, found 101'
expect "$said" '  at /flags/spec_order/percentage_rollout'
refused 4 --config nowhere.json
expect "$said" '  at nowhere.json'
refused 5 --confg wrong.json
expect "$said" 'hint: did you mean --config?'
refused 0 --help
expect "$said" 'rate_limits'
