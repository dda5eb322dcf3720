#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The npm package, laid out as npm installs it, with the program of this build: what it passes on, and what it says
where it cannot.

  launcher.py SOURCE_FOLDER WORK_FOLDER PROGRAM NODE
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

root, work, program = (Path(word).resolve() for word in sys.argv[1:4])
node = Path(sys.argv[4]).absolute()  # a link whose name matters
sys.path.insert(0, str(root / "packaging/steps"))
import npm  # noqa: E402

problems = []
modules = work / "node_modules"
launcher = modules / "enfold/bin/enfold.js"
ARCH = "arm64" if os.uname().machine == "aarch64" else "x64"


def expect(what, found, wanted):
    if found != wanted:
        problems.append(f"{what}: expected {wanted!r}, found {found!r}")


def install(target):
    """A node_modules folder with the launcher and, as the program of this platform, `target`."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(root / "packaging/npm", modules / "enfold")
    (modules / "enfold/package.json").write_text(npm.dump(npm.main_package()))
    own = modules / f"enfold-linux-{ARCH}"
    (own / "bin").mkdir(parents=True)
    (own / "package.json").write_text(npm.dump(npm.platform_package(ARCH)))
    (own / "bin/enfold").symlink_to(target)
    return own


def start(*args, **environment):
    return subprocess.Popen([node, launcher, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})


def run(*args, given="", **environment):
    child = start(*args, **environment)
    out, err = child.communicate(given, timeout=60)
    return child.returncode, out, err


# As a child, as older versions of Node do it, and in place of the launcher.
WAYS = [{"ENFOLD_NO_EXEC": "1"}, {}]

own = install(program)
version = (root / "VERSION").read_text().strip()
for way in WAYS:
    code, out, err = run("--version", **way)
    expect(f"{way}: version", (code, version in out, err), (0, True, ""))
    expect(f"{way}: exit code of bad usage", run("no-such-verb", **way)[0], 5)
    code, out, _ = run("tokens", given="one two three\n", **way)
    expect(f"{way}: standard input", (code, "tokens" in out), (0, True))

shell = install(Path("/bin/sh"))
for way in WAYS:
    expect(f"{way}: exit code", run("-c", "exit 42", **way)[0], 42)
    expect(f"{way}: arguments", run("-c", 'printf "%s|" "$@"', "sh", "a b", "", "$c", **way)[1], "a b||$c|")
    expect(f"{way}: killed by a signal", run("-c", "kill -TERM $$", **way)[0], -signal.SIGTERM)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # The shell says when its trap is set, then waits for a program, which a trap interrupts.
        child = start("-c", f"trap 'echo got; kill $other; exit 7' {number.name[3:]}; sleep 60 >/dev/null 2>&1 & other=$!;"
                      " echo ready; wait $other; exit 8", **way)
        expect(f"{way}: start", child.stdout.readline(), "ready\n")
        child.send_signal(number)
        out, _ = child.communicate("", timeout=60)
        expect(f"{way}: {number.name} is passed on", (child.returncode, out), (7, "got\n"))

shutil.rmtree(shell)
code, _, err = run("--version")
expect("without its program", (code, f"enfold-linux-{ARCH} is not installed" in err, "--omit=optional" in err),
       (3, True, True))
script = launcher.read_text()
launcher.write_text(script.replace("process.platform", '"darwin"'))
code, _, err = run("--version")
expect("on another system", (code, "no program for darwin" in err, "linux-x64 or linux-arm64" in err, "hint:" in err),
       (3, True, True, True))

packages = [npm.main_package(), *(npm.platform_package(arch) for arch in ("x64", "arm64"))]
for package in packages:
    expect(f"{package['name']}: install scripts", package.get("scripts"), None)
    expect(f"{package['name']}: version", package["version"], version)
expect("optional packages", set(packages[0]["optionalDependencies"]), {one["name"] for one in packages[1:]})
for one in packages[1:]:
    expect(f"{one['name']}: platform", (one["os"], one["cpu"], one["libc"]),
           (["linux"], [one["name"].rsplit("-", 1)[1]], ["glibc"]))
server = json.loads((root / "packaging/server.json").read_text())
expect("mcpName", packages[0]["mcpName"], server["name"])
expect("version of server.json", {server["version"], *(one["version"] for one in server["packages"])}, {version})

for problem in problems:
    print(f"error: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
