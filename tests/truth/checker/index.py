# SPDX-License-Identifier: Apache-2.0
"""The index: rows of records, of missing members, and of lines."""
import re
from patches import parse_patches
from records import same_label
from shown import lines_of
from tables import FENCE, strip_tags
from trees import Tree
from values import reach, split_path

TAIL = re.compile(r"^…\[\+(\d+) members?\]$")


def positions(text):
    out = []
    for part in text.split(","):
        m = re.match(r"^(\d+)(?:\.\.(\d+))?$", part)
        if not m:
            return None
        out += range(int(m.group(1)), int(m.group(2) or m.group(1)) + 1)
    return out


def check_index(where, path, node, value, shown, out):
    out.met("index." + ("lines" if node.kind == "string" else "keys" if value.kind == "array" else "rows"))
    if value.kind == "array":
        return keys(where, path, node, value, shown, out)
    for name in value.names():
        if name not in ("cols", "at", "rows", "more"):
            out.unknown("index." + name)
    cols = [c.value for c in value.get("cols").value]
    rows, more = [r.value for r in value.get("rows").value], value.get("more")
    if any(len(r) != len(cols) for r in rows):
        return out.false("index.row", "%s: a row is not as long as its columns %s" % (where, cols))
    if node.kind == "string":
        return Lines(where, node.value, cols, rows, out).check()
    items = node.children()
    at = positions(value.get("at").value) if value.get("at") else None
    if at is None and cols[:1] == ["#"]:
        at = [int(r[0].value) for r in rows]
    if at is None and node.kind == "object":
        at = [next((i for i, (k, _) in enumerate(node.value) if k == r[0].value), None) for r in rows]
    if at is None or len(at) != len(rows) or None in at or len(set(at)) != len(at) or at and max(at) >= len(items):
        return out.false("index.at", "%s: %s for %d rows of %d records" % (where, value.get("at"), len(rows),
            len(items)))
    for i, row in zip(at, rows):
        for col, cell in zip(cols, row):
            if col == "#" and value.get("at") is None:
                ok = cell.value == str(i)
            elif node.kind == "object" and cell is row[0] and cell.value == node.value[i][0]:
                ok = True
            else:
                cells = reach(items[i], split_path(col) or [""])
                ok = any(c.kind == cell.kind and c.value == cell.value or cell.kind == "string"
                    and same_label(cell.value, c) for c in cells) or not cells and cell.kind == "null"
                if cell is row[0] and cells and ok and cell.value.endswith("…") and cell.value != cells[0].value:
                    out.false("index.id", "%s: the id %r is cut" % (where, cell.value))
            if not ok:
                out.false("index.row", "%s: record %d has %s %r, the row says %r" % (where, i, col,
                    reach(items[i], split_path(col))[:1], cell.value))
    seen = {p[len(path)] for p in shown.at_all if len(p) > len(path) and p[:len(path)] == path}
    left = len(items) - len(seen | set(at))
    if int(more.value if more else 0) != left:
        out.false("index.more", "%s: %s instead of %d (%d records, %d rows)" % (where, more.value if more else 0,
            left, len(items), len(at)))


def keys(where, path, node, value, shown, out):
    names = [v.value for v in value.value]
    m = TAIL.match(names[-1]) if names else None
    left = int(m.group(1)) if m else 0
    names = names[:-1] if m else names
    seen = {p[len(path)] for p in shown.at_all if len(p) > len(path) and p[:len(path)] == path}
    missing = [k for i, (k, _) in enumerate(node.value) if i not in seen] if node.kind == "object" else []
    for n in names:
        if n not in missing:
            out.false("index.key", "%s: %r is not missing" % (where, n))
    if len(set(missing)) != len(set(names)) + left and len(missing) != len(names) + left:
        out.false("index.keys", "%s: %d keys and %d more; missing are %d" % (where, len(names), left, len(missing)))


class Lines:
    def __init__(self, where, text, cols, rows, out):
        self.where, self.text, self.cols, self.rows, self.out = where, text, cols, rows, out
        self.lines = lines_of(text)

    def bad(self, text):
        self.out.false("index.line", "%s: %s" % (self.where, text))

    def check(self):
        kind = tuple(self.cols)
        how = {("line", "text"): self.plain, ("line", "text", "lines"): self.plain, ("line", "key"): self.key,
            ("line", "path", "added", "removed"): self.diff,
               ("line", "commit", "author", "date", "subject or path", "added", "removed"): self.commits,
               ("line", "folder", "files_below"): self.folder,
                   ("line", "folder", "leaves_below"): self.folder}.get(kind)
        if how is None:
            return self.out.unknown("index.cols." + ",".join(kind))
        for row in self.rows:
            n = int(row[0].value)
            if not 1 <= n <= len(self.lines):
                self.bad("line %d of %d" % (n, len(self.lines)))
            else:
                how(n, self.lines[n - 1], row)

    def plain(self, n, line, row):
        said = row[1].value
        line = line.rstrip("\r")
        cut = said.endswith("…") and line.strip().startswith(said[:-1].strip())
        ok = said.strip() == line.strip() or cut
        if not ok and self.text.lstrip()[:1] == "<":
            plain = re.sub(r"\W+", "", strip_tags(" ".join(self.lines[n - 1:n + 12])))
            ok = all(re.sub(r"\W+", "", w) in plain for w in said.rstrip("…").lstrip("#").split())
        if not ok and "\x1b" in line:
            ok = said == re.sub(r"\x1b\[[0-9;]*m", "", line)
        if not ok:
            self.bad("line %d is %r, the row says %r" % (n, line[:80], said[:80]))
        if len(row) == 3:
            self.span(n, line, row[2])

    def span(self, n, line, stated):
        """Lines of a section of Markdown, or of a definition in Python."""
        m = re.match(r"^(#{1,6})\s", line)
        if m and self.text.lstrip()[:1] == "#" and not re.search(r"(?m)^(def|class|import) ", self.text):
            end, fence = len(self.lines), None
            for i in range(n, len(self.lines)):
                f, s = FENCE.match(self.lines[i]), self.lines[i]
                if f and (fence is None or s.strip().startswith(fence) and not f.group(2)):
                    fence = f.group(1) if fence is None else None
                elif fence is None:
                    h = re.match(r"^(#{1,6})(\s|$)", s)
                    u = re.match(r"^(=+|-+)\s*$", s) and i > n and re.match(r"^[^\s#>|*+-]", self.lines[i - 1])
                    level = len(h.group(1)) if h else (1 if s[0] == "=" else 2) if u else 9
                    if level <= len(m.group(1)):
                        end = i if h else i - 1
                        break
            if stated.kind == "number" and stated.value != str(end - n + 1):
                self.bad("section at line %d has %d lines, the row says %s" % (n, end - n + 1, stated.value))
        elif re.match(r"^\s*(async def|def|class) ", line) and stated.kind == "number":
            deep, end = len(line) - len(line.lstrip()), n
            for i in range(n, len(self.lines)):
                s = self.lines[i]
                if s.strip() and len(s) - len(s.lstrip()) <= deep:
                    break
                end = i + 1 if s.strip() else end
            if stated.value != str(end - n + 1):
                self.bad("definition at line %d has %d lines, the row says %s" % (n, end - n + 1, stated.value))

    def key(self, n, line, row):
        if not line.strip().startswith(row[1].value.rstrip("…")):
            self.bad("line %d is %r, not the key %r" % (n, line[:60], row[1].value))

    def diff(self, n, line, row):
        f = [f for f in parse_patches(self.lines).files if f.line == n]
        if not f or [f[0].path, str(f[0].added), str(f[0].removed)] != [c.value for c in row[1:]]:
            self.bad("file at line %d is %s, the row says %s" % (n, f and [f[0].path, f[0].added, f[0].removed],
                [c.value for c in row]))

    def commits(self, n, line, row):
        p = getattr(self, "_p", None) or parse_patches(self.lines)
        self._p = p
        said = [c.value for c in row[1:]]
        c, f = [c for c in p.commits if c["line"] == n], [f for f in p.files if f.line == n]
        if c:
            mine = [f for f in p.files if f.commit == c[0]["id"]]
            right = [c[0]["id"], re.sub(r" <.*", "", c[0]["author"]), c[0]["date"], c[0]["subject"],
                str(sum(f.added for f in mine)), str(sum(f.removed for f in mine))]
            if said[3].endswith("…") and right[3].startswith(said[3][:-1]):
                right[3] = said[3]
        elif f:
            right = [f[0].commit, said[1], said[2], f[0].path, str(f[0].added), str(f[0].removed)]
        else:
            return self.bad("no commit or file at line %d" % n)
        if said != right:
            self.bad("at line %d: %s, the row says %s" % (n, right, said))

    def folder(self, n, line, row):
        tree = Tree(self.lines)
        if tree.repeats():
            return self.out.unclear("index.folder", "%s: equal paths" % self.where)
        at = [e.path for e in tree.entries if e.line == n]
        folder = at[0] if at else line.removesuffix(":").removeprefix("./")
        said, count = row[1].value.removeprefix("./").rstrip("/"), row[2].value
        if said != folder or count != str(tree.below(folder)):
            self.bad("folder at line %d is %s with %d, the row says %s %s" % (
                n, folder, tree.below(folder), said, count))
