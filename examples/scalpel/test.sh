#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the tools say about folders that they cannot read whole; the commands of the README.
set -euo pipefail
program=$1
folder=$(dirname "$0")

python3 "$folder/check_folders.py" "$program"
python3 "$folder/../check_readme.py" "$folder" "$(dirname "$program")" \
  '"rule": "JS-EVAL"' '2 of 3 files were not analysed: 1 .rb (unknown_language), 1 .go (language_not_in_tier)' \
  '0 errors, 0 warnings, 0 notes'
