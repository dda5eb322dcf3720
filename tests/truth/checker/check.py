# SPDX-License-Identifier: Apache-2.0
"""Checks one cut answer against its whole; says what is false, unclear, and of an unknown kind."""
import hashlib
import re
from collections import Counter
from index import check_index
from jsonread import Node, read
from records import KNOWN, Records
from sentences import check_sentences
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
    check_sentences(report, shown, out)
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
