#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives run_cases.py cases that hold and cases that do not; it must tell which."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUN = Path(__file__).resolve().parent / "run_cases.py"
# Prints what it reads; ends with 2 when told to fail.
PROGRAM = """#!/bin/sh
if [ "$1" = where ]; then printf '{"root": "%s"}' "$2"; exit 0; fi
cat
[ "$1" != fail ] || exit 2
"""
SOUND = {"name": "it holds", "run": ["echo"], "input": {"a": [1, {"b/c": "text"}], "yes": True},
         "expect": {"/a/0": 1, "/a/1/b~1c": {"$matches": "^te"}, "/a": {"$length": 2}, "/x": {"$absent": True},
                    "/yes": {"$type": "boolean"}, "": {"$contains": "text"}, "/a/1": {"$lacks": "other"}}}


class RunCases(unittest.TestCase):
    def run_cases(self, *cases, update=False):
        environment = {name: value for name, value in os.environ.items() if name != "ENFOLD_UPDATE_GOLDEN"}
        if update:
            environment["ENFOLD_UPDATE_GOLDEN"] = "1"
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "bin").mkdir()
            program = root / "bin" / "enfold"
            program.write_text(PROGRAM)
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            (root / "cases").mkdir()
            (root / "cases" / "some.json").write_text(json.dumps(cases))
            page = root / "docs/reference/contracts/requirements.md"
            page.parent.mkdir(parents=True)
            page.write_text("| open: `tests/requirements/some.json: it holds` | open: `tests/requirements/some.json: other` |")
            ended = subprocess.run([sys.executable, RUN, "--root", root, "--programs", root / "bin", "--cases",
                                    root / "cases"], capture_output=True, text=True, env=environment, check=False)
            self.cases, self.page = (root / "cases" / "some.json").read_text(), page.read_text()
        self.assertEqual(ended.stderr, "")
        return ended.returncode, ended.stdout

    def expect_wrong(self, words, *cases):
        code, out = self.run_cases(*cases)
        self.assertEqual(code, 1, out)
        self.assertIn(words, out)

    def test_a_case_that_holds(self):
        self.assertEqual(self.run_cases(SOUND), (0, "requirements: 1 cases, 0 wrong, 0 open\n"))

    def test_folders_are_filled_in(self):
        case = {"name": "x", "run": ["where", "{root}"], "expect": {"/root": {"$matches": "^/"}}}
        self.assertEqual(self.run_cases(case)[0], 0)

    def test_each_matcher_can_refuse(self):
        for pointer, wanted in {"/a/0": 2, "/a/1/b~1c": {"$matches": "^x"}, "/a": {"$length": 3}, "/yes": {"$absent": True},
                                "/yes ": {"$type": "boolean"}, "": {"$contains": "other"}, "/a/1": {"$lacks": "text"},
                                "/x": None, "/a/7": {"$type": "number"}}.items():
            with self.subTest(pointer):
                self.expect_wrong("it holds\n", {**SOUND, "expect": {pointer: wanted}})

    def test_true_is_not_one(self):
        self.expect_wrong("/yes: expected 1, found true", {**SOUND, "expect": {"/yes": 1}})

    def test_another_exit_code(self):
        self.expect_wrong("expected exit code 0, found 2", {**SOUND, "run": ["fail"]})
        self.assertEqual(self.run_cases({**SOUND, "run": ["fail"], "exit": 2})[0], 0)

    def test_output_that_is_no_json(self):
        self.expect_wrong("expected JSON", {"name": "x", "run": ["echo"], "text": "hello", "expect": {}})

    def test_an_open_case_must_fail(self):
        self.assertEqual(self.run_cases({**SOUND, "open": "why", "expect": {"/a/0": 2}}),
                         (0, "requirements: 1 cases, 0 wrong, 1 open\n"))
        self.expect_wrong("holds now: remove the mark open", {**SOUND, "open": "why"})

    def test_marks_of_cases_that_hold_can_be_removed(self):
        other = {**SOUND, "name": "other", "open": "why", "expect": {"/a/0": 2}}
        self.assertEqual(self.run_cases({**SOUND, "open": "why"}, other, update=True)[0], 0)
        self.assertEqual(json.loads(self.cases), [SOUND, other])
        self.assertEqual(self.page, "| `tests/requirements/some.json: it holds` | open: `tests/requirements/some.json: other` |")

    def test_a_name_twice(self):
        self.expect_wrong("this name is used twice", SOUND, SOUND)

    def test_no_cases(self):
        self.expect_wrong("found no cases")


if __name__ == "__main__":
    unittest.main()
