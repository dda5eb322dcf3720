# SPDX-License-Identifier: Apache-2.0
"""Facts about texts: each form counts again what it states."""
import ast
import base64
import re
from collections import Counter
from jsonread import JsonError, Node, read
from logs import Logs
from patches import PATCH_FACTS, parse_patches
from records import KNOWN, Records, entries
from shown import lines_of, place, node_at, size
from tables import FENCE, as_records, html_tables, md_tables, records_of, strip_tags
from trees import TREE_FACTS, check_tree

FORMS = "log diff commits source html markdown csv tsv markdown_table json_lines json tree stack_trace key_value base64 binary text".split()


def repeats(node):
    return len(set(node.names())) < len(node.names()) or any(map(repeats, node.children()))


class Texts(Logs):
    def __init__(self, text, where, out):
        self.text, self.where, self.out, self.lines = text, where, out, lines_of(text)

    def check(self, facts):
        self.form = dict(facts)["form"].value if "form" in dict(facts) else None
        self.said, rest = dict(facts), []
        for name, v in facts:
            how = getattr(self, "f_" + name, None)
            if name in TREE_FACTS or self.form == "tree" and name == "files":
                self.out.met("facts." + name)
                check_tree(name, v, self)
            elif name in PATCH_FACTS:
                self.out.met("facts." + name)
                self.patch(name, v)
            elif how:
                self.out.met("facts." + name)
                how(v)
            elif name in KNOWN:
                rest.append((name, v))
            else:
                self.out.unknown("facts." + name, v)
        if rest:
            self.table_facts(rest)

    def bad(self, kind, text):
        self.out.false("facts." + kind, "%s (%s): %s" % (self.where, self.form, text))

    def same(self, kind, v, right):
        if v.value != str(right):
            self.bad(kind, "%s instead of %s" % (v.value, right))

    def counts(self, kind, v, right, full=True):
        """A fact that counts: each entry, and the mark for those left out."""
        said, left = entries(v)
        for k, n in said:
            if n.value != str(right.get(k, 0)):
                self.bad(kind, "%r %s instead of %d" % (k, n.value, right.get(k, 0)))
        if full and len(+right) != len(said) + left:
            self.bad(kind + ".all", "%d entries and a mark for %d; there are %d: %s" % (len(said), left,
                len(+right), list(right.items())[:4]))

    # ---- all texts -----------------------------------------------------------
    def f_form(self, v):
        if v.value not in FORMS:
            self.out.unknown("form." + v.value)
        self.out.met("form." + v.value)

    def f_bytes(self, v):
        self.same("bytes", v, size(self.text))

    def f_lines(self, v):
        self.same("lines", v, len(self.lines))

    # ---- records in texts ------------------------------------------------------
    def table_facts(self, facts):
        if self.form == "json":
            try:
                root = read(self.text)
            except JsonError:
                return self.bad("form", "no JSON")
            at = place(root, self.said["records_at"].value) if "records_at" in self.said else ((), None, None)
            if at is None:
                return self.bad("records_at", self.said["records_at"].value)
            node = node_at(root, at[0])
            if "count" in self.said and (node.scalar()
                    or str(len(node.value)) != self.said["count"].value) and repeats(root):
                return self.out.unclear("facts.records_at", "%s: names repeat" % self.where)
            recs = [(None, c) for c in node.value] if node.kind == "array" else list(node.value)
            return Records(recs, self.where, self.out).check(facts)
        got = records_of(self.form, self.text)
        if got is not None and self.form in ("csv", "tsv", "markdown_table", "json_lines"):
            return Records(got[0], self.where, self.out, self.form != "json_lines").check(facts)
        self.inner_tables(facts)

    def tables(self):
        """The tables by their names: the heading above, with the line of the first record if that is taken."""
        named = {}
        for t in html_tables(self.text) if self.form == "html" else md_tables(self.lines):
            name = t["heading"] or "line %d" % t["line"]
            named[name if name not in named else name + " (line %d)" % t["line"]] = t
        return named

    def inner_tables(self, facts):
        tables, found = self.tables(), {}
        for kind, v in facts:
            for path, x in (v.value if v.kind == "object" else []):
                first, _, column = path.partition("/")
                name = first.replace("~1", "/").replace("~0", "~")
                if name not in tables:
                    self.bad("tables", "%s of %r, which is no table" % (kind, path))
                else:
                    found.setdefault(name, {}).setdefault(kind, []).append((column, x))
        for name, kinds in found.items():
            records = as_records(tables[name]["columns"], tables[name]["cells"])
            stated = [(kind, Node("object", members)) for kind, members in kinds.items()]
            Records(records, self.where + "#" + name, self.out, True).check(stated)

    def f_tables(self, v):
        tables = self.tables()
        for name, stated in entries(v)[0]:
            for n in stated.names():
                if n not in ("line", "rows", "columns"):
                    self.out.unknown("facts.tables." + n)
            right = tables.get(name)
            columns = [c.value for c in entries(stated.get("columns"))[0]]
            if right is None:
                self.bad("tables", "no table is called %r" % name)
            elif stated.get("line").value != str(right["line"]) or stated.get("rows").value != str(right["rows"]):
                self.bad("tables", "%s: %s; right are line %d, %d rows" % (name, stated, right["line"], right["rows"]))
            elif columns != right["columns"][:len(columns)]:
                self.bad("tables", "%s: %s instead of %s" % (name, columns, right["columns"]))

    def f_broken_lines(self, v):
        got = records_of(self.form, self.text)
        if v.kind == "number":
            self.same("broken_lines", v, len(got[1]))
        else:
            said, left = entries(v)
            if len(said) + left != len(got[1]) or not {x.value for x in said} <= {str(n) for n in got[1]}:
                self.bad("broken_lines", "%s instead of %s" % (v, got[1][:5]))

    # ---- other forms ---------------------------------------------------------------
    def patch(self, name, v):
        p = getattr(self, "_patch", None) or parse_patches(self.lines)
        self._patch = p
        p.check(name, v, self)

    def python(self):
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError):
            return None

    def f_definitions(self, v):
        for k, n in entries(v)[0]:
            word = re.escape(k)
            r = re.compile(r"^\s*(?:(?:export|default|pub|public|private|static|abstract|final)\s+)*%s%s\s" % ("",
                word))
            right = sum(1 for s in self.lines if r.match(s + " "))
            if n.value != str(right):
                self.bad("definitions", "%s %s instead of %d" % (k, n.value, right))

    def f_decorators(self, v):
        right = Counter(m.group(1) for m in (re.match(r"^\s*(@[\w.]+)", s) for s in self.lines) if m)
        self.counts("decorators", v, right)

    def f_comments(self, v):
        right = Counter(m.group(1) for m in (re.search(r"(?:#|//|/\*|--)\s*(TODO|FIXME|XXX|HACK)\b", s)
            for s in self.lines) if m)
        if v.kind == "object":
            self.counts("comments", v, right)
        else:
            self.out.unclear("facts.comments", "%s" % v)

    def f_methods(self, v):
        tree = self.python()
        if tree is None:
            return self.out.unclear("facts.methods", self.where)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        self.counts("methods", v, Counter({c.name: sum(isinstance(x, kinds) for x in c.body)
            for c in ast.walk(tree) if isinstance(c, ast.ClassDef)}))

    def f_subclasses(self, v):
        right = {}
        for c in ast.walk(self.python() or ast.Module([], [])):
            for b in (c.bases if isinstance(c, ast.ClassDef) else ()):
                right.setdefault(ast.unparse(b), []).append(c.name)
        for base, names in entries(v)[0]:
            got = right.get(base, [])
            if names.kind == "number" and names.value != str(len(got)) or names.kind == "array" and (
                    not {x.value for x in entries(names)[0]} <= set(got) or len(entries(names)[0])
                            + entries(names)[1] != len(got)):
                self.bad("subclasses", "%s: %s instead of %s" % (base, names, got))

    def f_longest_function(self, v):
        tree, best = self.python(), []
        if tree is None:
            return self.out.unclear("facts.longest_function", self.where)
        for n in ast.walk(tree):
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
                best.append((n.end_lineno - n.lineno + 1, n.lineno, n.name))
        at = [b for b in best if str(b[1]) == v.get("line").value]
        if not at or v.get("name").value.split(".")[-1] != at[0][2] or v.get("lines").value != str(at[0][0]) or at[0][0] != max(best)[0]:
            self.bad("longest_function", "%s instead of %s" % (v, max(best)))

    def f_headings(self, v):
        self.same("headings", v, sum(self.heads().values()))

    def f_headings_by_level(self, v):
        self.counts("headings_by_level", v, self.heads())

    def heads(self):
        if self.form == "html":
            return Counter(re.findall(r"(?i)<h([1-6])[\s>]", re.sub(r"(?s)<!--.*?-->", "", self.text)))
        out, fence = Counter(), None
        for i, s in enumerate(self.lines):
            m = FENCE.match(s)
            if m and (fence is None or s.strip().startswith(fence) and not m.group(2)):
                fence = m.group(1) if fence is None else None
            elif fence is None:
                h = re.match(r"^ {0,3}(#{1,6})(\s|$)", s)
                if h:
                    out[str(len(h.group(1)))] += 1
                elif i and re.match(r"^(=+|-+)\s*$", s) and re.match(r"^[^\s#>|*+-]", self.lines[i - 1]):
                    out["1" if s[0] == "=" else "2"] += 1
        return out

    def f_code_blocks(self, v):
        out, fence = Counter(), None
        for s in self.lines:
            m = FENCE.match(s)
            if m and fence is None:
                fence = m.group(1)
                out[m.group(2) or "none"] += 1
            elif m and s.strip().startswith(fence) and not m.group(2):
                fence = None
        if self.form == "html":
            return self.out.unclear("facts.code_blocks", str(v))
        self.counts("code_blocks", v, out)

    def f_check_boxes(self, v):
        boxes = (re.match(r"^\s*[-*+] \[([ xX])\] ", s) for s in self.lines)
        self.counts("check_boxes", v, Counter("open" if m.group(1) == " " else "ticked" for m in boxes if m))

    def f_admonitions(self, v):
        right = Counter(m.group(1).upper() for m in (re.match(r"^>\s*\[!(\w+)\]", s) for s in self.lines) if m)
        self.counts("admonitions", v, Counter({**right, **{k.lower(): n for k, n in right.items()}}), False)

    def f_title(self, v):
        m = re.search(r"(?is)<title[^>]*>(.*?)</title>", self.text)
        if not m or v.value.rstrip("…") not in strip_tags(m.group(1)):
            self.bad("title", v.value)

    def tags(self, name, v, pattern):
        self.same(name, v, len(re.findall(pattern, self.text)))

    def f_links(self, v):
        self.tags("links", v, r"(?i)<a\s[^>]*href=") if self.form == "html" else self.out.unclear("facts.links",
            str(v))

    def f_images(self, v):
        self.tags("images", v, r"(?i)<img[\s>]")

    def f_table_count(self, v):
        self.tags("table_count", v, r"(?i)<table[\s>]") if self.form == "html" else self.same("table_count", v,
            len(md_tables(self.lines)))

    def f_links_without_target(self, v):
        self.out.unclear("facts.links_without_target", str(v))

    def f_text_blocks(self, v):
        n = len(re.findall(r"(?i)<(p|li|td|th|div|pre|blockquote|h[1-6]|dd|dt|title|tr)[\s>]", self.text))
        if int(v.value) > n:
            self.bad("text_blocks", "%s of at most %d" % (v.value, n))

    def f_members(self, v):
        self.same("members", v, len(read(self.text).value))

    def f_items(self, v):
        self.same("items", v, len(read(self.text).value)) if v.kind == "number" else self.table_facts([("items",
            v)])

    def f_records_at(self, v):
        pass                                     # used by table_facts

    def f_values_by_key(self, v):
        found = Counter()
        def walk(n):
            for i, c in enumerate(n.children()):
                if n.kind == "object" and c.scalar():
                    found[n.value[i][0], c.value] += 1
                walk(c)
        walk(read(self.text))
        for key, c in entries(v)[0]:
            for k, n in (entries(c)[0] if c.kind == "object" else ()):
                if n.value not in (str(found[key, k]), str(found[key, k.strip('"')])):
                    self.bad("values_by_key", "%s=%s %s instead of %d" % (key, k, n.value, found[key, k]))

    def pairs(self):
        return [m.group(1).strip() for m in (re.match(r"^\s*([^\s:=#;\[][^:=]*?)\s*(?:[:=])(?:\s|(?<==)|$)", s)
            for s in self.lines) if m]

    def f_pairs(self, v):
        self.same("pairs", v, len(self.pairs()))

    def f_keys(self, v):
        self.same("keys", v, len(set(self.pairs())))

    def f_decoded_bytes(self, v):
        self.same("decoded_bytes", v, len(self.decoded()))

    def decoded(self):
        s = re.sub(r"\s", "", self.text.split(",", 1)[-1] if self.text.startswith("data:") else self.text)
        return base64.b64decode(s + "=" * (-len(s) % 4))

    def f_declared_type(self, v):
        if not self.text.startswith("data:" + v.value):
            self.bad("declared_type", v.value)

    def f_media_type(self, v):
        d = self.decoded()
        right = "image/png" if d[:4] == b"\x89PNG" else "image/gif" if d[:3] == b"GIF" else "application/pdf" if d[:4] == b"%PDF" else None
        if right and v.value != right:
            self.bad("media_type", "%s instead of %s" % (v.value, right))

    def f_pixels(self, v):
        d = self.decoded()
        if d[:4] == b"\x89PNG":
            right = [str(int.from_bytes(d[16:20], "big")), str(int.from_bytes(d[20:24], "big"))]
            if re.findall(r"\d+", str(v)) != right:
                self.bad("pixels", "%s instead of %s" % (v, right))
