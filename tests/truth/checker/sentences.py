# SPDX-License-Identifier: Apache-2.0
"""The warning about what is not shown, its context, and the page."""
import re
from collections import Counter
from jsonread import Node
from shown import node_at

OTHER_WARNINGS = ("DUPLICATE_KEYS", "LONE_SURROGATE", "WIDE_OBJECT", "POSSIBLE_FAILURE")
LEAST = ("Cut to fit", "Cut")                    # all that a very small budget has room for


def check_sentences(report, shown, out):
    details = report["warning_details"].value if "warning_details" in report else []
    warnings = report["warnings"].value if "warnings" in report else []
    handles = report["content_archive_hashes"].names() if "content_archive_hashes" in report else []
    for warning, detail in zip(warnings, details):
        code, message = detail.get("code").value, detail.get("message").value
        out.met("warning." + code)
        if code == "CONTENT_TRUNCATED":
            Sentence(warning.value, message, detail.get("context") or Node("object", []), shown, out).check(handles)
        elif code not in OTHER_WARNINGS:
            out.unknown("warning." + code, message)
    if "pagination" in report:
        check_page(report["pagination"], shown, out)


class Sentence:
    def __init__(self, warning, message, context, shown, out):
        self.warning, self.message, self.context, self.shown, self.out = warning, message, context, shown, out
        self.lists = shown.short
        self.arrays = [p for p in self.lists if node_at(shown.whole, p).kind != "object"]
        self.dropped = context.get("dropped_count")

    def check(self, handles):
        if not self.warning.startswith(self.message):
            self.out.false("warning.sentence", "%r is not %r" % (self.warning[:80], self.message))
        for handle in re.findall(r'"handle":"(\w+)"', self.warning):
            if handle not in handles:
                self.out.false("handle", "the call has %s, the report %s" % (handle, handles))
        for k, v in self.context.value:
            if k not in ("dropped_count", "total_count", "reason"):
                self.out.unknown("context." + k, v)
        if self.dropped is not None and self.dropped.value != str(self.shown.total()):
            self.out.false("dropped_count", "%s; missing are %d parts and %d lines of texts" % (
                self.dropped.value, len(self.shown.missing), sum(self.shown.clipped.values())))
        if self.context.get("total_count") is not None:
            self.total(self.context.get("total_count").value)
        self.words()

    def total(self, stated):
        right = {str(self.lists[p]) for p in self.arrays}
        texts = [p for p in self.arrays if node_at(self.shown.whole, p).kind == "string"]
        if texts == self.arrays:                 # all of them together
            right = {str(sum(self.lists[p] for p in texts))}
        elif len(self.arrays) > 1:
            self.out.false("total_count", "several lists are shortened")
        if stated not in right:
            self.out.false("total_count", "%s; shortened lists have %s" % (stated, sorted(right)[:4]))

    def words(self):
        of_list = re.match(r"^(\d+) of (\d+) (.+) not shown$", self.message)
        parts = re.match(r"^(\d+) parts? left out$", self.message)
        if of_list:
            self.of_list(int(of_list.group(1)), int(of_list.group(2)), of_list.group(3))
        elif parts:
            if self.dropped is not None and parts.group(1) != self.dropped.value:
                self.out.false("warning.parts", "%s, dropped_count %s" % (self.message, self.dropped.value))
        elif self.message == "Long texts shortened":
            if self.shown.missing or not self.shown.clipped:
                self.out.false("warning.texts", "%d parts are missing" % len(self.shown.missing))
        elif self.message not in LEAST:
            self.out.unknown("warning.sentence", self.message)

    def of_list(self, missing, count, what):
        gone = Counter(p[:-1] for p in self.shown.missing)
        gone.update(self.shown.clipped)
        texts = [p for p in self.shown.clipped if p in self.lists]
        lines = sum(self.shown.clipped[p] for p in texts), sum(self.lists[p] for p in texts)
        if what == "lines" and (missing, count) == lines:
            return
        if missing == count and any(len(n.value) == count for n in map(self.node, self.shown.missing) if not n.scalar()):
            return                               # the whole list is missing
        if not any(gone.get(p) == missing and self.lists[p] == count for p in self.lists):
            known = [(k, self.lists[p]) for p, k in gone.items() if p in self.lists]
            self.out.false("warning.of", "%s; missing are %s" % (self.message, known[:3]))
        elif self.dropped is not None and self.dropped.value != str(missing) and len(self.arrays) == len(gone) == 1:
            self.out.false("warning.of", "%s, dropped_count %s" % (self.message, self.dropped.value))

    def node(self, path):
        return node_at(self.shown.whole, path)


def check_page(page, shown, out):
    if not page.value:
        out.false("pagination.empty", "empty optional members of meta are not written")
    for k, v in page.value:
        if k not in ("has_more", "total_count", "cursor", "page_size", "page"):
            out.unknown("pagination." + k)
        elif k == "total_count" and not shown.clipped:       # else it may be that of a list inside of a text
            if v.value not in {str(n) for n in lengths(shown.whole)}:
                out.unclear("pagination.total_count", "%s is the length of no list" % v.value)


def lengths(node, depth=0):
    """Lengths of lists and texts, and the numbers that tools state."""
    if not node.scalar():
        yield len(node.value)
    elif node.kind == "string":
        yield node.value.count("\n")
        yield node.value.count("\n") + 1
    elif node.kind == "number":
        yield node.value
    for child in (node.children() if depth < 4 else ()):
        yield from lengths(child, depth + 1)
