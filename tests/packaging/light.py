#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that links only enfold::server needs neither SQLite nor hiredis, and has no token tables. It still
cuts, archives and fetches, and offers no SQL.

  light.py SOURCE_FOLDER HELLO FULL_PROGRAM

FULL_PROGRAM has all of them: if they could not be found there, finding none in HELLO would mean nothing.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

root, hello, full = map(Path, sys.argv[1:4])
problems = []


def libraries(program):
    text = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout
    return [line.split("[")[1].rstrip("]") for line in text.splitlines() if "(NEEDED)" in line]


def expect(what, program, found, wanted):
    if found != wanted:
        problems.append(f"{program.name} {'has' if found else 'lacks'} {what}")


for program, wanted in ((hello, False), (full, True)):
    needed = libraries(program)
    content = program.read_bytes()
    for library in ("libsqlite3", "libhiredis"):
        expect(library, program, any(name.startswith(library) for name in needed), wanted)
    for table in ("o200k_base", "cl100k_base"):
        table_bytes = (root / f"data/tokens/{table}.bin").read_bytes()
        middle = len(table_bytes) // 2
        expect(f"the table {table}", program, table_bytes[middle : middle + 256] in content, wanted)


class Talk:
    """One session with the server over stdio."""

    def __init__(self, program):
        self.child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True)
        self.number = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "test", "version": "1"}})

    def ask(self, method, params):
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.child.stdin.write(json.dumps(request) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())["result"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]

    def end(self):
        self.child.stdin.close()
        return self.child.wait(timeout=30)


talk = Talk(hello)
tools = {tool["name"]: tool for tool in talk.ask("tools/list", {})["tools"]}
fetch = json.dumps(tools["enfold_fetch"])
expect("SQL in enfold_fetch", hello, "sql" in fetch.lower(), False)
name = "\n".join(f"line {i}: all is well" for i in range(5_000)) + "\nthe needle"
cut = talk.call("greet", name=name)
way_back = re.search(r'enfold_fetch \{\\"handle\\":\\"(\d{12})\\"\}', json.dumps(cut))
if way_back is None:
    problems.append(f"a cut answer does not name a call without SQL: {json.dumps(cut)[:2000]}")
else:
    handle = way_back.group(1)
    found = json.dumps(talk.call("enfold_fetch", handle=handle, find="the needle"))
    expect("what was cut, by find", hello, "the needle" in found, True)
    refused = talk.call("enfold_fetch", handle=handle, sql="select 1")
    expect("an answer to SQL", hello, refused["success"], False)
    expect("a reason for refusing SQL", hello, "this program has no SQL" in json.dumps(refused), True)
expect("the exit code 0", hello, talk.end() == 0, True)
for problem in problems:
    print(f"error: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
