#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the dashboard costs a gateway per call: off, on, and with one reader of the event stream.

  bench/dashboard.py --enfold PROGRAM --upstream PROGRAM [--before PROGRAM] [--calls N] [--rounds N]
                     [--instructions]

`--before` is an `enfold` without the dashboard, such as an older build with the same options.
`--upstream` is the test server of tests/gateway, or the URL of enfold-example-hello --http PORT: Valgrind
does not know a system call that the gateway needs to start programs. Calls are pipelined over keep-alive connections, as
fast as the gateway answers. The variants take turns within each round, so that a slow minute of the
machine falls on all of them; the figures are medians.

`--instructions` runs the gateway in Valgrind and counts its instructions instead of its CPU time: they
do not depend on what else the machine does. The start is left out, by the difference of a long and a
short run. The gateway is much slower there, so the reader gets nearly every row; at 10,000 calls a
second it gets a fifth of them.
"""

import argparse
import json
import socket
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "live"))
from live import META, Gateway  # noqa: E402

CONNECTIONS, DEPTH = 8, 16
HEAD = b"HTTP/1.1 200 "
VARIANTS = ["off", "on", "one reader"]
ECHO = {"text": "a small answer, as most answers are", "number": 17, "list": [1, 2, 3]}


def configuration(upstream, variant):
    is_url = upstream.startswith("http")
    target = f'url = "{upstream}"' if is_url else f'command = "{upstream}"\nargs = ["both"]'
    table = "" if variant == "before" else f"[dashboard]\nenabled = {'false' if variant == 'off' else 'true'}\n"
    return f"""archive = "memory"
log_calls = false
{table}[listen]
address = "127.0.0.1:0"
[upstreams.up]
{target}
protocol = "stateless"
"""


def request_bytes(tool, tool_arguments):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": {"name": tool, "arguments": tool_arguments, "_meta": META}}).encode()
    head = ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
            f"Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\nContent-Length: {len(body)}\r\n\r\n")
    return head.encode() + body


def call_many(port, calls, tool="echo", tool_arguments=ECHO):
    """Sends so many calls over one connection, DEPTH at a time."""
    request = request_bytes(tool, tool_arguments)
    with socket.create_connection(("127.0.0.1", port)) as connection:
        sent = answered = 0
        buffer = b""
        while answered < calls:
            if sent - answered <= DEPTH // 2 and sent < calls:
                batch = min(DEPTH - (sent - answered), calls - sent)
                connection.sendall(request * batch)
                sent += batch
            piece = connection.recv(1 << 18)
            if not piece:
                raise AssertionError(f"the gateway closed the connection after {answered} answers")
            buffer += piece
            answered += buffer.count(HEAD)
            rest = buffer[buffer.rfind(HEAD) + len(HEAD):] if HEAD in buffer else buffer
            buffer = rest[1 - len(HEAD):]  # the next head may have begun


def cpu_seconds(process):
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


class Reader(threading.Thread):
    """One reader of the event stream."""

    def __init__(self, port, cookie):
        super().__init__(daemon=True)
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.connection.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
        self.bytes = 0

    def run(self):
        try:
            while piece := self.connection.recv(1 << 18):
                self.bytes += len(piece)
        except OSError:
            pass

    def stop(self):
        self.connection.shutdown(socket.SHUT_RDWR)
        self.join()


def log_in(gateway):
    deadline = time.monotonic() + 10
    while "?token=" not in gateway.said() and time.monotonic() < deadline:
        time.sleep(0.02)
    token = gateway.said().split("?token=")[-1].split()[0]
    with socket.create_connection(("127.0.0.1", gateway.port)) as connection:
        connection.sendall(f"GET /ui/?token={token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        answer = connection.recv(1 << 16).decode()
    return answer.split("Set-Cookie: ")[1].split(";")[0]


def measure(arguments, variant, calls):
    program = arguments.before if variant == "before" else arguments.enfold
    with Gateway(program, configuration(arguments.upstream, variant)) as gateway:
        reader = None
        if variant == "one reader":
            reader = Reader(gateway.port, log_in(gateway))
            reader.start()
        call_many(gateway.port, 500)  # warm
        began, cpu = time.monotonic(), cpu_seconds(gateway.process.pid)
        each = calls // CONNECTIONS
        threads = [threading.Thread(target=call_many, args=(gateway.port, each)) for _ in range(CONNECTIONS)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        took = time.monotonic() - began
        spent = cpu_seconds(gateway.process.pid) - cpu
        if reader:
            reader.stop()
        return {"cpu": spent / (each * CONNECTIONS) * 1e6, "rate": each * CONNECTIONS / took,
                "read": reader.bytes if reader else 0}


def instructions(arguments, variant, calls, folder):
    """Of the whole process, for so many calls."""
    program = arguments.before if variant == "before" else arguments.enfold
    wrapper, out = Path(folder) / "enfold", Path(folder) / "counts"
    wrapper.write_text("#!/bin/sh\nexec valgrind --tool=cachegrind --cache-sim=no --trace-children=no "
                       f"--cachegrind-out-file={out} {program} \"$@\"\n")
    wrapper.chmod(0o755)
    with Gateway(str(wrapper), configuration(arguments.upstream, variant)) as gateway:
        reader = None
        if variant == "one reader":
            reader = Reader(gateway.port, log_in(gateway))
            reader.start()
        call_many(gateway.port, calls, "greet", {"name": "Ada"})
        if reader:
            time.sleep(0.3)  # until the last rows are sent
            reader.stop()
    return int(out.read_text().split("summary:")[1].split()[0])


def count_instructions(arguments):
    few, many = arguments.calls // 10, arguments.calls
    print("| dashboard | instructions per call | against off |\n|---|---|---|")
    base = None
    for variant in ["off"] + [one for one in VARIANTS if one != "off"]:
        with tempfile.TemporaryDirectory() as folder:
            more = instructions(arguments, variant, many, folder) - instructions(arguments, variant, few, folder)
        each = more / (many - few)
        base = base or each
        print(f"| {variant} | {each:,.0f} | {100 * (each / base - 1):+.2f} % |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--enfold", required=True)
    parser.add_argument("--upstream", required=True)
    parser.add_argument("--calls", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--before")
    parser.add_argument("--instructions", action="store_true")
    arguments = parser.parse_args()
    if arguments.before:
        VARIANTS.insert(0, "before")
    if arguments.instructions:
        return count_instructions(arguments)
    results = {variant: [] for variant in VARIANTS}
    for number in range(arguments.rounds):
        for variant in VARIANTS[number % len(VARIANTS):] + VARIANTS[:number % len(VARIANTS)]:
            results[variant].append(measure(arguments, variant, arguments.calls))
        print(f"round {number + 1}: " + ", ".join(f"{v} {results[v][-1]['cpu']:.1f} µs" for v in VARIANTS),
              file=sys.stderr)
    print("| dashboard | CPU per call | against off | calls per second | bytes to the reader |\n|---|---|---|---|---|")
    for variant in VARIANTS:
        mine = results[variant]
        ratios = [one["cpu"] / off["cpu"] for one, off in zip(mine, results["off"])]
        print(f"| {variant} | {statistics.median(one['cpu'] for one in mine):.1f} µs "
              f"| {100 * (statistics.median(ratios) - 1):+.1f} % "
              f"| {statistics.median(one['rate'] for one in mine):,.0f} "
              f"| {statistics.median(one['read'] for one in mine):,.0f} |")


if __name__ == "__main__":
    main()
