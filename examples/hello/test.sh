#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Talks to the server over stdio in both eras and looks at what it says; runs the commands of the README.
set -euo pipefail
program=$1

meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
said=$("$program" 2>/dev/null <<EOF
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{"name":"World"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"greet","arguments":{}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"greet","arguments":{"name":"again"},$meta}}
EOF
)

expect() {
  if ! grep -qF -- "$1" <<<"$said"; then
    printf 'expected in the answers: %s\nfound:\n%s\n' "$1" "$said" >&2
    exit 1
  fi
}
expect '"serverInfo":{"name":"hello","version":"1.0.0"}'
expect '"structuredContent":{"success":true,"data":{"greeting":"Hello, World!"},"error":null,"meta":{"version":"response-v2","request_id":"req_'
expect '"error_code":"MISSING_REQUIRED"'
expect '"greeting":"Hello, again!"'
expect '"resultType":"complete"'
[[ $(wc -l <<<"$said") -eq 4 ]] || { echo "expected 4 answers, found: $said" >&2; exit 1; }

folder=$(dirname "$0")
python3 "$folder/../check_readme.py" "$folder" "$(dirname "$program")" \
  '{"greeting":"Hello, World!"}' '"toolName":"greet"' '0 errors, 0 warnings, 0 notes'
