#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The answers of all fourteen tools, read by `enfold parse`.
set -euo pipefail
program=$1
exec python3 "$(dirname "$0")/check_parse.py" "$program" "$(dirname "$program")/enfold"
