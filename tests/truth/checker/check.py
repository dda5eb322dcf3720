# SPDX-License-Identifier: Apache-2.0
"""Checks one cut answer against its whole; says what is false, unclear, and of an unknown kind."""
import hashlib
import re
from collections import Counter
from index import check_index
from jsonread import Node, read
from records import KNOWN, Records
from shown import Shown, check_places, node_at, place
from texts import Texts

META = ("version", "warnings", "warning_details", "pagination", "content_fidelity",
    "content_fidelity_schema_version", "dropped_content_ids", "content_archive_hashes", "ext")


class Out:
    def __init__(self):
        self.lies, self.open, self.strange, self.seen = [], [], [], Counter()

    def false(self, kind, text):
        self.lies.append((kind, text))

    def unclear(self, kind, text):
        self.open.append((kind, text))

    def unknown(self, kind, value=""):
        self.strange.append((kind, str(value)[:200]))

    def met(self, kind):
        self.seen[kind] += 1


def check(raw, source, cut, budget=None):
    """raw: bytes of the whole; source: json or text; cut: the answer as text."""
    out, text = Out(), raw.decode("utf-8")
    root = read(cut)
    whole = Node("string", text) if source == "text" else read(text)
    if root.names() != ["success", "data", "error", "meta"]:
        out.false("envelope", str(root.names()))
    data, meta = root.get("data"), root.get("meta")
    wrap = "text" if source == "text" else {"object": None, "array": "items"}.get(whole.kind, "result")
    report = {k: v for k, v in meta.value}
    for k in report:
        if k not in META:
            out.unknown("meta." + k, report[k])
    for k, v in (report["ext"].get("enfold").value if "ext" in report and report["ext"].get("enfold") else ()):
        if k not in ("briefed", "clipped", "facts", "index", "columnar"):
            out.unknown("ext." + k, v)
        report[k] = v
    level = report["content_fidelity"].value if "content_fidelity" in report else "full"
    out.met("level." + level)
    shown = Shown(whole, out, level in ("summary", "reference_only"))
    if wrap:
        if data.names() != [wrap]:
            out.false("envelope", "data has %s, not %s" % (data.names(), wrap))
            return out
        data = data.get(wrap)
    shown.walk(data, whole)
    if level == "full" and (shown.missing or shown.clipped):
        out.false("content_fidelity", "full, but something is missing")
    if level == "partial" and not shown.missing and not shown.clipped:
        out.false("content_fidelity", "partial, but nothing is missing")
    check_places(shown, report, out)
    hashes(report, raw, level, out)
    sentences(report, shown, level, out)
    for where, fact in (report["facts"].value if "facts" in report else ()):
        pl = place(whole, where)
        if pl is None or fact.kind != "object":
            out.false("facts.place", "%r leads nowhere" % where)
            continue
        node = node_at(whole, pl[0])
        if node.kind == "string":
            Texts(node.value, where, out).check(fact.value)
            continue
        for name in fact.names():
            if name not in KNOWN:
                out.unknown("facts." + name, fact.get(name))
        if node.kind == "object":
            last = {k: i for i, (k, _) in enumerate(node.value)}
            recs = [(k, v) for i, (k, v) in enumerate(node.value) if last[k] == i]
            if len(recs) < len(node.value):
                out.unclear("facts.map", "%s: names repeat" % where)
                continue
        else:
            recs = [(None, v) for v in node.children()]
        Records(recs, where, out).check(fact.value)
    for where, value in (report["index"].value if "index" in report else ()):
        pl = place(whole, where)
        if pl is None:
            out.false("index.place", "%r leads nowhere" % where)
        else:
            check_index(where, pl[0], node_at(whole, pl[0]), value, shown, out)
    return out


def hashes(report, raw, level, out):
    if "content_archive_hashes" not in report:
        if level != "full":
            out.false("hash", "none")
        return
    for handle, h in report["content_archive_hashes"].value:
        right = "sha256:" + hashlib.sha256(raw).hexdigest()
        if h.value != right and not (h.value.endswith("...") and right.startswith(h.value[:-3])):
            out.false("hash", "%s instead of %s" % (h.value, right))
        if not re.match(r"^\d{12}$", handle):
            out.false("handle", handle)


def sentences(report, shown, level, out):
    details = report["warning_details"].value if "warning_details" in report else []
    warnings = report["warnings"].value if "warnings" in report else []
    handle = report["content_archive_hashes"].names() if "content_archive_hashes" in report else []
    lists = {p: n for p, n in shown.short.items()}
    for w, d in zip(warnings, details):
        code, message = d.get("code").value, d.get("message").value
        out.met("warning." + code)
        if code in ("DUPLICATE_KEYS", "LONE_SURROGATE", "WIDE_OBJECT", "POSSIBLE_FAILURE"):
            continue
        if code != "CONTENT_TRUNCATED":
            out.unknown("warning." + code, message)
            continue
        if not w.value.startswith(message):
            out.false("warning.sentence", "%r is not %r" % (w.value[:80], message))
        for h in re.findall(r'"handle":"(\w+)"', w.value):
            if h not in handle:
                out.false("handle", "the call has %s, the report %s" % (h, handle))
        context = d.get("context") or Node("object", [])
        for k, v in context.value:
            if k not in ("dropped_count", "total_count", "reason"):
                out.unknown("context." + k, v)
        n, total = context.get("dropped_count"), context.get("total_count")
        if n is not None and n.value != str(shown.total()):
            out.false("dropped_count", "%s; missing are %d parts and %d lines of texts" % (n.value,
                len(shown.missing), sum(shown.clipped.values())))
        arrays = [p for p in lists if node_at(shown.whole, p).kind != "object"]
        if total is not None:
            right = {str(lists[p]) for p in arrays}
            texts = [p for p in arrays if node_at(shown.whole, p).kind == "string"]
            if len(texts) > 1 and texts == arrays and total.value == str(sum(lists[p] for p in texts)):
                pass                             # all of them together
            elif total.value not in right:
                (out.false if len(arrays) or not lists else out.unclear)("total_count",
                    "%s; shortened lists have %s" % (total.value, sorted(right)[:4]))
            elif len(arrays) > 1:
                out.unclear("total_count", "several lists are shortened: %s" % [shown.show(p) for p in arrays[:3]])
        m = re.match(r"^(\d+) of (\d+) (.+) not shown$", message)
        if m:
            gone = Counter(p[:-1] for p in shown.missing)
            gone.update({p: k for p, k in shown.clipped.items()})
            both = [p for p in shown.clipped if p in lists]
            if m.group(3) == "lines" and (int(m.group(1)), int(m.group(2))) == (sum(shown.clipped[p] for p in both),
                    sum(lists[p] for p in both)):
                pass
            elif m.group(1) == m.group(2) and any(not node_at(shown.whole, p).scalar()
                    and len(node_at(shown.whole, p).value) == int(m.group(2)) for p in shown.missing):
                pass                             # the whole list is missing
            elif not any(gone.get(p) == int(m.group(1)) and lists[p] == int(m.group(2)) for p in lists):
                out.false("warning.of", "%s; missing are %s" % (message, [(k, lists[p]) for p, k in gone.items()
                    if p in lists][:3]))
            elif n is not None and n.value != m.group(1) and len(arrays) == 1 and len(gone) == 1:
                out.false("warning.of", "%s, dropped_count %s" % (message, n.value))
        elif re.match(r"^(\d+) parts? left out$", message):
            if n is not None and message.split()[0] != n.value:
                out.false("warning.parts", "%s, dropped_count %s" % (message, n.value))
        elif message in ("Cut to fit", "Cut"):
            pass
        elif message == "Long texts shortened":
            if shown.missing or not shown.clipped:
                out.false("warning.texts", "%d parts are missing" % len(shown.missing))
        else:
            out.unknown("warning.sentence", message)
    page = report.get("pagination")
    if page is not None:
        if not page.value:
            out.false("pagination.empty", "empty optional members of meta are not written")
        for k, v in page.value:
            if k == "total_count" and shown.clipped:
                continue                         # a list or page inside of a text
            if k == "total_count" and v.value not in {str(n) for n in lengths(shown.whole)}:
                out.unclear("pagination.total_count", "%s is the length of no list" % v.value)
            elif k not in ("has_more", "total_count", "cursor", "page_size", "page"):
                out.unknown("pagination." + k)


def lengths(node, depth=0):
    if not node.scalar():
        yield len(node.value)
    elif node.kind == "string":
        yield node.value.count("\n")
        yield node.value.count("\n") + 1
    if node.kind == "number":
        yield node.value
    for c in (node.children() if depth < 4 else ()):
        yield from lengths(c, depth + 1)
