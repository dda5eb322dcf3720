# SPDX-License-Identifier: Apache-2.0
"""Failed tool answers that quote source code, for the rule that scalpel-v1 shows none of it.

Every line of code holds a canary, so any line that gets out is found by its name."""

import json
import random

CANARY = "CNRY"

# Lines of twelve languages; @ is a name that holds a canary, one in every line.
LANGUAGES = {
    "python": ["def @(a, b):", "    total = @ + b", "    if @ > 3:", "        return @[a]", "class @(Base):", "import @"],
    "javascript": ["const @ = require('fs');", "function @(x) {", "  return @ ? 1 : 2;", "export default @;", "@.map((y) => y + 1);"],
    "typescript": ["interface @ { id: number }", "const x: @ = load<@>();", "export class @ extends Base {", "  private @?: string;"],
    "java": ["public class @ {", "  private final int @ = 4;", "  return @.get(0);", "  throw new @(\"bad\");"],
    "go": ["package @", "func @(a int) error {", "\tif @ != nil {", "\t@ := make([]int, 3)", "\treturn @"],
    "rust": ["pub fn @(x: &str) -> u32 {", "    let mut @ = vec![1];", "    @.unwrap()", "impl @ for Thing {"],
    "c": ["#include <@.h>", "int @(char *p) {", "  @ = p[3];", "  free(@);", "return @;"],
    "cpp": ["namespace @ {", "template <class @>", "auto @ = std::move(other);", "  delete @;", "std::vector<@> all;"],
    "ruby": ["def @(a)", "  puts @", "  @ ||= 3", "class @ < Base", "require '@'"],
    "php": ["<?php echo $@;", "function @($a) {", "  return $this->@;", "$@ = 3;"],
    "sql": ["SELECT @ FROM users", "UPDATE t SET @ = 1", "INSERT INTO @ VALUES (1)", "DELETE FROM @ WHERE id = 2"],
    "shell": ["export @=1", "if [ -f \"$@\" ]; then", "  echo $@", "rm -rf \"$@\"", "for f in @ *.txt; do"],
}

PROSE = ["Cannot extract g:", "Parse error in src/a.py:", "Edit failed:", "The pattern was not found in the file.",
         "Syntax error at line 3, column 7:", "Replacement is ambiguous, 2 places match:"]


class Code:
    """Draws code of one language; `count` is the number of canaries that were handed out."""

    def __init__(self, draw, language):
        self.draw, self.language, self.count = draw, language, 0

    def line(self):
        self.count += 1
        line = self.draw.choice(LANGUAGES[self.language])
        return line.replace("@", f"{CANARY}{self.draw.randrange(10**6):06d}_x")

    def lines(self, most=5):
        return [self.line() for _ in range(self.draw.randrange(2, most + 1))]

    def block(self):
        return "\n".join(self.lines())


def traceback(code):
    frames = "".join(f'  File "/srv/app.py", line {i + 3}, in run\n    {code.line().strip()}\n    ^^^^^^\n' for i in range(3))
    return f"Traceback (most recent call last):\n{frames}ValueError: bad value"


def numbered(code):
    return "\n".join(f"{i + 4:>4} | {line}" for i, line in enumerate(code.lines())) + "\n     | ^^^^ here"


def diff(code):
    return "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n" + "\n".join("-+ "[i % 3] + line for i, line in enumerate(code.lines()))


def node(code):
    return f"/app/index.js:3\n{code.line()}\n  ^\n\nTypeError: x is not a function\n    at {CANARY}.run (/app/index.js:3:9)"


def text(message):
    return {"content": [{"type": "text", "text": message}], "isError": True}


def data(value, is_error=True):
    return {"content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value, "isError": is_error}


def scalpel(code, error, payload=None, **more):
    return data({"tier": "community", "tool_version": "3.2.8", "tool_id": "extract_code", "request_id": "0a46e6c2",
                 "capabilities": ["envelope-v1"], "duration_ms": 3, "error": error, "upgrade_hints": [], "data": payload} | more)


def error(message="Cannot extract the symbol", code="invalid_argument", details=None):
    return {"error": message, "error_code": code, "error_details": details}


# Where the code is: one function each, from drawn code and prose to a tool result.
PLACES = {
    "below_prose": lambda c, p: text(f"{p}\n{c.block()}"),
    "fence_after_text": lambda c, p: text(f"{p} ```{c.language}\n{c.block()}\n```"),
    "fence_on_one_line": lambda c, p: text(f"{p} ```{c.line()}``` Try again."),
    "fence": lambda c, p: text(f"{p}\n```\n{c.block()}\n```\nTry again."),
    "tilde_fence": lambda c, p: text(f"{p} ~~~\n{c.block()}\n~~~"),
    "indented": lambda c, p: text(f"{p}\n\n    " + "\n    ".join(c.lines())),
    "code_alone": lambda c, p: text(c.block()),
    "code_line_alone": lambda c, p: text(c.line()),
    "after_a_colon": lambda c, p: text(f"{p.rstrip(':.')}: {c.line().strip()}"),
    "in_backticks": lambda c, p: text(f"{p} `{c.line()}` is not valid"),
    "in_quotes": lambda c, p: text(f'{p} expected "{c.line()}" here'),
    "in_single_quotes": lambda c, p: text(f"{p} near '{c.line()}'"),
    "traceback": lambda c, p: text(traceback(c)),
    "node_stack": lambda c, p: text(node(c)),
    "caret_lines": lambda c, p: text(f"a.c:3:3: error: unknown type\n{c.line()}\n  ^~~~\n1 error generated."),
    "numbered_lines": lambda c, p: text(f"{p}\n{numbered(c)}"),
    "numbered_first": lambda c, p: text(numbered(c)),
    "diff": lambda c, p: text(f"{p}\n{diff(c)}"),
    "carriage_returns": lambda c, p: text(f"{p}\r" + "\r".join(c.lines())),
    "line_separators": lambda c, p: text(f"{p}\u2028" + "\u2028".join(c.lines())),
    "escaped_json": lambda c, p: text(f"{p} {json.dumps(c.block())}"),
    "escaped_breaks": lambda c, p: text(f"{p} " + "\\n".join(c.lines())),
    "json_text": lambda c, p: text(json.dumps({"error": p, "source": c.block()})),
    "several_texts": lambda c, p: {"content": [{"type": "text", "text": p}, {"type": "text", "text": c.block()}], "isError": True},
    "resource_block": lambda c, p: {"content": [{"type": "text", "text": p}, {"type": "resource", "resource": {
        "uri": "file:///a.py", "mimeType": "text/plain", "text": c.block()}}], "isError": True},
    "block_beside_data": lambda c, p: data({"success": False, "error": p}) | {"content": [
        {"type": "text", "text": c.block()}, {"type": "text", "text": json.dumps({"success": False, "error": p})}]},
    "annotated_block": lambda c, p: {"content": [{"type": "text", "text": p, "annotations": {"source": c.line()}}], "isError": True},
    "result_member": lambda c, p: text(p) | {"source": c.block(), "_meta": {"excerpt": c.line()}},
    "data_member": lambda c, p: data({"success": False, "error": p, "source": c.block()}),
    "data_list": lambda c, p: data({"success": False, "error": p, "lines": c.lines()}),
    "data_nested": lambda c, p: data({"success": False, "error": p, "context": {"before": c.lines(), "match": {"text": c.line()}}}),
    "data_key": lambda c, p: data({"success": False, "error": p, c.line(): 3, "seen": {c.line(): True}}),
    "data_message": lambda c, p: data({"success": False, "error": f"{p}\n{c.block()}", "message": c.line()}),
    "listed_name": lambda c, p: data({"success": False, "error": p, "path": c.line(), "field": c.line(), "symbol": c.block()}),
    "error_object": lambda c, p: data({"error": {"code": "PARSE_ERROR", "message": p, "snippet": c.block(), "received": c.line()}}),
    "errors_list": lambda c, p: data({"success": False, "errors": [{"message": f"{p} {c.line()}", "line": 3, "text": c.line()}]}),
    "remediation": lambda c, p: data({"success": False, "error": p, "error_code": "X", "remediation": [f"Write:\n{c.block()}", c.line()]}),
    "v2_details": lambda c, p: data({"success": False, "data": {"error_code": "VALIDATION_ERROR", "error_type": "validation",
        "remediation": c.line(), "details": {"received": c.line(), "excerpt": c.lines()}}, "error": f"{p}\n{c.line()}",
        "meta": {"version": "response-v2", "warnings": [c.line()], "warning_details": [
            {"code": "W", "severity": "info", "message": c.line(), "context": {"line": c.line()}}]}}),
    "generic_error": lambda c, p: data({"toolName": "x", "responseType": "error", "status": "error", "error": {
        "message": f"{p}\n{c.line()}", "code": c.line()}, "metadata": {"source": c.block()}}),
    "scalpel_message": lambda c, p: scalpel(c, error(f"{p}\n{c.block()}")),
    "scalpel_details": lambda c, p: scalpel(c, error(p, details={"source": c.block(), "line": 3, "near": c.line()})),
    "scalpel_data": lambda c, p: scalpel(c, error(p), {"success": False, "error": p, "code": c.block()}),
    "scalpel_data_text": lambda c, p: scalpel(c, error(p), c.block()),
    "scalpel_hints": lambda c, p: scalpel(c, error(p), upgrade_hints=[{"feature": c.line(), "tier": "pro", "reason": c.block()}]),
    "scalpel_members": lambda c, p: scalpel(c, error(p) | {"source": c.line()}, tool_version=c.line(), request_id=c.line(),
                                            capabilities=[c.line()], excerpt=c.block()),
    "scalpel_code": lambda c, p: scalpel(c, error(p, c.line(), {"source_code": c.line(), "remediation": [c.block()]})),
    "scalpel_slot": lambda c, p: scalpel(c, error(p), {"success": False, "_envelope": {"from": "response-v2", "carry": {
        "warnings": [{"code": "W", "message": c.line()}], "metadata": {"x": c.line()}}, "residue": {"/x": [c.line()]}}}),
    "scalpel_cut": lambda c, p: scalpel(c, error(p), {"success": False, "_envelope": {"content_fidelity": "partial",
        "content_fidelity_schema_version": "1.0", "dropped_content_ids": [c.line()], "content_archive_hashes": {c.line(): c.line()},
        "facts": {"first": c.line()}}}),
}


def failures(count, seed=14):
    """`count` tool results with their place and language, the same for the same seed."""
    draw = random.Random(seed)
    places, languages = list(PLACES), list(LANGUAGES)
    for number in range(count):
        place = places[number % len(places)]
        language = languages[(number + number // len(places)) % len(languages)]
        code = Code(draw, language)
        result = PLACES[place](code, draw.choice(PROSE))
        assert CANARY in json.dumps(result)
        yield place, language, code.count, result
