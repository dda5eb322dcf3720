#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a sound list of headers in one way at a time; tools/public_headers must name each breach."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(sys.argv.pop(1)).resolve()
LIST = "cmake/public_headers.cmake"
HEADER = "// SPDX-License-Identifier: Apache-2.0\n// A purpose. And more\n// of it.\n#pragma once\n"
SOUND = {
    LIST: "# comment\nset(enfold_public_headers\n  enfold/base/result.h\n  enfold/json/document.h)\n",
    "src/enfold/base/result.h": HEADER,
    "src/enfold/base/other.h": HEADER,
    "src/enfold/base/detail/inner.h": HEADER,
    "src/enfold/json/document.h": HEADER + '#include "enfold/base/result.h"\n#include <string>\n',
}


def listing(*headers):
    return "set(enfold_public_headers\n  " + "\n  ".join(headers) + ")\n"


BREACHES = {
    "missing": (LIST, listing("enfold/base/gone.h"), "enfold/base/gone.h: does not exist"),
    "twice": (LIST, listing("enfold/base/result.h", "enfold/base/result.h"), "listed twice"),
    "detail": (LIST, listing("enfold/base/detail/inner.h"), "detail/ is not installed"),
    "private_include": ("src/enfold/base/result.h", HEADER + '#include "enfold/base/other.h"\n',
                        "enfold/base/result.h: includes enfold/base/other.h, which is not installed"),
    "no_comment": ("src/enfold/base/result.h", "// SPDX\n#pragma once\n", "has no opening comment"),
    "stale_page": ("src/enfold/base/result.h", HEADER.replace("A purpose", "Another"), "is not up to date"),
}


def run(changed):
    with tempfile.TemporaryDirectory() as folder:
        def put(files):
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)

        put(SOUND)
        subprocess.run([sys.executable, CHECK, "--root", folder, "--write"], check=True)
        put(changed)
        done = subprocess.run([sys.executable, CHECK, "--root", folder, "--check"], capture_output=True, text=True)
        written = (Path(folder) / "docs/reference/headers.md").read_text()
        return done.returncode, done.stderr, written


class PublicHeaders(unittest.TestCase):
    def test_accepts_a_sound_list_and_writes_its_page(self):
        code, stderr, written = run({})
        self.assertEqual((code, stderr), (0, ""))
        self.assertIn("## base\n| header | purpose |\n|---|---|\n| `enfold/base/result.h` | A purpose |\n", written)

    def test_names_every_breach(self):
        for name, (path, text, complaint) in BREACHES.items():
            with self.subTest(name):
                code, stderr, _ = run({path: text})
                self.assertEqual(code, 1)
                self.assertIn(complaint, stderr)


if __name__ == "__main__":
    unittest.main()
