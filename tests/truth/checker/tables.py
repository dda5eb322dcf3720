# SPDX-License-Identifier: Apache-2.0
"""Tables in texts as records: CSV, TSV, Markdown, HTML, JSON Lines."""
import re
from jsonread import JsonError, Node, read
from shown import lines_of
from values import GROUPED, NUMBER

RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")
NONE = ("n/a", "–", "-", "N/A", "—", "NA")
FENCE = re.compile(r"^\s{0,3}(```+|~~~+)\s*([^\s`]*)")


def node_of(cell):
    cell = cell.strip(" \t\r")
    if cell == "":
        return Node("null", "null")
    return Node("number" if NUMBER.match(cell) and not cell.startswith("+") else "string", cell)


def csv_records(text, sep):
    """[(first line, cells)] with quoted cells over several lines."""
    out, cells, cell, quoted, line, first, i, n = [], [], [], False, 1, 1, 0, len(text)
    plain = re.compile("[^\"\n%s]+" % re.escape(sep))
    while i < n:
        c = text[i]
        if quoted:
            if c == '"' and text[i + 1:i + 2] == '"':
                cell.append('"')
                i += 1
            elif c == '"':
                quoted = False
            else:
                cell.append(c)
                line += c == "\n"
        elif c == '"' and not cell:
            quoted = True
        elif c == sep:
            cells.append("".join(cell))
            cell = []
        elif c == "\n":
            out.append((first, cells + ["".join(cell).rstrip("\r")]))
            cells, cell, line = [], [], line + 1
            first = line
        else:
            m = plain.match(text, i)
            cell.append(m.group() if m else c)
            i = m.end() - 1 if m else i
        i += 1
    if cell or cells:
        out.append((first, cells + ["".join(cell)]))
    return [r for r in out if r[1] not in ([""], [])]


def md_cells(line):
    s = line.strip()
    s = s[1:] if s.startswith("|") else s
    s = s[:-1] if s.endswith("|") and not s.endswith("\\|") else s
    return [c.strip(" \t").replace("\\|", "|") for c in re.split(r"(?<!\\)\|", s)]


def as_records(head, rows):
    cols = []
    for i in range(len(head)):
        col = [node_of(r[i]) for r in rows]
        numbers = [c for c in col if c.kind == "number" or GROUPED.match(c.value)]
        if all(c in numbers or c.kind == "null" or c.value in NONE for c in col) and numbers:
            col = [Node("null", "null") if c.kind == "string" and c.value in NONE else c for c in col]
        cols.append(col)
    return [(None, Node("object", [(h, cols[i][k]) for i, h in enumerate(head)])) for k in range(len(rows))]


def records_of(form, text):
    """(records, numbers of broken lines) of a text that is one table, or None."""
    lines = lines_of(text)
    if form == "json_lines":
        recs, broken = [], []
        for i, s in enumerate(lines, 1):
            if not s.strip():
                continue
            try:
                n = read(s)
                recs.append((None, n)) if n.kind == "object" else broken.append(i)
            except JsonError:
                broken.append(i)
        return recs, broken
    if form in ("csv", "tsv"):
        best = None
        for sep in ("\t" if form == "tsv" else ",;|\t"):
            rows = csv_records(text, sep)
            good = [r for r in rows[1:] if len(r[1]) == len(rows[0][1])]
            if len(rows[0][1]) > 1 and (best is None or len(good) > len(best[1])):
                best = rows, good
        if best is None:
            return None
        rows, good = best
        return as_records(rows[0][1], [r[1] for r in good]), [r[0] for r in rows[1:]
            if len(r[1]) != len(rows[0][1])]
    if form == "markdown_table":
        for t in md_tables(lines):
            return as_records(t["columns"], t["cells"]), t["broken"]
    return None


def md_tables(lines):
    """Tables of Markdown outside of code, with the heading above."""
    out, heading, fence, i = [], "", None, 0
    while i < len(lines):
        s = lines[i]
        m = FENCE.match(s)
        if m and (fence is None or s.strip().startswith(fence) and not m.group(2)):
            fence = m.group(1) if fence is None else None
        elif fence is None:
            h = re.match(r"^#{1,6}\s+(.*?)\s*#*\s*$", s)
            if h:
                heading = h.group(1)
            elif i and re.match(r"^(=+|-+)\s*$", s) and lines[i - 1].strip() and "|" not in lines[i - 1]:
                heading = lines[i - 1].strip()
            if "|" in s and i + 1 < len(lines) and "|" in lines[i + 1] and RULE.match(lines[i + 1]):
                head, rows, broken, k = md_cells(s), [], [], i + 2
                while k < len(lines) and "|" in lines[k]:
                    cells = md_cells(lines[k])
                    rows.append(cells) if len(cells) == len(head) else broken.append(k + 1)
                    k += 1
                out.append({"heading": heading, "line": i + 3, "columns": head, "cells": rows, "broken": broken,
                    "rows": k - i - 2})
                i = k - 1
        i += 1
    return out


def strip_tags(s):
    s = re.sub(r"<[^>]*>", " ", s)
    for a, b in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")):
        s = s.replace(a, b)
    return re.sub(r"[ \t\r\n\f]+", " ", s).strip(" ")


def html_tables(text):
    """Tables of HTML with a row of <th>, with the heading above."""
    out = []
    for m in re.finditer(r"(?is)<table.*?</table>", text):
        rows = [re.findall(r"(?is)<(t[hd])[^>]*>(.*?)</t[hd]>", r) for r in re.findall(r"(?is)<tr.*?</tr>",
            m.group())]
        if not rows or not rows[0] or any(k.lower() != "th" for k, _ in rows[0]):
            continue
        heads = re.findall(r"(?is)<h[1-6][^>]*>(.*?)</h[1-6]>", text[:m.start()])
        cells = [[strip_tags(c) for _, c in r] for r in rows]
        out.append({"heading": strip_tags(heads[-1]) if heads else "", "line": text.count("\n", 0, m.start()) + 1,
            "columns": cells[0],
                    "cells": [c for c in cells[1:] if len(c) == len(cells[0])], "rows": len(cells) - 1})
    return out
