#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Types the commands of pages as their reader does, with real servers from npm.

  reader.py PAGE… --root FOLDER --enfold PROGRAM

The ```console blocks of each PAGE run in an empty folder below a home, as check_docs.py says. The home has
the settings files of nine clients, from tests/docs/home.
`npx` finds the servers of tests/peers in the node_modules of that home, without a network. Port 8080 of
a page is another one here, which is free.
With ENFOLD_UPDATE_GOLDEN set the blocks are rewritten with what was printed.
"""

import argparse
import os
import shutil
import socket
import sys
import tempfile
from pathlib import Path

from check_docs import check_blocks

PORT = "8080"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def prepare(root, place):
    """The home of a reader who has Node.js and the servers; the folder to work in."""
    peers = root / "tests/peers/node_modules"
    if not (peers / ".bin/node").exists():
        sys.exit(f"error: expected Node.js and servers in {peers}\nhint: run tools/setup peers")
    home, work = place / "home", place / "home/work"
    shutil.copytree(root / "tests/docs/home", home)
    work.mkdir()
    (home / "node_modules").symlink_to(peers)
    (home / "package.json").write_text('{"private": true}\n')
    for name in [name for name in os.environ if name.startswith(("XDG_", "ENFOLD_ARCHIVE", "CLAUDE_", "CODEX_"))]:
        del os.environ[name]
    os.environ |= {"PATH": f"{peers}/.bin:{os.environ['PATH']}", "npm_config_offline": "true",
                   "npm_config_update_notifier": "false", "npm_config_cache": str(place / "npm"), "TMPDIR": str(place)}
    return home, work


def check_page(root, name, program):
    page, port = root / name, free_port()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        home, work = prepare(root, place)
        typed = place / "pages" / name
        typed.parent.mkdir(parents=True)
        typed.write_text(page.read_text().replace(PORT, port))
        problems, count = check_blocks(typed, place / "pages", work, program, str(home), seconds=120)
        if os.environ.get("ENFOLD_UPDATE_GOLDEN"):
            page.write_text(typed.read_text().replace(port, PORT).replace(str(home), "…"))
    return problems, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--enfold", required=True)
    arguments = parser.parse_args()
    problems, count = [], 0
    for name in arguments.pages:
        found, checked = check_page(arguments.root.resolve(), name, arguments.enfold)
        problems += found if checked else [f"{name}: found no command to type"]
        count += checked
    for problem in problems:
        print(problem)
    print(f"reader: {count} commands typed, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
