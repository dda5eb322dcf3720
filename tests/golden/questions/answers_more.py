#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes the answers from the files of make_more.py and compares them with questions_more.json.

python3 answers_more.py FOLDER          compares; ends with 1 when an answer differs
python3 answers_more.py FOLDER --write  writes questions_more.json beside this script
"""
import json, os, re, sys
from collections import Counter
from datetime import datetime, timedelta, timezone
from html.parser import HTMLParser
HERE = os.path.dirname(os.path.abspath(__file__)); DIR = "."
OUT = []
def text(name):
    with open(os.path.join(DIR, name), encoding="utf-8", newline="") as f: return f.read()
def ask(file, question, answer, kind, ordered=None):
    s = {"page.txt": "page", "trace.txt": "trace"}.get(file, file.split(".")[0])
    n = 1 + sum(1 for q in OUT if q["set"] == s)
    q = {"set": s, "file": file, "n": n, "question": question, "answer": answer, "kind": kind}
    if isinstance(answer, list):
        assert ordered is not None and 0 < len(answer) <= 14, question
        q["ordered"] = ordered
        if not ordered: q["answer"] = sorted(answer); assert len(set(answer)) == len(answer), question
    else: assert ordered is None and answer not in ("", None, 0) and answer != {}, question
    if isinstance(answer, dict): assert len(answer) <= 14, question
    OUT.append(q)
def one(xs):
    xs = list(xs); assert len(xs) == 1, xs; return xs[0]
def top(pairs, k=1, low=False):
    """The k largest (or smallest) of (value, name); no tie up to the next one."""
    p = sorted(pairs, key=lambda x: x[0], reverse=not low)
    assert all(p[i][0] != p[i + 1][0] for i in range(min(k, len(p) - 1))), p[:k + 1]
    return p[:k]
def isoz(d): return d.strftime("%Y-%m-%dT%H:%M:%SZ")
def utc(sec): return datetime(1970, 1, 1) + timedelta(seconds=sec)

def hosts():
    F = "hosts.json"; H = json.loads(text(F)); assert len(H) == 300
    ask(F, "Count the hosts per env, with env put in lower case.", dict(Counter(h["env"].lower() for h in H.values())), "group-count")
    v, n = top((float(h["memory_gb"]), k) for k, h in H.items())[0]
    ask(F, "Which host has the most memory, and how many GB? Numbers stored as text count as numbers.", [n, int(v)], "largest", True)
    ask(F, "Which hosts have a disk with fs xfs that is more than 92 percent full (used_pct, the same disk)?",
        [k for k, h in H.items() if any(d["fs"] == "xfs" and d["used_pct"] > 92 for d in h.get("disks", []))], "nested-two-conditions", False)
    ips = Counter(h["ip"] for h in H.values())
    ask(F, "Which hosts have an ip that another host has too?", [k for k, h in H.items() if ips[h["ip"]] > 1], "duplicates", False)
    ask(F, "How many hosts have no time in last_seen, that is, the member is missing, null or 'never'?", sum(1 for h in H.values() if h.get("last_seen") in (None, "never")), "null-or-missing")
    def seen(x):
        if isinstance(x, int): return utc(x)
        if re.fullmatch(r"\d\d\.\d\d\.\d{4} \d\d:\d\d", x): return datetime.strptime(x, "%d.%m.%Y %H:%M")
        return datetime.fromisoformat(x.replace("Z", "+00:00")).astimezone(timezone.utc).replace(tzinfo=None)
    d, n = top(((seen(h["last_seen"]), k) for k, h in H.items() if h.get("last_seen") not in (None, "never")), low=True)[0]
    ask(F, "Which host was seen longest ago, and on which day (yyyy-mm-dd, UTC)? last_seen is an ISO time, seconds since 1970, or dd.mm.yyyy hh:mm in UTC; leave out hosts without a time.", [n, d.strftime("%Y-%m-%d")], "smallest", True)
    svc = [(k, s, x) for k, h in H.items() for s, x in (h["services"] or {}).items()]
    k, s, x = one(z for z in svc if z[2]["port"] == 47113)
    ask(F, "On which host does a service listen on port 47113, and what is the service called?", [k, s], "lookup", True)
    ask(F, "How many services are in the state failed, counted per name of the service?", dict(Counter(s for _, s, x in svc if x["state"] == "failed")), "group-count")
    ask(F, "What is the sum of size_gb over all disks of the hosts whose site is hel in any letter case?", sum(d["size_gb"] for h in H.values() if h["site"].lower() == "hel" for d in h.get("disks", [])), "sum-condition")
    ask(F, "For which hosts is os a plain text instead of an object?", [k for k, h in H.items() if isinstance(h["os"], str)], "type", False)

def sqltable():
    F = "sqltable.txt"; L = text(F).split("\n"); T = []; head = None
    for line in L:
        if not line.startswith("|") or line.startswith("|---"): continue
        c = [x.strip().replace("\\|", "|") for x in re.split(r"(?<!\\)\|", line)[1:-1]]
        if head is None: head = c
        else: assert len(c) == len(head), line; T.append(dict(zip(head, c)))
    assert len(T) == 900
    def day(s):
        try: return datetime.strptime(s, "%d/%m/%Y")
        except ValueError: return None
    amt = lambda x: float(x["amount"].replace(",", "")) if x["amount"] else None
    ask(F, "Count the rows per status, with the status in lower case.", dict(Counter(x["status"].lower() for x in T)), "group-count")
    v, x = top((amt(x), x["invoice_id"]) for x in T if amt(x) is not None)[0]; y = one(z for z in T if z["invoice_id"] == x)
    ask(F, "Which invoice has the largest amount: its invoice_id, customer and amount?", [x, y["customer"], v], "largest", True)
    s = sum(amt(x) for x in T if x["cur"] == "EUR" and x["amount"] and re.fullmatch(r"\d\d/03/2026", x["issued"]))
    ask(F, "What is the sum of amount over the rows in EUR that were issued in March 2026 (dates are dd/mm/yyyy; duplicated rows count each time; two decimals)?", round(s, 2), "sum-condition")
    ask(F, "How many rows have the status paid in any letter case but an empty paid_on?", sum(1 for x in T if x["status"].lower() == "paid" and not x["paid_on"]), "null-or-missing")
    y = one(x for x in T if "K-20417" in x["remark"])
    ask(F, "Which invoice mentions the case K-20417 in its remark, and who is the customer?", [y["invoice_id"], y["customer"]], "text-search", True)
    d, x = top((day(x["issued"]), x["invoice_id"]) for x in T if day(x["issued"]))[0]
    ask(F, "Which invoice was issued last, and on which date (as written)?", [x, d.strftime("%d/%m/%Y")], "last", True)
    ask(F, "Which invoices have a paid_on that lies before the date of issue?", sorted({x["invoice_id"] for x in T if day(x["paid_on"]) and day(x["issued"]) and day(x["paid_on"]) < day(x["issued"])}), "odd", False)
    ask(F, "Which invoice_ids stand in more than one row, and in how many rows each?", {k: n for k, n in Counter(x["invoice_id"] for x in T).items() if n > 1}, "duplicates")
    y = one(x for x in T if not day(x["issued"]))
    ask(F, "Which invoice has a date of issue that does not exist in the calendar, and how is it written?", [y["invoice_id"], y["issued"]], "odd", True)
    lo, hi = datetime(2026, 4, 6), datetime(2026, 4, 19)
    ask(F, "Which invoices issued from 6 to 19 April 2026 (both days included) have an amount above 7,500.00, whatever the currency?",
        sorted({x["invoice_id"] for x in T if day(x["issued"]) and lo <= day(x["issued"]) <= hi and (amt(x) or 0) > 7500}), "range", False)

class Page(HTMLParser):
    """Collects headings, table rows (with the heading above), code languages, ids and links of the article."""
    def __init__(self):
        super().__init__(); self.inside = False; self.head = []; self.rows = []; self.lang = []; self.ids = set(); self.links = []; self.buf = None; self.row = None; self.text = []
    def handle_starttag(self, t, a):
        a = dict(a)
        if "id" in a: self.ids.add(a["id"])
        if t == "article": self.inside = True
        if not self.inside: return
        if t in ("h1", "h2", "h3", "td", "th"): self.buf = []
        if t == "tr": self.row = []
        if t == "code" and a.get("class", "").startswith("language-"): self.lang.append(a["class"][9:])
        if t == "a" and a.get("href", "").startswith("#"): self.links.append(a["href"])
    def handle_endtag(self, t):
        if t == "article": self.inside = False
        if not self.inside: return
        if t in ("h1", "h2", "h3"): self.head.append((t, "".join(self.buf).rstrip("¶"))); self.buf = None
        if t in ("td", "th"): self.row.append("".join(self.buf).replace("\u00a0", " ")); self.buf = None
        if t == "tr": self.rows.append((self.head[-1][1], self.row))
    def handle_data(self, d):
        if self.inside and self.buf is not None: self.buf.append(d)
        if self.inside: self.text.append((self.head[-1][1] if self.head else "", d))

def page():
    F = "page.txt"; P = Page(); P.feed(text(F))
    opt = [(h, dict(zip("Option Type Default Reload Since Description".split(), c))) for h, c in P.rows if h.endswith(" options") and c[0] != "Option"]
    n = Counter(h for h, _ in opt)
    ask(F, "How many options do the tables of the sections Broker options, Storage options and Security options list? Give the three numbers in this order.", [n["Broker options"], n["Storage options"], n["Security options"]], "count", True)
    y = one(o for _, o in opt if o["Option"] == "storage.retry_size")
    ask(F, "What type and what default does the option storage.retry_size have?", [y["Type"], y["Default"]], "lookup", True)
    dep = {o["Option"]: re.search(r"Use (\S+) instead", o["Description"]).group(1) for _, o in opt if o["Description"].startswith("deprecated")}
    ask(F, "Which options are marked as deprecated, and which option should be used instead? Give option and replacement.", dep, "map-names-by-member")
    h, d = one((h, d) for h, d in P.text if "per GiB" in d)
    ask(F, "Under which heading does the page say how long a migration takes, and how many seconds per GiB does it need?", [h, int(re.search(r"(\d+) seconds per GiB", d).group(1))], "which-section", True)
    ask(F, "Which level-2 headings does the article have, in order?", [x for t, x in P.head if t == "h2"], "subsections", True)
    c = one(c for _, c in P.rows if c[0] == "LB-4017")
    ask(F, "What does the error code LB-4017 mean, and which HTTP status goes with it?", [c[2], int(c[1])], "lookup", True)
    ask(F, "How many options of the three option tables together came with each version (column Since)?", dict(Counter(o["Since"] for _, o in opt)), "group-count")
    c = one(c for _, c in P.rows if c[0] == "Message size"); hd = one(c for _, c in P.rows if c[0] == "Limit")
    ask(F, "What is the limit of the message size in the plan Business?", c[hd.index("Business")], "lookup")
    ask(F, "How many code blocks are there per language (the class language-...)?", dict(Counter(P.lang)), "group-count")
    ask(F, "Which links inside the page (href beginning with '#') point to an id that no element has?", [x for x in P.links if x[1:] not in P.ids], "odd", False)

def trace():
    F = "trace.txt"; raw = text(F).split("\n"); assert raw[-1] == "" and len(raw) == 2501
    L = [x[9:] for x in raw[:-1]]
    j = one(re.match(r"\[ERROR\] (\S+)  Time", x).group(1) for x in L if x.endswith("<<< ERROR!"))
    p = one(x.split(" ")[0] for x in L if re.match(r"tests/\S+ FAILED \[", x))
    ask(F, "Which tests failed? Give the full name of the Java test and the full id of the Python test (file::name).", [j, p], "failed", False)
    i = L.index(one(x for x in L if x.startswith("com.acme.settle.SettlementException")))
    end = next(k for k in range(i, len(L)) if "Tests run:" in L[k])
    root = [x for x in L[i:end] if x.startswith("Caused by: ")][-1][11:]
    ask(F, "What is the root cause (the last 'Caused by') of the failed Java test: the class of the exception and its message?", root.split(": ", 1), "why", True)
    k = L.index("Traceback (most recent call last):"); fr = [x for x in L[k:k + 20] if x.startswith('  File "')][-1]
    m = re.match(r'  File "(.*)", line (\d+), in (\w+)', fr); err = next(x for x in L[k + 1:] if not x.startswith(" "))
    ask(F, "Which exception ended the failed Python test (the line with its class and message), and in which file (whole path) and line was it raised (the innermost frame)?", [err, m.group(1), int(m.group(2))], "why", True)
    ask(F, "How many compiler warnings are there per category (the word in square brackets such as unchecked)?", dict(Counter(re.search(r"\] \[(\w+)\]", x).group(1) for x in L if x.startswith("[WARNING] src/"))), "group-count")
    res = [re.match(r"\[\w+\] Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+), Time elapsed: ([\d.]+) s - in (\S+)", x) for x in L]; res = [m for m in res if m]
    v, n = top((float(m.group(5)), m.group(6)) for m in res)[0]
    ask(F, "Which Java test class took longest, and how many seconds?", [n, v], "largest", True)
    tests = [re.match(r"tests/\S+::(\S+) (PASSED|FAILED|SKIPPED)\b", x) for x in L]; tests = [m.groups() for m in tests if m]
    ask(F, "How many passed Python tests have the word 'error' in the name of the test (after '::')?", sum(1 for a, b in tests if b == "PASSED" and "error" in a), "text-search")
    ask(F, "Which Java tests were skipped, and why? Give the full name of each test with the reason.", dict(re.match(r"\[WARNING\] (\S+) SKIPPED: (.*)", x).groups() for x in L if x.startswith("[WARNING] com.acme") and "SKIPPED:" in x), "map-names-by-member")
    m = one(m for m in (re.match(r"\[INFO\] (\S+): attempt (\d+) passed", x) for x in L) if m)
    ask(F, "Which test was marked as flaky, and with which attempt did it pass?", [m.group(1), int(m.group(2))], "lookup", True)
    st = [i for i, x in enumerate(L) if ", shard " in x]; fin = next(x for x in L[st[1]:] if " passed, " in x)
    got = [int(z) for z in re.search(r"(\d+) passed, (\d+) failed, (\d+) skipped", fin).groups()]
    own = Counter(m[1] for m in (re.match(r"tests/\S+ (PASSED|FAILED|SKIPPED)\b", x) and x.split(" ")[:2] for x in L[st[1]:st[2]]) if m)
    assert got == [own["PASSED"], own["FAILED"], own["SKIPPED"]]
    tot = one(x for x in L if x.startswith("java     "))
    assert re.match(r"java     (\d+) run, 1 failed, (\d+) skipped", tot).groups() == (str(sum(int(m.group(1)) for m in res)), str(sum(int(m.group(4)) for m in res)))
    ask(F, "How many tests passed, failed and were skipped in pytest shard 2 of 3?", got, "count-by-condition", True)
    m = one(m for m in (re.match(r"WARNING: mirror (\S+) answered (\d+)", x) for x in L) if m)
    ask(F, "Something went wrong with a mirror while the dependencies were downloaded: which mirror was it, and which status did it answer?", [m.group(1), int(m.group(2))], "odd", True)

def tickets():
    F = "tickets.json"; T = json.loads(text(F)); K = {t["key"]: t for t in T}; assert len(K) == 12
    ask(F, "How many comments does each ticket have? Give key and number.", {k: len(t["comments"]) for k, t in K.items()}, "group-count")
    back = Counter(k for k, t in K.items() for c in t["changelog"] if c["field"] == "status" and c["from"] == "Done" and c["to"] == "Open")
    ask(F, "Which tickets were reopened (status from Done to Open in the changelog), and how often?", dict(back), "nested-two-conditions")
    k, c = one((k, c) for k, t in K.items() for c in t["comments"] if "PendingAckMap" in c["body"])
    ask(F, "Which comment mentions PendingAckMap: the key of the ticket, the id of the comment and its author?", [k, c["id"], c["author"]], "text-search", True)
    c = K["PAY-3220"]["comments"][-1]; assert c["created"] == max(x["created"] for x in K["PAY-3220"]["comments"])
    ask(F, "Who wrote the last comment on PAY-3220, and when (as written)?", [c["author"], c["created"]], "last", True)
    ask(F, "Which attachments are larger than 1,000,000 bytes? Give their names.", [a["name"] for t in T for a in t["attachments"] if a["size"] > 1000000], "nested-condition", False)
    v, n = top((n, a) for a, n in Counter(c["author"] for t in T for c in t["comments"]).items())[0]
    ask(F, "Who wrote the most comments over all tickets, and how many?", [n, v], "group-top", True)
    ask(F, "What is the sum of spent_h over the tickets that have the component reports (one decimal)?", round(sum(t["spent_h"] for t in T if "reports" in t["components"]), 1), "sum-condition")
    d = K["PAY-3152"]["description"].split("## Acceptance criteria")[1]
    ask(F, "How many acceptance criteria in the description of PAY-3152 are not ticked ('- [ ]'), and how many are ticked?", [d.count("- [ ]"), d.count("- [x]")], "count-text", True)
    k, c = one((k, c) for k, t in K.items() for c in t["comments"] if c["created"] < t["created"])
    ask(F, "Which comment has a time before its ticket was created: the key of the ticket, the id of the comment and the time?", [k, c["id"], c["created"]], "odd", True)
    c = [c for c in K["PAY-3169"]["changelog"] if c["field"] == "status" and c["to"] == "In Review"]; assert len(c) > 1 and c[0]["at"] == min(x["at"] for x in c)
    ask(F, "When did PAY-3169 go to In Review for the first time, and who made that change?", [c[0]["at"], c[0]["by"]], "first", True)

def metrics():
    F = "metrics.json"; M = json.loads(text(F)); P = {}
    for k, s in M["series"].items():
        if "values" in s:
            t0 = datetime.strptime(s["start"], "%Y-%m-%dT%H:%M:%SZ"); P[k] = [(t0 + timedelta(seconds=i * s["step_seconds"]), v) for i, v in enumerate(s["values"])]
        elif isinstance(s["points"][0], dict): P[k] = [(datetime.strptime(p["t"], "%Y-%m-%dT%H:%M:%SZ"), p["v"]) for p in s["points"]]
        else: P[k] = [(utc(a), float(b) if isinstance(b, str) else b) for a, b in s["points"]]
    num = {k: [(v, t) for t, v in p if v is not None] for k, p in P.items()}
    ask(F, "How many null values does each series hold?", {k: sum(1 for _, v in p if v is None) for k, p in P.items()}, "null-or-missing")
    v, t = top(num["queue.depth"])[0]
    ask(F, "What is the largest value of the series queue.depth, and at which time (UTC, as yyyy-mm-ddThh:mm:ssZ)? Its values are stored as text.", [int(v), isoz(t)], "largest", True)
    g = [((b[0] - a[0]).total_seconds(), (a[0], b[0])) for a, b in zip(P["api.requests"], P["api.requests"][1:])]
    v, (a, b) = top(g)[0]
    ask(F, "Where is the longest gap between two consecutive points of api.requests? Give the time before and the time after (UTC, as yyyy-mm-ddThh:mm:ssZ) and the minutes between them.", [isoz(a), isoz(b), int(v / 60)], "gap", True)
    k = one(k for k in P if max(num[k])[0] != M["summary"]["stats"][k]["max"])
    assert all(min(num[z])[0] == M["summary"]["stats"][z]["min"] and len(P[z]) == M["summary"]["stats"][z]["samples"] for z in P)
    ask(F, "For which series does the max in summary.stats not agree with its points, and what is the true maximum?", [k, max(num[k])[0]], "odd", True)
    w = M["series"]["api.latency_p95"]["threshold"]["warn"]
    ask(F, "How many points of api.latency_p95 lie above its warn threshold?", sum(1 for v, _ in num["api.latency_p95"] if v > w), "count-by-condition")
    x = [v for v, t in num["cpu.load"] if t.strftime("%Y-%m-%d") == "2026-10-19"]
    ask(F, "What is the average of cpu.load on 19 October 2026 (UTC), without nulls (two decimals)? The series gives its start, its step and the values.", round(sum(x) / len(x), 2), "average-condition")
    def beyond(k):
        h = M["series"][k]["threshold"]
        return h["crit"] is not None and any(v > h["crit"] if h["direction"] == "above" else v < h["crit"] for v, _ in num[k])
    ask(F, "Which series have at least one value beyond their crit threshold, in the direction that the threshold names? Leave out series without a crit threshold.", [k for k in P if beyond(k)], "records-two-conditions", False)
    k, s = one((k, s) for k, s in M["summary"]["slo"].items() if s["budget_left_pct"] < 0)
    ask(F, "Which service in summary.slo has used up more than its error budget, how much is left in percent, and what is its burn over 6 hours?", [k, s["budget_left_pct"], s["burn"]["6h"]], "lookup", True)
    v, t = top(num["room.temperature"], low=True)[0]
    ask(F, "What is the smallest value of room.temperature, and at which time?", [v, isoz(t)], "smallest", True)
    t, k = top(((p[0][0], k) for k, p in P.items()), low=True)[0]
    ask(F, "Which series reaches back furthest, and what is the time of its first point (UTC, as yyyy-mm-ddThh:mm:ssZ)?", [k, isoz(t)], "first", True)

def main():
    global DIR
    args = [a for a in sys.argv[1:] if not a.startswith("--")]; DIR = args[0] if args else "."
    for f in (hosts, sqltable, page, trace, tickets, metrics): f()
    assert len(OUT) == 60 and all(n == 10 for n in Counter(q["set"] for q in OUT).values())
    path = os.path.join(HERE, "questions_more.json")
    if "--write" in sys.argv:
        with open(path, "w", encoding="utf-8", newline="") as f: f.write("[\n" + ",\n".join(json.dumps(q, ensure_ascii=False) for q in OUT) + "\n]\n")
    with open(path, encoding="utf-8") as f: have = json.load(f)
    bad = [q for q, h in zip(OUT, have) if json.loads(json.dumps(q)) != h]
    for q in bad: print("differs:", q["set"], q["n"], q["answer"])
    print("%d questions, %d differ" % (len(OUT), len(bad)))
    return 1 if bad or len(have) != len(OUT) else 0
if __name__ == "__main__":
    raise SystemExit(main())
