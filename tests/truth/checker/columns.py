# SPDX-License-Identifier: Apache-2.0
"""Records of generated payloads, column by column."""
import datetime
from basics import ISO, NAMES, NUMBERS, ODD, PEOPLE, T0, TIME_FORMS, WORDS, Obj, Raw, hexes, sentence
from basics import later

STATES = ["open", "closed", "failed", "pending", "Open", "blocked", "", "n/a", "error", "é", "a.b", "x/y", "12",
          "true", "null"]
MIXED = [1, "1", None, True, 1.5, "x", [], {}, [1], {"a": 1}, False, "true", 0, ""]


def column(r):
    """(name, function of the number of the record)"""
    form, base, rare = r.choice(TIME_FORMS), r.randint(0, 5000), r.randint(0, 60)
    step, gap = r.choice([1, 1, 2, 5, -1, 10, 0.5]), r.choice([60, 3600, 86400])
    odd = r.random() < 0.4                       # some record is unlike the others
    states = r.sample(STATES, r.randint(1, 6))
    weights = [r.random() ** 3 + 0.01 for _ in states]

    def price_text(i):
        if r.random() > 0.05:
            return "%.2f" % r.uniform(1, 900)
        return r.choice(["n/a", "free", "9.5"] if odd else ["12.25"])

    def due(i):
        if r.random() < 0.06:
            return r.choice(["31/02/2026", "never", "soon", None])
        return later(days=r.randint(0, 700)).strftime("%d/%m/%Y")

    def many(i):
        return 30 if odd and i == rare else r.randint(0, 4)

    kinds = {
        "status": lambda i: r.choices(states, weights)[0],
        "flag": lambda i: i == rare if odd else r.random() < 0.3,
        "amount": lambda i: round(r.gauss(100, 20) * (1000 if odd and r.random() < 0.03 else 1), 2),
        "price_text": price_text,
        "grouped": lambda i: "{:,.2f}".format(r.uniform(1, 4000000 if odd else 900)),
        "count": lambda i: r.randint(0, 20),
        "created": lambda i: later(seconds=r.randint(0, 60000000)).strftime(form),
        "due": due,
        "at": lambda i: later(seconds=gap * (i + (7 if odd and i > rare else 0))).strftime(form),
        "note": lambda i: sentence(r) + (" " + sentence(r, 20) if r.random() < 0.2 else ""),
        "owner": lambda i: r.choice(PEOPLE),
        "tags": lambda i: [r.choice(WORDS[:9]) for _ in range(many(i))],
        "lines": lambda i: [{"sku": r.choice(WORDS[:5]), "qty": r.randint(1, 9)} for _ in range(r.randint(0, 3))],
        "who": lambda i: {"login": r.choice(PEOPLE), "id": r.randint(1, 99), "x": {"y": r.choice([1, "1", None])}},
        "mixed": lambda i: r.choice(MIXED),
        "mostly": lambda i: r.randint(1, 400) if i != rare else r.choice(["many", [1], None, True]),
        "seq": lambda i: base + step * i + (100 if odd and i > rare else 0),
        "hash": lambda i: hexes(r, 20),
        "same": lambda i: "constant",
        "maybe": lambda i: None if r.random() < (0.04 if odd else 0.8) else r.randint(1, 3),
        "odd": lambda i: r.choice(ODD),
        "spelled": lambda i: Raw(r.choice(NUMBERS)),
        "version": lambda i: "%d.%d.%d" % (r.randint(0, 3), r.randint(0, 12), r.randint(0, 30)),
        "decimals": lambda i: "%d.%d" % (r.randint(0, 3), r.randint(0, 30)),
        "code": lambda i: r.choice([200, 200, 200, 404, 500]),
        "mail": lambda i: "%s%d@example.com" % (r.choice(PEOPLE), i if odd else r.randint(0, 200)),
        "labels": lambda i: {r.choice(WORDS): r.randint(0, 9) for _ in range(r.randint(0, 5))},
    }
    name = r.choice(sorted(kinds))
    return name, kinds[name]


def id_column(r):
    base = r.randint(1, 9000)
    make = r.choice([
        lambda i: base + i,
        lambda i: "item-%04d" % (base + i),
        lambda i: hexes(r, 8) + "-" + hexes(r, 4),
        lambda i: base + r.randint(0, 300),
        lambda i: "/srv/%s_%d.txt" % (r.choice(WORDS), i),
        lambda i: "k/%d~%s" % (i, r.choice(["a", "é", "..", "#2"])),
        lambda i: Raw(str(10 ** 20 + i)),
    ])
    return r.choice(["id", "number", "key", "name", "sha", "order_id", "uid"]), make


def records(r, n):
    """n records; some sets have holes, repeated names, or records that are no objects."""
    cols = dict(column(r) for _ in range(r.randint(1, 6)))
    if r.random() < 0.1:
        cols = {r.choice(NAMES) + (k if r.random() < 0.5 else ""): f for k, f in cols.items()}
    ident, title = (id_column(r) if r.random() < 0.8 else None), r.random() < 0.5
    sparse, repeats, loose = r.random() < 0.3, r.random() < 0.05, r.random() < 0.05
    out = []
    for i in range(n):
        one = Obj([(ident[0], ident[1](i))] if ident else [])
        if title:
            one.append(("title", sentence(r, r.randint(2, 6))))
        one += [(k, f(i)) for k, f in cols.items() if not (sparse and r.random() < 0.08)]
        if repeats and one and r.random() < 0.2:
            k, v = r.choice(one)
            one.append((k, r.choice([v, None, 7, "again"])))
        out.append(r.choice([None, 1, "loose", [], [1, 2], True]) if loose and r.random() < 0.1 else one)
    return out


def tuples(r, n):
    """Records that are short lists."""
    base, odd = r.randint(1, 10 ** 6), r.random() < 0.5
    make = r.choice([
        lambda i: [base + 60 * i + (30 if odd and i > 9 else 0), round(r.gauss(10, 2), 2)],
        lambda i: [r.choice(WORDS), r.randint(0, 9), r.choice([None, "x"])],
        lambda i: ["t%03d" % i, r.random() < 0.2, r.choice(ODD)],
        lambda i: [(T0 + datetime.timedelta(minutes=5 * i)).strftime(ISO), r.randint(0, 99)],
        lambda i: r.choice([[i, i * i], [], i, None, "x"]),
    ])
    return [make(i) for i in range(n)]
