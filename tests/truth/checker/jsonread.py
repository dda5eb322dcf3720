# SPDX-License-Identifier: Apache-2.0
"""A JSON reader of our own: keeps duplicate members, order and the spelling of numbers."""
import re

TOKEN = re.compile(r'[ \t\n\r]*(?:([{}\[\],:])|"((?:[^"\\\x00-\x1f]|\\.)*)"|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))')
ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
PLAIN = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class JsonError(ValueError):
    pass


class Node:
    """kind: object (list of (name, Node)), array, string, number (its spelling), boolean, null."""
    __slots__ = ("kind", "value")

    def __init__(self, kind, value):
        self.kind, self.value = kind, value

    def scalar(self):
        return self.kind not in ("object", "array")

    def children(self):
        return [v for _, v in self.value] if self.kind == "object" else self.value if self.kind == "array" else []

    def get(self, name):
        """The last member of that name, as common readers have it."""
        found = None
        if self.kind == "object":
            for k, v in self.value:
                if k == name:
                    found = v
        return found

    def names(self):
        return [k for k, _ in self.value] if self.kind == "object" else []

    def text(self):
        return self.value if self.scalar() else None

    def __repr__(self):
        return dump(self)[:80]


def unescape(s):
    if "\\" not in s:
        return s
    s = ESCAPE.sub(lambda m: chr(int(m.group(1), 16)) if m.group(1) else PLAIN[m.group(2)], s)
    return s.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def read(text):
    at, stack, need = 0, [], "value"
    root = name = None
    while True:
        if root is not None and not stack:
            if text[at:].strip(" \t\n\r"):
                raise JsonError("something behind the value")
            return root
        m = TOKEN.match(text, at)
        if not m:
            raise JsonError("no JSON at %d" % at)
        at, (sign, string, number, word) = m.end(), m.groups()
        if sign == ",":
            if need != "more":
                raise JsonError("comma at %d" % at)
            need = "name" if stack[-1].kind == "object" else "value"
            continue
        if sign == ":":
            if need != "colon":
                raise JsonError("colon at %d" % at)
            need = "value"
            continue
        if sign in ("}", "]"):
            ok = stack and stack[-1].kind == ("object" if sign == "}" else "array") and (need == "more"
                or need.endswith("first"))
            if not ok:
                raise JsonError("%s at %d" % (sign, at))
            stack.pop()
            need = "more"
            continue
        if need in ("name", "name first"):
            if string is None:
                raise JsonError("no name at %d" % at)
            name, need = unescape(string), "colon"
            continue
        if need not in ("value", "value first"):
            raise JsonError("value at %d" % at)
        if sign:
            node = Node("object" if sign == "{" else "array", [])
        elif string is not None:
            node = Node("string", unescape(string))
        elif number is not None:
            node = Node("number", number)
        else:
            node = Node("null" if word == "null" else "boolean", word)
        if stack:
            stack[-1].value.append((name, node) if stack[-1].kind == "object" else node)
        else:
            root = node
        if sign:
            stack.append(node)
            name, need = None, "name first" if sign == "{" else "value first"
        else:
            need = "more"


def dump(n):
    if n.kind == "object":
        return "{" + ",".join(quote(k) + ":" + dump(v) for k, v in n.value) + "}"
    if n.kind == "array":
        return "[" + ",".join(map(dump, n.value)) + "]"
    return quote(n.value) if n.kind == "string" else n.value


QUOTED = re.compile(r'["\\\x00-\x1f]')
SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", '"': '\\"', "\\": "\\\\"}


def quote(s):
    return '"' + QUOTED.sub(lambda m: SHORT.get(m.group()) or "\\u%04x" % ord(m.group()), s) + '"'


def equal(a, b):
    if a.kind != b.kind:
        return False
    if a.kind == "object":
        return len(a.value) == len(b.value) and all(x[0] == y[0] and equal(x[1], y[1]) for x,
            y in zip(a.value, b.value))
    if a.kind == "array":
        return len(a.value) == len(b.value) and all(equal(x, y) for x, y in zip(a.value, b.value))
    return a.value == b.value
