#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is every requirement shown by a test that exists?

  check_requirements.py --root FOLDER

Reads the tables of docs/reference/contracts/requirements.md whose first heading is `id`. Wrong are
  - ids that do not count 001, 002 … for each letter, in order
  - a level that is not MUST, SHOULD or MAY
  - a row that names neither a test nor a decision
  - a test, case, folder or decision that does not exist
  - a requirement with MUST or MAY that deviates by a decision
  - the mark `open:` at a case that is not open, and a case that is open without it
"""

import argparse
import json
import re
import sys
from pathlib import Path

PAGE = "docs/reference/contracts/requirements.md"
DECISIONS = "docs/decisions/0011-contract-decisions.md"
REFERENCE = re.compile(r"(open: )?`([^`]+)`")
DEVIATION = re.compile(r"deviates by \[decision (\d+)\]")
TEST = r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP)\(\s*{}\s*,\s*{}\s*[,)]"


def rows(text):
    """(line, cells) of every row of a table whose first heading is id."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("| id |"):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            yield number, [cell.strip() for cell in line.strip().strip("|").split("|")]


class Tests:
    """What exists; every file is read once."""

    def __init__(self, root):
        self.root, self.texts, self.entries = root, {}, {}

    def text(self, path):
        return self.texts.setdefault(path, (self.root / path).read_text())

    def entry(self, path, name):
        if path not in self.entries:
            self.entries[path] = {entry["name"]: entry for entry in json.loads(self.text(path))}
        return self.entries[path].get(name)

    def problem(self, reference, is_open):
        path, _, name = reference.partition(": ")
        place = self.root / path
        if not place.exists():
            return f"{path} does not exist"
        if place.is_dir():
            return None if (place / "input.json").exists() else f"{path} holds no input.json"
        if not name:
            return None if place.suffix != ".json" and not path.endswith("_test.cc") else f"{path} needs a name"
        if place.suffix == ".json":
            found = self.entry(path, name)
            if found is None:
                return f"{path} has no \"{name}\""
            if ("open" in found) != is_open:
                return f"\"{name}\" is " + ("open, the row does not say so" if "open" in found else "not open any more")
            return None
        if place.suffix == ".py":
            return None if re.search(rf"^\s*def {re.escape(name)}\(", self.text(path), re.M) else f"{path} has no {name}"
        suite, _, test = name.partition(".")
        known = re.search(TEST.format(re.escape(suite), re.escape(test)), self.text(path))
        return None if known else f"{path} has no test {name}"


def problems_of_row(cells, tests, decisions):
    if len(cells) != 4:
        return [f"expected 4 cells, found {len(cells)}"]
    _, requirement, level, shown = cells
    problems = [] if requirement else ["says nothing"]
    if level not in ("MUST", "SHOULD", "MAY"):
        problems.append(f"the level is \"{level}\"")
    references, deviations = REFERENCE.findall(shown), DEVIATION.findall(shown)
    if not references and not deviations:
        problems.append("names neither a test nor a decision")
    if deviations and level != "SHOULD":
        problems.append(f"a {level} cannot deviate")
    problems += [f"decision {number} does not exist" for number in deviations if number not in decisions]
    return problems + [problem for mark, name in references if (problem := tests.problem(name, bool(mark)))]


def check(root):
    tests = Tests(root)
    decisions = set(re.findall(r"^(\d+)\. ", (root / DECISIONS).read_text(), re.M))
    problems, counts = [], {}
    for line, cells in rows((root / PAGE).read_text()):
        letter = cells[0].partition("-")[0]
        counts[letter] = counts.get(letter, 0) + 1
        wanted = f"{letter}-{counts[letter]:03d}"
        found = problems_of_row(cells, tests, decisions)
        if cells[0] != wanted:
            found.append(f"expected the id {wanted}")
        problems += [f"{PAGE}:{line}: {cells[0]} {problem}" for problem in found]
    return problems, sum(counts.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True)
    problems, count = check(parser.parse_args().root.resolve())
    if count == 0:
        problems.append("found no requirements")
    for problem in problems:
        print(problem)
    print(f"docs requirements: {count} checked, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
