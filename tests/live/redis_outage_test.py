#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A gateway whose Redis server is stopped, killed, full or demoted.

  redis_outage_test.py ENFOLD UPSTREAM

In each state: small calls and large ones that fit are answered as before; limited calls are answered, counted by the
process itself; the handle of a long answer opens later; no answer waits for the server longer than it may;
/metrics answers; the failure is counted, logged and visible in /healthz. When the server is back everything is as
before: old handles open, long answers are cut and archived.
"""

import json
import re
import signal
import sys
import tempfile
import time

from live import PATIENCE, Client, Gateway
from redis_server import RedisServer

ENFOLD, UPSTREAM = sys.argv[1:3]
# An answer waits 250 ms for a silent server; the rest is for a busy machine, and less than any of the faults took before.
LONGEST = 2.0
CALLS = 20


def faults(redis):
    """Name → what breaks it, what repairs it."""
    return {
        "stopped": (lambda: redis.process.send_signal(signal.SIGSTOP), lambda: redis.process.send_signal(signal.SIGCONT)),
        "killed": (redis.kill, redis.start),
        "full": (lambda: redis.tell("CONFIG", "SET", "maxmemory", "1"), lambda: redis.tell("CONFIG", "SET", "maxmemory", "0")),
        "demoted": (lambda: redis.tell("REPLICAOF", "127.0.0.1", "1"), lambda: redis.tell("REPLICAOF", "NO", "ONE")),
    }


def timed(what):
    began = time.monotonic()
    result = what()
    return result, time.monotonic() - began


def rows_of(word, number):
    return [{"id": i, "title": f"{word} number {i} of many"} for i in range(number)]


def call_result(client, rows):
    raw = json.dumps({"structuredContent": {"rows": rows}, "content": []})
    result = client.call("open__result", {"raw": raw})["result"]
    assert not result.get("isError"), result
    return result["structuredContent"]


def expect_rows(client, handle, rows):
    result = client.call("enfold_fetch", {"handle": handle, "range": "/rows/7..9"})["result"]
    assert not result.get("isError"), f"{handle}: {result}"
    assert result["structuredContent"]["data"]["items"] == rows[7:10], result


def put(client, word, handles):
    """A long answer: cut, and archived or kept in memory. Whether it was archived."""
    rows = rows_of(word, 400)
    answer = call_result(client, rows)
    kept = answer["meta"].get("content_archive_hashes")
    assert kept, f"{word}: cut, and not kept"
    handles.append((next(iter(kept)), rows))
    return all(one["code"] != "ARCHIVE_VOLATILE" for one in answer["meta"]["warning_details"])


def failures(gateway):
    page, took = timed(lambda: gateway.get("/metrics"))
    assert page[0] == 200 and took < LONGEST, f"/metrics: {page[0]} after {took:.1f} s"
    return {name: int(value) for name, value in re.findall(r'^(enfold_\w*fail\w*(?:\{[^}]*\})?) (\d+)$', page[1], re.M)}


def during(gateway, client, state, handles):
    before = failures(gateway)
    slowest = {}
    for i in range(CALLS):
        for what, call in {
            "small": lambda: client.call("open__echo", {"n": i}),
            "limited": lambda: client.call("limited__echo", {"n": i}),
            "large, within the budget": lambda: call_result(client, rows_of("fits", 10)),
            "cut": lambda: put(client, f"{state} {i}", handles),
        }.items():
            answer, took = timed(call)
            assert not (isinstance(answer, dict) and answer.get("result", {}).get("isError")), f"{state}, {what}: {answer}"
            slowest[what] = max(slowest.get(what, 0.0), took)
            assert took < LONGEST, f"{state}: {what} took {took:.1f} s"
    status, page = gateway.get("/healthz")
    stores = json.loads(page)["stores"]
    assert status == 200 and "failing" in stores.values(), f"{state}: {page}"
    assert failures(gateway) != before, f"{state}: no counter has changed: {before}"
    print(f"{state:<8} slowest, ms:", {what: round(took * 1000) for what, took in slowest.items()}, stores)


def main():
    with tempfile.TemporaryDirectory(prefix="enfold-redis-") as folder:
        redis = RedisServer(folder)
        upstream = f'command = "{UPSTREAM}"\nargs = ["both"]\n'
        text = (f'archive = "{redis.url}"\nbudget = 500\n[listen]\naddress = "127.0.0.1:0"\n'
                f"[upstreams.open]\n{upstream}[upstreams.limited]\n{upstream}"
                "[upstreams.limited.tools.echo]\nrate_limit = { per_minute = 100000, burst = 100000 }\n")
        try:
            with Gateway(ENFOLD, text) as gateway:
                client, handles = Client(gateway.port), []
                for state, (break_it, repair) in faults(redis).items():
                    assert put(client, f"before {state}", handles)
                    break_it()
                    during(gateway, client, state, handles)
                    repair()
                    deadline = time.monotonic() + PATIENCE
                    while not put(client, f"after {state} {time.monotonic()}", handles):
                        assert time.monotonic() < deadline, f"{state}: not used again"
                    for handle, rows in handles:
                        expect_rows(client, handle, rows)
                    assert client.call("limited__echo", {}).get("result"), state
                    while "failing" in gateway.get("/healthz")[1]:
                        assert time.monotonic() < deadline, f"{state}: still failing"
                        client.call("limited__echo", {})
                said = gateway.said()
                for event in ("archive_unavailable", "archive_available", "rate_limits_unavailable", "rate_limits_available"):
                    assert f"event={event}" in said, f"{event} was not logged"
                client.close()
        finally:
            redis.kill()


if __name__ == "__main__":
    main()
