#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the project of docs/guide/first-server.md as its reader does, against an installed package.

  first_server.py --root FOLDER --prefix FOLDER --work FOLDER

The files of examples/bookshop are copied to the work folder, and the ```console blocks of the page run
there, with the package as CMAKE_PREFIX_PATH and its program on PATH. Each command must print what the
page shows. The ```cmake block must be the CMakeLists.txt; the ```cpp blocks are compared by docs_code.
With ENFOLD_UPDATE_GOLDEN set the blocks are rewritten with what was printed.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path

from check_docs import check_blocks, fenced_blocks

PAGE = Path("docs", "guide", "first-server.md")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--root", "--prefix", "--work"):
        parser.add_argument(name, type=Path, required=True)
    arguments = parser.parse_args()
    root, prefix, work = (path.resolve() for path in (arguments.root, arguments.prefix, arguments.work))
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(root / "examples" / "bookshop", work)
    os.environ["CMAKE_PREFIX_PATH"] = str(prefix)
    problems, count = check_blocks(root / PAGE, root, work, prefix / "bin" / "enfold", str(work), seconds=900)
    project = "\n".join((work / "CMakeLists.txt").read_text().splitlines()[1:])
    if [project] != ["\n".join(block) for _, block in fenced_blocks((root / PAGE).read_text(), "cmake")]:
        problems.append(f"{PAGE}: the ```cmake block is not examples/bookshop/CMakeLists.txt")
    for problem in problems:
        print(problem)
    print(f"first server: {count} commands checked, {len(problems)} wrong")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
