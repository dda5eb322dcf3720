# SPDX-License-Identifier: Apache-2.0
"""Diffs and commits: files, lines added and removed, authors, dates."""
import re
from collections import Counter
from records import entries

PATCH_FACTS = ("renamed deleted created files file_changes added removed commits dates authors author_count paths "
               "trailers").split()
HUNK = re.compile(r"^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class File:
    def __init__(self, line, path, commit):
        self.line, self.path, self.commit, self.old = line, path, commit, path
        self.added, self.removed, self.kind = 0, 0, ""


class Patches:
    def __init__(self):
        self.files, self.commits = [], []

    def check(self, name, v, t):
        right = {"files": len({f.path for f in self.files}), "file_changes": len(self.files),
                 "added": sum(f.added for f in self.files), "removed": sum(f.removed for f in self.files),
                 "commits": len(self.commits), "author_count": len({c["author"] for c in self.commits})}
        if name in right:
            return t.same(name, v, right[name])
        if name == "dates":
            want = {"first": self.commits[0]["date"], "last": self.commits[-1]["date"]}
            for k, x in v.value:
                if want.get(k) != x.value:
                    t.bad("dates", "%s %s instead of %s" % (k, x.value, want.get(k)))
        elif name == "authors":
            full = Counter(c["author"] for c in self.commits)
            t.counts("authors", v, full, "author_count" not in t.said)
        elif name in ("created", "deleted", "renamed"):
            mine = [f for f in self.files if f.kind == name]
            texts = set()
            for f in mine:
                what = "%s → %s" % (f.old, f.path) if name == "renamed" else f.path
                texts.add(what + (" in " + f.commit if f.commit else ""))
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
