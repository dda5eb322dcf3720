# SPDX-License-Identifier: Apache-2.0
"""Generated texts of all forms."""
import base64 as b64
import datetime
from basics import PEOPLE, WORDS, dump, hexes, later, sentence, size, words
from columns import column, records

MESSAGES = ["connected to %s in %d ms", "job %s done, 0 errors, %d items", "GET /%s/%d 200", "no failures in %s (%d)",
            "error_count=0 for %s and %d", "queue %s has depth %d", "user=%s status=%d ok"]
FAILURES = ["connection refused by %s", "Exception in %s", "timeout while reading %s", "failed to open %s"]
SEVERE = ["ERROR", "FATAL", "CRITICAL"]
LOG_STYLES = [
    lambda r, t, level, msg, i: "%s %s %s" % (iso(t), level, msg),
    lambda r, t, level, msg, i: "[%s] [%s] %s" % (t.strftime("%Y-%m-%d %H:%M:%S,%f")[:-3], level, msg),
    lambda r, t, level, msg, i: 'time="%s" level=%s msg="%s" n=%d' % (iso(t), level.lower(), msg, i),
    lambda r, t, level, msg, i: "%s %s [%s.%s] %s" % (iso(t), level, r.choice(WORDS[:3]), r.choice(WORDS[:2]), msg),
    lambda r, t, level, msg, i: "%s %s: %s" % (t.strftime("%Y-%m-%d %H:%M:%S"), level, msg),
    lambda r, t, level, msg, i: "%s host-%d app[%d]: %s %s" % (t.strftime("%b %d %H:%M:%S"), i % 3,
                                                              r.randint(1, 9999), level.lower(), msg),
]


def iso(t):
    return t.strftime("%Y-%m-%dT%H:%M:%SZ")


def log(r):
    style, t, out = r.choice(LOG_STYLES), later(seconds=r.randint(0, 9 * 10 ** 7)), []
    rate = r.choice([0, 0.03, 0.2])
    for i in range(size(r, 25, 140)):
        t += datetime.timedelta(seconds=r.choice([0, 1, 5, 60, 600])) * (-1 if r.random() < 0.01 else 1)
        if r.random() < rate:
            level, msg = r.choice(SEVERE), r.choice(FAILURES) % r.choice(WORDS)
        else:
            level = r.choice(["INFO", "INFO", "DEBUG", "WARN", "WARNING"])
            msg = r.choice(MESSAGES) % (r.choice(WORDS), r.randint(0, 255))
        out.append(style(r, t, level, msg, i))
        if level == "ERROR" and r.random() < 0.4:
            out += r.choice([python_trace, java_trace])(r)
    return "\n".join(out) + r.choice(["", "\n"])


def python_trace(r):
    out = ["Traceback (most recent call last):"]
    for _ in range(r.randint(1, 5)):
        out += ['  File "/app/%s.py", line %d, in %s' % (r.choice(WORDS), r.randint(1, 500), r.choice(WORDS)),
                "    %s(%s)" % (r.choice(WORDS), r.choice(WORDS))]
    return out + [r.choice(["ValueError", "KeyError", "app.db.PoolError"]) + ": bad " + r.choice(WORDS)]


def java_trace(r):
    out = ["java.lang.IllegalStateException: " + words(r, 3)]
    for _ in range(r.randint(1, 5)):
        out.append("\tat com.example.%s.%s(%s.java:%d)" % (r.choice(WORDS), r.choice(WORDS),
                                                           r.choice(WORDS).title(), r.randint(1, 900)))
    if r.random() < 0.5:
        out += ["Caused by: java.io.IOException: closed", "\tat com.example.X.y(X.java:1)"]
    return out


def traces(r):
    out = []
    for _ in range(size(r, 8, 25)):
        out += r.choice([python_trace, java_trace])(r) + [""] * r.choice([0, 1, 1])
    return "\n".join(out)


def hunk(r):
    def line():
        if r.random() < 0.95:
            return words(r, r.randint(0, 6))
        return r.choice(["-- sql", "++ plus", "- a/x", "+ b/x"])
    rows = [r.choice("+-   ") + line() for _ in range(r.randint(3, 14))]
    old, new, start = sum(x[0] != "+" for x in rows), sum(x[0] != "-" for x in rows), r.randint(1, 400)
    head = "@@ -%d,%d +%d,%d @@ %s" % (start, old, start, new, r.choice(["", "def x():"]))
    return [head] + rows + (["\\ No newline at end of file"] if r.random() < 0.1 else [])


def diff_body(r, n):
    out = []
    for _ in range(n):
        path = "src/%s/%s.%s" % (r.choice(WORDS), r.choice(WORDS), r.choice(["py", "c", "ts"]))
        kind = r.choices(["created", "deleted", "renamed", "changed"], [10, 10, 5, 75])[0]
        out.append("diff --git a/%s b/%s%s" % (path, path, "2" if kind == "renamed" else ""))
        if kind == "created":
            out += ["new file mode 100644", "index 0000000..%s" % hexes(r, 7), "--- /dev/null", "+++ b/" + path,
                    "@@ -0,0 +1,2 @@", "+one", "+two"]
        elif kind == "deleted":
            out += ["deleted file mode 100644", "index %s..0000000" % hexes(r, 7), "--- a/" + path, "+++ /dev/null",
                    "@@ -1,2 +0,0 @@", "-one", "-two"]
        elif kind == "renamed":
            out += ["similarity index 100%", "rename from " + path, "rename to " + path + "2"]
        else:
            out += ["index %s..%s 100644" % (hexes(r, 7), hexes(r, 7)), "--- a/" + path, "+++ b/" + path]
            for _ in range(r.randint(1, 3)):
                out += hunk(r)
    return out


def diff(r):
    return "\n".join(diff_body(r, r.randint(3, 14))) + r.choice(["", "\n"])


def mailed_commit(r, who, when, i, n):
    return ["From %s Mon Sep 17 00:00:00 2001" % hexes(r, 40), "From: %s <%s@example.com>" % (who.title(), who),
            "Date: " + when.strftime("%a, %d %b %Y %H:%M:%S +0000"),
            "Subject: [PATCH %d/%d] %s" % (i + 1, n, sentence(r, 5)), "", sentence(r), "",
            "Signed-off-by: %s <%s@example.com>" % (who.title(), who), "---", " x | 2 +-", "",
            *diff_body(r, r.randint(1, 2)), "-- ", "2.39.2", ""]


def logged_commit(r, who, when, has_patch):
    out = ["commit " + hexes(r, 40), "Author: %s <%s@example.com>" % (who, who),
           "Date:   " + when.strftime("%a %b %d %H:%M:%S %Y +0000"), "", "    " + sentence(r), ""]
    out += ["    Reviewed-by: %s" % r.choice(PEOPLE), ""] if r.random() < 0.3 else []
    return out + (diff_body(r, r.randint(1, 2)) + [""] if has_patch else [])


def commits(r):
    out, n, style = [], r.randint(3, 14), r.choice(["mail", "log", "log -p"])
    for i in range(n):
        who, when = r.choice(PEOPLE), later(minutes=r.randint(0, 900000))
        out += mailed_commit(r, who, when, i, n) if style == "mail" else logged_commit(r, who, when, style == "log -p")
    return "\n".join(out)


def source(r):
    lang, out = r.choice(["python", "python", "javascript", "go", "rust", "java"]), []
    for i in range(size(r, 8, 30)):
        name = "%s_%s_%d" % (r.choice(WORDS), r.choice(WORDS), i)
        body = ["    %s = %s(%d)" % (r.choice(WORDS), r.choice(WORDS), r.randint(0, 99))
                for _ in range(r.randint(1, 6))]
        out += SOURCES[lang](r, name, name.title().replace("_", ""), body)
    return "\n".join(out)


def python_source(r, name, cls, body):
    note = ["# TODO: " + words(r, 3)] if r.random() < 0.1 else []
    return note + r.choice([
        ["class %s%s:" % (cls, r.choice(["", "(Base)", "(Base, Mixin)"])), "    x = 1", "    def run(self):",
         *("    " + b for b in body), "    async def stop(self):", "        pass"],
        ["def %s(a, b):" % name, *body, "    return a"],
        ["@cached", "async def %s():" % name, *body],
        ["@app.route('/x')", "def %s():" % name, *body]]) + ["", ""]


def javascript_source(r, name, cls, body):
    first = r.choice(["export function %s(a) {" % name, "async function %s(a) {" % name, "class %s {" % cls])
    return [first] + [b + ";" for b in body] + ["}", ""]


def go_source(r, name, cls, body):
    return ["// " + sentence(r), "func (s *Server) %s(a int) error {" % name, *body, "}", ""]


def rust_source(r, name, cls, body):
    return ["pub fn %s(a: u32) -> u32 {" % name] + [b + ";" for b in body] + ["}", ""]


def java_source(r, name, cls, body):
    return ["  @Override", "  public void %s(int a) {" % name] + [b + ";" for b in body] + ["  }", ""]


SOURCES = {"python": python_source, "javascript": javascript_source, "go": go_source, "rust": rust_source,
           "java": java_source}


def cells(r, n):
    """Names of columns, and n rows of texts."""
    cols = [column(r) for _ in range(r.randint(1, 4))]

    def cell(v):
        return ("" if v is None else v if isinstance(v, str) else dump(v, r)).replace("\n", " ")
    rows = [[str(i + 1)] + [cell(make(i)) for _, make in cols] for i in range(n)]
    return ["id"] + ["%s%d" % (name, i) for i, (name, _) in enumerate(cols)], rows


def html_table(r):
    head, rows = cells(r, r.randint(2, 9))

    def row(tag, texts):
        escaped = (x.replace("&", "&amp;").replace("<", "&lt;") for x in texts)
        return "<tr>" + "".join("<%s>%s</%s>" % (tag, x, tag) for x in escaped) + "</tr>"
    first = row("th", head) if r.random() < 0.7 else ""
    return "<table>%s%s</table>" % (first, "".join(row("td", x) for x in rows))


def html(r):
    out = ["<!DOCTYPE html>", "<html><head><title>%s</title></head><body>" % sentence(r)]
    for i in range(size(r, 10, 40)):
        k = r.randint(1, 3)
        out.append(r.choice([
            lambda: "<h%d>%s</h%d>" % (k, sentence(r, 4), k),
            lambda: "<p>%s <a href=\"/x%d\">%s</a></p>" % (sentence(r), i, words(r, 2)),
            lambda: "<ul>" + "".join("<li>%s</li>" % words(r, 3) for _ in range(3)) + "</ul>",
            lambda: "<img src=\"a.png\" alt=\"x\">",
            lambda: html_table(r)])())
    return "\n".join(out + ["</body></html>"])


def separated(r, separator):
    head, rows = cells(r, size(r, 15, 80))

    def cell(s):
        if separator == "\t":
            return s.replace("\t", " ").replace('"', "'")
        return '"' + s.replace('"', '""') + '"' if any(c in s for c in (separator, '"', "\n")) else s
    out = [separator.join(map(cell, x)) for x in [head] + rows]
    if r.random() < 0.15:
        out[r.randint(5, len(out) - 1)] = r.choice(["broken line", "1" + separator + "2" + separator * 9])
    return r.choice(["\n", "\n", "\r\n"]).join(out) + r.choice(["", "\n"])


def markdown_table(r, n=0):
    head, rows = cells(r, n or size(r, 15, 70))

    def row(texts):
        return "| " + " | ".join(s.replace("\\", "/").replace("|", "\\|") for s in texts) + " |"
    return "\n".join([row(head), "|" + "---|" * len(head)] + [row(x) for x in rows])


def markdown(r):
    out = ["# " + sentence(r, 4), ""]
    parts = [
        lambda: ["#" * r.randint(1, 5) + " " + sentence(r, 4) + str(r.randint(0, 99))],
        lambda: ["```" + r.choice(["py", "", "sh"]), "# no heading", "x = 1", "```"],
        lambda: [words(r, 3), r.choice(["=====", "-----"])],
        lambda: [markdown_table(r, r.randint(2, 16))],
        lambda: ["- [%s] %s" % (r.choice(" x"), words(r, 3)) for _ in range(3)],
        lambda: ["> [!NOTE]", "> " + sentence(r)],
        lambda: [sentence(r) + " " + sentence(r)],
    ]
    for _ in range(size(r, 12, 50)):
        out += r.choices(parts, [2, 1, 1, 1, 1, 1, 3])[0]() + [""]
    return "\n".join(out)


def json_lines(r):
    out = [dump(x, r) for x in records(r, size(r, 20, 80)) if isinstance(x, list)]
    if r.random() < 0.3:
        out[r.randint(3, len(out) - 1)] = r.choice(['{"id": 3, "broken', "oops", '{"a":1,}'])
    return "\n".join(out) + r.choice(["", "\n"])


def drawn_tree(r, n):
    out, depth = ["."], 0
    for i in range(n):
        depth = max(0, min(depth + r.choice([-1, 0, 0, 1]), 3)) if i else 0
        name = "%s_%d%s" % (r.choice(WORDS), i, r.choice(["", ".py", ".MD", ".md"]))
        out.append("│   " * depth + "├── " + name)
    return out


def marked_list(r, n):
    return ["[%s] %s_%d%s" % (r.choice(["FILE", "FILE", "DIR"]), r.choice(WORDS), i, r.choice(["", ".txt", ".TXT"]))
            for i in range(n)]


def long_list(r, n):
    return [".:", "total %d" % n] + ["%s  1 %s staff %8d Mar %2d 10:%02d %s_%d.txt" % (
        r.choice(["-rw-r--r--", "-rw-r--r--", "drwxr-xr-x"]), r.choice(PEOPLE), r.randint(0, 10 ** 6),
        r.randint(1, 28), i % 60, r.choice(WORDS), i) for i in range(n)]


def path_list(r, n):
    out = ["src/%s/%s/%s_%d.%s" % (r.choice(WORDS[:6]), r.choice(WORDS[:6]), r.choice(WORDS), i,
                                   r.choice(["py", "md", "C", "c"])) for i in range(n)]
    if r.random() < 0.3:                         # as `find` prints them, with the folders
        out = sorted(set(out) | {"/".join(p.split("/")[:k]) for p in out for k in (1, 2, 3)})
    return out


def listing(r):
    return "\n".join(r.choice([drawn_tree, marked_list, long_list, path_list])(r, size(r, 40, 160)))


def key_value(r):
    separator = r.choice([": ", "=", " = "])
    return "\n".join("%s.%s_%d%s%s" % (r.choice(WORDS), r.choice(WORDS), i if r.random() < 0.9 else 0, separator,
                                       words(r, r.randint(1, 5))) for i in range(size(r, 60, 160)))


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big") + b"\x08\x02\0\0\0"


def base64(r):
    head = r.choice([b"", PNG, b"%PDF-1.4\n"])
    s = b64.b64encode(head + r.randbytes(r.randint(2500, 5000))).decode()
    lines = "\n".join(s[i:i + 76] for i in range(0, len(s), 76))
    return r.choice([s, lines, "data:image/png;base64," + s if head is PNG else s])


def prose(r):
    return r.choice(["\n\n", "\n", "\r\n", " ", "\n"]).join(sentence(r, 20) for _ in range(size(r, 20, 70)))


def repeated(r):
    def line():
        if r.random() < 0.05:
            return sentence(r)
        return r.choice(["checked %s in %d ms", "skipped %s %d"]) % (r.choice(WORDS), r.randint(0, 999))
    return "\n".join(line() for _ in range(size(r, 60, 200)))


def json(r):
    some = records(r, size(r, 20, 60))
    return dump(r.choice([some, {"items": some, "total": 3}, {"a": {"b": some}, "c": "x"}]), r)


FORMS = {
    "log": log, "traces": traces, "diff": diff, "commits": commits, "source": source, "html": html,
    "csv": lambda r: separated(r, r.choice(",,;")), "tsv": lambda r: separated(r, "\t"),
    "markdown_table": markdown_table, "markdown": markdown, "json_lines": json_lines, "listing": listing,
    "key_value": key_value, "base64": base64, "prose": prose, "repeated": repeated, "json": json,
}


def any_form(r):
    return FORMS[r.choice(sorted(FORMS))](r)
