#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run_client_suite.sh PROGRAM REVISION FOLDER
# Runs the client scenarios of the official suite with the program as client. Every scenario that
# needs no authorization has to pass; docs/internals/conformance.md has to name all of them with their state.
# With ENFOLD_UPDATE_GOLDEN set the page is rewritten.
set -euo pipefail
program=$1 revision=$2 folder=$3
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../docs/internals/conformance.md
peers=$here/../peers/node_modules
node=$peers/.bin/node
[[ -x $node ]] || { echo "no peers: run tools/setup peers" >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder"
# What needs authorization fails, so the exit code says nothing; the report does.
"$node" "$peers/@modelcontextprotocol/conformance/dist/index.js" client --command "$program" \
  --requirements "$revision" -o "$folder/checks" >"$folder/report.txt" 2>&1 || true
summary=$(sed -n '/^=== SUITE SUMMARY ===/,/^Total:/p' "$folder/report.txt")
not_scored=$(sed '1,/^Not scored/d' "$folder/report.txt" | sed -n 's/^  [✓✗] \([^ ]*\) .*/\1/p')
[[ -n $summary ]] || { tail -40 "$folder/report.txt" >&2; exit 1; }

state_of() { # MARK NAME
  if [[ $1 == ✓ ]]; then
    echo passes
  elif [[ $2 == auth/* ]]; then
    echo "not implemented: needs authorization"
  else
    echo FAILS
  fi
}
while read -r mark name; do
  required=yes
  grep -qxF "$name" <<<"$not_scored" && required=no
  echo "| \`$name\` | $required | $(state_of "$mark" "$name") |"
done < <(sed -n 's/^\([✓✗]\) \([^:]*\):.*/\1 \2/p' <<<"$summary") >"$folder/table.md"

failing=$(grep -c '| FAILS |' "$folder/table.md" || true)
passing=$(grep -c '| passes |' "$folder/table.md" || true)
echo "$revision: $passing scenarios pass, $failing of those without authorization fail"
[[ $failing -eq 0 && $passing -gt 0 ]] || { cat "$folder/table.md" >&2; exit 1; }

# The part of the page between the two marks of this revision.
begin="<!-- client $revision -->" end="<!-- end -->"
shown=$(awk -v b="$begin" -v e="$end" '$0==b{on=1;next} on&&$0==e{exit} on' "$page" | grep '^| `' || true)
[[ "$shown" == "$(cat "$folder/table.md")" ]] && exit 0
if [[ -n ${ENFOLD_UPDATE_GOLDEN:-} ]]; then
  awk -v b="$begin" -v e="$end" -v t="$folder/table.md" '
    $0==b {print; print "| scenario | required | state |"; print "|---|---|---|";
           while ((getline line < t) > 0) print line; skip=1; next}
    $0==e {skip=0}
    !skip' "$page" >"$folder/page.md"
  cp "$folder/page.md" "$page"
  exit 0
fi
echo "docs/internals/conformance.md does not say what the suite says:" >&2
diff <(echo "$shown") "$folder/table.md" >&2
exit 1
