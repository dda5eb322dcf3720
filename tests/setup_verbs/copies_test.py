#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The copies that `enfold import --wrap` keeps: --unwrap restores every byte, nothing that the user wrote is lost,
and a write that fails leaves everything as it was.

  copies_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import resource
import shutil
import stat
import struct
import subprocess

from sandbox import PROGRAM, run_tests

PLAIN = '{"mcpServers": {"a": {"command": "x"}}} // mine\n'
BY_HAND = ('{"mcpServers": {"a": {"command": "enfold", "args": ["wrap", "--budget", "4000", "--", "npx", "a"]},\n'
           '  "b": {"command": "y"}}}\n')


def state(box):
    return box.home / ".local/state/enfold"


def kept_texts(box):
    folder = state(box) / "clients"
    return {path.read_text() for path in folder.rglob("*") if path.is_file() and path.name != "enfold.json"}


def wrap(box):
    return box.run("import", "--wrap", "--yes", "--program", "enfold").stdout


def unwrap(box):
    return box.run("import", "--unwrap", "--yes").stdout


def test_what_the_user_wrapped_is_in_the_copy_and_stays(box):
    path = box.write(".cursor/mcp.json", BY_HAND)
    wrap(box)
    assert kept_texts(box) == {BY_HAND}, kept_texts(box)
    unwrap(box)
    assert path.read_text() == BY_HAND, path.read_text()
    again = unwrap(box)
    assert "nothing to do" in again and "edit it by hand" in again, again
    assert path.read_text() == BY_HAND, "the options of the user were removed"


def test_what_the_user_wrapped_stays_after_an_edit(box):
    path = box.write(".cursor/mcp.json", BY_HAND)
    wrap(box)
    path.write_text(path.read_text() + "// later\n")
    unwrap(box)
    assert path.read_text() == BY_HAND + "// later\n", path.read_text()


def test_a_second_wrap_keeps_the_first_copy(box):
    path = box.write(".cursor/mcp.json", PLAIN)
    wrap(box)
    # The client writes its file again, without comments, and the user adds a server.
    path.write_text(path.read_text().replace(" // mine", "").replace('"a": {', '"b": {"command": "y"}, "a": {'))
    rewritten = path.read_text()
    wrap(box)
    assert kept_texts(box) == {PLAIN, rewritten}, kept_texts(box)
    shown = unwrap(box)
    assert path.read_text() == '{"mcpServers": {"b": {"command": "y"}, "a": {"command": "x"}}}\n', path.read_text()
    assert kept_texts(box) == {PLAIN, rewritten} and "the copy from before is left: ~/.local/state" in shown, shown


def test_a_server_that_is_added_does_not_cost_the_original(box):
    path = box.write(".cursor/mcp.json", PLAIN)
    wrap(box)
    wrap(box)  # changes nothing
    unwrap(box)
    assert path.read_text() == PLAIN and kept_texts(box) == set()


def test_the_copy_stays_if_the_file_is_not_the_original_again(box):
    path = box.write(".cursor/mcp.json", PLAIN)
    wrap(box)
    path.write_text(path.read_text().replace(" // mine", ""))
    written = box.json("import", "--unwrap", "--yes")["files"][0]
    assert path.read_text() == PLAIN.replace(" // mine", "")
    with open(written["copy"]) as copy:
        assert copy.read() == PLAIN
    # A later round has its own copy.
    wrap(box)
    unwrap(box)
    assert path.read_text() == PLAIN.replace(" // mine", "") and kept_texts(box) == {PLAIN}, kept_texts(box)


def test_folders_are_private(box):
    box.write(".cursor/mcp.json", PLAIN)
    wrap(box)
    for folder in (state(box), state(box) / "clients", next((state(box) / "clients").iterdir())):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, (folder, oct(folder.stat().st_mode))


def test_access_control_lists_stay(box):
    path = box.write(".cursor/mcp.json", PLAIN)
    # user::rw-, user:1234:rw-, group::---, mask::rw-, other::---: the group bits of the mode are those of the mask.
    rows = [(1, 6, 0xFFFFFFFF), (2, 6, 1234), (4, 0, 0xFFFFFFFF), (16, 6, 0xFFFFFFFF), (32, 0, 0xFFFFFFFF)]
    packed = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *row) for row in rows)
    for name, value in (("system.posix_acl_access", packed), ("user.note", b"mine")):
        try:
            os.setxattr(path, name, value)
        except OSError:
            continue  # the file system of the test has none
        wrap(box)
        assert os.getxattr(path, name) == value, name
        unwrap(box)
        assert os.getxattr(path, name) == value, name


def wrap_within(box, limit):
    """--wrap, unable to write a file of more than `limit` bytes."""
    return subprocess.run([PROGRAM, "import", "--wrap", "--yes", "--program", "enfold"], capture_output=True, text=True,
                          cwd=box.project, env=box.environment(), timeout=60,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))


def servers_on_record(box):
    return [json.loads(path.read_text())["servers"] for path in state(box).rglob("enfold.json")]


def check_failing_writes(box, path):
    """One write after the other fails: of the copy, the record, the settings. Then none does."""
    before = path.read_text(), kept_texts(box), servers_on_record(box)
    failures = 0
    for limit in range(0, 8000, 100):
        done = wrap_within(box, limit)
        if done.returncode == 0:
            break
        failures += 1
        assert (path.read_text(), kept_texts(box), servers_on_record(box)) == before, (limit, done.stderr)
        assert "error: cannot" in done.stderr, done.stderr
    assert failures > 2 and "wrap" in path.read_text(), failures


def test_a_write_that_fails_changes_nothing(box):
    for size in (1, 3000):  # the record is longer than the settings, and shorter
        original = PLAIN + " " * size
        path = box.write(".cursor/mcp.json", original)
        check_failing_writes(box, path)
        # Once more, with a copy from before and a file that was edited since.
        path.write_text(path.read_text().replace('"a": {', '"b": {"command": "y"}, "a": {'))
        check_failing_writes(box, path)
        unwrap(box)
        assert path.read_text() == original.replace('"a": {', '"b": {"command": "y"}, "a": {'), path.read_text()
        shutil.rmtree(state(box))


run_tests(globals())
