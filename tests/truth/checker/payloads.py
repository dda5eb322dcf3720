# SPDX-License-Identifier: Apache-2.0
"""Generated payloads of all forms. case(seed) is the same each time."""
import random
from basics import ISO, NAMES, NUMBERS, ODD, WORDS, Obj, Raw, dump, later, sentence, size, words
from columns import column, records, tuples
import forms


def scalar(r):
    return r.choice([
        lambda: r.randint(-5, 5000), lambda: sentence(r), lambda: None, lambda: r.random() < 0.5,
        lambda: Raw(r.choice(NUMBERS)), lambda: "", lambda: [], lambda: {}, lambda: r.choice(ODD),
        lambda: sentence(r, 30)])()


def tree(r, depth, room):
    if depth == 0 or room <= 1:
        return scalar(r)
    kids = [tree(r, depth - 1, room // 4) for _ in range(r.randint(1, min(8, room)))]
    if r.random() < 0.4:
        return kids
    out = Obj((r.choice(WORDS) if r.random() < 0.93 else r.choice(NAMES), x) for x in kids)
    return out if r.random() < 0.08 else Obj(dict(out).items())


def one_list(r, n):
    return r.choice([records(r, n), Obj([(r.choice(["items", "orders", "a/b", "~", "…", "rows"]), records(r, n)),
                                         ("total", n)])])


def record_map(r, n):
    v = Obj(("%s-%d" % (r.choice(WORDS), i), x) for i, x in enumerate(records(r, n)))
    return r.choice([v, {"packages": v, "ok": True}])


def few_large(r, n):
    return [Obj([("id", i + 1), ("title", sentence(r, 4)), ("body", forms.any_form(r)),
                 ("comments", records(r, r.randint(0, 12)))]) for i in range(r.randint(1, 4))]


def repeated_names(r, n):
    value = [lambda i: records(r, 4), lambda i: sentence(r), lambda i: i, lambda i: [1, 2, 3]]
    return Obj((r.choice(["a", "b", "c", "id", "items", "x%d" % i]), r.choice(value)(i)) for i in range(n))


def texts(r, n):
    some = r.sample(sorted(forms.FORMS), r.randint(1, 3))
    return Obj([(k, forms.FORMS[k](r)) for k in some] + [("ok", True)])


def own_marks(r, n):
    """Objects with a member that has the name of a mark."""
    v = Obj([("…", r.choice(["+2 members", {"own": 1}, 7])), ("a", [sentence(r, 40) for _ in range(3)]),
             ("b", {"c": sentence(r, 60), "list": records(r, 5)}), ("d", 5)])
    r.shuffle(v)
    return r.choice([v, [v, 1, 2], {"x": v, "y": sentence(r, 40)}, [v] * 5])


def scalars(r, n):
    make = r.choice([lambda i: Raw(r.choice(NUMBERS)), lambda i: r.randint(0, 9) * 10, lambda i: sentence(r),
                     lambda i: r.choice(["a", "b", None, True, 1]), lambda i: later(hours=i).strftime(ISO)])
    return [make(i) for i in range(n * 5)]


def columns(r, n):
    cols = [column(r) for _ in range(r.randint(2, 4))]
    return Obj(("c%d_%s" % (i, name), [make(k) for k in range(n * 2)]) for i, (name, make) in enumerate(cols))


def orders(r, n):
    def order(k):
        return {"no": k, "sum": r.randint(1, 500), "paid": r.random() < 0.9}
    return {"order_count": n, "customers": [
        {"id": "c%d" % i, "orders": [order(k) for k in range(r.randint(0, 6))]} for i in range(n // 2)]}


EMPTY = [[{}] * 300, [[]] * 500, [None] * 400, [""] * 500, {"a": {}, "b": [], "c": [{}] * 400},
         [{"a": None, "b": ""}] * 150, {"items": [], "x": [0] * 900}]
KINDS = {
    "records": one_list,
    "map": record_map,
    "two": lambda r, n: {"people": records(r, n // 2), "teams": records(r, n // 3), "note": sentence(r, 40)},
    "few": few_large,
    "tuples": lambda r, n: r.choice([tuples(r, n * 3), {"metric": "cpu", "values": tuples(r, n * 3)}]),
    "tree": lambda r, n: tree(r, r.randint(3, 8), size(r, 60, 800)),
    "odd": lambda r, n: [scalar(r) for _ in range(n * 2)],
    "wide": lambda r, n: Obj(("%s_%d" % (r.choice(WORDS), i), scalar(r)) for i in range(n * 2)),
    "repeated_names": repeated_names,
    "own_marks": own_marks,
    "texts": texts,
    "nested": lambda r, n: {"groups": [{"name": words(r, 2), "n": i, "members": records(r, r.randint(0, 9))}
                                       for i in range(r.randint(2, 14))]},
    "inner": lambda r, n: {"result": dump(r.choice([records(r, n), {"items": records(r, n), "state": "ok"}]), r),
                           "code": 0},
    "empty": lambda r, n: r.choice(EMPTY),
    "scalars": scalars,
    "columns": columns,
    "orders": orders,
}
CHOICES = ["records"] * 4 + sorted(KINDS)


def case(seed):
    """(kind, contract of the input, text, budget in tokens)"""
    r = random.Random(seed)
    budget = r.choice([300, 400, 500, 700, 900])
    if r.random() < 0.55:
        kind = r.choice(CHOICES)
        return "json:" + kind, "json", dump(KINDS[kind](r, size(r, 12, 70)), r), budget
    kind = r.choice(sorted(forms.FORMS))
    return "text:" + kind, "text", forms.FORMS[kind](r), budget
