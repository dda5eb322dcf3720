# SPDX-License-Identifier: Apache-2.0
"""Facts about records: each is counted again over the whole."""
import re
from collections import Counter
from jsonread import JsonError, quote, read
from shown import ITEMS, MEMBERS
from values import beyond, moment, names_of, num, reach, reader, split_path

MORE = re.compile(r"^\+(\d+) records?$")
NAMED = ("highest", "lowest", "highest_total", "most_items", "item_counts")
LISTS = ("values_in", "shared", "types_in")
FLAT = ("present_in", "missing_in", "null_in")
PLAIN = ("count", "values", "item_values", "ranges", "series", "sizes", "items", "words", "repeated", "missing",
    "null", "types", "constant", "no_time", "labels")
KNOWN = NAMED + LISTS + FLAT + PLAIN


def entries(node):
    """Members of a fact without its mark, and the number in the mark."""
    if node.kind == "object":
        if node.value and node.value[-1][0] == "…" and node.value[-1][1].kind == "string" and MEMBERS.match(node.value[-1][1].value):
            return node.value[:-1], int(MEMBERS.match(node.value[-1][1].value).group(1))
        return node.value, 0
    if node.value and node.value[-1].kind == "string" and ITEMS.match(node.value[-1].value):
        return node.value[:-1], int(ITEMS.match(node.value[-1].value).group(1))
    return node.value, 0


class Records:
    """recs: list of (name in a map or None, Node); cell: values are cells of a table in a text."""

    def __init__(self, recs, where, out, cell=False):
        self.recs, self.where, self.out, self.cell = recs, where, out, cell
        self.cache, self.ident = {}, None

    def column(self, path):
        """The values at a path, by record. The empty path is the record itself, if all are scalars."""
        if path not in self.cache:
            kinds = {r.kind for _, r in self.recs}
            tokens = [""] if path == "" and kinds & {"object", "array"} else split_path(path)
            self.cache[path] = [reach(r, tokens, "object" not in kinds) for _, r in self.recs]
        return self.cache[path]

    def bad(self, kind, path, text):
        """False, unless the documented limits make it open what is counted."""
        tokens = split_path(path)
        report = self.out.unclear if any(beyond(r, tokens) for _, r in self.recs) else self.out.false
        report("facts." + kind, "%s %s: %s" % (self.where, path, text))

    def check(self, facts):
        for name, stated in facts:
            if name in KNOWN:
                self.out.met("facts." + name)
        best = None
        for ident, wrong in self.identify(facts):
            trial = Records(self.recs, self.where, Count(), self.cell)
            trial.cache, trial.ident = self.cache, ident
            trial.verify([f for f in facts if f[0] in NAMED + LISTS + FLAT + ("labels",)])
            if best is None or trial.out.n + len(wrong) < best[0]:
                best = trial.out.n + len(wrong), ident, wrong
            if best[0] == 0:
                break
        self.ident = best[1]
        for text in best[2]:
            self.out.false("facts.name", "%s: %s" % (self.where, text))
        self.verify(facts)

    def verify(self, facts):
        for name, stated in facts:
            if name in NAMED:
                self.each(stated, name, self.named)
            elif name in LISTS:
                self.each(stated, name, self.listed)
            elif name in FLAT:
                self.each(stated, name, self.flat)
            elif name in KNOWN and name != "count":
                self.each(stated, name, getattr(self, name))
            elif name == "count" and stated.value != str(len(self.recs)):
                self.out.false("facts.count", "%s: %s instead of %d" % (self.where, stated.value, len(self.recs)))

    def each(self, stated, kind, how):
        for path, value in entries(stated)[0]:
            how(kind, path, value)

    # ---- which record a name means ------------------------------------------
    def identify(self, facts):
        """Candidates of what names mean: (name -> position, what is wrong with them)."""
        names = set()
        for kind, stated in facts:
            for path, v in (entries(stated)[0] if kind in NAMED + LISTS + FLAT + ("labels",) else ()):
                if kind in NAMED or kind == "labels":
                    names |= {k for k, _ in entries(v)[0] if not MORE.match(k)}
                elif kind in LISTS:
                    for _, l in entries(v)[0]:
                        names |= {x.value for x in entries(l)[0]}
                else:
                    names |= {x.value for x in entries(v)[0]}
        maps = {}
        for i, (key, r) in enumerate(self.recs):
            if key is not None:
                maps.setdefault(("key",), {}).setdefault(key, []).append(i)
            for p, n in leaves(r, (), 3):
                if n.value in names:
                    maps.setdefault(p, {}).setdefault(n.value, []).append(i)
        good = lambda m: sum(1 for n in names if len(m.get(n, ())) == 1)
        likely = sorted(maps.items(), key=lambda m: (-good(m[1]), len(m[0])))[:8]
        for _, m in likely or [((), {})]:
            found, wrong = {}, []
            for n in names:
                at = m.get(n, [])
                if re.match(r"^#\d+$", n) and int(n[1:]) < len(self.recs):
                    found[n] = int(n[1:])        # a position, whatever the records hold
                elif len(at) == 1:
                    found[n] = at[0]
                else:
                    wrong.append("%r names %d records" % (n, len(at)))
            yield found, wrong

    def who(self, nodes):
        return [self.ident.get(x.value) for x in nodes]

    # ---- facts that name records --------------------------------------------
    def score(self, kind, path, stated):
        """What each record counts with, or None."""
        out = []
        for cells in self.column(path):
            if kind in ("most_items", "item_counts"):
                lists = [c for c in cells if c.kind in ("array", "object")]
                out.append(sum(len(c.value) for c in lists) if lists else None)
                continue
            read = reader(stated)
            got = [v for v in map(read, cells) if v is not None]
            out.append(None if not got else sum(got) if kind == "highest_total" else min(got) if kind == "lowest"
                else max(got))
        return out

    def named(self, kind, path, value):
        said, left = entries(value)
        if not said:
            return
        scores = self.score(kind, path, said[0][1])
        have = [s for s in scores if s is not None]
        above = (lambda a, b: a < b) if kind == "lowest" else (lambda a, b: a > b)
        read = reader(said[0][1])
        if not have:
            return self.bad(kind, path, "no record has such a value")
        m = MORE.match(said[0][0]) if len(said) == 1 else None
        if m and said[0][0] not in self.ident:
            top = min(have) if kind == "lowest" else max(have)
            if read(said[0][1]) != top or have.count(top) != int(m.group(1)):
                self.bad(kind, path, "%s with %s; %d have %s" % (said[0][0], said[0][1].value, have.count(top),
                    top))
            return
        values = []
        for n, v in said:
            i = self.ident.get(n)
            if i is None:
                continue
            values.append(read(v))
            if read(v) != scores[i]:
                self.bad(kind, path, "%r has %s, not %s" % (n, scores[i], v.value))
        if kind == "item_counts":
            if left == 0 and len(said) != len(have):
                self.bad(kind, path, "%d of %d records" % (len(said), len(have)))
            return
        listed = {self.ident.get(n) for n, _ in said}
        if None in values or not values:
            return
        if any(above(b, a) for a, b in zip(values, values[1:])):
            self.bad(kind, path, "not in their order")
        last = values[-1]
        for i, s in enumerate(scores):
            if i not in listed and s is not None and not above(last, s):
                return self.bad(kind, path, "record #%d has %s too" % (i, s))

    def is_value(self, kind, key, cells):
        if kind == "types_in":
            return any(c.kind == key for c in cells)
        return any(c.scalar() and (key in names_of(c, self.cell) or kind == "shared" and key == c.value)
            for c in cells)

    def listed(self, kind, path, value):
        for key, names in entries(value)[0]:
            key = respell(key)
            said, left = entries(names)
            right = {i for i, cells in enumerate(self.column(path)) if self.is_value(kind, key, cells)}
            if len(said) + left != len(right) or not {i for i in self.who(said)} <= right | {None}:
                self.bad(kind, path, "%r in %s; in %s" % (key, [x.value for x in said], sorted(right)[:5]))

    def flat(self, kind, path, value):
        said, left = entries(value)
        col = self.column(path)
        if kind == "null_in":
            right = {i for i, cells in enumerate(col) if any(c.kind == "null" for c in cells)}
        else:
            right = {i for i, cells in enumerate(col) if bool(cells) == (kind == "present_in")}
        if len(said) + left != len(right) or not set(self.who(said)) <= right | {None}:
            self.bad(kind, path, "%s; are %s" % ([x.value for x in said], sorted(right)[:6]))

    def labels(self, kind, path, value):
        for name, label in entries(value)[0]:
            i = self.ident.get(name)
            cells = self.column(path)[i] if i is not None else []
            if i is not None and not any(same_label(label.value, c) for c in cells):
                self.bad(kind, path, "%r is called %s, not %r" % (name, cells[:1], label.value))

    # ---- counts -----------------------------------------------------------------
    def values(self, kind, path, value):
        said, left = entries(value)
        col, total, every = self.column(path), Counter(), kind == "item_values"
        for cells in col:
            seen = [names_of(c, self.cell) for c in cells if c.scalar()]
            for forms in (seen if every else set(seen)):
                total.update(forms)
        listed = set()
        for key, n in said:
            key = respell(key)
            listed.add(key)
            if n.value != str(total.get(key, 0)):
                self.bad(kind, path, "%r %s instead of %d" % (key, n.value, total.get(key, 0)))
        rest = {f[0] for cells in col for f in (names_of(c, self.cell) for c in cells if c.scalar())
            if not set(f) & listed}
        if len(rest) != left:
            self.bad(kind + ".all", path, "%d values are not listed, the mark says %d: %s" % (len(rest), left,
                sorted(rest)[:4]))

    item_values = values

    def cells(self, path):
        return [c for cells in self.column(path) for c in cells]

    def ranges(self, kind, path, value):
        low, high = value.value
        read = reader(low)
        got = [(read(c), c.value) for c in self.cells(path) if read(c) is not None]
        if not got:
            return self.bad(kind, path, "no such value")
        if (read(low), read(high)) != (min(got)[0], max(got)[0]):
            return self.bad(kind, path, "%s..%s instead of %s..%s" % (low.value, high.value, min(got)[1],
                max(got)[1]))
        texts = {t.replace(",", "") if self.cell else t for _, t in got}
        for end in (low, high):
            if (end.value.replace(",", "") if self.cell else end.value) not in texts:
                self.bad(kind, path, "no record has %s" % end.value)

    def series(self, kind, path, value):
        first, last = value.get("first"), value.get("last")
        step, seconds, breaks = value.get("step"), value.get("step_seconds"), value.get("breaks")
        read = reader(first)
        got = [read(c) for c in self.cells(path)]
        got = [g for g in got if g is not None]
        if not got or got[0] != read(first) or got[-1] != read(last):
            return self.bad(kind, path, "%s..%s" % (first.value, last.value))
        want = num(step) if step else num(seconds)
        pairs = [(a, b) for a, b in zip(got, got[1:]) if (b - a if step else (b - a).total_seconds()) != (want
            if step else float(want))]
        said = [tuple(map(read, p.value)) for p in entries(breaks)[0]] if breaks else []
        left = entries(breaks)[1] if breaks else 0
        if len(pairs) != len(said) + left or [p for p in said if p not in pairs]:
            self.bad(kind, path, "step %s; breaks %s instead of %s" % (want, [str(s) for s in said[:3]],
                [tuple(map(str, p)) for p in pairs[:3]]))
        for name in value.names():
            if name not in ("first", "last", "step", "step_seconds", "breaks"):
                self.out.unknown("facts.series." + name)

    def sizes(self, kind, path, value):
        n = [len(c.value) for c in self.cells(path) if not c.scalar()]
        d = [len(set(c.names())) if c.kind == "object" else len(c.value) for c in self.cells(path)
            if not c.scalar()]
        said = [v.value for v in value.value]
        if not n or said not in ([str(min(n)), str(max(n))], [str(min(d)), str(max(d))]):
            self.bad(kind, path, "%s instead of %s" % (said, [min(n), max(n)] if n else n))

    def items(self, kind, path, value):
        n = sum(len(c.value) for c in self.cells(path) if c.kind == "array")
        m = sum(len(c.value) for c in self.cells(path) if not c.scalar())
        if value.value not in (str(n), str(m)):
            self.bad(kind, path, "%s instead of %d" % (value.value, n))

    def words(self, kind, path, value):
        said, left = entries(value)
        right = Counter(t for cells in self.column(path) for t in {c.value for c in cells if c.kind == "string"
            and not re.search(r"\d", c.value)})
        for k, n in said:
            if n.value not in (str(right.get(k, 0)), str(right.get(k.strip('"'), 0))):
                self.bad(kind, path, "%r %s instead of %d" % (k, n.value, right.get(k, 0)))
        if len(right) != len(said) + left:
            self.bad(kind, path, "%d words instead of %d" % (len(said) + left, len(right)))

    def no_time(self, kind, path, value):
        texts = Counter(c.value for c in self.cells(path) if c.kind == "string")
        if value.kind == "array":
            said = [(x.value, None) for x in entries(value)[0]]
        else:
            said = [(k, v) for k, v in entries(value)[0]]
        for k, v in said:
            if not texts[k]:
                self.bad(kind, path, "no record has %r" % k)
            elif moment_text(k):
                self.bad(kind, path, "%r is a time" % k)
            elif v is not None and v.kind == "number" and v.value != str(texts[k]):
                self.bad(kind, path, "%r %s instead of %d" % (k, v.value, texts[k]))
        if len({t for t in texts if not moment_text(t)}) != len(said) + entries(value)[1]:
            self.bad(kind, path, "%d texts are no times, said are %d"
                % (len({t for t in texts if not moment_text(t)}), len(said)))

    def repeated(self, kind, path, value):
        right = Counter(f for cells in self.column(path) for f in {f for c in cells if c.scalar()
            for f in (names_of(c)[0], c.value)})
        said, left = entries(value)
        for k, n in said:
            if n.value != str(right.get(k, 0)) or n.value == "1":
                self.bad(kind, path, "%r %s instead of %d" % (k, n.value, right.get(k, 0)))
        many = {c.value for c in self.cells(path) if c.scalar() and c.kind != "null" and right[c.value] > 1}
        if len(many) != len(said) + left:
            self.bad(kind, path, "%d ids repeat, said are %d" % (len(many), len(said) + left))

    def missing(self, kind, path, value):
        n = sum(1 for cells in self.column(path) if not cells)
        if value.value != str(n):
            self.bad(kind, path, "%s instead of %d" % (value.value, n))

    def null(self, kind, path, value):
        n = sum(1 for cells in self.column(path) if any(c.kind == "null" for c in cells))
        if value.value != str(n):
            self.bad(kind, path, "%s instead of %d" % (value.value, n))

    def types(self, kind, path, value):
        right = Counter(c.kind for c in self.cells(path))
        right["list"], right["text"] = right["array"], right["string"]
        said, left = entries(value)
        for k, n in said:
            if n.value != str(right.get(k, 0)):
                self.bad(kind, path, "%s %s instead of %d" % (k, n.value, right.get(k, 0)))
        others = {c.kind for c in self.cells(path)} - {k for k, _ in said} - {"null"}
        if len(others) != left:
            self.bad(kind, path, "leaves out %s" % sorted(others))

    def constant(self, kind, path, value):
        col = self.column(path)
        ok = lambda c: c.kind == value.kind and c.value == value.value or self.cell and c.value == value.value or (
            value.kind == "string" and value.value.endswith("…") and same_label(value.value, c))
        if not all(cells and all(map(ok, cells)) for cells in col):
            self.bad(kind, path, "%s is not the value in all records" % value)


class Count:
    """An Out that only counts what is false."""
    def __init__(self):
        self.n = 0

    def false(self, kind, text):
        self.n += 1

    def unclear(self, kind, text=""):
        pass

    unknown = met = unclear


def respell(key):
    """A quoted name may keep the escapes of the whole."""
    if key[:1] == '"' and "\\" in key:
        try:
            return quote(read(key).value)
        except (JsonError, TypeError):
            pass
    return key


def moment_text(t):
    from values import time_of
    return time_of(t) is not None


def leaves(node, path, depth):
    if node.scalar():
        yield path, node
    elif depth:
        seen = {}
        for i, c in enumerate(node.children()):
            seen[node.value[i][0] if node.kind == "object" else i] = c
        for k, c in seen.items():
            if node.kind == "object" or i < 12:
                yield from leaves(c, path + (k,), depth - 1)


def same_label(label, node):
    if not node.scalar():
        return False
    if label.endswith("…") and node.value.startswith(label[:-1]):
        return True
    squeeze = lambda s: re.sub(r"\s+", " ", s).strip()
    return label == node.value or squeeze(label) == squeeze(node.value) or label.endswith("…") and squeeze(node.value).startswith(squeeze(label[:-1]))
