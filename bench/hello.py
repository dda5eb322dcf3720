#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Size and start of a server of one tool: the example hello, and the same with the TypeScript SDK.

  bench/hello.py [--preset NAME] [--rounds N] [--record FOLDER]

The program is enfold-example-hello of this preset; release, the default, compiles with -O2. A run starts the server, sends initialize and one
call over stdio, and ends at its answer. The servers take turns; ratios are medians of the ratios inside a round,
and processor time is what the kernel counted for the process, so that other load disturbs little.
"""

import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE = ROOT / "tests/peers/node_modules/.bin/node"
SCRIPT = ROOT / "bench/node_hello.mjs"
REQUESTS = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize",
     "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "greet", "arguments": {"name": "Ada"}}},
]


def run(command):
    """Milliseconds to the answer of initialize and of the call, resident MB then, processor ms of the whole run."""
    began = time.perf_counter()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    times = []
    for request in REQUESTS:
        child.stdin.write(json.dumps(request).encode() + b"\n")
        child.stdin.flush()
        if "id" not in request:
            continue
        answer = json.loads(child.stdout.readline())
        if answer["id"] != request["id"] or "result" not in answer:
            sys.exit(f"error: {command[0]} answered {answer}")
        times.append((time.perf_counter() - began) * 1000)
    if "Hello, Ada!" not in json.dumps(answer):
        sys.exit(f"error: {command[0]} answered {answer}")
    status = Path(f"/proc/{child.pid}/status").read_text()
    resident = int(status.split("VmRSS:")[1].split()[0]) / 1024
    child.stdin.close()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    child.stdout.close()
    return times[0], times[1], resident, (usage.ru_utime + usage.ru_stime) * 1000


def stripped_bytes(program):
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "program"
        subprocess.run(["strip", "-o", copy, program], check=True)
        return copy.stat().st_size


def libraries(program):
    text = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    found = [line.split("=>") for line in text.splitlines() if "=>" in line]
    return {name.strip(): Path(path.split("(")[0].strip()).resolve().stat().st_size for name, path in found}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--preset", default="release")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--record", type=Path)
    arguments = parser.parse_args()
    hello = ROOT / "build" / arguments.preset / "bin/enfold-example-hello"
    servers = {"Enfold": [str(hello)]}
    if NODE.exists():
        servers["TypeScript SDK 1, on Node"] = [str(NODE), str(SCRIPT), "1"]
        servers["TypeScript SDK 2, on Node"] = [str(NODE), str(SCRIPT), "2"]
    runs = {name: [] for name in servers}
    for _ in range(arguments.rounds):
        for name, command in servers.items():
            runs[name].append(run(command))
    middle = lambda name, what: statistics.median(one[what] for one in runs[name])
    lines = ["# Size and start of a server", "",
             f"These values were measured on {datetime.date.today()} with `bench/hello.py --preset {arguments.preset}`, in"
             f" {arguments.rounds} rounds. In each round every server runs once. The server has one tool and uses stdio. It"
             " starts, answers `initialize` and answers one call.", "",
             "| server | first answer, ms | call answered, ms | CPU ms of the run | resident MB |",
             "|---|---:|---:|---:|---:|"]
    for name in servers:
        lines.append(f"| {name} | {middle(name, 0):.1f} | {middle(name, 1):.1f} | {middle(name, 3):.1f} | {middle(name, 2):.1f} |")
    lines += ["", "The next table has ratios to Enfold. Each ratio is the median of the ratios of the rounds:", "",
              "| compared with Enfold | time until the call is answered | CPU time | memory |", "|---|---:|---:|---:|"]
    for name in list(servers)[1:]:
        ratio = lambda what: statistics.median(theirs[what] / max(ours[what], 1e-6)
                                               for theirs, ours in zip(runs[name], runs["Enfold"]))
        lines.append(f"| {name} | {ratio(1):.0f}× | {ratio(3):.0f}× | {ratio(2):.1f}× |")
    load = os.getloadavg()[0]
    lines += ["", f"The load average at the end was {load:.1f}. If it is above 0.5, other programs used the processors too. In"
              " that case, compare the ratios and not the times.", "", "## Size", ""]
    needed = libraries(hello)
    lines += ["| part | bytes |", "|---|---:|", f"| `enfold-example-hello`, stripped | {stripped_bytes(hello):,} |"]
    lines += [f"| `{name}` | {size:,} |" for name, size in needed.items()]
    if NODE.exists():
        lines.append(f"| for comparison: the program `node` | {NODE.resolve().stat().st_size:,} |")
    lines += ["", "The program contains no SQLite, no hiredis and no token tables. A test checks this. The token tables"
              " alone have 3,162,783 bytes. The Go and Rust SDKs were not measured, because their modules were not available"
              " on this machine.", ""]
    text = "\n".join(lines)
    print(text)
    if arguments.record:
        (arguments.record / "hello.md").write_text(text)


if __name__ == "__main__":
    main()
