#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The release program has what Debian's `hardening-check --nocfprotection` looks for, and checked indexes. Asked of
readelf and of the compile commands, because a release build takes minutes and devscripts brings half of Perl along.

  hardening.py SOURCE_FOLDER WORK_FOLDER PROGRAM

PROGRAM is of this build: it is linked like the release program. If `make build` was run, its program is looked at too.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

root, work, program = map(Path, sys.argv[1:4])
problems = []

# Of every file that becomes part of the program.
FLAGS = ["-fstack-protector-strong", "-fstack-clash-protection", "-D_GLIBCXX_ASSERTIONS", "-U_FORTIFY_SOURCE",
         "-D_FORTIFY_SOURCE=3"]
# What these flags leave in a program.
SYMBOLS = ["__stack_chk_fail", "__memcpy_chk", "glibcxx_assert_fail"]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=root).stdout


def expect(holds, what, where):
    if not holds:
        problems.append(f"{where}: expected {what}")


def check_linked(file):
    headers = output("readelf", "-W", "-h", "-l", "-d", file)
    expect(re.search(r"Type:\s+DYN", headers), "a position-independent executable", file)
    expect("GNU_RELRO" in headers, "read-only relocations", file)
    expect(re.search(r"\(FLAGS_1\).*\bNOW\b", headers), "immediate binding", file)
    expect(re.search(r"GNU_STACK\s+.*\sRW\s", headers), "a stack that is not executable", file)


output("cmake", "--preset", "release", "-B", work, "--log-level=ERROR")
commands = json.loads((work / "compile_commands.json").read_text())
own = [one for one in commands if Path(one["file"]).is_relative_to(root / "src")]
expect(len(own) > 100, "the compile commands of the release build", work)
for one in own:
    for flag in FLAGS:
        expect(flag in one["command"].split(), flag, one["file"])

check_linked(program)
released = root / "build/release/bin/enfold"
if released.exists():
    check_linked(released)
    symbols = output("readelf", "-W", "--dyn-syms", released)
    for symbol in SYMBOLS:
        expect(symbol in symbols, symbol, released)

for problem in problems[:20]:
    print(f"hardening: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
