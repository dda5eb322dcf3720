#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Over stdio: a question to the client in a session, and its answer.
set -euo pipefail
program=$1

said=$("$program" 2>/dev/null <<'EOF'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"Who?"}}}
{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"username":"ada","email":"a@b.c"}}}
{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"test://template/7/data"}}
EOF
)
expect() {
  if ! grep -qF -- "$1" <<<"$said"; then
    printf 'expected in the answers: %s\nfound:\n%s\n' "$1" "$said" >&2
    exit 1
  fi
}
expect '"method":"elicitation/create"'
expect 'Elicitation completed: action=accept, content={\"username\":\"ada\",\"email\":\"a@b.c\"}'
expect 'Data for ID: 7'
