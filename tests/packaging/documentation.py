#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the packages have of pages: man pages of all sections and completions, none of removed verbs; of docs/ and
examples/ the committed files, not what examples leave there.

  documentation.py SOURCE_FOLDER WORK_FOLDER PROGRAM
"""

import shutil
import subprocess
import sys
from pathlib import Path

root, work, program = (Path(word).resolve() for word in sys.argv[1:4])
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "packaging/steps"))
import common  # noqa: E402

problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def git(*words):
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=work / "tree", check=True,
                   capture_output=True)


shutil.rmtree(work, ignore_errors=True)
for name in ("docs/guide/client.md", "docs/a b.md", "examples/foundry/main.cc", "src/other.cc"):
    common.write(work / "tree" / name, name)
common.write(work / "tree/.gitignore", "/examples/foundry/foundry/\n__pycache__/\n")
git("init", "--quiet")
git("add", "-A")
git("commit", "--quiet", "-m", "all")
common.write(work / "tree/examples/foundry/foundry/private.db", "data of a user")
common.write(work / "tree/examples/__pycache__/x.pyc", "x")
subprocess.run(["cmake", "-D", f"SOURCE={work}/tree", "-D", f"TARGET={work}/installed", "-P",
                root / "cmake/install_documentation.cmake"], check=True, capture_output=True)
found = sorted(str(path.relative_to(work / "installed")) for path in (work / "installed").rglob("*") if path.is_file())
expect(found == ["docs/a b.md", "docs/guide/client.md", "examples/foundry/main.cc"], f"documentation: found {found}")

common.ROOT, common.program = work / "root", lambda preset: program
(work / "root").mkdir()
(work / "root/tools").symlink_to(root / "tools")
common.write(work / "root/build/debian/generated/man/enfold-removed.1", "old")
pages = set(common.generated())
wanted = {"man/man1/enfold.1", "man/man1/enfold-import.1", "man/man5/enfold.toml.5",
          "bash-completion/completions/enfold", "zsh/vendor-completions/_enfold", "fish/vendor_completions.d/enfold.fish"}
expect(wanted <= pages, f"pages: expected {sorted(wanted - pages)}")
expect("man/man1/enfold-removed.1" not in pages, "pages: that of a removed verb is packed")

for problem in problems:
    print(f"error: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
