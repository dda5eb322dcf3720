# SPDX-License-Identifier: Apache-2.0
"""What is shown against the whole: values, marks, places, and what is missing.

A path is a tuple of positions, of items or of members; names may repeat, positions do not."""
import re
from jsonread import equal, dump

ITEMS = re.compile(r"^…\[\+(\d+) items?\]$")
MEMBERS = re.compile(r"^\+(\d+) members?$")
CLIP = re.compile(r"…\[(?:stopped at line (\d+) of (\d+), )?\+(\d+) bytes?\]\Z")
RANGE = re.compile(r"^(\d+)\.\.(\d+)$")


def size(s):
    return len(s.encode("utf-8", "surrogatepass"))


def lines_of(text):
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def is_like_mark(item):
    return item.kind == "string" and ITEMS.match(item.value) is not None


def align(s, w, k, at, known):
    """Where the items of s from k on are in w from `at` on, None for marks: w has texts that read like marks."""
    if (k, at) not in known:
        known[k, at] = [] if k == len(s) and at == len(w) else None
        if k < len(s) and at < len(w) and fits(s[k], w[at]):
            rest = align(s, w, k + 1, at + 1, known)
            known[k, at] = None if rest is None else [at] + rest
        if known[k, at] is None and k < len(s) and is_like_mark(s[k]):
            rest = align(s, w, k + 1, at + int(ITEMS.match(s[k].value).group(1)), known)
            known[k, at] = None if rest is None else [None] + rest
    return known[k, at]


def fits(shown, whole):
    trial = Shown(whole, Trial())
    trial.walk(shown, whole)
    return not trial.out.lies


class Trial:
    def __init__(self):
        self.lies = 0

    def false(self, kind, text):
        self.lies += 1

    def unclear(self, kind, text):
        pass


class Shown:
    def __init__(self, whole, out, nothing=False):
        self.whole, self.out = whole, out
        self.nothing = nothing                                    # the level says that only a mark is shown
        self.missing, self.clipped, self.brief = [], {}, set()    # paths; path -> lines without anything shown
        self.short = {}                                           # path of a shortened list, map or text -> its length
        self.at_all = set()
        self.either = set()                                       # members that others are equal to

    def walk(self, s, w, path=()):
        self.at_all.add(path)
        if s.kind == "string" and w.kind == "string":
            if s.value != w.value:
                self.string(s.value, w.value, path)
        elif s.kind != w.kind:
            self.out.false("shown.type", "%s: %s became %s" % (self.show(path), w.kind, s.kind))
        elif s.kind == "array":
            self.array(s.value, w.value, path)
        elif s.kind == "object":
            self.object(s.value, w.value, path)
        elif s.value != w.value:
            self.out.false("shown.value", "%s: %s instead of %s" % (self.show(path), s.value, w.value))

    def string(self, s, w, path):
        m = CLIP.search(s)
        if not m or not w.startswith(s[:m.start()]):
            self.out.false("shown.text", "%s: %r is no beginning of %r" % (self.show(path), s[-60:], w[:60]))
            return
        kept, (line, total, rest) = s[:m.start()], m.groups()
        if int(rest) != size(w) - size(kept):
            self.out.false("mark.bytes", "%s: +%s, missing are %d" % (self.show(path), rest, size(w) - size(kept)))
        n, last = len(lines_of(w)), len(lines_of(kept)) if kept else 0
        if line and (int(line), int(total)) != (last, n):
            self.out.false("mark.line", "%s: line %s of %s instead of %d of %d" % (self.show(path), line, total,
                last, n))
        if not line and n > 1 and kept and size(w) >= 512:
            self.out.false("mark.line", "%s: %d lines, and the mark has no line" % (self.show(path), n))
        self.clipped[path] = max(1, n - last)
        if n > 1:
            self.short[path] = n

    def array(self, s, w, path):
        at, gone = 0, []
        own = any(is_like_mark(x) for x in w) and align(s, w, 0, 0, {})
        for k, item in enumerate(s):
            if own[k] is None if own else is_like_mark(item):
                missing = int(ITEMS.match(item.value).group(1))
                gone += range(at, at + missing)
                at += missing
                continue
            if at >= len(w):
                self.out.false("mark.items", "%s: an item at %d, the list has %d" % (self.show(path), at, len(w)))
                return
            self.walk(item, w[at], path + (at,))
            at += 1
        if at != len(w):
            self.out.false("mark.items", "%s: marks and items are %d, the list has %d" % (
                self.show(path), at, len(w)))
        if gone:
            self.missing += [path + (i,) for i in gone if i < len(w)]
            self.short[path] = len(w)

    def object(self, s, w, path):
        said = 0
        mark = MEMBERS.match(s[-1][1].value) if s and s[-1][0] == "…" and s[-1][1].kind == "string" else None
        own = any(k == "…" for k, _ in w) and not (self.nothing and path == ())
        if mark and not own:                     # else it is a member of the tool's
            said = int(mark.group(1))
            s = s[:-1]
        taken, order = {}, -1
        names = {}
        for i, (k, _) in enumerate(w):
            names.setdefault(k, []).append(i)
        for k, v in s:
            free = [i for i in names.get(k, ()) if i not in taken]
            if not free:
                self.out.false("shown.member", "%s has no %r" % (self.show(path), k))
                continue
            i = free[0] if len(free) == 1 else self.which(v, w, free, path)
            if len(names[k]) == 1 and i < order:
                self.out.false("shown.order", "%s: %r stands behind a later one" % (self.show(path), k))
            order = max(order, i) if len(names[k]) == 1 else order
            taken[i] = v
        for i, v in taken.items():
            self.walk(v, w[i][1], path + (i,))
        distinct, left = len(names), [i for i in range(len(w)) if i not in taken]
        if said != len(left):
            shown_names = {w[i][0] for i in taken}
            if len(w) > distinct and said == distinct - len(shown_names):
                left = [names[k][-1] for k in names if k not in shown_names]
                self.out.unclear("mark.members", "members whose name repeats are not counted as missing: %s"
                    % self.show(path))
            else:
                self.out.false("mark.members", "%s: +%d, missing are %d" % (self.show(path), said, len(left)))
        if left:
            self.missing += [path + (i,) for i in left]
            self.short[path] = len(w)

    def which(self, v, w, free, path):
        """Of members with one name the one that is shown: the last that fits. Which of several is open."""
        good = [i for i in free if fits(v, w[i][1])]
        if len(good) > 1:
            self.either |= {path + (i,) for i in good}
        return good[-1] if good else free[-1]

    def total(self):
        return len(self.missing) + sum(self.clipped.values())

    def show(self, path):
        node, out = self.whole, ""
        for p in path:
            out += "/" + (node.value[p][0] if node.kind == "object" else str(p))
            node = node.children()[p]
        return out or '""'


def node_at(whole, path):
    for p in path:
        whole = whole.children()[p]
    return whole


def place(whole, text):
    """(path, low, high) of a pointer or range, or None."""
    if text == "":
        return (), None, None
    if text[:1] != "/":
        return None
    node, path, tokens = whole, (), text.split("/")[1:]
    for i, t in enumerate(tokens):
        name, m = t.replace("~1", "/").replace("~0", "~"), RANGE.match(t)
        at = [p for p, (k, _) in enumerate(node.value) if k == name] if node.kind == "object" else []
        if at:
            p = at[-1]
        elif node.kind == "array" and t.isdigit() and int(t) < len(node.value):
            p = int(t)
        elif m and not node.scalar() and int(m.group(1)) <= int(m.group(2)) < len(node.value):
            if m.group(1) != m.group(2):
                return (path, int(m.group(1)), int(m.group(2))) if i == len(tokens) - 1 else None
            p = int(m.group(1))
        else:
            return None
        path, node = path + (p,), node.children()[p]
    return path, None, None


def covers(pl, path):
    p, low, high = pl
    return path[:len(p)] == p and (low is None or (len(path) > len(p) and low <= path[len(p)] <= high))


def check_places(shown, report, out):
    """dropped_content_ids, briefed and clipped: they cover what is missing, and name nothing else."""
    whole, got = shown.whole, {}
    for name in ("dropped_content_ids", "briefed", "clipped"):
        got[name] = []
        for s in (x.value for x in (report[name].value if name in report else [])):
            pl = place(whole, s)
            if pl is None and name == "dropped_content_ids":
                if s == "/result":
                    pl = ((), None, None)
                else:
                    named = records_named(whole, s, set(shown.missing))
                    pl = (named[0], None, None) if named else None
                    got[name] += [(p, None, None) for p in named[1:]]
            if pl is None:
                out.false(name + ".place", "%r leads nowhere" % s)
            else:
                got[name].append(pl)
                parts = shown.missing + list(shown.clipped) + list(shown.either)
                if not any(covers(pl, p) for p in parts):
                    out.false(name + ".place", "%r: nothing is missing there" % s)
    drop = got["dropped_content_ids"] + got["briefed"]
    for p in shown.missing:
        if p not in shown.either and not any(covers(pl, p) for pl in drop):
            out.false("dropped_content_ids.cover", "%s is missing and not covered" % shown.show(p))
            break
    for p in shown.clipped:
        if not any(covers(pl, p) for pl in got["clipped"] + drop):
            out.false("clipped.cover", "%s is clipped and not named" % shown.show(p))
            break
    for pl in got["clipped"]:
        if not any(covers(pl, p) for p in shown.clipped):
            out.false("clipped.place", "nothing is clipped at %r" % (pl,))


def records_named(whole, text, missing):
    """Missing records with a member of this value, the outermost; else members with this name."""
    found = [p for p in ids(whole, text, (), []) if p in missing]
    direct = [p for p in found if any(v.scalar() and v.value == text for v in node_at(whole, p).children())]
    found = direct or found
    return [p for p in found if len(p) == min(map(len, found))]


def ids(node, text, path, found):
    """Paths of records that have a scalar with this text, or of members with this name."""
    for i, c in enumerate(node.children()):
        here = path + (i,)
        if node.kind == "object" and node.value[i][0] == text:
            found.append(here)
        elif c.kind == "object" and any(v.scalar() and v.value == text or v.kind == "object"
                and any(x.scalar() and x.value == text for x in v.children()) for v in c.children()):
            found.append(here)
        elif c.scalar() and node.kind == "array" and c.value == text:
            found.append(here)
        if not c.scalar():
            ids(c, text, here, found)
    return found
