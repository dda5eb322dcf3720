#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`enfold import`, with the files of nine clients (tests/golden/clients) where those clients keep them.

  import_test.py PROGRAM SOURCE_FOLDER

The files of Claude Code, Gemini CLI and OpenCode were written by these clients, the others as their
documentation shows them. The wrapped files are golden: ENFOLD_UPDATE_GOLDEN=1 rewrites them.
"""

import json
import os
import pty
import shutil
import stat
import subprocess

from sandbox import PROGRAM, ROOT, run_tests

GOLDEN = ROOT / "tests/golden/clients"
# Golden file: the place of the file below the home folder.
PLACES = {
    "claude_code.json": ".claude.json",
    "claude_code_project.json": "work/.mcp.json",
    "claude_desktop.json": ".config/Claude/claude_desktop_config.json",
    "cursor.json": ".cursor/mcp.json",
    "vscode.json": "work/.vscode/mcp.json",
    "vscode_settings.json": ".config/Code/User/settings.json",
    "windsurf.json": ".codeium/windsurf/mcp_config.json",
    "gemini.json": ".gemini/settings.json",
    "gemini_project.json": "work/.gemini/settings.json",
    "opencode.jsonc": ".config/opencode/opencode.jsonc",
    "opencode_documented.jsonc": "work/opencode.jsonc",
    "opencode_2.jsonc": "work/.opencode/opencode.jsonc",
    "codex.toml": ".codex/config.toml",
    "zed.json": ".config/zed/settings.json",
    "windows_lines.json": "work/.cursor/mcp.json",
    "windows_lines.toml": "work/.codex/config.toml",
}


def install_all(box):
    return {name: box.write(place, (GOLDEN / name).read_bytes()) for name, place in PLACES.items()}


def test_every_client_is_found_and_listed(box):
    install_all(box)
    found = box.json("import", "--list")
    assert sorted(one["file"] for one in found) == sorted(str(box.home / place) for place in PLACES.values()), found
    assert {one["client"] for one in found} == {"claude-code", "claude-desktop", "cursor", "vscode", "windsurf", "gemini",
                                                "opencode", "codex", "zed"}
    assert all(one["stdio"] > 0 and one["wrapped"] == 0 for one in found), found


def test_a_fifo_is_refused_and_not_waited_for(box):
    fifo = box.home / "settings.json"
    os.mkfifo(fifo)
    for options in ([], ["--list"], ["--wrap", "--yes"]):
        done = subprocess.run([PROGRAM, "import", *options, str(fifo)], capture_output=True, text=True, timeout=20,
                              stdin=subprocess.DEVNULL, check=False)
        assert done.returncode == 4, done
        assert "expected a regular file" in done.stderr + done.stdout, done


def test_wrapped_files_are_golden_and_unwrapping_restores_every_byte(box):
    files = install_all(box)
    box.run("import", "--wrap", "--yes", "--program", "enfold")
    for name, path in files.items():
        want = GOLDEN / "wrapped" / name
        if os.environ.get("ENFOLD_UPDATE_GOLDEN"):
            want.parent.mkdir(exist_ok=True)
            want.write_bytes(path.read_bytes())
        assert path.read_bytes() == want.read_bytes(), f"{name}: not as {want}"
    again = box.run("import", "--wrap", "--yes", "--program", "enfold")
    assert "nothing to do" in again.stdout and "wrote" not in again.stdout, again.stdout
    box.run("import", "--unwrap", "--yes")
    for name, path in files.items():
        assert path.read_bytes() == (GOLDEN / name).read_bytes(), name
    assert list((box.home / ".local/state/enfold/clients").iterdir()) == [], "copies are left"


def test_an_edit_in_between_stays(box):
    for name, path in install_all(box).items():
        box.run("import", "--wrap", "--yes", str(path))
        end = b"\nlater = 1\n" if path.suffix == ".toml" else b"\n" if name.startswith("claude") else b"\n// later\n"
        path.write_bytes(path.read_bytes() + end)
        box.run("import", "--unwrap", "--yes", str(path))
        assert path.read_bytes() == (GOLDEN / name).read_bytes() + end, name


def test_a_server_that_was_added_in_between_stays(box):
    path = box.write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    box.run("import", "--wrap", "--yes")
    path.write_text(path.read_text().replace('{"mcpServers": {', '{"mcpServers": {"b": {"command": "y"}, '))
    box.run("import", "--wrap", "--yes")
    assert path.read_text().count("wrap") == 2, path.read_text()
    box.run("import", "--unwrap", "--yes")
    assert path.read_text() == '{"mcpServers": {"b": {"command": "y"}, "a": {"command": "x"}}}', path.read_text()


def test_one_client_of_several_is_wrapped(box):
    files = install_all(box)
    box.run("import", "--wrap", "cursor", "--yes")
    changed = {name for name, path in files.items() if path.read_bytes() != (GOLDEN / name).read_bytes()}
    assert changed == {"cursor.json", "windows_lines.json"}, changed


def test_a_dry_run_shows_the_difference_and_writes_nothing(box):
    path = box.write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "hush-hush-77812"}}}}\n')
    other = box.write("opt/enfold", "#!/bin/sh\n", mode=0o755)
    shown = box.run("import", "--wrap", "--dry-run", "--program", str(other)).stdout
    assert f'+{{"mcpServers": {{"a": {{"command": "{other}", "args": ["wrap", "--", "x"]' in shown, shown
    assert "hush-hush" not in shown, "a secret is shown"
    assert "wrap" not in path.read_text()
    answer = box.json("import", "--wrap", "--dry-run")
    assert answer["files"][0]["servers"] == [{"name": "a", "state": "wrapped"}], answer
    assert answer["files"][0]["written"] is False and answer["files"][0]["diff"].startswith("--- ~/.cursor/mcp.json\n")


def test_mode_and_links_stay(box):
    real = box.write("dotfiles/cursor.json", '{"mcpServers": {"a": {"command": "x"}}}', mode=0o640)
    link = box.home / ".cursor/mcp.json"
    link.parent.mkdir()
    link.symlink_to("../dotfiles/cursor.json")
    written = box.json("import", "--wrap", "--yes")["files"][0]
    assert link.is_symlink() and os.readlink(link) == "../dotfiles/cursor.json"
    assert "wrap" in real.read_text() and stat.S_IMODE(real.stat().st_mode) == 0o640
    copy = written["copy"]
    assert stat.S_IMODE(os.stat(copy).st_mode) == 0o600, "the copy may hold secrets"
    assert [one.name for one in real.parent.iterdir()] == ["cursor.json"], "a temporary file is left"
    box.run("import", "--unwrap", "--yes")
    assert link.is_symlink() and real.read_text() == '{"mcpServers": {"a": {"command": "x"}}}'


def test_the_owner_stays(box):
    if os.geteuid() != 0:
        return  # only root can give a file away
    path = box.write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    os.chown(path, 65534, 65534)
    box.run("import", "--wrap", "--yes")
    status = path.stat()
    assert "wrap" in path.read_text() and (status.st_uid, status.st_gid) == (65534, 65534), status


def test_what_cannot_be_replaced_is_refused_and_unchanged(box):
    text = '{"mcpServers": {"a": {"command": "x"}}}'
    path = box.write(".cursor/mcp.json", text, mode=0o444)
    done = box.run("import", "--wrap", "--yes", code=4)
    assert "the file is read-only" in done.stderr and f"chmod u+w {path}" in done.stderr, done.stderr
    path.chmod(0o600)
    os.link(path, box.home / "other name")
    done = box.run("import", "--wrap", "--yes", code=3)
    assert "hard links" in done.stderr, done.stderr
    assert path.read_text() == text
    (box.home / "other name").unlink()
    for bad in ['{"mcpServers": {a: 1}}', '{"mcpServers": {"a": {"command": "x", "command": "y"}}}', '["mcpServers"]',
                '{"mcpServers": {"a": {"command": "x"}}} trailing']:
        path.write_text(bad)
        done = box.run("import", "--wrap", "--yes", code=4)
        assert "error: expected" in done.stderr and str(path) in done.stderr, done.stderr
        assert path.read_text() == bad


def test_other_files_are_written_when_one_is_refused(box):
    good = box.write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    bad = box.write(".gemini/settings.json", '{"mcpServers": ')
    box.run("import", "--wrap", "--yes", code=4)
    assert "wrap" in good.read_text() and bad.read_text() == '{"mcpServers": '


def command_in(path):
    server = json.loads(path.read_text())["mcpServers"]["a"]
    return [server["command"], *server["args"]]


def written_by(box, program, *options, **more):
    """The command that another copy or link of the program writes."""
    path = box.write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    done = subprocess.run([program, "import", "--wrap", "--yes", *options], capture_output=True, text=True, cwd=box.project,
                          env=box.environment(**more), timeout=60)
    assert done.returncode == 0, done
    words = command_in(path)
    box.run("import", "--unwrap", "--yes")
    assert "wrap" not in path.read_text(), path.read_text()
    return words


def test_without_a_client_it_says_that_there_is_none(box):
    done = box.run("import", "--wrap", "--yes")
    assert "no client has a file" in done.stdout and "is wrapped" not in done.stdout, done.stdout


def test_the_program_is_one_that_stays(box):
    installed = box.home / "opt/enfold-0.1.0/bin/enfold"
    installed.parent.mkdir(parents=True)
    shutil.copy(PROGRAM, installed)
    link = box.home / "bin/enfold"
    link.parent.mkdir()
    link.symlink_to(installed)
    # The next version replaces the link.
    assert written_by(box, installed, PATH=f"{link.parent}:/usr/bin:/bin") == [str(link), "wrap", "--", "x"]
    assert written_by(box, installed, PATH="/usr/bin:/bin") == [str(installed), "wrap", "--", "x"]
    # npm replaces the folders of old versions and keeps its links.
    for name, link in (("tools/node_modules/enfold-linux-x64", "tools/node_modules/.bin/enfold"),
                       ("all/lib/node_modules/enfold/node_modules/enfold-linux-x64", "all/bin/enfold")):
        of_npm = box.home / name / "bin/enfold"
        of_npm.parent.mkdir(parents=True)
        shutil.copy(PROGRAM, of_npm)
        (box.home / link).parent.mkdir()
        (box.home / link).symlink_to(of_npm)
        assert written_by(box, of_npm) == [str(box.home / link), "wrap", "--", "x"]
    # npx, bunx and pnpm dlx remove their folders.
    for folder in (".npm/_npx/1a2b", ".cache/pnpm/dlx/1a2b", "bunx-0-enfold@latest"):
        modules = box.home / folder / "node_modules"
        of_npm = modules / "enfold-linux-x64/bin/enfold"
        of_npm.parent.mkdir(parents=True)
        shutil.copy(PROGRAM, of_npm)
        (modules / ".bin").mkdir()
        (modules / ".bin/enfold").symlink_to(of_npm)
        assert written_by(box, of_npm) == ["npx", "-y", "enfold", "wrap", "--", "x"]


def test_a_program_of_another_name_is_refused(box):
    path = box.write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    other = box.home / "bin/enfold-0.1"
    other.parent.mkdir()
    shutil.copy(PROGRAM, other)
    done = subprocess.run([other, "import", "--wrap", "--yes"], capture_output=True, text=True, cwd=box.project,
                          env=box.environment(PATH="/usr/bin:/bin"), timeout=60)
    assert done.returncode == 5 and "expected a program named enfold" in done.stderr and "hint: " in done.stderr, done
    assert "wrap" not in path.read_text()


def test_the_option_program_is_made_absolute_and_checked(box):
    own = box.home / "work/build/enfold"
    own.parent.mkdir()
    own.symlink_to(PROGRAM)
    assert written_by(box, PROGRAM, "--program", "build/../build/enfold") == [str(own), "wrap", "--", "x"]
    for wrong, message in (("build/no/enfold", "expected a program that you may run, found"),
                           ("npx", "expected a program named enfold, found")):
        done = box.run("import", "--wrap", "--yes", "--program", wrong, code=5)
        assert message in done.stderr, done.stderr


def test_a_file_of_the_project_is_shared(box):
    box.write("work/.mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    done = box.run("import", "--wrap", "--dry-run")
    assert "is a file of the project and gets the path" in done.stderr and "--program enfold" in done.stderr, done.stderr
    assert "of the project" not in box.run("import", "--wrap", "--dry-run", "--program", "enfold").stderr


def test_secrets_in_arguments_are_not_shown(box):
    box.write(".cursor/mcp.json", json.dumps({"mcpServers": {"a": {"command": "x", "args": [
        "--api-key", "hunter2-hunter3", "--token=0f9a8b7c6d5e4f3a", "in"]}}}, indent=2))
    box.write(".codex/config.toml", "[mcp_servers.a]\ncommand = 'x'\nargs = ['--password', 'swordfish-77']\n")
    for options in ((), ("--json",)):
        shown = box.run("import", "--wrap", "--dry-run", *options).stdout
        assert "REDACTED" in shown and "--api-key" in shown, shown
        for secret in ("hunter2", "0f9a8b", "swordfish"):
            assert secret not in shown, shown


def test_a_file_that_is_named_twice_is_written_once(box):
    path = box.write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    done = box.run("import", "--wrap", "--yes", "cursor", str(path), "../.cursor/mcp.json")
    assert done.stdout.count("wrote ") == 1, done.stdout


def test_an_unusual_path_can_be_pasted(box):
    path = box.write("it's/.cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}', mode=0o444)
    hint = box.run("import", "--wrap", "--yes", str(path), code=4).stderr.split("hint: ")[1]
    assert subprocess.run(["sh", "-c", hint], capture_output=True, text=True).returncode == 0, hint
    assert path.stat().st_mode & 0o200


def on_terminal(box, answer, meanwhile=lambda: None):
    """Runs --wrap on a terminal; `meanwhile` is called when the program asks. (exit code, output)"""
    here, there = pty.openpty()
    child = subprocess.Popen([PROGRAM, "import", "--wrap", "--program", "enfold"], stdin=there, stdout=there, stderr=there,
                             cwd=box.project, env=box.environment())
    os.close(there)
    output = b""
    answered = False
    while True:
        try:
            piece = os.read(here, 4096)
        except OSError:  # the program has ended
            break
        if not piece:
            break
        output += piece
        if not answered and b"[y/N]" in output:
            answered = True
            meanwhile()
            os.write(here, answer.encode() + b"\n")
    os.close(here)
    return child.wait(timeout=60), output.decode()


def test_a_terminal_is_asked(box):
    text = '{"mcpServers": {"a": {"command": "x"}}}'
    path = box.write(".cursor/mcp.json", text)
    code, output = on_terminal(box, "n")
    assert code == 2 and "Write 1 file? [y/N]" in output and "nothing was written" in output, output
    assert path.read_text() == text
    code, output = on_terminal(box, "y")
    assert code == 0 and "wrote ~/.cursor/mcp.json" in output, output
    assert "wrap" in path.read_text()


def test_a_file_that_changes_meanwhile_is_not_overwritten(box):
    path = box.write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    other = '{"mcpServers": {"b": {"command": "y"}}}'
    code, output = on_terminal(box, "y", lambda: path.write_text(other))
    assert code == 4 and "another program changed the file meanwhile" in output, output
    assert path.read_text() == other


def test_without_a_terminal_a_decision_is_required(box):
    box.write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    done = box.run("import", "--wrap", code=5)
    assert "expected --yes or --dry-run, found no terminal to ask on" in done.stderr, done.stderr
    done = box.run("import", "--wrap", "--list", code=5)
    assert "exclude each other" in done.stderr
    done = box.run("import", "cursr", code=4)
    assert 'found "cursr"' in done.stderr and "did you mean cursor?" in done.stderr, done.stderr
    done = box.run("import", "zed", code=4)
    assert "no settings file of zed was found" in done.stderr and "~/.config/zed/settings.json" in done.stderr, done.stderr


def test_a_configuration_of_all_clients_is_valid(box):
    install_all(box)
    done = box.run("import")
    (box.project / "enfold.toml").write_text(done.stdout)
    variables = {name: "value" for name in ("API_KEY", "MY_SERVICE_TOKEN", "PERPLEXITY_KEY", "GITHUB_TOKEN", "MY_ENV_VAR",
                                            "MY_API_KEY", "FIGMA_OAUTH_TOKEN", "FILES_API_KEY", "FILES_2_API_KEY",
                                            "FILES_3_API_KEY", "DOCS_2_API_KEY", "REMOTE_HTTP_MCP_API_KEY")}
    checked = box.json("serve", "--config", "enfold.toml", "--check", **variables)
    names = [upstream["name"] for upstream in checked["upstreams"]]
    assert len(names) >= 20 and "perplexity" in names and "extension-server" not in names, names
    assert json.loads(box.run("import", "codex", "--json").stdout)["toml"].startswith("\n[upstreams.")


run_tests(globals())
