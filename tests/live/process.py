# SPDX-License-Identifier: Apache-2.0
"""What the kernel says about a process and its children."""

import os
from pathlib import Path


def resident(process):
    """Megabytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def descriptors(process):
    return len(os.listdir(f"/proc/{process}/fd"))


def children(root):
    """The processes that a process has started, and those that they have."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    found, added = set(), {root}
    while added:
        added = {child for child, parent in parents.items() if parent in added} - found
        found |= added
    return found


def is_instrumented(program):
    """By a sanitizer, which keeps memory of its own."""
    content = Path(program).read_bytes()
    return b"__asan_init" in content or b"__tsan_init" in content
