#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run_gateway_suite.sh ENFOLD stdio|http REVISION CONTRACT FOLDER [SERVER]
# The official suite against `enfold serve` in front of the fixture server, which is a child of the
# gateway or a server of its own. SERVER: another server, built with the library.
set -euo pipefail
enfold=$1 transport=$2 revision=$3 contract=$4 folder=$5
here=$(cd "$(dirname "$0")" && pwd)
node=$here/../peers/node_modules/.bin/node
[[ -x $node ]] || { echo "no peers: run tools/setup peers" >&2; exit 1; }
server=${6:-}
serve=(serve --listen 127.0.0.1:0 --archive memory --contract "$contract")

if [[ -n $server ]]; then
  over_stdio=("$server") over_http=("$server" --http 0)
else
  over_stdio=("$node" "$here/fixture_server.mjs" stdio)
  over_http=("$node" "$here/fixture_server.mjs" http 0)
fi

if [[ $transport == stdio ]]; then
  exec bash "$here/run_server_suite.sh" "$enfold" "$revision" "$folder" "${serve[@]}" -- \
    "${over_stdio[@]}"
fi
log=$(mktemp)
"${over_http[@]}" 2>"$log" &
fixture=$!
trap 'kill -TERM $fixture 2>/dev/null || true; wait $fixture 2>/dev/null || true; rm -f "$log"' EXIT
for _ in $(seq 100); do
  address=$(sed -n 's/^fixture on /http:\/\//p; s/^listening on //p' "$log")
  [[ -n $address ]] && break
  kill -0 $fixture || { cat "$log" >&2; exit 1; }
  sleep 0.1
done
[[ -n $address ]] || { echo "the fixture did not say its address" >&2; exit 1; }
bash "$here/run_server_suite.sh" "$enfold" "$revision" "$folder" "${serve[@]}" \
  --upstream "$address"
