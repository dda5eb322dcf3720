# SPDX-License-Identifier: Apache-2.0
"""Runs a check on a small tree that a test describes. The first argument of the test is the check."""

import subprocess
import sys
import tempfile
from pathlib import Path

CHECK = Path(sys.argv.pop(1)).resolve()


def run_check(files, *options):
    """Runs the check on a tree of these files: text by path."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return subprocess.run([sys.executable, CHECK, "--root", folder, *options], capture_output=True, text=True)


def run(files):
    """Exit code and standard error of the check."""
    done = run_check(files)
    return done.returncode, done.stderr
