#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores the answers that readers gave from cut texts alone.

  score.py [--sets] [--wrong] [--check PAGE]

answers/BUDGET/WAY.json has, for each "set n", the answer that a reader gave who saw the text of
cut.py and the question and nothing else; null: the text does not tell. A question is answered at
once if that answer is right, wrong if it is not. answers/BUDGET/calls/WAY.json has, for questions
with null, the one call of the archive that the reader then made, and the answer. --check: PAGE has
the table.
"""

import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "golden" / "questions"))
from ask import flat, questions, same  # noqa: E402


def text_of(value):
    return " ".join(str(value).split()).casefold()


def equal(got, want):
    if isinstance(want, (int, float)) and not isinstance(want, bool):
        return same(got, want)
    # A name with the class or file around it is that name.
    return text_of(got) == text_of(want) or text_of(got).endswith("." + text_of(want))


def is_right(got, question):
    want = question["answer"]
    if isinstance(want, dict):
        if not isinstance(got, dict) or len(got) != len(want):
            return False
        named = {text_of(key): value for key, value in got.items()}
        return all(text_of(key) in named and equal(named[text_of(key)], value) for key, value in want.items())
    if isinstance(got, dict) and isinstance(want, list):  # by name, where the order asked is wanted
        got = list(got.items() if isinstance(want[0], list) else got.values())
    parts, found = flat(want), flat([list(one) if isinstance(one, tuple) else one for one in got] if isinstance(got, list) else got)
    if len(parts) != len(found):
        return False
    if isinstance(want, list) and not question.get("ordered"):
        left = list(found)
        for part in parts:
            match = next((one for one in left if equal(one, part)), None)
            if match is None:
                return False
            left.remove(match)
        return True
    return all(equal(a, b) for a, b in zip(found, parts))


def outcome_of(question, given, calls):
    key = f"{Path(question['file']).stem} {question['n']}"
    got = given.get(key)
    called = got is None and key in calls
    if called:
        got = calls[key]["answer"]
    if got is None:
        return "silent"
    return ("one call" if called else "at once") if is_right(got, question) else "wrong"


def score(file, asked):
    """By set: the outcome of each question."""
    given = json.loads(file.read_text(encoding="utf-8"))
    calls = file.parent / "calls" / file.name
    calls = json.loads(calls.read_text(encoding="utf-8")) if calls.exists() else {}
    sets = {}
    for question in asked:
        sets.setdefault(Path(question["file"]).stem, []).append(outcome_of(question, given, calls))
    return sets, bool(calls)


def table(asked, by_set):
    lines = ["| tokens | way | at once | one call | not told | wrong | of |", "|---:|---|---:|---:|---:|---:|---:|"]
    for folder in sorted((HERE / "answers").iterdir(), key=lambda one: int(one.name)):
        for file in sorted(folder.glob("*.json")):
            sets, called = score(file, asked)
            for name, outcomes in [(file.stem, sum(sets.values(), []))] + (list(sets.items()) if by_set else []):
                count = [outcomes.count(kind) for kind in ("at once", "one call", "silent", "wrong")]
                if not called:
                    count[1] = "–"
                cells = [int(folder.name), name, *count, len(outcomes)]
                lines.append("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells) + " |")
    return lines


def show_wrong(asked):
    for file in sorted((HERE / "answers").glob("*/*.json")):
        answers = json.loads(file.read_text(encoding="utf-8"))
        for question in asked:
            got = answers.get(f"{Path(question['file']).stem} {question['n']}")
            if got is not None and not is_right(got, question):
                print(file.parent.name, file.stem, question["set"], question["n"], question["question"])
                print("   wanted", json.dumps(question["answer"], ensure_ascii=False)[:300])
                print("   given ", json.dumps(got, ensure_ascii=False)[:300])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", action="store_true", help="one line for each set")
    parser.add_argument("--wrong", action="store_true", help="list the wrong answers")
    parser.add_argument("--check", type=Path, metavar="PAGE", help="fail unless the page has the table")
    given = parser.parse_args()
    asked = questions()
    lines = table(asked, given.sets)
    if given.check:
        missing = [line for line in lines if line not in given.check.read_text(encoding="utf-8").splitlines()]
        print("\n".join(["not in the page:", *missing] if missing else ["the page has the table"]))
        return bool(missing)
    print("\n".join(lines))
    if given.wrong:
        show_wrong(asked)
    return 0


if __name__ == "__main__":
    sys.exit(main())
