#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make run`: tools/demo with programs that are built already.   demo_test.py ROOT FOLDER_OF_PROGRAMS"""

import importlib.util
import itertools
import os
import re
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from live import Played

ROOT, PROGRAMS = Path(sys.argv[1]), Path(sys.argv[2])


def documents():
    spec = importlib.util.spec_from_file_location("check_docs", ROOT / "tests/docs/check_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Demo(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.environment = {**os.environ, "ENFOLD_BIN": str(PROGRAMS), "TMPDIR": self.home.name, "LC_ALL": "C.UTF-8"}

    # What it starts works in a folder under TMPDIR, so whoever is left can be told by that.
    def tearDown(self):
        left = os.listdir(self.home.name)
        running = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "cwd").startswith(self.home.name):
                    running.append((process / "cmdline").read_text())
            except OSError:
                continue
        self.home.cleanup()
        self.assertEqual(left, [], "files are left")
        self.assertEqual(running, [], "processes are left")

    def run_demo(self, *arguments):
        ended = subprocess.run([ROOT / "tools/demo", *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                               capture_output=True, text=True, timeout=110)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.said = ended.stderr
        return ended.stdout

    def test_ends_by_itself_and_shows_what_its_page_shows(self):
        printed = self.run_demo("--port", "0")
        url = re.search(r"^  (http://127\.0\.0\.1:\d+/mcp)$", printed, re.M).group(1)
        for line in (f"claude mcp add --transport http enfold {url}", f'{{"servers": {{"enfold": {{"type": "http", "url": "{url}"}}}}}}',
                     f'{{"mcpServers": {{"enfold": {{"url": "{url}"}}}}}}'):
            self.assertIn(line, printed)
        before, after = map(int, re.findall(r"^  standard input: (\d+) tokens", printed, re.M))
        self.assertGreater(before, 1000)
        self.assertLessEqual(after, 600)
        self.assertIn("Done. With a terminal it goes on serving until Ctrl-C: make run KEEP=1", printed)
        docs = documents()
        shown = [block for _, block in docs.fenced_blocks((ROOT / "docs/guide/demo.md").read_text(), "text")
                 if block and block[0].startswith("Enfold ")]
        self.assertEqual(len(shown), 1, "the page shows it once")
        self.assertTrue(docs.matches(shown[0], printed.splitlines()),
                        "docs/guide/demo.md shows\n" + "\n".join(shown[0]) + "\nprinted was\n" + printed)

    def test_takes_another_port_when_its_own_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            printed = self.run_demo("--port", str(port))
        self.assertRegex(printed, r"http://127\.0\.0\.1:\d+/mcp")
        self.assertNotIn(f":{port}/mcp", printed)
        self.assertIn(f":{port}", self.said)
        self.assertIn("make run PORT=N", self.said)

    def test_what_it_shows_can_be_typed_while_it_serves(self):
        played = Played([str(ROOT / "tools/demo"), "--port", "0"], self.environment)
        played.read_until("Serving until Ctrl-C")
        lines = re.sub(r"\x1b\[\d*m", "", played.printed).replace("\r", "").splitlines()
        path = next(line.strip() for line in lines if line.startswith("  export PATH="))
        commands = [number for number, line in enumerate(lines) if line.startswith("$ ")]
        self.assertEqual(len(commands), 4)
        for number in commands:
            shown = list(itertools.takewhile(lambda line: line.startswith("  "), lines[number + 1:]))
            typed = subprocess.run(["bash", "-c", f"{path}\n{lines[number][2:]}"], cwd=ROOT, text=True, timeout=60,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(["  " + line for line in typed.stdout.splitlines()], shown, lines[number])
        played.type("\x03")
        self.assertEqual(played.end(), 0, played.printed)

    def test_serves_on_a_terminal_until_somebody_has_seen_enough(self):
        played = Played([str(ROOT / "tools/demo"), "--port", "0"], self.environment)
        played.read_until("Serving until Ctrl-C")
        url = re.search(r"enfold top --url (\S+)", played.printed).group(1)
        top = subprocess.run([PROGRAMS / "enfold", "top", "--once", "--url", url], capture_output=True, text=True, timeout=60)
        self.assertIn("scalpel ready", top.stdout)
        check = subprocess.run([PROGRAMS / "enfold", "check", "--url", url], capture_output=True, text=True, timeout=60)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        played.type("\x03")
        self.assertEqual(played.end(), 0, played.printed)

    def test_says_how_it_is_used(self):
        ended = subprocess.run([ROOT / "tools/demo", "--what"], env=self.environment, capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stdout), (5, ""))
        self.assertIn("usage: tools/demo", ended.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
