#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts the data sets of tests/golden/questions in four ways, for readers to answer questions from.

  cut.py ENFOLD FOLDER [--budget N]

FOLDER gets one text for each way and set, such as enfold/orders.txt, and questions.txt without the
answers. The ways, each within N tokens (o200k_base): `enfold` (enfold fit), `head` (the beginning),
`head_tail` (beginning and end), `first` (the first records or lines, without saying so).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

QUESTIONS = Path(__file__).resolve().parents[1] / "golden" / "questions"
sys.path.insert(0, str(QUESTIONS))
from ask import make_data, questions  # noqa: E402


def tokens(enfold, text):
    done = subprocess.run([enfold, "tokens", "--json", "-"], input=text, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["tokens"]


def longest(enfold, budget, make, most):
    """The text make(n) with the largest n up to `most` that has at most `budget` tokens."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if tokens(enfold, make(middle)) <= budget:
            low = middle
        else:
            high = middle - 1
    return make(low)


def main_list(value):
    """Where the longest list of a document stands: the container and the key."""
    best = (None, None, 0)
    stack = [value]
    while stack:
        one = stack.pop()
        pairs = one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else ()
        for key, inner in pairs:
            if isinstance(inner, list) and len(inner) > best[2]:
                best = (one, key, len(inner))
            if isinstance(inner, (dict, list)) and not isinstance(one, list):
                stack.append(inner)
    return best


def first_records(text, suffix):
    """A function of n that keeps the first n records, and how many there are."""
    if suffix != ".json":
        lines = text.splitlines(keepends=True)
        return (lambda n: "".join(lines[:n])), len(lines)
    value = json.loads(text)
    holder = {"": value}
    around, key, count = (holder, "", len(value)) if isinstance(value, list) else main_list(value)
    if around is None:
        return (lambda n: text[:n]), len(text)
    records = around[key]

    def keep(n):
        around[key] = records[:n]
        return json.dumps(holder[""], ensure_ascii=False, separators=(",", ":"))

    return keep, count


def cuts(enfold, file, budget, archive):
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        compact = json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    else:
        compact = text
    form = ["--from", "text"] if file.suffix == ".txt" else []
    done = subprocess.run([enfold, "fit", file, "--budget", str(budget), "--archive", archive, *form],
                          capture_output=True, text=True, check=True)
    yield "enfold", done.stdout
    yield "head", longest(enfold, budget, lambda n: compact[:n], min(len(compact), 8 * budget))

    def ends(n):
        return compact if 2 * n >= len(compact) else compact[:n] + "\n…\n" + compact[len(compact) - n:]

    yield "head_tail", longest(enfold, budget, ends, min(len(compact) // 2, 4 * budget))
    keep, count = first_records(text, file.suffix)
    if tokens(enfold, keep(0)) > budget:  # what surrounds the list is too long already
        keep, count = (lambda n: compact[:n]), min(len(compact), 8 * budget)
    yield "first", longest(enfold, budget, keep, count)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("enfold")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--budget", type=int, default=4000)
    given = parser.parse_args()
    asked = questions()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        make_data(Path(work))
        for name in dict.fromkeys(one["file"] for one in asked):
            for way, text in cuts(given.enfold, Path(work) / name, given.budget, f"{work}/archive.db"):
                place = given.folder / way / f"{Path(name).stem}.txt"
                place.parent.mkdir(exist_ok=True)
                place.write_text(text, encoding="utf-8")
    with open(given.folder / "questions.txt", "w", encoding="utf-8") as out:
        for one in asked:
            out.write(f"{Path(one['file']).stem} {one['n']}: {one['question']}\n")


if __name__ == "__main__":
    main()
