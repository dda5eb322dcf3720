#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of this folder: one command of Enfold each, and what it must print.

  run_cases.py --root FOLDER --programs FOLDER [--only TEXT]

A file is an array of cases:
  name      a sentence, unique in its file; docs/reference/contracts/requirements.md refers to it
  run       arguments of `enfold`; {root} and {programs} are replaced by the two folders
  input     what standard input holds: a JSON value
  text      or: text
  exit      exit code, 0 unless given
  expect    JSON Pointer into the JSON that is printed → what must be there
  open      why the case does not hold yet; such a case must fail, so that the mark is removed in time

What must be there is a literal, or one of {"$absent": true}, {"$type": "string"}, {"$length": 3},
{"$matches": "regular expression"}, {"$contains": "text or item"}, {"$lacks": "text"}.
Every case runs in an empty folder with an archive of its own. With ENFOLD_UPDATE_GOLDEN set, the
mark open is removed from cases that hold, here and in docs/reference/contracts/requirements.md.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TYPES = {"string": str, "number": (int, float), "boolean": bool, "array": list, "object": dict}
ABSENT = object()


def at(document, pointer):
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict):
            document = document.get(token, ABSENT)
        elif isinstance(document, list) and token.isdigit() and int(token) < len(document):
            document = document[int(token)]
        else:
            return ABSENT
        if document is ABSENT:
            return ABSENT
    return document


def same(left, right):
    """Equal as JSON: true is not 1."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def holds(found, wanted):
    if not (isinstance(wanted, dict) and len(wanted) == 1 and next(iter(wanted)).startswith("$")):
        return found is not ABSENT and same(found, wanted)
    matcher, value = next(iter(wanted.items()))
    if matcher == "$absent":
        return found is ABSENT
    if found is ABSENT:
        return False
    text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    if matcher == "$type":
        return isinstance(found, TYPES[value]) and (value != "number" or not isinstance(found, bool))
    if matcher == "$length":
        return len(found) == value
    if matcher == "$matches":
        return re.search(value, text) is not None
    if matcher == "$contains":
        return value in found if isinstance(found, list) else value in text
    if matcher == "$lacks":
        return value not in text
    raise ValueError(f"unknown matcher {matcher}")


def run(case, root, programs):
    words = [word.replace("{root}", str(root)).replace("{programs}", str(programs)) for word in case["run"]]
    given = case["text"] if "text" in case else json.dumps(case["input"], ensure_ascii=False) if "input" in case else ""
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name not in ("ENFOLD_ARCHIVE", "XDG_STATE_HOME")}
        environment |= {"HOME": folder, "LC_ALL": "C.UTF-8"}
        return subprocess.run([str(programs / "enfold"), *words], input=given, capture_output=True, text=True,
                              cwd=folder, env=environment, timeout=60, check=False)


def problems_of(case, root, programs):
    ended = run(case, root, programs)
    if ended.returncode != case.get("exit", 0):
        return [f"expected exit code {case.get('exit', 0)}, found {ended.returncode}: {ended.stderr.strip()}"]
    try:
        printed = json.loads(ended.stdout)
    except ValueError:
        return [f"expected JSON, found {ended.stdout[:200]!r}"]
    return [f"{pointer or '(root)'}: expected {json.dumps(wanted, ensure_ascii=False)}, found "
            + ("nothing" if at(printed, pointer) is ABSENT else json.dumps(at(printed, pointer), ensure_ascii=False)[:600])
            for pointer, wanted in case["expect"].items() if not holds(at(printed, pointer), wanted)]


def unmark(file, names, root):
    """Removes the mark open of these cases; a file has a line for each case."""
    cases = json.loads(file.read_text())
    for case in cases:
        if case["name"] in names:
            del case["open"]
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases)
    file.write_text(f"[\n{lines}\n]\n")
    page = root / "docs" / "reference" / "contracts" / "requirements.md"
    if page.exists():
        text = page.read_text()
        for name in names:
            reference = f"`tests/requirements/{file.name}: {name}`"
            text = text.replace(f"open: {reference}", reference)
        page.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--cases", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    root, programs = arguments.root.resolve(), arguments.programs.resolve()
    count = wrong = still_open = 0
    update = bool(os.environ.get("ENFOLD_UPDATE_GOLDEN"))
    for file in sorted(arguments.cases.glob("*.json")):
        names, now_held = set(), set()
        for case in json.loads(file.read_text()):
            if arguments.only not in case["name"]:
                continue
            problems = problems_of(case, root, programs)
            if "open" in case:
                still_open += bool(problems)
                if not problems and update:
                    now_held.add(case["name"])
                problems = [] if problems or update else ["holds now: remove the mark open"]
            if case["name"] in names:
                problems.append("this name is used twice")
            names.add(case["name"])
            count += 1
            wrong += bool(problems)
            for problem in problems:
                print(f"{file.name}: {case['name']}\n  {problem}")
        if now_held:
            unmark(file, now_held, root)
    if count == 0:
        print("found no cases")
    print(f"requirements: {count} cases, {wrong} wrong, {still_open} open")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
