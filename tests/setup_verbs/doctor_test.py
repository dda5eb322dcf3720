#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`enfold doctor`: each problem is found, comes with what to type, and nothing is changed.

  doctor_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import resource
import subprocess

from sandbox import PROGRAM, ROOT, run_tests

SERVER = [str(ROOT / "tests/peers/node_modules/.bin/node"), str(ROOT / "tests/clients/probe_server.mjs")]


def settings(**servers):
    return json.dumps({"mcpServers": {name: {"command": words[0], "args": words[1:]} for name, words in servers.items()}})


def findings(report, check, level=None):
    return [one for one in report["findings"] if one["check"] == check and level in (None, one["level"])]


def test_a_machine_without_problems_has_none(box):
    box.write(".cursor/mcp.json", settings(good=SERVER))
    box.run("import", "--wrap", "--yes")
    before = sorted(box.home.rglob("*"))
    report = box.json("doctor")
    assert report["problems"] == 0, report
    assert {one["check"] for one in report["findings"]} == {"program", "archive", "limits", "kernel", "clients", "servers"}
    assert findings(report, "clients", "ok")[0]["text"] == "Cursor (~/.cursor/mcp.json): 1 of 1 server wrapped", report
    assert "probe 1" in findings(report, "servers", "ok")[0]["text"], report
    text = box.run("doctor").stdout
    assert "no problems" in text and "close_range, no_new_privs, pidfd_open" in text, text
    created = [path for path in sorted(box.home.rglob("*")) if path not in before]
    # The wrapped server opens its archive, as under its client.
    assert all("state/enfold" in str(path) for path in created), created


def test_nothing_is_started_or_created_with_no_start(box):
    box.write(".cursor/mcp.json", settings(bad=["/no/such/program"]))
    before = sorted(box.home.rglob("*"))
    report = box.json("doctor", "--no-start")
    assert report["problems"] == 0 and not findings(report, "servers"), report
    note = findings(report, "clients", "note")[0]
    assert note["fix"] == "enfold import --wrap cursor", note
    assert sorted(box.home.rglob("*")) == before


def test_servers_that_do_not_start_are_named_with_the_reason(box):
    box.write(".cursor/mcp.json", settings(missing=["/no/such/program"], ends=["sh", "-c", "echo broken >&2; exit 3"],
                                           silent=["sleep", "60"], good=SERVER))
    report = box.json("doctor", "--timeout", "2", code=2)
    problems = {one["text"].split(" ")[0]: one for one in findings(report, "servers", "problem")}
    assert set(problems) == {"missing", "ends", "silent"} and report["problems"] == 3, report
    assert "cannot start the program: No such file or directory" in problems["missing"]["text"], problems
    assert problems["missing"]["fix"] == "install /no/such/program, or correct its command in ~/.cursor/mcp.json", problems
    assert "ended with exit code 3; it said last: broken" in problems["ends"]["text"], problems
    assert problems["ends"]["fix"] == f"cd {box.project} && enfold tools --server-log -- sh -c 'echo broken >&2; exit 3'"
    assert problems["silent"]["fix"].startswith("enfold doctor --timeout 120, or cd "), problems
    assert len(findings(report, "servers", "ok")) == 1, report


def test_a_server_that_needs_a_prompt_is_not_started(box):
    box.write("work/.vscode/mcp.json", '{"servers": {"a": {"command": "x", "args": ["${input:key}"]}}}')
    report = box.json("doctor", "--project")
    assert "the client prompts for key" in findings(report, "servers", "note")[0]["text"], report


def test_a_project_starts_nothing_unless_it_is_trusted(box):
    mark = box.home / "started"
    box.write("work/.mcp.json", settings(bad=["touch", str(mark)]))
    box.write("work/enfold.toml", f'[upstreams.a]\ncommand = "touch"\nargs = ["{mark}"]\n')
    report = box.json("doctor")
    assert not mark.exists(), "a file of the project started a program"
    note = findings(report, "servers", "note")[0]
    assert note["text"] == "2 servers of the project not started" and "--project" in note["fix"], note
    box.json("doctor", "--project", code=2)
    assert mark.exists()


def test_problems_of_the_archive_are_named(box):
    text = "this is no database\n"
    archive = box.write(".local/state/enfold/archive.db", text)
    report = box.json("doctor", code=2)
    assert "is no archive" in findings(report, "archive", "problem")[0]["text"], report
    assert archive.read_text() == text, "the file was changed"
    archive.write_bytes(b"")
    archive.chmod(0o644)
    report = box.json("doctor", code=2)
    problem = findings(report, "archive", "problem")[0]
    assert problem["fix"] == f"chmod 600 '{archive}'", problem
    report = box.json("doctor", "--archive", "redis://127.0.0.1:1", code=2)
    assert "redis" in findings(report, "archive", "problem")[0]["fix"], report


def test_files_that_are_not_understood_are_named(box):
    box.write(".gemini/settings.json", '{"mcpServers": {')
    problem = findings(box.json("doctor", code=2), "clients", "problem")[0]
    assert ".gemini/settings.json, line 1" in problem["text"] and problem["fix"], problem


def test_the_configuration_is_checked(box):
    box.write("work/enfold.toml", '[upstreams.a]\ncommand = "/no/such/program"\n')
    report = box.json("doctor", "--config", "enfold.toml", code=2)
    assert findings(report, "config", "ok") and "a (enfold.toml)" in findings(report, "servers", "problem")[0]["text"], report
    box.write("work/enfold.toml", 'budgt = 1\n[upstreams.a]\ncommand = "x"\n')
    problem = findings(box.json("doctor", "--no-start", code=2), "config", "problem")[0]
    assert problem["fix"] == "did you mean budget?", problem
    box.write("work/enfold.toml", 'archive = "redis://127.0.0.1:1"\n[upstreams.a]\ncommand = "x"\n')
    assert findings(box.json("doctor", "--no-start", code=2), "archive", "problem")


def test_few_descriptors_are_a_problem(box):
    def lower():
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 4096))

    done = subprocess.run([PROGRAM, "doctor", "--json", "--no-start"], capture_output=True, text=True, cwd=box.project,
                          env=box.environment(), preexec_fn=lower, timeout=60)
    assert done.returncode == 2, done
    assert findings(json.loads(done.stdout), "limits", "problem")[0]["fix"] == "ulimit -n 1024", done.stdout


def test_another_enfold_in_the_path_is_noted(box):
    other = box.write("bin/enfold", "#!/bin/sh\n", mode=0o755)
    report = box.json("doctor", "--no-start", PATH=f"{other.parent}:{os.environ['PATH']}")
    assert str(other) in findings(report, "program", "note")[0]["text"], report


run_tests(globals())
