#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The answers of all fourteen tools, read by `enfold parse`; the state file; the commands of the README.
set -euo pipefail
program=$1
folder=$(dirname "$0")
programs=$(dirname "$program")

python3 "$folder/check_parse.py" "$program" "$programs/enfold"
python3 "$folder/check_state.py" "$program"
python3 "$folder/../check_readme.py" "$folder" "$programs" \
  '"content":"High water 12:31"' '"responseType":"list"' '14 tools' '0 errors, 0 warnings'
