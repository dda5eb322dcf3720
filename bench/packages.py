#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sizes of the packages in build/package, and how long their programs take to start, as tables in Markdown.

  bench/packages.py [--rounds N]      rounds in turns (default 41); needs `make package`, a dev build and tests/peers
"""

import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build/package"
VERSION = (ROOT / "VERSION").read_text().strip()
NODE = ROOT / "tests/peers/node_modules/.bin/node"
UPSTREAM = [str(ROOT / "build/dev/bin/gateway_test_upstream"), "sessions"]
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}}


def unpack(work):
    """The programs as they are installed: name → command."""
    subprocess.run(["dpkg-deb", "-x", OUT / f"enfold_{VERSION}_amd64.deb", work / "deb"], check=True)
    for name, package in (("enfold", "enfold"), ("enfold-linux-x64", "enfold-linux-x64")):
        with tarfile.open(OUT / f"npm/{package}-{VERSION}.tgz") as archive:
            archive.extractall(work / "node_modules" / name, filter="data")
        inner = work / "node_modules" / name / "package"
        for part in inner.iterdir():
            part.rename(inner.parent / part.name)
    launcher = work / "node_modules/enfold/bin/enfold.js"
    return {"Debian": [work / "deb/usr/bin/enfold"],
            "npm, the program": [work / "node_modules/enfold-linux-x64/bin/enfold"],
            "npm, by its launcher": [NODE, launcher]}


def run_version(command):
    start = time.perf_counter()
    subprocess.run([*command, "--version"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def answer_initialize(command):
    """From the start of the process to the answer of `initialize`."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             env={**os.environ, "XDG_STATE_HOME": str(WORK)})
    child.stdin.write((json.dumps(HELLO) + "\n").encode())
    child.stdin.flush()
    line = child.stdout.readline()
    seconds = time.perf_counter() - start
    assert b"serverInfo" in line, line
    child.stdin.close()
    child.wait(timeout=30)
    return seconds


def in_turns(rounds, jobs):
    """Name → median in ms; one round of each at a time, so that all have the same neighbours."""
    times = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            times[name].append(job() * 1000)
    return {name: (statistics.median(all_of_them), min(all_of_them)) for name, all_of_them in times.items()}


def rows(title, values):
    print(f"\n| {title} |\n|---|---:|---:|")
    for name, (median, least) in values.items():
        print(f"| {name} | {median:.1f} | {least:.1f} |")


def sizes(programs):
    print("| file | bytes |\n|---|---:|")
    for path in sorted([*OUT.glob("*.deb"), *OUT.glob("*.tar.gz"), *OUT.glob("npm/*.tgz")]):
        print(f"| `{path.relative_to(OUT)}` | {path.stat().st_size:,} |")
    index = json.loads((OUT / "oci/index.json").read_text())
    for entry in index["manifests"]:
        manifest = json.loads((OUT / "oci/blobs/sha256" / entry["digest"].split(":")[1]).read_text())
        size = sum(layer["size"] for layer in manifest["layers"])
        print(f"| `oci`, image `{entry['annotations']['org.opencontainers.image.ref.name']}`, its layer | {size:,} |")
    for name in ("Debian", "npm, the program"):
        print(f"| program in {name.split(',')[0]}'s package, unpacked | {programs[name][0].stat().st_size:,} |")


def main():
    rounds = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else 41
    programs = unpack(WORK)
    sizes(programs)
    rows("`enfold --version` | median, ms | least, ms",
         in_turns(rounds, {name: lambda command=command: run_version(command) for name, command in programs.items()}))
    jobs = {"the server alone": lambda: answer_initialize(UPSTREAM)}
    jobs |= {f"behind `wrap`, {name}": lambda command=command: answer_initialize([*command, "wrap", "--", *UPSTREAM])
             for name, command in programs.items()}
    rows("start to the answer of `initialize` | median, ms | least, ms", in_turns(rounds, jobs))
    print(f"\nThe load average at the end was {os.getloadavg()[0]:.1f}.")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        WORK = Path(folder)
        main()
