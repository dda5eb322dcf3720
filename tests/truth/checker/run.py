# SPDX-License-Identifier: Apache-2.0
"""Generates payloads of all forms, cuts them with Enfold, and verifies every statement of the cut answers.

  run.py ENFOLD [--cases N] [--seed S] [--keep FOLDER]

Cases are 5,000, or 100,000 with ENFOLD_NIGHTLY=1; the first seed is that of ENFOLD_SEED, or 1. FOLDER gets
the whole and the cut answer of each case with a false statement. Exit 0: no statement is false, and none is
of a kind that the documentation does not name.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from check import check
from payloads import case

BATCH = 250        # files for one process
CHUNK = 4000       # cases in memory
SHOWN = 3          # examples of each kind that are printed


def scratch():
    """A folder, in memory where there is such a file system: each cut is written to an archive."""
    memory = "/dev/shm"
    return tempfile.mkdtemp(prefix="checker.", dir=memory if os.access(memory, os.W_OK) else None)


def cut_all(program, seeds, folder):
    """Cuts the cases, several of one budget in a process; yields (seed, kind, source, bytes, answer)."""
    for first in range(0, len(seeds), CHUNK):
        groups = defaultdict(list)
        for seed in seeds[first:first + CHUNK]:
            kind, source, text, budget = case(seed)
            groups[source, budget].append((seed, kind, source, text.encode("utf-8", "surrogatepass")))
        for (source, budget), group in sorted(groups.items()):
            for at in range(0, len(group), BATCH):
                part = group[at:at + BATCH]
                yield from (c + (answer,) for c, answer in zip(part, cut(program, part, source, budget, folder)))


def cut(program, part, source, budget, folder):
    names = [os.path.join(folder, str(seed)) for seed, _, _, _ in part]
    for name, (_, _, _, raw) in zip(names, part):
        with open(name, "wb") as f:
            f.write(raw)
    archive = os.path.join(folder, "archive.db")
    options = ["--budget", str(budget), "--archive", archive, "--from", source, "--no-redact"]
    done = subprocess.run([program, "fit"] + options + names, capture_output=True)
    answers = done.stdout.decode("utf-8", "surrogatepass").split("\n")[:-1]
    if len(answers) != len(part):
        sys.exit("%d answers for %d files, exit code %d: %s" % (
            len(answers), len(part), done.returncode, done.stderr[-500:].decode("utf-8", "replace")))
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    return answers


def keep(folder, seed, raw, answer):
    os.makedirs(folder, exist_ok=True)
    for end, data in ((".whole", raw), (".cut", answer.encode("utf-8", "surrogatepass"))):
        with open(os.path.join(folder, str(seed) + end), "wb") as f:
            f.write(data)


# Payloads beyond the first 5,000 about which something false was once said.
ONCE_FALSE = (24093, 44794, 50986, 79362)


class Tally:
    """What was found in all cases, by kind."""

    def __init__(self):
        self.found = {title: defaultdict(list) for title in ("FALSE", "UNKNOWN KIND", "unclear")}
        self.seen, self.cut = Counter(), 0

    def add(self, seed, kind, source, raw, answer):
        """Returns whether the answer is wrong."""
        try:
            out = check(raw, source, answer)
        except Exception:
            self.found["FALSE"]["checker failed"].append((len(raw), seed, kind, traceback.format_exc(limit=-2)[-300:]))
            return True
        self.cut += "content_fidelity" in answer
        self.seen.update(out.seen)
        for title, found in (("FALSE", out.lies), ("UNKNOWN KIND", out.strange), ("unclear", out.open)):
            for what, text in found:
                self.found[title][what].append((len(raw), seed, kind, text))
        return bool(out.lies or out.strange)

    def write(self):
        print("met: " + ", ".join("%s %d" % x for x in sorted(self.seen.items())))
        for title, found in self.found.items():
            for what, all_of in sorted(found.items(), key=lambda x: -len(x[1])):
                print("%s %s: %d in %d payloads" % (title, what, len(all_of), len({x[1] for x in all_of})))
                for size, seed, kind, text in sorted(all_of)[:1 if title == "unclear" else SHOWN]:
                    print("      seed %d (%s, %d bytes): %s" % (seed, kind, size, text[:330]))


def main():
    nightly = os.environ.get("ENFOLD_NIGHTLY", "0") not in ("", "0")
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=100000 if nightly else 5000)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("ENFOLD_SEED") or 1))
    parser.add_argument("--keep")
    args = parser.parse_args()
    folder, began, tally = scratch(), time.time(), Tally()
    try:
        seeds = range(args.seed, args.seed + args.cases)
        for one in cut_all(args.program, [*seeds, *ONCE_FALSE], folder):
            if tally.add(*one) and args.keep:
                keep(args.keep, one[0], *one[3:])
    finally:
        shutil.rmtree(folder)
    # The shape of this line is read by tools/nightly.
    print("[ property ] every_statement_is_true: %d cases, seed %d" % (args.cases, args.seed))
    print("%d payloads, %d cut, %d statements in %.0f s" % (
        args.cases, tally.cut, sum(tally.seen.values()), time.time() - began))
    tally.write()
    sys.exit(1 if tally.found["FALSE"] or tally.found["UNKNOWN KIND"] else 0)


if __name__ == "__main__":
    main()
