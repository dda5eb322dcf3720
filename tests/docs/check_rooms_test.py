#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a small sound set of documents in one way at a time; check_rooms.py must name each break."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent

SOUND = {
    "README.md": "# Small\n\n```sh\nmake run  # starts it\n```\n",
    "docs/README.md": "# Docs\n\n[one](guide/one.md) [troubles](guide/troubleshooting.md) [room](room/README.md)\n",
    "docs/guide/one.md": "# One\n",
    "docs/guide/troubleshooting.md": "# Troubles\n\n### `cannot … the file`\n\n### `it said \"no\"`\n\n### `seen: here`\n\n"
                                     "```console\n$ run\nerror: seen: here\n```\n",
    "docs/room/README.md": "# Room\n\n[two](two.md)\n",
    "docs/room/two.md": "# Two\n",
    "src/a.cc": 'int main() {\n  fail("cannot {} "  // why\n       "the file");\n  fail("it said \\"no\\"");\n}\n',
    "tests/docs/shell_commands.txt": "# list\nmake run :: src/a.cc\n",
}


class CheckRooms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name, text in SOUND.items():
            self.write(name, text)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def replace(self, name, old, new):
        text = (self.root / name).read_text()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new, 1))

    def check(self, what, update=False):
        environment = {name: value for name, value in os.environ.items() if name != "ENFOLD_UPDATE_GOLDEN"}
        if update:
            environment["ENFOLD_UPDATE_GOLDEN"] = "1"
        ended = subprocess.run([sys.executable, HERE / "check_rooms.py", what, "--root", self.root],
                               capture_output=True, text=True, check=False, env=environment)
        self.assertEqual(ended.stderr, "")
        return ended.returncode, ended.stdout

    def expect_wrong(self, what, words):
        code, out = self.check(what)
        self.assertEqual(code, 1, out)
        self.assertIn(words, out)

    def test_sound_documents_pass(self):
        for what in ("index", "messages", "shell"):
            code, out = self.check(what)
            self.assertEqual(code, 0, out)

    def test_a_page_that_the_index_leaves_out(self):
        self.write("docs/guide/lost.md", "# Lost\n")
        self.expect_wrong("index", "docs/guide/lost.md: docs/README.md does not list it")

    def test_a_page_that_its_room_leaves_out(self):
        self.replace("docs/room/README.md", "[two](two.md)", "two")
        self.expect_wrong("index", "docs/room/two.md")

    def test_a_room_that_the_index_leaves_out(self):
        self.replace("docs/README.md", " [room](room/README.md)", "")
        self.expect_wrong("index", "docs/room/README.md")
        self.expect_wrong("index", "docs/room/two.md")

    def test_a_readme_that_is_too_long(self):
        self.replace("README.md", "# Small\n", "# Small\n" + "\n" * 150)
        self.expect_wrong("index", "README.md: expected at most 150 lines, found 155")

    def test_decisions_are_listed_by_their_headings(self):
        self.replace("docs/README.md", "# Docs\n", "# Docs\n\n| decision | |\n|---|---|\n| old | |\n")
        self.write("docs/decisions/0001-a-choice.md", "# 0001: A choice\n")
        self.expect_wrong("index", "docs/decisions/0001-a-choice.md: docs/README.md does not list it")
        self.assertEqual(self.check("index", update=True)[0], 0)
        self.assertIn("| [0001](decisions/0001-a-choice.md) | A choice |\n", (self.root / "docs/README.md").read_text())

    def test_a_link_in_an_example_is_no_link(self):
        self.replace("docs/room/README.md", "[two](two.md)", "```\n[two](two.md)\n```")
        self.expect_wrong("index", "docs/room/two.md")

    def test_a_message_that_the_sources_no_longer_have(self):
        self.replace("src/a.cc", "the file", "this file")
        self.expect_wrong("messages", 'no source says "the file" of "cannot … the file"')

    def test_a_message_in_a_comment_only(self):
        self.replace("src/a.cc", '"it said \\"no\\""', '""  // it said "no"')
        self.expect_wrong("messages", 'no source says "it said "no""')

    def test_a_message_that_the_page_does_not_print(self):
        self.replace("docs/guide/troubleshooting.md", "error: seen: here", "error: other")
        self.expect_wrong("messages", 'no source says "seen: here"')

    def test_a_message_that_is_quoted_twice(self):
        self.replace("docs/guide/troubleshooting.md", "### `seen: here`", "### `seen: here`\n\n### `seen: here`")
        self.expect_wrong("messages", '"seen: here" is there twice')

    def test_a_command_that_no_test_runs(self):
        self.replace("README.md", "make run", "make away")
        self.expect_wrong("shell", 'README.md:4: no test runs "make away"')
        self.expect_wrong("shell", 'no page shows "make run"')

    def test_a_test_that_is_gone(self):
        self.replace("tests/docs/shell_commands.txt", "src/a.cc", "src/gone.cc")
        self.expect_wrong("shell", 'src/gone.cc does not exist, which runs "make run"')


if __name__ == "__main__":
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    unittest.main(verbosity=2)
