#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The maintainer scripts of the Debian package, run in a folder in place of the root: purge removes the archive and the
links of `systemctl enable`, also where systemd never started the service.

  scripts.py SOURCE_FOLDER WORK_FOLDER
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

root, work = (Path(word).resolve() for word in sys.argv[1:3])
debian = root / "packaging/debian"
HELPER = Path("/usr/bin/deb-systemd-helper")
UNIT = "lib/systemd/system/enfold.service"
LINK = "etc/systemd/system/multi-user.target.wants/enfold.service"
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


def script(name, argument):
    """Runs a script with its folders below `work`."""
    text = re.sub(r"(?<![\w/])/(var|run)/", rf"{work}/\1/", (debian / name).read_text())
    done = subprocess.run(["sh", "-c", text, name, argument], capture_output=True, text=True,
                          env={**os.environ, "DPKG_ROOT": str(work), "DPKG_MAINTSCRIPT_PACKAGE": "enfold"})
    expect(done.returncode == 0, f"{name} {argument}: exit {done.returncode}: {done.stderr}")


def install():
    shutil.rmtree(work, ignore_errors=True)
    for folder in ("var/lib", "var/cache"):
        (work / folder).mkdir(parents=True)
    (work / UNIT).parent.mkdir(parents=True)
    shutil.copy(debian / "enfold.service", work / UNIT)
    script("postinst", "configure")


def left():
    return sorted(str(path.relative_to(work)) for path in (work / "var").glob("*/**/enfold*"))


for by_systemd in (True, False):
    install()
    for base in ("var/lib", "var/cache"):
        place = work / base / "private/enfold" if by_systemd else work / base / "enfold"
        place.mkdir(parents=True)
        (place / "archive.db").write_text("x")
        if by_systemd:
            (work / base / "enfold").symlink_to("private/enfold")
    (work / LINK).parent.mkdir(parents=True)
    (work / LINK).symlink_to(f"/{UNIT}")  # systemctl enable
    for name in ("prerm", "postrm"):
        script(name, "remove")
    expect((work / "var/lib/enfold/archive.db").exists(), "remove: the archive is gone")
    (work / UNIT).unlink()
    script("postrm", "purge")
    script("postrm", "purge")  # dpkg may repeat it
    kept = [path for path in left() if "systemd" not in path]
    expect(not kept, f"purge, by_systemd={by_systemd}: left {kept}")
    expect(not HELPER.exists() or not (work / LINK).is_symlink(), "purge: the link of systemctl enable is left")

for problem in problems:
    print(f"error: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
