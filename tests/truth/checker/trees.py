# SPDX-License-Identifier: Apache-2.0
"""Facts about listings of files."""
import re
from collections import Counter
from records import entries

TREE_FACTS = ("entries folders file_bytes deepest symbolic_links link_targets files_below extensions "
              "extension_spellings extension_count folders_with_files folders_with_entries leaves_below "
              "folders_with_leaves").split()
NUMBER_OF = {"files_below": "folders_with_files", "leaves_below": "folders_with_leaves",
             "extensions": "extension_count"}
LONG = re.compile(r"^([dl-])[rwx-]{9}\s+\d+\s+\S+\s+\S+\s+(\d+)\s+\w{3}\s+\d+\s+[\d:]+\s+(.*)$")


class Entry:
    """kind: d, f, l, or None where the listing does not tell."""

    def __init__(self, path, kind, line, size=None):
        self.path, self.kind, self.line, self.size = path, kind, line, size

    def folders(self):
        parts = self.path.split("/")
        return ["/".join(parts[:k]) for k in range(1, len(parts))]


def read_drawn(lines):
    out, stack = [], []
    for i, s in enumerate(lines, 1):
        m = re.match(r"^((?:│   |    |│\s+)*)(?:├── |└── )(.*)$", s)
        if m:
            stack = stack[:len(m.group(1)) // 4] + [m.group(2).rstrip("/")]
            out.append(Entry("/".join(stack), "d" if m.group(2).endswith("/") else None, i))
    return out


def read_marked(lines):
    out, stack = [], []
    for i, s in enumerate(lines, 1):
        m = re.match(r"^(\s*)\[(DIR|FILE)\] (.*)$", s)
        if m:
            stack = stack[:len(m.group(1)) // 2] + [m.group(3)]
            out.append(Entry("/".join(stack), "d" if m.group(2) == "DIR" else "f", i))
    return out


def read_long(lines):
    out, folder = [], ""
    for i, s in enumerate(lines, 1):
        m = LONG.match(s)
        if m:
            kind = {"d": "d", "-": "f", "l": "l"}[m.group(1)]
            out.append(Entry(folder + m.group(3).split(" -> ")[0], kind, i, int(m.group(2))))
        elif s.endswith(":"):
            folder = s[:-1].removeprefix("./").removeprefix(".") + "/"
            folder = "" if folder == "/" else folder
    return out


def read_paths(lines):
    return [Entry(s.removeprefix("./").rstrip("/"), "d" if s.endswith("/") else None, i)
            for i, s in enumerate(lines, 1) if s.strip() and s != "."]


class Tree:
    def __init__(self, lines):
        if any("── " in s for s in lines):
            self.entries = read_drawn(lines)
        elif any(re.match(r"^\[(DIR|FILE)\] ", s) for s in lines):
            self.entries = read_marked(lines)
        elif any(re.match(r"^[dl-][rwx-]{9}", s) for s in lines):
            self.entries = read_long(lines)
        else:
            self.entries = read_paths(lines)
        self.paths = [e.path for e in self.entries]
        self.holders = {f for e in self.entries for f in e.folders()}
        marked = all(e.kind for e in self.entries)
        self.leaves = [e for e in self.entries
                       if (e.kind in ("f", "l") if marked else e.kind != "d" and e.path not in self.holders)]

    def repeats(self):
        return len(set(self.paths)) < len(self.paths)

    def below(self, folder):
        return sum(1 for e in self.leaves if e.path.startswith(folder + "/"))


def check_tree(name, v, text):
    tree = Tree(text.lines)
    if tree.repeats():
        return text.out.unclear("facts.tree", "%s: %s of a tree with equal paths" % (text.where, name))
    kinds = Counter(e.kind for e in tree.entries)
    below = Counter(f for e in tree.leaves for f in e.folders())
    ends = [m.group(1) for m in (re.search(r"[^/]\.([A-Za-z0-9_+-]+)$", p.path) for p in tree.leaves) if m]
    extensions = Counter(e.lower() for e in ends)
    right = {"entries": len(tree.entries), "folders": kinds["d"], "files": kinds["f"] or len(tree.leaves),
             "file_bytes": sum(e.size or 0 for e in tree.entries if e.kind == "f"), "symbolic_links": kinds["l"],
             "extension_count": len(extensions), "folders_with_files": len(below),
             "folders_with_leaves": len(below), "folders_with_entries": len(tree.holders)}
    if name in right:
        text.same(name, v, right[name])
    elif name in NUMBER_OF:
        text.counts(name, v, extensions if name == "extensions" else below, NUMBER_OF[name] not in text.said)
    elif name == "deepest":
        deepest(v, tree, text)
    elif name == "extension_spellings":
        others = Counter(e for e in ends if e != e.lower())
        text.counts(name, v, others)
    else:
        text.out.unclear("facts." + name, str(v)[:80])


def deepest(v, tree, text):
    depth = max(p.count("/") + 1 for p in tree.paths)
    at = [p for p in tree.paths if p.count("/") + 1 == depth]
    for k, x in v.value:
        right = {"depth": (str(depth), str(depth - 1)), "count": (str(len(at)),), "path": at}
        if k not in right:
            text.out.unknown("facts.deepest." + k)
        elif x.value not in right[k]:
            text.bad("deepest", "%s instead of depth %d, %d entries, %s" % (v, depth, len(at), at[0]))
