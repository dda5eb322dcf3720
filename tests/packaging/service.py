#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The systemd unit and the configuration of the Debian package: systemd reads every line of the unit, its exposure
stays low, and the program accepts the configuration as it is packed, with each of its examples uncommented.

  service.py SOURCE_FOLDER WORK_FOLDER PROGRAM
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

root, work, program = map(Path, sys.argv[1:4])
problems = []
debian = root / "packaging/debian"
MOST_EXPOSED = 2.0

shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
unit = (debian / "enfold.service").read_text()
if not re.search(r"^ExecStart=/usr/bin/enfold serve --config /etc/enfold/enfold.toml$", unit, re.M):
    problems.append("enfold.service: expected ExecStart with the program and configuration of the package")
never = re.search(r"^RestartPreventExitStatus=(.*)$", unit, re.M)
if never is None or set(never.group(1).split()) != {"3", "4", "5"}:
    problems.append("enfold.service: expected no restart after the exit codes of input and usage that stay wrong")
if shutil.which("systemd-analyze"):
    (work / "enfold.service").write_text(unit.replace("/usr/bin/enfold ", f"{program} "))
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", work / "enfold.service"],
                              capture_output=True, text=True)
    own = [line for line in verified.stderr.splitlines() if "enfold.service" in line]
    if own:
        problems.append("systemd-analyze verify: " + "; ".join(own))
    analysed = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", work / "enfold.service"],
                              capture_output=True, text=True).stdout
    level = re.search(r"exposure level for \S+: ([\d.]+)", analysed)
    if level is None or float(level.group(1)) > MOST_EXPOSED:
        problems.append(f"systemd-analyze security: expected at most {MOST_EXPOSED}, found "
                        f"{level.group(1) if level else analysed[-500:]}")

packed = (debian / "enfold.toml").read_text()
key = work / "key"
key.write_text("an upstream's key")
files = [(r"/run/credentials/\S+?(?=\")", str(key)), (r"/var/lib/enfold", str(work))]
uncommented = re.sub(r"^#(?=[a-z\[])", "", packed, flags=re.M)
by_socket = re.sub(r'^address = "127.*\n', "", uncommented, flags=re.M)
by_port = re.sub(r'^(address = "unix.*|socket_mode.*)\n', "", uncommented, flags=re.M)
for name, text in (("socket", by_socket), ("port", by_port)):
    for pattern, place in files:
        text = re.sub(pattern, place, text)
    config = work / f"{name}.toml"
    config.write_text(text)
    done = subprocess.run([program, "serve", "--config", config, "--check"], capture_output=True, text=True)
    if done.returncode != 0:
        problems.append(f"enfold.toml, {name}: {done.stderr}")
as_packed = subprocess.run([program, "serve", "--config", debian / "enfold.toml"], capture_output=True, timeout=60)
if as_packed.returncode != 4:
    problems.append("enfold.toml: as packed it is complete, which its comment denies, or ends with a code that restarts: "
                    f"{as_packed.returncode}")

for problem in problems:
    print(f"error: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
