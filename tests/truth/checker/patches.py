# SPDX-License-Identifier: Apache-2.0
"""Diffs and commits: files, lines added and removed, authors, dates; and trees of files."""
import re
from collections import Counter
from records import entries

PATCH_FACTS = ("renamed", "deleted", "created", "files", "added", "removed", "commits", "dates", "authors",
    "author_count", "paths", "trailers",
               "entries", "folders", "file_bytes", "deepest", "symbolic_links", "link_targets", "files_below",
                   "extensions", "extension_spellings",
               "extension_count", "folders_with_files", "folders_with_entries", "leaves_below",
                   "folders_with_leaves", "path_count", "file_changes", "trailer_count")
HUNK = re.compile(r"^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class File:
    def __init__(self, line, path, commit):
        self.line, self.path, self.commit, self.added, self.removed, self.kind, self.old = line, path, commit, 0, 0, "", path


class Patches:
    def __init__(self):
        self.files, self.commits = [], []

    def check(self, name, v, t):
        if name in ("entries", "folders", "file_bytes") or t.form == "tree":
            return check_tree(name, v, t)
        right = {"files": len(self.files), "added": sum(f.added for f in self.files),
            "removed": sum(f.removed for f in self.files),
                 "commits": len(self.commits), "author_count": len({c["author"] for c in self.commits})}
        right["file_changes"], right["files"] = right["files"], len({f.path for f in self.files})
        if name in right:
            return t.same(name, v, right[name])
        if name == "dates":
            want = {"first": self.commits[0]["date"], "last": self.commits[-1]["date"]}
            for k, x in v.value:
                if want.get(k) != x.value:
                    t.bad("dates", "%s %s instead of %s" % (k, x.value, want.get(k)))
        elif name == "authors":
            full = Counter(c["author"] for c in self.commits)
            if "author_count" in t.said:
                t.counts("authors", v, full, False)
            else:
                t.counts("authors", v, full)
        elif name in ("created", "deleted", "renamed"):
            mine = [f for f in self.files if f.kind == name]
            texts = {("%s → %s" % (f.old, f.path) if name == "renamed" else f.path) + (" in " + f.commit
                if f.commit else "") for f in mine}
            said, left = entries(v)
            if len(said) + left != len(mine) or not {x.value for x in said} <= texts:
                t.bad(name, "%s; right are %d: %s" % (v, len(mine), sorted(texts)[:3]))
        elif name == "paths":
            right = {}
            for f in self.files:
                a = right.setdefault(f.path, [0, 0, 0])
                a[0], a[1], a[2] = a[0] + f.added, a[1] + f.removed, a[2] + 1
            for path, x in entries(v)[0]:
                said = [int(y) for y in re.findall(r"\d+", str(x))]
                if path not in right or not set(said) <= set(right[path]):
                    t.bad("paths", "%s: %s instead of %s" % (path, x, right.get(path)))
        elif name == "trailers":
            right = Counter("%s: %s" % m.groups() for m in (re.match(r"^\s*([A-Z][\w-]+-[bB]y): (.*)$", s)
                for s in t.lines) if m)
            t.counts("trailers", v, right, False)
        else:
            t.out.unclear("facts." + name, str(v))


def parse_patches(lines):
    p, commit, f, old, new = Patches(), None, None, 0, 0
    for i, s in enumerate(lines, 1):
        if old > 0 or new > 0:
            if s[:1] == "+":
                f.added, new = f.added + 1, new - 1
            elif s[:1] == "-":
                f.removed, old = f.removed + 1, old - 1
            elif s[:1] != "\\":
                old, new = old - 1, new - 1
            continue
        m = re.match(r"^(?:commit|From) ([0-9a-f]{40})\b", s)
        if m:
            commit = {"id": m.group(1)[:12], "line": i, "author": "", "date": "", "subject": "", "added": 0}
            p.commits.append(commit)
            f = None
            continue
        if commit and f is None:
            m = re.match(r"^(Author|From|Date|Subject): +(.*)$", s)
            if m:
                commit[{"Author": "author", "From": "author", "Date": "date",
                    "Subject": "subject"}[m.group(1)]] = m.group(2)
            elif s.startswith("    ") and not commit["subject"]:
                commit["subject"] = s.strip()
        m = re.match(r"^diff --git a/(.*) b/(.*)$", s)
        if m:
            f = File(i, m.group(2), commit["id"] if commit else "")
            f.old = m.group(1)
            p.files.append(f)
        elif s.startswith("--- ") and i < len(lines) and lines[i].startswith("+++ ") and (f is None
                or f.line < i - 6 or f.added + f.removed or f.kind == "bare"):
            f = File(i, re.sub(r"^b/", "", lines[i][4:].split("\t")[0]), commit["id"] if commit else "")
            f.kind = "bare"
            p.files.append(f)
        elif f and s.startswith("new file mode"):
            f.kind = "created"
        elif f and s.startswith("deleted file mode"):
            f.kind = "deleted"
        elif f and s.startswith("rename from "):
            f.kind, f.old = "renamed", s[12:]
        elif f and s.startswith("rename to "):
            f.path = s[10:]
        m = HUNK.match(s)
        if m and f:
            old, new = int(m.group(1) or 1), int(m.group(2) or 1)
    return p


# ---- trees ----------------------------------------------------------------------
def parse_tree(lines):
    """[(path, kind d/f/l/None, bytes, line)]"""
    out, stack = [], []
    if any("── " in s for s in lines):
        for i, s in enumerate(lines, 1):
            m = re.match(r"^((?:│   |    |│\s+)*)(?:├── |└── )(.*)$", s)
            if m:
                depth, name = len(m.group(1)) // 4, m.group(2)
                stack = stack[:depth] + [name.rstrip("/")]
                out.append(["/".join(stack), "d" if name.endswith("/") else None, None, i])
        return out
    if any(re.match(r"^\[(DIR|FILE)\] ", s) for s in lines):
        for i, s in enumerate(lines, 1):
            m = re.match(r"^(\s*)\[(DIR|FILE)\] (.*)$", s)
            if m:
                stack = stack[:len(m.group(1)) // 2] + [m.group(3)]
                out.append(["/".join(stack), "d" if m.group(2) == "DIR" else "f", None, i])
        return out
    if any(re.match(r"^[dl-][rwx-]{9}", s) for s in lines):
        folder = ""
        for i, s in enumerate(lines, 1):
            m = re.match(r"^([dl-])[rwx-]{9}\s+\d+\s+\S+\s+\S+\s+(\d+)\s+\w{3}\s+\d+\s+[\d:]+\s+(.*)$", s)
            if s.endswith(":") and not m:
                folder = s[:-1].removeprefix("./").removeprefix(".") + "/"
                folder = "" if folder == "/" else folder
            elif m:
                out.append([folder + m.group(3).split(" -> ")[0], {"d": "d", "-": "f", "l": "l"}[m.group(1)],
                    int(m.group(2)), i])
        return out
    return [[s.removeprefix("./").rstrip("/"), "d" if s.endswith("/") else None, None, i] for i,
        s in enumerate(lines, 1) if s.strip() and s != "."]


def check_tree(name, v, t):
    tree = parse_tree(t.lines)
    paths = [e[0] for e in tree]
    marked = all(e[1] for e in tree)
    parents = Counter()
    for p in paths:
        for k in range(1, p.count("/") + 1):
            parents["/".join(p.split("/")[:k])] += 1
    if len(set(paths)) < len(paths):
        return t.out.unclear("facts.tree", "%s: %s of a tree with equal paths" % (t.where, name))
    leaf = [e for e in tree if (e[1] in ("f", "l") if marked else e[0] not in parents and e[1] != "d")]
    below = Counter()
    for e in leaf:
        for k in range(1, e[0].count("/") + 1):
            below["/".join(e[0].split("/")[:k])] += 1
    ext = Counter(m.group(1).lower() for m in (re.search(r"[^/]\.([A-Za-z0-9_+-]+)$", e[0]) for e in leaf) if m)
    raw = Counter(m.group(1) for m in (re.search(r"[^/]\.([A-Za-z0-9_+-]+)$", e[0]) for e in leaf) if m)
    right = {"entries": len(tree), "folders": sum(e[1] == "d" for e in tree),
        "files": sum(e[1] == "f" for e in tree) or len(leaf), "file_bytes": sum(e[2] or 0 for e in tree
        if e[1] == "f"),
             "symbolic_links": sum(e[1] == "l" for e in tree), "extension_count": len(ext),
                 "folders_with_files": len(below), "folders_with_leaves": len(below),
             "folders_with_entries": len(parents)}
    if name in right:
        return t.same(name, v, right[name])
    if name in ("files_below", "leaves_below", "extensions"):
        other = {"files_below": "folders_with_files", "leaves_below": "folders_with_leaves",
            "extensions": "extension_count"}[name]
        t.counts(name, v, ext if name == "extensions" else below, other not in t.said)
    elif name == "deepest":
        depth = max(p.count("/") + 1 for p in paths)
        at = [p for p in paths if p.count("/") + 1 == depth]
        for k, x in v.value:
            if k == "depth" and x.value not in (str(depth),
                    str(depth - 1)) or k == "count" and x.value != str(len(at)) or k == "path" and x.value not in at:
                t.bad("deepest", "%s instead of depth %d, %d entries, %s" % (v, depth, len(at), at[0]))
    elif name == "extension_spellings":
        for k, x in (entries(v)[0] if v.kind == "object" else ()):
            if x.kind == "number" and int(x.value) not in (raw[k], ext[k.lower()] - raw[k.lower()]):
                t.bad("extension_spellings", "%s %s" % (k, x.value))
    else:
        t.out.unclear("facts." + name, str(v)[:80])
