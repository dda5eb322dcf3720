# SPDX-License-Identifier: Apache-2.0
"""What a program asks of the system that runs it: libraries, and the newest version of glibc."""

import re

from common import fail, run

# The C library in its parts. Nothing else may be needed by the portable program.
C_LIBRARY = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def needed(program):
    return re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", program))


def newest_glibc(program):
    """The newest version, with the functions that need it."""
    versions = {}
    for line in run("objdump", "-T", program).splitlines():
        found = re.search(r"\(?GLIBC_([\d.]+)\)?\s+(\S+)$", line)
        if found:
            versions.setdefault(tuple(map(int, found.group(1).split("."))), []).append(found.group(2))
    newest = max(versions)
    return ".".join(map(str, newest)), sorted(versions[newest])


def check_portable(program, glibc):
    others = set(needed(program)) - C_LIBRARY
    if others:
        fail(f"{program}: expected the C library only, found {', '.join(sorted(others))}")
    newest, names = newest_glibc(program)
    if tuple(map(int, newest.split("."))) > tuple(map(int, glibc.split("."))):
        fail(f"{program}: expected symbols of glibc up to {glibc}, found {newest}: {', '.join(names)}")
    return newest
