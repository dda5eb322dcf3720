#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a user's compiler pays for the public headers, and whether it warns.

  header_cost.py SOURCE_FOLDER COMPILER…

Compiles each header of the server and client library alone, all public headers together, and the example hello,
with the warnings that careful users have on. Memory is what counts: at most 250 MB for a header. The limit of
time is far above the 2.5 s that it takes on an idle machine, because the machine of a test seldom is.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

MOST_BYTES = 250_000_000
MOST_SECONDS = 15  # of processor time
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def compile_file(compiler, source, include):
    """The exit code, the peak of memory in bytes and the processor time in seconds."""
    pid = os.posix_spawnp(compiler, [compiler, *FLAGS, "-I", str(include), str(source)], os.environ)
    _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def main():
    root, compilers = Path(sys.argv[1]), sys.argv[2:]
    listed = re.findall(r"enfold/\S+\.h", (root / "cmake/public_headers.cmake").read_text())
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        sources = {}
        for header in [h for h in listed if h.startswith(("enfold/server/", "enfold/client/"))]:
            sources[header] = f'#include "{header}"\n'
        sources["all headers"] = "".join(f'#include "{header}"\n' for header in listed)
        sources["examples/hello"] = (root / "examples/hello/main.cc").read_text()
        if len(sources) < 12:
            problems.append(f"only {len(sources)} headers found")
        for compiler in compilers:
            for name, text in sources.items():
                source = Path(folder) / "source.cc"
                source.write_text(text)
                code, peak, seconds = compile_file(compiler, source, root / "src")
                print(f"{compiler} {name}: {peak / 1e6:.0f} MB, {seconds:.1f} s")
                if code != 0:
                    problems.append(f"{compiler} {name}: it does not compile without warnings")
                if name in listed and peak > MOST_BYTES:
                    problems.append(f"{compiler} {name}: {peak / 1e6:.0f} MB, at most {MOST_BYTES / 1e6:.0f}")
                if seconds > MOST_SECONDS:
                    problems.append(f"{compiler} {name}: {seconds:.1f} s, at most {MOST_SECONDS}")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
