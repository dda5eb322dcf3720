#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks the 140 questions with one call each and compares the results with the answers.

  ask.py ENFOLD [--calls FILE] [--budget N] [--least PERCENT] [--list]

Each data set is cut with `enfold fit`; then `enfold fetch` makes the call that FILE (calls.json) has for
the question. Cells of the rows are compared with the answer: numbers to the decimals of the answer, texts
exactly. A call marked "shown" gives passages to read; there every part of the answer must occur in
the result. Exit code 1 if fewer than PERCENT of the questions are answered.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def questions():
    """All questions of all sets."""
    files = (HERE / "questions.json", HERE / "questions_more.json")
    return [one for file in files if file.exists() for one in json.loads(file.read_text(encoding="utf-8"))]


def make_data(folder):
    """Writes the files of all sets."""
    for script in (HERE / "make.py", HERE / "make_more.py"):
        if script.exists():
            subprocess.run([sys.executable, str(script)], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def same(got, want):
    if isinstance(want, bool) or isinstance(got, bool):
        return got is want
    if isinstance(want, (int, float)):
        try:
            return abs(float(got) - want) < 0.0051
        except (TypeError, ValueError):
            return False
    return got == want


def cells(rows):
    return [list(row.values()) if isinstance(row, dict) else [row] for row in rows]


def flat(value):
    if isinstance(value, dict):
        return [part for pair in value.items() for part in pair]
    if isinstance(value, list):
        return [part for item in value for part in flat(item)]
    return [value]


def agrees(rows, question, how):
    want = question["answer"]
    table = cells(rows)
    if how == "shown":
        text = json.dumps(rows, ensure_ascii=False).replace('\\"', '"')
        return all(str(part) in text for part in flat(want))
    if isinstance(want, dict):
        got = {str(row[0]): row[1] for row in table if len(row) == 2}
        return got.keys() == want.keys() and all(same(got[key], want[key]) for key in want)
    got = flat(table)
    parts = flat(want)
    if len(got) != len(parts):
        return False
    if isinstance(want, list) and not question.get("ordered"):
        got, parts = sorted(map(str, got)), sorted(map(str, parts))
    return all(same(a, b) for a, b in zip(got, parts))


def rows_of(envelope):
    data = envelope["data"]
    for name in ("items", "result"):
        if isinstance(data, dict) and list(data) == [name]:
            data = data[name]
    return data if isinstance(data, list) else [data]


class Asker:
    def __init__(self, enfold, budget, folder):
        self.enfold, self.budget, self.folder = enfold, str(budget), folder
        self.archive = str(folder / "archive.db")
        self.handles = {}

    def handle(self, name):
        if name not in self.handles:
            form = ["--from", "text"] if name.endswith(".txt") else []
            code, out, error = run([self.enfold, "fit", str(self.folder / name), "--budget", self.budget,
                                    "--archive", self.archive, *form])
            if code != 0:
                sys.exit(f"{name}: {error}")
            self.handles[name] = next(iter(json.loads(out)["meta"]["content_archive_hashes"]))
        return self.handles[name]

    def ask(self, name, call):
        """The rows, or why there are none; and the bytes of the answer."""
        options = [part for key, value in call.items() for part in (f"--{key}={value}",)]
        code, out, error = run([self.enfold, "fetch", self.handle(name), "--archive", self.archive,
                                "--budget", self.budget, *options])
        return (rows_of(json.loads(out)) if code == 0 else error.strip()), len(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("enfold")
    parser.add_argument("--calls", default="calls.json", help="a file beside this one")
    parser.add_argument("--budget", type=int, default=4000)
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--list", action="store_true", help="show every question that was not answered")
    options = parser.parse_args()
    calls = {(c["set"], c["n"]): c for c in json.loads((HERE / options.calls).read_text(encoding="utf-8"))}
    asked = [one for one in questions() if (one["set"], one["n"]) in calls]
    with tempfile.TemporaryDirectory() as folder:
        make_data(Path(folder))
        asker = Asker(options.enfold, options.budget, Path(folder))
        answered, by_set = 0, {}
        for question in asked:
            chosen = calls[question["set"], question["n"]]
            rows, size = asker.ask(question["file"], chosen["call"])
            good = not isinstance(rows, str) and agrees(rows, question, chosen.get("compare"))
            answered += good
            right, total = by_set.get(question["set"], (0, 0))
            by_set[question["set"]] = (right + good, total + 1)
            if not good and options.list:
                print(question["set"], question["n"], question["question"])
                print("  call  ", json.dumps(chosen["call"], ensure_ascii=False)[:300])
                print("  wanted", json.dumps(question["answer"], ensure_ascii=False)[:300])
                print("  got   ", (rows if isinstance(rows, str) else json.dumps(rows, ensure_ascii=False))[:600])
    for name, (right, total) in by_set.items():
        print(f"{name:10} {right:3} of {total}")
    share = 100 * answered / len(asked)
    print(f"{answered} of {len(asked)} questions answered in one call ({share:.1f} %)")
    sys.exit(0 if share >= options.least else 1)


if __name__ == "__main__":
    main()
