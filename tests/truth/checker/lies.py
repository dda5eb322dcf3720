# SPDX-License-Identifier: Apache-2.0
"""Does the checker notice? Changes one statement of a true cut answer at a time.

  lies.py ENFOLD [--cases N] [--seed S]     exit 0: at least twenty kinds of lies were told, and all were caught
"""
import argparse
import random
import re
import shutil
import sys
from collections import Counter
from check import check
from run import cut_all, scratch

FEWEST_KINDS = 20
MOST_OF_A_KIND = 12
FACT = r'("%s":\{(?:[^{}]|\{[^{}]*\})*?(?:\{[^{}]*?)?)(?<=[:,\[])(\d+)(?=[,}\]])'


def number(pattern):
    """The number in the last group becomes larger."""
    def lie(cut, r):
        hits = list(re.finditer(pattern, cut))
        if not hits:
            return None
        m = r.choice(hits)
        group = m.lastindex
        return cut[:m.start(group)] + str(int(m.group(group)) + r.choice([1, 2, 7])) + cut[m.end(group):]
    return lie


def letters(pattern):
    """Two letters of the text in the last group change."""
    def lie(cut, r):
        hits = [m for m in re.finditer(pattern, cut) if re.search("[a-z]{3}", m.group(m.lastindex))]
        if not hits:
            return None
        m = r.choice(hits)
        at = m.start(m.lastindex) + re.search("[a-z]{3}", m.group(m.lastindex)).start()
        return cut[:at] + "zq" + cut[at + 2:]
    return lie


def swap(pattern):
    """Two neighbours with different values change places."""
    def lie(cut, r):
        m = re.search(pattern, cut)
        if not m or m.group(1).rpartition(":")[2] == m.group(2).rpartition(":")[2]:
            return None
        return cut[:m.start(1)] + m.group(2) + cut[m.end(1):m.start(2)] + m.group(1) + cut[m.end(2):]
    return lie


def drop(pattern):
    """The group disappears."""
    def lie(cut, r):
        m = re.search(pattern, cut)
        return None if not m else cut[:m.start(1)] + cut[m.end(1):]
    return lie


def other_hash(cut, r):
    return re.sub(r"(sha256:)([0-9a-f])", lambda m: m.group(1) + "%x" % ((int(m.group(2), 16) + 1) % 16), cut)


def shorter_range(cut, r):
    pattern = r'("dropped_content_ids":\["/[^"]*?\d+\.\.)(\d+)("\])'
    return re.sub(pattern, lambda m: m.group(1) + str(int(m.group(2)) - 1) + m.group(3), cut)


LIES = {
    "mark of items": number(r'"…\[\+(\d+) items?\]"'),
    "mark of members": number(r'"…":"\+(\d+) members?"'),
    "mark of bytes": number(r"\+(\d+) bytes?\]"),
    "line of a mark": number(r"stopped at line (\d+) of"),
    "lines of a mark": number(r"stopped at line \d+ of (\d+)"),
    "no mark": drop(r'(,"…\[\+\d+ items?\]")(?=.*"error":null)'),
    "dropped_count": number(r'"dropped_count":(\d+)'),
    "total_count": number(r'"dropped_count":\d+,"total_count":(\d+)'),
    "sentence": number(r'"message":"(\d+) (?:of|parts)'),
    "hash": other_hash,
    "dropped place": shorter_range,
    "dropped place is gone": drop(r'("dropped_content_ids":\["[^"]*"\],)'),
    "clipped place is gone": drop(r'("clipped":\["[^"]*"\],)'),
    "shown number": number(r'"data":\{.*?"\w+":(\d+),.*?"error":null'),
    "shown text": letters(r'"data":\{.*?":"([A-Za-z ]{6,}).*?"error":null'),
    "index row": letters(r'"rows":\[\[\d+,"([^"\\]{6,})"'),
    "index line": number(r'"cols":\["line"[^\]]*\],"rows":\[\[(\d+),'),
    "index position": number(r'"at":"(\d+)'),
    "index more of records": number(r'"at":"[^"]*","rows":\[(?:\[[^\[\]]*\],?)*\],"more":(\d+)'),
    "index keys": number(r"…\[\+(\d+) members\]"),
    "index key": letters(r'"index":\{"[^"]*":\["([^"\\]+)"'),
    "highest value": number(r'"highest":\{"[^"]*":\{"[^"]*":(\d+)'),
    "highest name": letters(r'"highest":\{"[^"]*":\{"([^"\\]+)"'),
    "highest order": swap(r'"highest":\{"[^"]*":\{("[^"]*":[\d.]+),("[^"]*":[\d.]+)'),
    "lowest value": number(r'"lowest":\{"[^"]*":\{"[^"]*":(\d+)'),
    "low end of a range": number(r'"ranges":\{"[^"]*":\[(\d+)'),
    "high end of a range": number(r'"ranges":\{"[^"]*":\["?[^",]+"?,"?(\d+)'),
    "series first": number(r'"first":(\d+)'),
    "series last": number(r'"first":\d+,"last":(\d+)'),
    "series step": number(r'"step":(\d+)'),
    "record named": letters(r'"(?:values_in|types_in)":\{"[^"]*":\{"[^"]*":\["([^"\\]+)"'),
    "missing_in": letters(r'"(?:missing_in|null_in|present_in)":\{"[^"]*":\["([^"\\]+)"'),
    "label": letters(r'"labels":\{"[^"]*":\{"[^"]*":"([^"\\]+)"'),
    "value counted": letters(r'"values":\{"[^"]*":\{"([^"\\]+)":'),
    "form count": number(r'"form":"[^"]*","bytes":(\d+)'),
    "time": number(r'"times":\{"first":"[^"]*:(\d\d)Z?"'),
    "commit": letters(r'"authors":\{"([^"\\]+)"'),
    "exception": letters(r'"last_exception":"([^"\\]+)"'),
    "title": letters(r'"title":"([^"\\]+)","headings"'),
}
for name in ("values item_values sizes items missing null types words levels hours headings_by_level code_blocks "
             "check_boxes definitions methods most_items item_counts highest_total authors fields tables exceptions "
             "longest_function repeated extensions leaves_below decorators").split():
    LIES["fact " + name] = number(FACT % name)
for name in ("count lines files file_changes added removed commits author_count pairs keys entries folders "
             "folders_with_entries file_bytes decoded_bytes frames exception_count links images headings members "
             "table_count").split():
    LIES["number " + name] = number(r'"facts":\{.*?[{,]"%s":(\d+)' % name)


def is_caught(raw, source, wrong):
    try:
        out = check(raw, source, wrong)
    except Exception:                            # no cut answer any more
        return True
    return bool(out.lies or out.strange)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=800)
    parser.add_argument("--seed", type=int, default=100000)
    args = parser.parse_args()
    folder, told, caught, missed = scratch(), Counter(), Counter(), {}
    try:
        for seed, kind, source, raw, cut in cut_all(args.program, range(args.seed, args.seed + args.cases), folder):
            if '"content_fidelity"' not in cut or is_caught(raw, source, cut):
                continue
            r = random.Random(seed)
            for name in (n for n in LIES if told[n] < MOST_OF_A_KIND):
                wrong = LIES[name](cut, r)
                if wrong is None or wrong == cut:
                    continue
                told[name] += 1
                if is_caught(raw, source, wrong):
                    caught[name] += 1
                else:
                    at = next(i for i, (x, y) in enumerate(zip(cut, wrong)) if x != y)
                    missed[name] = (seed, kind, cut[max(0, at - 70):at + 30] + "  ->  " + wrong[at:at + 12])
    finally:
        shutil.rmtree(folder)
    print("%d lies of %d kinds, %d caught" % (sum(told.values()), len(told), sum(caught.values())))
    for name in sorted(told):
        print("  %-26s %d of %d%s" % (name, caught[name], told[name],
                                      "   missed: %s" % (missed[name],) if name in missed else ""))
    sys.exit(1 if missed or len(told) < FEWEST_KINDS else 0)


if __name__ == "__main__":
    main()
