#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `tools/release` refuses: each of its quick checks in a repository that is in order but for one thing. And the
comparison of tools/compare_packages, on two folders.

  release.py SOURCE_FOLDER WORK_FOLDER
"""

import json
import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

root, work = map(Path, sys.argv[1:3])
sys.dont_write_bytecode = True
release = SourceFileLoader("release", str(root / "tools/release")).load_module()
problems = []
CHANGELOG = "# Changelog\n\n## 1.2.3 – 2026-11-18\n\n### Gateway\n- A change.\n\n## 1.2.2 – 2026-10-01\n- Older.\n"
SERVER = {"version": "1.2.3", "packages": [{"version": "1.2.3"}]}


def git(*words):
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=work, check=True,
                   capture_output=True)


def prepare(version="1.2.3", changelog=CHANGELOG, server=None, dirty=False, tag=None):
    shutil.rmtree(work, ignore_errors=True)
    (work / "packaging").mkdir(parents=True)
    (work / "CHANGELOG.md").write_text(changelog)
    (work / "packaging/server.json").write_text(json.dumps(server or SERVER))
    git("init", "--quiet")
    git("add", "-A")
    git("commit", "--quiet", "-m", "all")
    if tag:
        git("tag", tag)
    if dirty:
        (work / "new").write_text("x")
    release.ROOT, release.VERSION = work, version
    return " ".join(release.tree() + release.version() + release.changelog())


def expect(what, found, wanted):
    if wanted not in found if wanted else found:
        problems.append(f"{what}: expected {wanted!r}, found {found!r}")


expect("in order", prepare(), "")
expect("a file that is not committed", prepare(dirty=True), "the tree is dirty: 1 changes, first ?? new")
expect("a version in words", prepare(version="next"), "expected MAJOR.MINOR.PATCH, found next")
expect("another version in server.json", prepare(server={"version": "1.2.2", "packages": []}), "expected version 1.2.3, found 1.2.2")
expect("a release that was made", prepare(tag="v1.2.3"), "the tag v1.2.3 exists")
expect("no date", prepare(changelog=CHANGELOG.replace("2026-11-18", "unreleased")), "found `## 1.2.3 – unreleased`")
expect("no section", prepare(changelog=CHANGELOG.replace("1.2.3", "1.3.0")), "expected a first section for 1.2.3")
expect("no entries", prepare(changelog="# Changelog\n\n## 1.2.3 – 2026-11-18\n"), "has no entries")

for name, content in (("a", b"same"), ("b", b"same"), ("c", b"sama")):
    (work / name).mkdir()
    (work / name / "file").write_bytes(content)
for other, code in (("b", 0), ("c", 1)):
    done = subprocess.run([root / "tools/compare_packages", work / "a", work / other], capture_output=True, text=True)
    if done.returncode != code or (code and "file: 4 and 4 bytes, the first difference at 3" not in done.stderr):
        problems.append(f"compare_packages: expected {code}, found {done.returncode}: {done.stderr}")

for problem in problems:
    print(f"error: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
