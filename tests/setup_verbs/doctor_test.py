#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`enfold doctor`: each problem is found, comes with what to type, and nothing is changed.

  doctor_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import resource
import socket
import sqlite3
import subprocess

from sandbox import PROGRAM, ROOT, run_tests

SERVER = [str(ROOT / "tests/peers/node_modules/.bin/node"), str(ROOT / "tests/clients/probe_server.mjs")]


def settings(**servers):
    return json.dumps({"mcpServers": {name: {"command": words[0], "args": words[1:]} for name, words in servers.items()}})


def findings(report, check, level=None):
    for one in report["findings"]:
        assert one["level"] != "problem" or one["fix"], f"a problem without what to type: {one}"
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
    assert problem["fix"] == f"chmod 600 {archive}", problem
    report = box.json("doctor", "--archive", "redis://127.0.0.1:1", code=2)
    assert "redis" in findings(report, "archive", "problem")[0]["fix"], report


def make_archive(box, place):
    """An archive with one answer."""
    answer = box.write("work/answer.json", json.dumps([{"id": number, "text": "x" * 200} for number in range(400)]))
    box.run("fit", "--budget", "500", "--archive", str(place), str(answer))
    return place


def contents(folder):
    return {path: (path.read_bytes() if path.is_file() else b"", path.stat().st_mode, path.stat().st_mtime_ns)
            for path in folder.rglob("*")}


def test_an_archive_is_not_changed(box):
    for name in ("archive.db", "it's 100% #1?.db"):
        place = make_archive(box, box.home / ".local/state/enfold" / name)
        place.chmod(0o644)
        place.parent.chmod(0o755)
        before = contents(place.parent)
        report = box.json("doctor", "--no-start", "--archive", str(place), code=2)
        assert contents(place.parent) == before, "the archive was changed"
        fixes = [one["fix"] for one in findings(report, "archive", "problem")]
        assert len(fixes) == 2 and fixes[0].startswith("chmod 600 ") and fixes[1].startswith("chmod 700 "), report
        assert "opens" in findings(report, "archive", "ok")[0]["text"], report
        for fix in fixes:  # as it would be pasted
            subprocess.run(["sh", "-c", fix], check=True)
        assert box.json("doctor", "--no-start", "--archive", str(place))["problems"] == 0


def test_an_archive_in_use_is_read(box):
    place = make_archive(box, box.home / ".local/state/enfold/archive.db")
    with sqlite3.connect(place) as other:
        other.execute("SELECT count(*) FROM total").fetchone()
        before = sorted(place.parent.iterdir())
        report = box.json("doctor", "--no-start")
        assert report["problems"] == 0 and "opens" in findings(report, "archive", "ok")[0]["text"], report
        assert sorted(place.parent.iterdir()) == before
    other.close()
    place.write_bytes(place.read_bytes()[:4096] + b"\0" * 8192)
    assert findings(box.json("doctor", "--no-start", code=2), "archive", "problem")


def test_a_project_does_not_choose_what_is_opened(box):
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    box.write("work/enfold.toml", f'archive = "redis://127.0.0.1:{port}"\n[upstreams.a]\ncommand = "x"\n')
    report = box.json("doctor", "--no-start")
    note = findings(report, "config", "note")[0]
    assert "was not checked" in note["text"] and "--project" in note["fix"], note
    listener.setblocking(False)
    try:
        listener.accept()
        raise AssertionError("a file of the project chose a server to connect to")
    except BlockingIOError:
        pass
    listener.close()
    assert findings(box.json("doctor", "--no-start", "--project", code=2), "archive", "problem")


def test_advice_has_no_secrets_and_can_be_pasted(box):
    words = ["-c", "exit 3", "--api-key", "${env:MY_SECRET_TOKEN}", "--token", "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5", "it's",
             "--root", "${userHome}/a b"]
    box.write(".cursor/mcp.json", json.dumps({"mcpServers": {"a": {"command": "sh", "args": words, "env": {
        "API_KEY": "swordfish-0815-4711", "MODE": "fast mode", "KEY_2": "${env:MY_SECRET_TOKEN}"}}}}))
    done = box.run("doctor", code=2, MY_SECRET_TOKEN="s3cr3t-value-77")
    report = box.json("doctor", code=2, MY_SECRET_TOKEN="s3cr3t-value-77")
    for text in (done.stdout, json.dumps(report)):
        for secret in ("s3cr3t", "ghp_", "swordfish"):
            assert secret not in text, text
    fix = findings(report, "servers", "problem")[0]["fix"]
    command, _, note = fix.partition(" (… ")
    assert note == "replaces values that may be secret)", fix
    # Typed into a shell, each word is as the client fills it in.
    tools = "enfold() { while [ \"$1\" != -- ]; do shift; done; shift; printf '%s\\n' \"$@\"; }; "
    typed = subprocess.run(["sh", "-c", tools + command], capture_output=True, text=True,
                           env=box.environment(MY_SECRET_TOKEN="s3cr3t-value-77"))
    assert typed.stdout.splitlines() == [
        "env", "API_KEY=…", "MODE=fast mode", "KEY_2=s3cr3t-value-77", "sh", "-c", "exit 3", "--api-key", "s3cr3t-value-77",
        "--token", "…", "it's", "--root", f"{box.home}/a b"], typed


def test_a_wrapped_server_whose_enfold_is_gone_is_named(box):
    box.write(".cursor/mcp.json", settings(gone=["/no/such/enfold", "wrap", "--", "x"],
                                           by_npm=[str(box.write(".npm/_npx/1/node_modules/e/bin/enfold", "", mode=0o755)),
                                                   "wrap", "--", "x"], plain=["/no/such/x"],
                                           kept=[str(box.write("tools/node_modules/.bin/enfold", "", mode=0o755)),
                                                 "wrap", "--", "x"],
                                           variable=["${userHome}/no/enfold", "wrap", "--", "x"]))
    report = box.json("doctor", "--no-start", code=2)
    problem = findings(report, "clients", "problem")
    assert [one["text"] for one in problem] == ["gone (Cursor): there is no program /no/such/enfold"], report
    by_npm = [one["text"] for one in findings(report, "clients", "note") if "npm may remove" in one["text"]]
    assert len(by_npm) == 1 and by_npm[0].startswith("by_npm "), report
    assert "enfold import --unwrap cursor" in problem[0]["fix"], problem


def test_files_that_are_not_understood_are_named(box):
    box.write(".gemini/settings.json", '{"mcpServers": {')
    problem = findings(box.json("doctor", code=2), "clients", "problem")[0]
    assert ".gemini/settings.json, line 1" in problem["text"] and problem["fix"].startswith("edit "), problem
    box.write(".gemini/settings.json", '{"mcpServers": {}} x')
    problem = findings(box.json("doctor", code=2), "clients", "problem")[0]
    assert problem["fix"].startswith("edit ") and ".gemini/settings.json, line 1" in problem["fix"], problem


def test_the_configuration_is_checked(box):
    box.write("work/enfold.toml", '[upstreams.a]\ncommand = "/no/such/program"\n')
    report = box.json("doctor", "--config", "enfold.toml", code=2)
    assert findings(report, "config", "ok") and "a (enfold.toml)" in findings(report, "servers", "problem")[0]["text"], report
    box.write("work/enfold.toml", 'budgt = 1\n[upstreams.a]\ncommand = "x"\n')
    problem = findings(box.json("doctor", "--no-start", code=2), "config", "problem")[0]
    assert problem["fix"] == "did you mean budget?", problem
    box.write("work/enfold.toml", 'archive = "redis://127.0.0.1:1"\n[upstreams.a]\ncommand = "x"\n')
    named = box.json("doctor", "--no-start", "--config", "enfold.toml", code=2)
    assert findings(named, "archive", "problem"), named


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
