#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test.sh PROGRAM
set -euo pipefail
got=$("$1" < "$(dirname "$0")/../answers/read_missing_file.json")
want='{"success":false,"data":{"error_code":"ENOENT","error_type":"not_found","details":{"resource_type":"file","resource_id":"/sandbox/nope.txt"}},"error":"ENOENT: no such file or directory, open '"'/sandbox/nope.txt'"'","meta":{"version":"response-v2"}}'
[ "$got" = "$want" ] || { printf 'expected %s\nfound    %s\n' "$want" "$got"; exit 1; }
if echo '{"a":' | "$1" 2>/dev/null; then echo 'a broken answer must fail'; exit 1; fi
