#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Healthy upstreams beside one that crashes, one that hangs and one that floods, called by many at once.

  mixed_load_test.py ENFOLD UPSTREAM EXAMPLE_HELLO [SECONDS]

Every call must get one answer, its own, by content; nothing that a broken upstream does may reach the
calls of another; and the memory of the gateway must be flat within 5 % after the warm-up. A minute, or
an hour with ENFOLD_NIGHTLY=1.
"""

import json
import os
import re
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from live import PATIENCE, Client, Gateway
from process import is_instrumented, resident

ENFOLD, UPSTREAM, HELLO = sys.argv[1:4]
NIGHTLY = os.environ.get("ENFOLD_NIGHTLY") == "1"
SECONDS = float(sys.argv[4]) if len(sys.argv) > 4 else 3600.0 if NIGHTLY else 60.0
MOST_GROWTH = 1.05
ROWS = 400

# Each worker makes its tables (2.4 MB) with its first large answer. Of more than two the last may get
# that long after the warm-up, when many answers happen to come at once. The dashboard's ring of 20,000
# calls would fill up only after the warm-up; tools/soak runs with it.
CONFIG = f"""
archive = "archive.db"
budget = 500
workers = 2
dashboard = {{ enabled = false }}
[listen]
address = "127.0.0.1:0"
[upstreams.steady]
command = "{UPSTREAM}"
args = ["sessions"]
[upstreams.fresh]
command = "{UPSTREAM}"
args = ["stateless"]
[upstreams.hello]
command = "{HELLO}"
""" + "".join(f"""
[upstreams.{name}]
command = "{UPSTREAM}"
args = ["both"]
allow_unlisted_tools = true
idle_timeout = "{deadline}"
circuit_breaker = {{ initial_backoff = "50ms", max_backoff = "1s" }}
""" for name, deadline in (("crashing", "20s"), ("hanging", "500ms"), ("flooding", "10s")))


class Caller(threading.Thread):
    """One client that calls until the time is over, and keeps account."""

    def __init__(self, number, port, era, until):
        super().__init__(name=f"caller {number}", daemon=True)
        self.number, self.port, self.era, self.until = number, port, era, until
        self.made, self.ended, self.problem, self.slowest = Counter(), Counter(), None, 0.0

    def run(self):
        try:
            self.client = Client(self.port, self.era)
            turn = 0
            while time.monotonic() < self.until:
                turn += 1
                self.turn(turn, f"nonce-{self.number}-{turn}.")
            self.client.close()
        except Exception as error:  # whatever it is, the test must not pass
            self.problem = f"{type(error).__name__}: {error}"

    def counted_as(self, tool):
        return tool

    def call(self, tool, arguments):
        begun = time.monotonic()
        self.made[tool] += 1
        answer = self.client.call(tool, arguments)
        self.slowest = max(self.slowest, time.monotonic() - begun)
        assert "result" in answer, f"{tool}: {answer}"
        result = answer["result"]
        self.ended[self.counted_as(tool), "failed" if result.get("isError") else "ok"] += 1
        return result

    # Nobody's answer but its own: of all marks in it, only this.
    def own(self, tool, arguments, nonce):
        result = self.call(tool, arguments)
        assert not result.get("isError"), f"{tool}: {result}"
        marks = set(re.findall(r"nonce-\d+-\d+\.", json.dumps(result)))
        assert marks == {nonce}, f"{tool}: expected {nonce}, found {marks}"
        return result["structuredContent"]


class Healthy(Caller):
    def turn(self, turn, nonce):
        if turn % 5 == 0:
            self.large(nonce)
        elif turn % 3 == 0:
            self.own("hello__greet", {"name": nonce}, nonce)
        else:
            self.own(("steady__echo", "fresh__echo")[turn % 2], {"text": nonce}, nonce)
        time.sleep(0.005)

    # Fitted, archived, and back in the part that was not shown.
    def large(self, nonce):
        rows = [{"id": i, "title": f"Search forgets its filters {nonce}"} for i in range(ROWS)]
        raw = json.dumps({"structuredContent": {"rows": rows}, "content": []})
        answer = self.own("steady__result", {"raw": raw}, nonce)
        handle = next(iter(answer["meta"]["content_archive_hashes"]))
        back = self.own("enfold_fetch", {"handle": handle, "pointer": f"/rows/{ROWS // 2}"}, nonce)
        assert f'"id": {ROWS // 2}' in json.dumps(back), back


class Unlucky(Caller):
    """Calls what fails; gets a typed failure each time."""

    codes = {"crash": {"UPSTREAM_UNAVAILABLE"},
             "hang": {"UPSTREAM_TIMEOUT", "UPSTREAM_UNAVAILABLE"},
             "flood": {"UPSTREAM_PROTOCOL_ERROR", "UPSTREAM_UNAVAILABLE", "UPSTREAM_TIMEOUT"}}

    def __init__(self, upstream, tool, pause, *more):
        super().__init__(*more)
        self.upstream, self.tool, self.pause = upstream, tool, pause
        self.seen = Counter()

    # What fails is in no list.
    def counted_as(self, tool):
        return f"{self.upstream}__(unknown)"

    def turn(self, turn, nonce):
        result = self.call(f"{self.upstream}__{self.tool}", {"text": nonce})
        assert result.get("isError"), result
        code = result["structuredContent"]["data"]["error_code"]
        assert code in self.codes[self.tool], f"{self.tool}: {code}"
        self.seen[code] += 1
        time.sleep(self.pause)


class Memory(threading.Thread):
    """Resident megabytes of a process, twice a second."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.begun, self.samples, self.ends = process, time.monotonic(), [], threading.Event()

    def run(self):
        while not self.ends.wait(0.5):
            try:
                size = resident(self.process)
            except OSError:
                return
            self.samples.append((time.monotonic() - self.begun, size))

    # What is held while no flood is under way: the least of some time.
    def held(self, begin, end):
        return min(size for at, size in self.samples if begin <= at < end)


def counted(page):
    """(tool as clients call it, failed or not) → calls, as the gateway counts them."""
    calls = Counter()
    for upstream, tool, outcome, number in re.findall(
            r'^enfold_tool_calls_total\{upstream="(.*)",tool="(.*)",outcome="(.*)"\} (\d+)$', page, re.M):
        name = tool if upstream == "enfold" else f"{upstream}__{tool}"
        calls[name, "ok" if outcome in ("ok", "partial") else "failed"] += int(number)
    return calls


def still_running_in(folder):
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd").startswith(str(folder)):
                left.append((process / "cmdline").read_text())
        except OSError:
            continue
    return left


def main():
    with Gateway(ENFOLD, CONFIG) as gateway:
        until = time.monotonic() + SECONDS
        memory = Memory(gateway.process.pid)
        memory.start()
        callers = [Healthy(number, gateway.port, ("modern", "modern", "legacy")[number % 3], until) for number in range(6)]
        for upstream, tool, pause in (("crashing", "crash", 0.05), ("hanging", "hang", 0.1), ("flooding", "flood", 1.0)):
            for era in ("modern", "legacy"):
                callers.append(Unlucky(upstream, tool, pause, len(callers), gateway.port, era, until))
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join(SECONDS + 2 * PATIENCE)
        memory.ends.set()
        problems = [f"{caller.name} ({caller.era}): {caller.problem}" for caller in callers if caller.problem]
        problems += [f"{caller.name} hangs" for caller in callers if caller.is_alive()]
        made = sum((caller.made for caller in callers), Counter())
        ended = sum((caller.ended for caller in callers), Counter())
        page = gateway.get("/metrics")[1]
        if not problems and counted(page) != ended:
            problems.append(f"clients ended {ended}\nthe gateway counts {counted(page)}")
        for tool in ("steady__echo", "fresh__echo", "hello__greet", "steady__result", "enfold_fetch",
                     "crashing__crash", "hanging__hang", "flooding__flood"):
            if made[tool] == 0:
                problems.append(f"{tool} was never called")
        if gateway.get("/healthz")[0] != 200:
            problems.append("the gateway is not healthy afterwards")
        # Allocator and caches find their size within some hundred thousand calls.
        warm = max(20.0, SECONDS / 6)
        window = max(10.0, SECONDS / 20)
        before, after = memory.held(warm, warm + window), memory.held(SECONDS - window, SECONDS)
        if after > before * MOST_GROWTH and not is_instrumented(ENFOLD):
            problems.append(f"memory grew from {before:.1f} to {after:.1f} MB")
        folder = gateway.folder
    if left := still_running_in(folder):
        problems.append(f"still running: {left}")
    for tool, number in sorted(made.items()):
        print(f"{tool:<18} {number:>7} calls")
    for (tool, outcome), number in sorted(ended.items()):
        print(f"{tool:<18} {number:>7} {outcome}")
    for caller in callers[6:]:
        print(f"{caller.upstream}, {caller.era}: {dict(caller.seen)}, slowest {caller.slowest:.2f} s")
    print(f"slowest healthy call {max(caller.slowest for caller in callers[:6]):.2f} s")
    print(f"memory {before:.1f} MB after the warm-up, {after:.1f} MB at the end ({(after / before - 1) * 100:+.1f} %); "
          "in twelve parts of the time:", *(f"{memory.held(part / 12 * SECONDS, (part + 1) / 12 * SECONDS):.1f}" for part in range(12)))
    for problem in problems:
        print(f"PROBLEM {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
