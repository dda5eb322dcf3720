#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores the answers that readers gave from cut texts alone.

  score.py [--sets] [--wrong]

answers/BUDGET/WAY.json has, for each "set n", the answer that a reader gave who saw the text of
cut.py and the question and nothing else; null: the text does not tell. A question is answered at
once if that answer is right, wrong if it is not.
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
    return text_of(got) == text_of(want)


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


def score(file, asked):
    """By set: right at once, wrong, not told."""
    given = json.loads(file.read_text(encoding="utf-8"))
    sets = {}
    for question in asked:
        name = Path(question["file"]).stem
        got = given.get(f"{name} {question['n']}")
        outcome = "silent" if got is None else "right" if is_right(got, question) else "wrong"
        sets.setdefault(name, []).append((question["n"], outcome))
    return sets


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", action="store_true", help="one line for each set")
    parser.add_argument("--wrong", action="store_true", help="list the wrong answers")
    given = parser.parse_args()
    asked = questions()
    print("| budget | way | at once | wrong | not told | of |")
    print("|---:|---|---:|---:|---:|---:|")
    for folder in sorted((HERE / "answers").iterdir(), key=lambda one: int(one.name)):
        for file in sorted(folder.glob("*.json")):
            sets = score(file, asked)
            every = [outcome for rows in sets.values() for _, outcome in rows]
            count = {kind: every.count(kind) for kind in ("right", "wrong", "silent")}
            print(f"| {folder.name} | {file.stem} | {count['right']} | {count['wrong']} | {count['silent']} | {len(every)} |")
            for name, rows in sets.items() if given.sets else ():
                right = sum(outcome == "right" for _, outcome in rows)
                wrong = [n for n, outcome in rows if outcome == "wrong"]
                print(f"|  | {name} | {right} | {len(wrong)} {wrong or ''} | | {len(rows)} |")
            if given.wrong:
                answers = json.loads(file.read_text(encoding="utf-8"))
                for question in asked:
                    got = answers.get(f"{Path(question['file']).stem} {question['n']}")
                    if got is not None and not is_right(got, question):
                        print("  ", question["set"], question["n"], question["question"])
                        print("     wanted", json.dumps(question["answer"], ensure_ascii=False)[:300])
                        print("     given ", json.dumps(got, ensure_ascii=False)[:300])


if __name__ == "__main__":
    main()
