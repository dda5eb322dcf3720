# SPDX-License-Identifier: Apache-2.0
"""Values as facts see them: numbers, also in texts, times, and how a value is written as a name."""
import datetime
import re
from decimal import Decimal
from functools import lru_cache

NUMBER = re.compile(r"^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$")
GROUPED = re.compile(r"^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$")
ISO = re.compile(r"^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$")
DAY = re.compile(r"^(\d\d)([./])(\d\d)\2(\d{4})(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$")
LIKE = re.compile(r"^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null)$")
ODD = re.compile(r'^(["\[{].*|[+-]?[\d.,]+([eE][+-]?\d+)?|true|false|null)$', re.S | re.I)


def num(n):
    """The number that a node is or reads like, or None."""
    if n.kind == "number":
        return Decimal(n.value)
    if n.kind == "string":
        if NUMBER.match(n.value):
            return Decimal(n.value)
        if GROUPED.match(n.value):
            return Decimal(n.value.replace(",", ""))
    return None


@lru_cache(100000)
def time_of(s):
    m = ISO.match(s)
    try:
        if m:
            y, mo, d, h, mi, sec, frac, zone = m.groups()
            t = datetime.datetime(int(y), int(mo), int(d), int(h or 0), int(mi or 0), int(sec or 0),
                int(((frac or "") + "000000")[:6]))
            if zone and zone != "Z":
                t -= datetime.timedelta(minutes=(1 if zone[0] == "+" else -1) * (int(zone[1:3]) * 60
                    + int(zone[-2:])))
            return t
        m = DAY.match(s)
        if m:
            d, _, mo, y, h, mi, sec = m.groups()
            return datetime.datetime(int(y), int(mo), int(d), int(h or 0), int(mi or 0), int(sec or 0))
    except ValueError:
        pass
    return None


def moment(n):
    return time_of(n.value) if n.kind == "string" else None


def reader(stated):
    """How the cells of a column are compared, by a value that is stated of it."""
    return num if num(stated) is not None else moment


def names_of(n, cell=False):
    """How a scalar may be written as a name in `values`: texts that read like something else have their quotes."""
    if n.kind != "string":
        return (n.value,)
    from jsonread import quote
    if LIKE.match(n.value):
        return (quote(n.value), n.value) if cell and n.value[-1].isdigit() else (quote(n.value),)
    if ODD.match(n.value):
        return (quote(n.value), n.value)         # open: whether it reads like a number or boolean
    return (n.value,)


def split_path(path):
    return [t.replace("~1", "/").replace("~0", "~") for t in path.split("/")] if path != "" else []


def reach(node, tokens, tuples=True):
    """All nodes that a path of a fact leads to in one record."""
    now = [node]
    for t in tokens:
        then = []
        for n in now:
            if n.kind == "array" and n is node:          # a record that is a short list
                then += [n.value[int(t)]] if tuples and t.isdigit() and int(t) < len(n.value) else []
            elif n.kind == "array":
                then += n.value if t == "*" else []
            elif n.kind == "object" and (n is node or t != "*"):
                v = n.get(t)
                if v is not None:
                    then.append(v)
        now = then
    return now


def beyond(node, tokens):
    """Whether the documented limits leave something of this path uncounted."""
    now = [node]
    if len(tokens) > 6:
        return True
    for t in tokens:
        then = []
        for n in now:
            if n.kind == "array" and len(n.value) > 64 or n.kind == "object" and len(set(n.names())) > 24:
                return True
            then += reach(n, [t])
        now = then
    return False
