# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For the tests of the examples: runs the commands of a README as a reader types them.

# run_readme README PROGRAM_FOLDER: every command of the ```console blocks, one after the other in
# one shell, from the root folder, with an empty HOME. They must leave nothing there, in the current
# folder or in the folder for temporary files. (What they print is compared by tests/docs.)
run_readme() {
  local readme programs root place
  readme=$(realpath "$1")
  programs=$(realpath "$2")
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  place=$(mktemp -d)
  mkdir "$place/home" "$place/tmp"
  ln -s "$root/examples" "$place/examples"
  awk '/^```console/ {inside = 1; next} /^```/ {inside = 0}
       inside && (/^\$ / || more) {sub(/^\$ /, ""); print; more = /\\$/}' "$readme" > "$place/commands"
  grep -q . "$place/commands" || { echo "$readme shows no commands" >&2; return 1; }
  local code=0 left
  (cd "$place" && HOME=$place/home TMPDIR=$place/tmp PATH=$programs:$PATH \
    bash -e "$place/commands" > "$place/printed" 2>&1 < /dev/null) || code=$?
  left=$(cd "$place" && find . -mindepth 1 -not \( -path ./home -o -path ./tmp -o -path ./examples \
    -o -path ./commands -o -path ./printed \))
  if [[ $code -ne 0 || -n $left ]]; then
    printf '%s: a command ended with %s; left behind: %s\n' "$readme" "$code" "${left:-nothing}" >&2
    cat "$place/printed" >&2
    rm -rf "$place"
    return 1
  fi
  rm -rf "$place"
}
