#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the five commands of an example's README work when they are typed into one shell?

  check_readme.py FOLDER PROGRAMS TEXT…

Runs the sh block under "## Five commands" of FOLDER/README.md in the root of the repository, with the
programs of the folder PROGRAMS on PATH. Every command must succeed, every TEXT must be printed, and
nothing may be left behind: not in the home folder, not in the folder for temporary files, not in the
repository.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def block_of(readme):
    found = re.search(r"^## Five commands$.*?^```sh\n(.*?)^```$", readme.read_text(), re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"{readme}: expected an sh block under \"## Five commands\"")
    return found.group(1)


def files_of_repository():
    places = [ROOT, *(path for path in (ROOT / "examples").rglob("*") if path.is_dir())]
    return {path for place in places for path in place.iterdir()}


def run(block, programs, scratch):
    home, temporary = scratch / "home", scratch / "tmp"
    home.mkdir()
    temporary.mkdir()
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("XDG_", "ENFOLD_")) and name != "NO_COLOR"}
    environment |= {"HOME": str(home), "TMPDIR": str(temporary), "LC_ALL": "C.UTF-8",
                    "PATH": f"{programs}:{os.environ['PATH']}"}
    before = files_of_repository()
    ended = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=ROOT, env=environment, text=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    left = [*home.iterdir(), *temporary.iterdir(), *(files_of_repository() - before)]
    return ended, left


def main():
    folder, programs, *texts = sys.argv[1:]
    readme = Path(folder).resolve() / "README.md"
    block = block_of(readme)
    count = len(re.sub(r"\\\n", "", block).splitlines())
    with tempfile.TemporaryDirectory() as scratch:
        ended, left = run(block, Path(programs).resolve(), Path(scratch))
    problems = [f"expected five commands, found {count}"] if count != 5 else []
    problems += [f"exit code {ended.returncode}"] if ended.returncode != 0 else []
    problems += [f"expected in the output: {text}" for text in texts if text not in ended.stdout]
    problems += [f"left behind: {path}" for path in left]
    for problem in problems:
        print(f"{readme.relative_to(ROOT)}: {problem}")
    if problems:
        print(ended.stdout)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
