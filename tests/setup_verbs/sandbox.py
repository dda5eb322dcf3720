# SPDX-License-Identifier: Apache-2.0
"""A home folder of its own for each test, and the program in it."""

import json
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

PROGRAM = Path(sys.argv[1]).resolve()
ROOT = Path(sys.argv[2]).resolve()


class Sandbox:
    def __init__(self, folder):
        self.home = Path(folder)
        self.project = self.home / "work"
        self.project.mkdir()
        (self.project / ".git").mkdir()

    def environment(self, **more):
        path = f"{PROGRAM.parent}:{os.environ['PATH']}"
        return {"HOME": str(self.home), "PATH": path, "LANG": "C.UTF-8", **more}

    def run(self, *arguments, code=0, **more):
        """The finished process; fails unless it exits with `code`."""
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=self.project, timeout=120,
                              stdin=subprocess.DEVNULL, env=self.environment(**more))
        assert done.returncode == code, f"{arguments}: exit {done.returncode}, not {code}\n{done.stdout}{done.stderr}"
        return done

    def json(self, *arguments, code=0, **more):
        return json.loads(self.run(*arguments, "--json", code=code, **more).stdout)

    def write(self, name, content, mode=0o600):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path.chmod(mode)
        return path


def run_tests(namespace):
    failed = 0
    for name, test in list(namespace.items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory(prefix="enfold-setup-") as folder:
            try:
                test(Sandbox(folder))
                print(f"ok      {name}")
            except Exception:  # noqa: BLE001: every failure is reported, the others go on
                failed += 1
                print(f"FAILED  {name}")
                traceback.print_exc()
    sys.exit(1 if failed else 0)
