#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a small sound table of requirements in one way at a time; check_requirements.py must name each break."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().parent / "check_requirements.py"
PAGE = "docs/reference/contracts/requirements.md"
SOUND = {
    PAGE: "# Requirements\n\n| letter | document |\n|---|---|\n| A | One |\n\n### A: First\n"
          "| id | requirement | level | shown by |\n|---|---|---|---|\n"
          "| A-001 | It holds. | MUST | `tests/one_test.cc: Suite.holds`<br>`tests/golden/case` |\n"
          "| A-002 | It may. | MAY | `tests/cases.json: a case: with a colon` |\n\n### A: Second\n"
          "| id | requirement | level | shown by |\n|---|---|---|---|\n"
          "| A-003 | It should. | SHOULD | deviates by [decision 2](x.md) |\n"
          "| B-001 | It is waited for. | MUST | open: `tests/cases.json: waiting`<br>`tests/check.py: main` |\n"
          "| B-002 | It compiles not. | MUST | `tests/refused.cc` |\n",
    "docs/decisions/0011-contract-decisions.md": "# Decisions\n\n1. **One.**\n2. **Two.**\n",
    "tests/one_test.cc": "TEST_F(Suite, holds) {\n}\nTEST(Other,\n     holds_too) {}\n",
    "tests/golden/case/input.json": "{}",
    "tests/cases.json": '[{"name": "a case: with a colon"}, {"name": "waiting", "open": "why"}]',
    "tests/check.py": "def main():\n    pass\n",
    "tests/refused.cc": "// expect: no\n",
}


class CheckRequirements(unittest.TestCase):
    def check(self, *replacements):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in SOUND.items():
                for old, new in replacements:
                    if name == PAGE:
                        self.assertIn(old, text)
                        text = text.replace(old, new, 1)
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_text(text)
            ended = subprocess.run([sys.executable, CHECK, "--root", folder], capture_output=True, text=True, check=False)
        self.assertEqual(ended.stderr, "")
        return ended.returncode, ended.stdout

    def expect_wrong(self, old, new, words):
        code, out = self.check((old, new))
        self.assertEqual(code, 1, out)
        self.assertIn(words, out)

    def test_a_sound_table_passes(self):
        self.assertEqual(self.check(), (0, "docs requirements: 5 checked, 0 wrong\n"))

    def test_a_test_over_two_lines_is_found(self):
        self.assertEqual(self.check(("Suite.holds", "Other.holds_too"))[0], 0)

    def test_a_test_that_does_not_exist(self):
        self.expect_wrong("Suite.holds", "Suite.hold", "A-001 tests/one_test.cc has no test Suite.hold")
        self.expect_wrong("Suite.holds", "Other.holds", "has no test Other.holds")

    def test_a_file_that_does_not_exist(self):
        self.expect_wrong("one_test.cc", "two_test.cc", "A-001 tests/two_test.cc does not exist")
        self.expect_wrong("refused.cc", "gone.cc", "B-002 tests/gone.cc does not exist")

    def test_a_folder_that_is_no_case(self):
        self.expect_wrong("`tests/golden/case`", "`tests/golden`", "tests/golden holds no input.json")

    def test_a_case_that_does_not_exist(self):
        self.expect_wrong("with a colon", "without", 'A-002 tests/cases.json has no "a case: without"')

    def test_a_function_that_does_not_exist(self):
        self.expect_wrong("check.py: main", "check.py: run", "tests/check.py has no run")

    def test_a_file_of_tests_without_a_name(self):
        self.expect_wrong("one_test.cc: Suite.holds", "one_test.cc", "tests/one_test.cc needs a name")
        self.expect_wrong("cases.json: waiting", "cases.json", "tests/cases.json needs a name")

    def test_a_row_without_test_and_decision(self):
        self.expect_wrong("`tests/refused.cc`", "see above", "B-002 names neither a test nor a decision")

    def test_a_must_that_deviates(self):
        self.expect_wrong("| SHOULD | deviates", "| MUST | deviates", "A-003 a MUST cannot deviate")

    def test_a_decision_that_does_not_exist(self):
        self.expect_wrong("decision 2", "decision 3", "A-003 decision 3 does not exist")

    def test_an_unknown_level(self):
        self.expect_wrong("| MAY |", "| CAN |", 'A-002 the level is "CAN"')

    def test_a_hole_in_the_numbers(self):
        self.expect_wrong("A-003", "A-004", "A-004 expected the id A-003")

    def test_a_number_twice(self):
        self.expect_wrong("A-002", "A-001", "A-001 expected the id A-002")

    def test_an_open_case_that_the_row_hides(self):
        self.expect_wrong("open: `tests", "`tests", '"waiting" is open, the row does not say so')

    def test_a_row_that_calls_a_case_open_that_holds(self):
        self.expect_wrong("| `tests/cases", "| open: `tests/cases", "is not open any more")

    def test_a_missing_cell(self):
        self.expect_wrong("| It may. ", "", "expected 4 cells, found 3")

    def test_no_table(self):
        code, out = self.check(("| id |", "| no |"), ("| id |", "| no |"))
        self.assertEqual(code, 1)
        self.assertIn("found no requirements", out)


if __name__ == "__main__":
    unittest.main()
