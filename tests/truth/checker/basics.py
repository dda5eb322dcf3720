# SPDX-License-Identifier: Apache-2.0
"""Words, names and spellings that generated payloads are made of, and how they are written as JSON."""
import datetime
from jsonread import quote

WORDS = ("retry queue worker index cache shard login token batch merge branch deploy build stage order invoice "
         "basket search filter report metric alarm node pool lease mirror proxy parser lexer schema column table "
         "cursor handle archive budget prefix suffix marker panel widget").split()
PEOPLE = "ada bob cy dora emil frida gustav hana ivo jana karl lena".split()
ODD = ["Größe", "naïve café", "東京タワー", "🚀 launch", "👩‍👩‍👧 family", "tab\there", "quote\"d", "back\\slash", "\u2028sep",
       "…", "…[+3 items]", "x…[+5 bytes]", "", " ", "null", "true", "12", "#3"]
NUMBERS = ["0", "-0", "1e3", "1E+3", "1.0", "1.50", "9007199254740993", "123456789012345678901234567890",
           "0.1e1", "2.5e-3", "-7", "99999999999999999999.5"]
NAMES = ["a/b", "a~b", "0", "..", "1..2", "é", "a.b", "with space", "*", "…", "", "~1", "quote\"", "tab\t", "#"]
TIME_FORMS = ["%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S+02:00", "%d.%m.%Y",
              "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y %H:%M", "%H:%M:%S", "%d %b %Y", "%Y%m%d"]
ISO = TIME_FORMS[0]
T0 = datetime.datetime(2024, 1, 1)
ESCAPED = 0.03                                   # of names and values are written with an escape


class Raw(str):
    """JSON text as it stands."""


class Obj(list):
    """Members in their order; names may repeat."""


def later(**units):
    return T0 + datetime.timedelta(**units)


def words(r, n):
    return " ".join(r.choice(WORDS) for _ in range(n))


def sentence(r, n=0):
    s = words(r, n or r.randint(3, 10)).capitalize()
    return s + (" " + r.choice(ODD[:8]) if r.random() < 0.05 else "") + r.choice([".", "!", "?", "."])


def hexes(r, n):
    return "".join(r.choice("0123456789abcdef") for _ in range(n))


def size(r, low, high):
    """Small sizes as often as large ones."""
    return int(low * (high / low) ** r.random())


def dump(v, r):
    if isinstance(v, Raw):
        return str(v)
    if isinstance(v, (Obj, dict)):
        members = v.items() if isinstance(v, dict) else v
        return "{" + ",".join(text(k, r) + ":" + dump(x, r) for k, x in members) + "}"
    if isinstance(v, (list, tuple)):
        return "[" + ",".join(dump(x, r) for x in v) + "]"
    if isinstance(v, str):
        return text(v, r)
    if v is None or isinstance(v, bool):
        return {None: "null", True: "true", False: "false"}[v]
    return repr(v)


def text(s, r):
    """A JSON string. With an escape it is still the same name or value."""
    out = quote(s)
    if r.random() < ESCAPED and s and s.isascii() and s[0].isalpha():
        return '"\\u%04x' % ord(s[0]) + out[2:]
    return out
