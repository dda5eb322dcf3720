#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run_server_suite.sh PROGRAM REVISION FOLDER [ARGUMENT…]     (arguments: --http 0)
# Starts the program on a free port, runs the official suite against it and counts: every scenario
# that the revision requires has to pass. REVISION suite-0.1 is the older suite with all its checks,
# tasks the scenarios of the tasks extension, which no revision requires; ENFOLD_SKIP names those that
# do not apply.
set -euo pipefail
program=$1 revision=$2 folder=$3
shift 3
[[ $# -gt 0 ]] || set -- --http 0
here=$(cd "$(dirname "$0")" && pwd)
peers=$here/../peers/node_modules
node=$peers/.bin/node
[[ -x $node ]] || { echo "no peers: run tools/setup peers" >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder"
: >"$folder/server.log"  # looked at before the server has opened it
"$program" "$@" 2>"$folder/server.log" &
server=$!
trap 'kill -TERM $server 2>/dev/null || true; wait $server 2>/dev/null || true' EXIT
for _ in $(seq 100); do
  url=$(sed -n 's/^listening on //p' "$folder/server.log")
  [[ -n $url ]] && break
  kill -0 $server || { cat "$folder/server.log" >&2; exit 1; }
  sleep 0.1
done
[[ -n $url ]] || { echo "the server did not say its address" >&2; exit 1; }

case $revision in
  2025-11-25) required=30 ;;
  2026-07-28) required=37 ;;
  suite-0.1 | tasks) required= ;;
  *) echo "unknown revision: $revision" >&2; exit 1 ;;
esac
suite() {
  "$node" "$1" server --url "$url" "${@:2}" >"$folder/report.txt" 2>&1 ||
    { tail -60 "$folder/report.txt" >&2; exit 1; }
}
if [[ $revision == tasks ]]; then
  count=0 checks=0
  for scenario in lifecycle capability-negotiation wire-fields request-state-removal mrtr-input \
    request-headers dispatch-and-envelope status-notifications required-task-error mrtr-composition; do
    [[ " ${ENFOLD_SKIP:-} " == *" $scenario "* ]] && continue
    suite "$peers/@modelcontextprotocol/conformance/dist/index.js" --scenario "tasks-$scenario" \
      --spec-version 2026-07-28 --force
    passed=$(sed -n 's/^Passed: \([0-9]*\).*/\1/p' "$folder/report.txt")
    [[ -n $passed ]] || { echo "tasks-$scenario did not run" >&2; exit 1; }
    count=$((count + 1)) checks=$((checks + passed))
  done
  echo "tasks: $count scenarios with $checks checks pass"
elif [[ -z $required ]]; then
  suite "$peers/conformance-2025/dist/index.js" --suite all --expected-failures "$here/baseline.yml"
  tail -3 "$folder/report.txt"
else
  new=$peers/@modelcontextprotocol/conformance/dist/index.js
  suite "$new" --requirements "$revision" --expected-failures "$here/baseline.yml"
  # Without a baseline it also says which scenarios do not count: extensions and later additions.
  suite "$new" --requirements "$revision" -o "$folder/checks"
  passed=$(sed '/^Not scored/q' "$folder/report.txt" | grep -E '^✓ ' | sed 's/^✓ \([^:]*\):.*/\1/' | sort)
  not_scored=$(sed '1,/^Not scored/d' "$folder/report.txt" | sed -n 's/^  [✓✗] \([^ ]*\) .*/\1/p' | sort)
  count=$(comm -23 <(echo "$passed") <(echo "$not_scored") | wc -l)
  echo "$revision: $count of $required required scenarios pass"
  [[ $count -eq $required ]] || { tail -20 "$folder/report.txt" >&2; exit 1; }
fi
kill -0 $server || { echo "the server has gone" >&2; exit 1; }
