#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What comes from npm into the program: its licence is in the lock file, in the copyright file of the Debian package,
and in the notices of the other packages. And what tools/package reads of a system that is unpacked only.

  bundled.py SOURCE_FOLDER WORK_FOLDER BUILD_FOLDER
"""

import gzip
import json
import shutil
import sys
from pathlib import Path

root, work, built = (Path(word).resolve() for word in sys.argv[1:4])
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "packaging/steps"))
import licences  # noqa: E402

problems = []


def expect(what, found, wanted):
    if found != wanted:
        problems.append(f"{what}: expected {wanted!r}, found {found!r}")


listed = built / "web/bundled.json"
rows = json.loads(listed.read_text())
expect("packages in the page", [row["name"] for row in rows], ["preact"])
locked = json.loads((root / "web/package-lock.json").read_text())["packages"]
copyrights = (root / "packaging/debian/copyright").read_text()
shutil.rmtree(work, ignore_errors=True)
(work / "build/some/web").mkdir(parents=True)
shutil.copy(listed, work / "build/some/web")
(work / "web").mkdir()
(work / "web/node_modules").symlink_to(root / "web/node_modules")
licences.ROOT = work
for row in licences.bundled("some"):
    expect(f"version of {row['name']}", row["version"], locked[f"node_modules/{row['name']}"]["version"])
    paragraph = copyrights.partition(f"Files: web/node_modules/{row['name']}/*\n")[2].partition("\n\n")[0]
    owner = row["text"].partition("Copyright (c) ")[2].splitlines()[0]
    expect(f"copyright of {row['name']}", f"Copyright: {owner}" in paragraph, True)
    expect(f"licence of {row['name']}", (row["license"], "License: Expat" in paragraph), ("MIT", True))

doc = work / "sysroot/usr/share/doc"
for name, file, line in (("libone-dev", "changelog.Debian.gz", "one (3.0.17-1~deb12u2) bookworm; urgency=high"),
                         ("libtwo-dev", "changelog.gz", "two (1:2.5) bookworm; urgency=low")):
    (doc / name).mkdir(parents=True)
    (doc / name / file).write_bytes(gzip.compress(f"{line}\n\n  * Change.\n".encode()))
licences.SYSROOTS["portable-arm64"] = work / "sysroot"
expect("a version in the sysroot", licences.version("libone-dev", "portable-arm64"), "3.0.17-1~deb12u2")
expect("a version with an epoch", licences.version("libtwo-dev", "portable-arm64"), "1:2.5")

for problem in problems:
    print(f"error: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
