# SPDX-License-Identifier: Apache-2.0
"""Facts about logs and stack traces: levels, times, exceptions, fields, patterns."""
import re
from collections import Counter
from records import entries

TIME = re.compile(r'\[?(?:time=")?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"?\]?')
STAMP = re.compile(r'^\[?(?:time=")?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)"?\]?\s*')
LEVELS = "TRACE DEBUG INFO NOTICE WARN WARNING ERROR ERR FATAL CRITICAL CRIT SEVERE PANIC ALERT EMERG".split()
SAME = {"WARNING": "WARN", "ERR": "ERROR", "CRIT": "CRITICAL"}
EXCEPTION = re.compile(r"^(?:Caused by: )?((?:[A-Za-z_$][\w$]*\.)*[A-Z][\w$]*(?:Error|Exception|Interrupt|Exit))(?::.*)?$")
FRAME = re.compile(r'^\s*(?:File ".*", line \d+(?:, in .*)?|at .+\(.*\)|at \S+:\d+:\d+)\s*$')


class Logs:
    def level_of(self, line):
        m = re.search(r'\blevel="?(\w+)', line)
        if m:
            word = m.group(1).upper()
            return SAME.get(word, word)
        rest = STAMP.sub("", line) if STAMP.match(line) else line
        for w in rest.split()[:6]:
            bare = w.strip("[]():|<>")
            if bare in LEVELS:
                return SAME.get(bare, bare)
            if bare.upper() in LEVELS and (w != bare):
                return SAME.get(bare.upper(), bare.upper())
        return None

    def stamped(self):
        return [s for s in self.lines if STAMP.match(s)]

    def f_levels(self, v):
        lines = self.stamped()
        got = [self.level_of(s) for s in lines]
        if len(lines) < 0.3 * len(self.lines) or None in got or any("level=" not in s
                and len(set(re.findall(r"[A-Z]{4,}", s)) & set(LEVELS)) > 1 for s in lines):
            return self.out.unclear("facts.levels", "%s: lines without a plain level" % self.where)
        self.counts("levels", v, Counter(got))

    def f_hours(self, v):
        lines = [(STAMP.match(s).group(1), self.level_of(s)) for s in self.stamped()]
        if len(lines) < 0.3 * len(self.lines):
            return self.out.unclear("facts.hours", self.where)
        first = 0 if len({t[:10] for t, _ in lines}) > 1 else 11      # of one day without the date
        for level, hours in entries(v)[0]:
            right = Counter(t[first:13] for t, l in lines if l == level)
            said, left = entries(hours)
            if any(n.value != str(right[k]) for k, n in said):
                self.bad("hours", "%s %s instead of %s" % (level, hours, dict(right.most_common(5))))
            elif len(said) + left != len(right) and len(said) < 24:
                self.bad("hours.all", "%s: %d of %d hours" % (level, len(said), len(right)))

    def f_times(self, v):
        t = [STAMP.match(s).group(1) for s in self.stamped()]
        if not t:
            return self.out.unclear("facts.times", "%s: %s" % (self.where, v))
        right = {"first": t[0], "last": t[-1], "earliest": min(t), "latest": max(t)}
        for k, x in v.value:
            if k not in right:
                self.out.unknown("facts.times." + k)
            elif x.value != right[k]:
                self.bad("times", "%s %s instead of %s" % (k, x.value, right[k]))
        if len(set(map(len, t))) == 1 and ("earliest" not in v.names()) and (min(t), max(t)) != (t[0],
                t[-1]) and "latest" not in v.names():
            self.bad("times", "first and last are not the earliest and latest, and that is not said")

    def f_components(self, v):
        right = {}
        for s in self.stamped():
            m = re.search(r"\[([\w.-]+)\]", STAMP.sub("", s).replace("[%s]" % self.level_of(s), "", 1))
            right.setdefault(self.level_of(s), Counter())[m.group(1) if m else "(none)"] += 1
        for level, c in entries(v)[0]:
            if c.kind == "object":
                self.counts("components", c, right.get(level, Counter()))
            else:
                self.out.unclear("facts.components", "%s %s" % (self.where, v))

    def exceptions(self):
        """Classes that stand directly before frames, or in Python directly behind them."""
        found, n = [], len(self.lines)
        for i, s in enumerate(self.lines):
            m = EXCEPTION.match(s.strip())
            before = i and (FRAME.match(self.lines[i - 1]) or i > 1 and FRAME.match(self.lines[i - 2])
                and self.lines[i - 1].startswith("    "))
            if m and (before or i + 1 < n and FRAME.match(self.lines[i + 1])):
                found.append((m.group(1), s.strip()))
        return found

    def f_exceptions(self, v):
        right = Counter(k for k, _ in self.exceptions())
        said = Counter({k: int(n.value) for k, n in entries(v)[0]})
        if "other" in said or "goroutine" in self.text:
            return self.out.unclear("facts.exceptions", "%s: %s" % (self.where, v))
        self.counts("exceptions", v, right)

    def f_exception_count(self, v):
        if "goroutine" not in self.text:
            self.same("exception_count", v, len(self.exceptions()))

    def f_last_exception(self, v):
        e = self.exceptions()
        if "goroutine" not in self.text and (not e or v.value.rstrip("…") not in e[-1][1]):
            self.bad("last_exception", "%r instead of %r" % (v.value, e[-1:]))

    def f_frames(self, v):
        n = sum(1 for s in self.lines if FRAME.match(s))
        if "goroutine" not in self.text:
            self.same("frames", v, n)

    def f_fields(self, v):
        right = {}
        for s in self.lines:
            for k, x in re.findall(r'(?<![^\s\["({,])([A-Za-z_][\w.-]*)=("[^"]*"|[^\s,;]*)', s):
                right.setdefault(k, Counter())[x.strip('"')] += 1
        for key, c in entries(v)[0]:
            got = right.get(key, Counter())
            for k, n in entries(c)[0]:
                if n.value not in (str(got.get(k, 0)), str(got.get(k.strip('"'), 0))):
                    self.bad("fields", "%s=%s %s instead of %d" % (key, k, n.value, got.get(k, 0)))

    def f_pattern_count(self, v):
        kinds = len({re.sub(r"\d+", "0", s) for s in self.lines if s.strip()})
        if not 1 <= int(v.value) <= max(kinds, 1):
            self.bad("pattern_count", "%s; lines differ in %d ways" % (v.value, kinds))

    def f_patterns(self, v):
        lines = [s for s in self.lines if s.strip()]
        said, left = entries(v)
        if sum(int(n.value) for _, n in said) > len(lines):
            self.bad("patterns", "%s lines in patterns of %d" % (sum(int(n.value) for _, n in said), len(lines)))
        bare = [re.sub(r"\s+", " ", re.sub(r"^(\w{3} +\d+) [\d:]{8}", r"\1", TIME.sub("", s, 1))).strip()
                for s in lines]
        total = self.said.get("pattern_count")
        if total is not None and len(said) == int(total.value) and sum(int(n.value) for _, n in said) != len(lines):
            self.bad("patterns", "all patterns have %d of %d lines" % (sum(int(n.value) for _, n in said),
                len(lines)))
        for p, n in said:
            if "time=" in p or p.endswith("…") or p[:1] == "{":
                self.out.unclear("facts.patterns", "%s: %r" % (self.where, p))
                continue
            words = [re.escape(w).replace(re.escape("<*>"), r"\S+") for w in p.split()]
            r = re.compile(r"(?:^|.*[\s\]])" + r"\s+".join(words) + "$")
            hits = sum(1 for s in bare if r.match(s))
            if int(n.value) > hits:
                self.bad("patterns", "%r %s, matches %d lines" % (p, n.value, hits))
