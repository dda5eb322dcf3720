#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many sessions over twelve MCP servers from npm: processes, memory, and the time of a new session.

  bench/sessions.py [--preset NAME] [--sessions N] [--record FOLDER]

`enfold serve` of this preset (release, the default, compiles with -O2) stands in front of the stdio servers of
tests/peers and bench/servers, all with `shared = true`. Every session calls a tool of every server; calls that would
need the network are refused by the server. Memory is the proportional set size (PSS), which counts shared pages once.
A new session is a new connection with `initialize`, `notifications/initialized` and `tools/list`. A few sessions
without sharing are there to compare with.
"""

import argparse
import datetime
import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/live"))
from live import Client, Gateway  # noqa: E402
from process import children  # noqa: E402

NODE = ROOT / "tests/peers/node_modules/.bin/node"
PEERS = ROOT / "tests/peers/node_modules/@modelcontextprotocol"
SERVERS = ROOT / "bench/servers/node_modules"
# Name → script, argument, variables that it wants to have before it starts, a tool and its arguments.
ONES = {
    "everything": (PEERS / "server-everything/dist/index.js", "stdio", [], "echo", {"message": "hello"}),
    "filesystem": (PEERS / "server-filesystem/dist/index.js", ".", [], "list_allowed_directories", {}),
    "memory": (PEERS / "server-memory/dist/index.js", None, [], "read_graph", {}),
    "hello": (SERVERS / "mcp-hello-world/build/stdio.js", None, [], "echo", {"message": "hello"}),
    "thinking": (SERVERS / "@modelcontextprotocol/server-sequential-thinking/dist/index.js", None, [], "sequentialthinking",
                 {"thought": "one", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1}),
    "github": (SERVERS / "@modelcontextprotocol/server-github/dist/index.js", None, [], "search_code", {}),
    "gitlab": (SERVERS / "@modelcontextprotocol/server-gitlab/dist/index.js", None, ["GITLAB_PERSONAL_ACCESS_TOKEN"],
               "fork_repository", {}),
    "postgres": (SERVERS / "@modelcontextprotocol/server-postgres/dist/index.js", "postgresql://127.0.0.1:1/none", [],
                 "query", {"sql": "select 1"}),
    "slack": (SERVERS / "@modelcontextprotocol/server-slack/dist/index.js", None, ["SLACK_BOT_TOKEN", "SLACK_TEAM_ID"],
              "slack_post_message", {}),
    "maps": (SERVERS / "@modelcontextprotocol/server-google-maps/dist/index.js", None, ["GOOGLE_MAPS_API_KEY"], "unknown", {}),
    "search": (SERVERS / "@modelcontextprotocol/server-brave-search/dist/index.js", None, ["BRAVE_API_KEY"],
               "brave_web_search", {}),
    "art": (SERVERS / "@modelcontextprotocol/server-everart/dist/index.js", None, ["EVERART_API_KEY"], "unknown", {}),
}
WANTED_MS = 100


def configuration(shared):
    text = 'archive = "memory"\n[listen]\naddress = "127.0.0.1:0"\n'
    for name, (script, argument, variables, _, _) in ONES.items():
        arguments = ", ".join(f'"{one}"' for one in (script, argument) if one)
        text += f'[upstreams.{name}]\ncommand = "{NODE}"\nargs = [{arguments}]\nshared = {str(shared).lower()}\n'
        text += "allow_unlisted_tools = true\n"
        text += "".join(f'env.{variable} = {{ env = "ENFOLD_BENCH_NO_KEY" }}\n' for variable in variables)
    return text


def pss(process):
    """Megabytes."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no Pss")


def cpu_ms(process):
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


class Measured:
    """A gateway with its sessions open."""

    def __init__(self, gateway, sessions):
        began = time.monotonic()
        first = new_session(gateway)  # starts the servers
        self.start = time.monotonic() - began
        self.empty = pss(gateway.process.pid)
        self.tools = first.tools
        self.clients = [first]
        self.called = call_all(first)
        for _ in range(sessions - 1):
            self.clients.append(new_session(gateway))
            self.called += call_all(self.clients[-1])
        servers = children(gateway.process.pid)
        self.processes = len(servers)
        self.gateway = pss(gateway.process.pid)
        self.children = sum(pss(child) for child in servers)


def new_session(gateway):
    began = time.perf_counter()
    client = Client(gateway.port, "legacy")
    asked = time.perf_counter()
    answer = client.request("tools/list", {})
    client.took = ((time.perf_counter() - began) * 1000, (time.perf_counter() - asked) * 1000)
    client.tools = len(answer["result"]["tools"])  # the list itself would be more and more work for the collector
    return client


def call_all(client):
    for name, (_, _, _, tool, arguments) in ONES.items():
        answer = client.call(f"{name}__{tool}", arguments)
        if "UPSTREAM_" in str(answer):
            sys.exit(f"error: {name}: {answer}")
    return len(ONES)


def quantile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--preset", default="release")
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--record", type=Path)
    arguments = parser.parse_args()
    enfold = ROOT / "build" / arguments.preset / "bin/enfold"
    for needed in (enfold, NODE, SERVERS):
        if not needed.exists():
            sys.exit(f"error: no {needed.relative_to(ROOT)}; run: tools/setup bench, make build")
    os.environ["ENFOLD_BENCH_NO_KEY"] = "none"
    with Gateway(enfold, configuration(True)) as gateway:
        shared = Measured(gateway, arguments.sessions)
        before = cpu_ms(gateway.process.pid)
        times = [new_session(gateway) for _ in range(arguments.sessions)]
        cpu = (cpu_ms(gateway.process.pid) - before) / len(times)
        idle = children(gateway.process.pid)
    few = 5
    with Gateway(enfold, configuration(False)) as gateway:
        alone = Measured(gateway, few)
    whole = [client.took[0] for client in times]
    lists = [client.took[1] for client in times]
    per_session = (shared.gateway - shared.empty) * 1024 / arguments.sessions
    is_first = os.sched_getscheduler(0) in (os.SCHED_RR, os.SCHED_FIFO)
    priority = "; this program, the gateway and the servers had real-time priority (`chrt -r 5`)" if is_first else ""
    lines = ["# Many sessions", "",
             f"What do {arguments.sessions} sessions of `enfold serve` cost? We measured this on {datetime.date.today()} with"
             f" `bench/sessions.py --preset {arguments.preset}`. Each session has its own connection. Behind the gateway are"
             f" {len(ONES)} stdio servers from npm with {shared.tools} tools. Every session calls one tool of every server,"
             f" {shared.called:,} calls in all. Memory is PSS. The load average at the end was {os.getloadavg()[0]:.1f}{priority}.", "",
             f"| | `shared = true`, {arguments.sessions} sessions | not shared, {few} sessions |", "|---|---:|---:|",
             f"| processes of servers | {shared.processes} | {alone.processes} |",
             f"| memory of the servers, MB | {shared.children:.0f} | {alone.children:.0f} |",
             f"| memory of the gateway, MB | {shared.gateway:.1f} | {alone.gateway:.1f} |",
             f"| memory of one session in the gateway, KB | {per_session:.0f} | |",
             f"| start of the first session and its servers, s | {shared.start:.1f} | {alone.start:.1f} |", "",
             f"| a new session beside {arguments.sessions} others, ms | median | p99 | longest |", "|---|---:|---:|---:|"]
    for what, values in (("`tools/list`", lists), ("connect, `initialize`, `tools/list`", whole)):
        lines.append(f"| {what} | {statistics.median(values):.1f} | {quantile(values, 0.99):.1f} | {max(values):.1f} |")
    lines += ["", f"CPU time of the gateway for a new session and its `tools/list`: {cpu:.1f} ms."]
    verdict = lambda holds: "PASS" if holds else "MISS"
    lines += ["", "| target | measured | |", "|---|---:|---|",
              f"| processes ≤ {len(ONES)} | {len(idle)} | {verdict(len(idle) <= len(ONES))} |",
              f"| a new session answers `tools/list`, p99, ms < {WANTED_MS} | {quantile(whole, 0.99):.1f} |"
              f" {verdict(quantile(whole, 0.99) < WANTED_MS)} |", ""]
    text = "\n".join(lines)
    print(text)
    if arguments.record:
        (arguments.record / "sessions.md").write_text(text)
    return 1 if "| MISS |" in text else 0


if __name__ == "__main__":
    sys.exit(main())
