#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Man pages and completions: in step with --help, clean for mandoc and man, tried in bash, zsh and fish.

  pages_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import pty
import re
import select
import shutil
import subprocess
import time

from sandbox import ROOT, run_tests

OPTION = re.compile(r"^  (-\w,)?(--[\w-]+)")


def pages(box):
    folder = box.home / "pages"
    box.run("generate", "all", str(folder), SOURCE_DATE_EPOCH="1795000000")
    return folder


def tool(name):
    assert shutil.which(name), f"{name} is missing: tools/setup test installs it"
    return name


def verbs(box):
    text = box.run("--help").stdout
    return re.findall(r"^  (\w+)  ", text.split("Verbs:")[1], re.M)


def options_of_help(box, verb):
    return {found[2] for line in box.run(verb, "--help").stdout.splitlines() if (found := OPTION.match(line))}


def test_the_written_files_are_listed(box):
    folder = box.home / "pages"
    files = json.loads(box.run("generate", "all", str(folder), "--json").stdout)["files"]
    assert sorted(files) == sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()), files


def test_every_option_of_the_help_is_everywhere(box):
    folder = pages(box)
    bash, zsh, fish = ((folder / name).read_text() for name in ("bash/enfold", "zsh/_enfold", "fish/enfold.fish"))
    names = verbs(box)
    assert "wrap" in names and "doctor" in names and "generate" not in names, names
    assert {page.name for page in (folder / "man1").iterdir()} == {"enfold.1", *(f"enfold-{verb}.1" for verb in names)}
    for verb in names:
        options = options_of_help(box, verb)
        assert "--json" in options, verb
        page = (folder / f"man1/enfold-{verb}.1").read_text().replace("\\-", "-")
        bash_verb = bash.split(f"    {verb})\n", 1)[1].split("      ;;\n", 1)[0]
        zsh_verb = zsh.split(f"    {verb})\n", 1)[1].split("      ;;\n", 1)[0]
        for option in options:
            assert f"\\fB{option}\\fR" in page, f"{verb}: {option} is not in the man page"
            assert re.search(rf"[ ']{option}[ ']", bash_verb), f"{verb}: {option} is not in the completion of bash"
            assert f"{option}[" in zsh_verb, f"{verb}: {option} is not in the completion of zsh"
            assert re.search(rf"__enfold_verb {verb}'.* -l {option[2:]} ", fish), f"{verb}: {option} is not in that of fish"
        assert set(re.findall(r"\\fB(--[\w-]+)\\fR", page)) - {"--"} <= options, f"{verb}: the man page has too many"


def test_every_key_of_the_configuration_has_its_place(box):
    page = (pages(box) / "man5/enfold.toml.5").read_text()
    schema = json.loads((ROOT / "schema/settings/gateway-config.json").read_text())

    def names(table):
        for key, inner in table.get("properties", {}).items():
            yield key
            yield from names(inner)
            yield from names(inner.get("additionalProperties") or {} if inner.get("type") == "object" else {})

    missing = [key for key in names(schema) if f"\\fB{key}\\fR" not in page]
    assert not missing, missing


def test_pages_are_the_same_in_two_runs(box):
    first = {path: path.read_bytes() for path in pages(box).rglob("*") if path.is_file()}
    assert first == {path: path.read_bytes() for path in pages(box).rglob("*") if path.is_file()}
    assert b"2026-11-18" in first[box.home / "pages/man1/enfold.1"]


def test_mandoc_and_man_have_no_complaint(box):
    files = sorted(pages(box).glob("man*/*"))
    lint = subprocess.run([tool("mandoc"), "-Tlint", "-Wstyle", *files], capture_output=True, text=True)
    # A page that is not installed yet cannot be found; examples and synopses are not broken.
    said = [line for line in lint.stdout.splitlines()
            if "referenced manual not found" not in line and "longer than 80 bytes" not in line]
    assert said == [], "\n".join(said)
    for file in files:
        done = subprocess.run([tool("man"), "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(file)], capture_output=True,
                              text=True, env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0 and done.stderr == "", f"{file.name}: {done.stderr}"
    shown = subprocess.run(["man", "-l", str(files[0])], capture_output=True, text=True, check=True,
                           env={**os.environ, "MANPAGER": "cat", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"}).stdout
    assert "SYNOPSIS" in shown and "EXIT STATUS" in shown, shown


def complete_bash(folder, *words):
    quoted = " ".join(f"'{word}'" for word in words)
    script = (f"source {folder}/bash/enfold; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _enfold 2>&1; "
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run([tool("bash"), "--norc", "-c", script], capture_output=True, text=True, cwd=folder)
    assert done.stderr == "", done.stderr
    return done.stdout.split()


def test_bash_completes(box):
    folder = pages(box)
    (folder / "answer.json").write_text("{}")
    assert complete_bash(folder, "enfold", "do") == ["doctor"]
    assert {"--wrap", "--unwrap"} <= set(complete_bash(folder, "enfold", "import", "--"))
    assert {"claude-code", "zed"} <= set(complete_bash(folder, "enfold", "import", ""))
    assert complete_bash(folder, "enfold", "wrap", "--protocol", "st") == ["stateless"]
    assert complete_bash(folder, "enfold", "fit", "--client", "claude-") == ["claude-code"]
    assert complete_bash(folder, "enfold", "fit", "answ") == ["answer.json"]
    assert "bash" in complete_bash(folder, "enfold", "wrap", "--", "bas")
    # Loaded by bash-completion, as it is installed.
    loader = "/usr/share/bash-completion/bash_completion"
    assert os.path.exists(loader), "bash-completion is missing: tools/setup test installs it"
    target = box.home / ".local/share/bash-completion/completions/enfold"
    target.parent.mkdir(parents=True)
    shutil.copy(folder / "bash/enfold", target)
    script = (f"source {loader}; _completion_loader enfold; complete -p enfold")
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, env=box.environment())
    assert "-F _enfold enfold" in done.stdout, done


def complete_fish(box, folder, line):
    script = f"source {folder}/fish/enfold.fish; complete -C '{line}'"
    done = subprocess.run([tool("fish"), "--no-config", "-c", script], capture_output=True, text=True, cwd=folder,
                          env=box.environment())
    assert done.returncode == 0 and done.stderr == "", done
    return {row.split("\t")[0] for row in done.stdout.splitlines()}


def test_fish_completes(box):
    folder = pages(box)
    (folder / "answer.json").write_text("{}")
    assert complete_fish(box, folder, "enfold do") == {"doctor"}
    assert {"--wrap", "--unwrap", "--help"} <= complete_fish(box, folder, "enfold import --")
    assert {"claude-code", "zed"} <= complete_fish(box, folder, "enfold import ")
    assert "stateless" in complete_fish(box, folder, "enfold wrap --protocol st")
    assert "answer.json" in complete_fish(box, folder, "enfold fit answ")
    assert "bash" in complete_fish(box, folder, "enfold wrap -- bas")


def complete_zsh(box, folder, typed):
    """What a zsh with compinit shows after `typed` and a tab."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(tool("zsh"), ["zsh", "-f", "-i"], {**box.environment(), "TERM": "dumb", "COLUMNS": "200"})

    def read_until(wanted, seconds=30):
        shown = ""
        end = time.monotonic() + seconds
        while wanted not in shown and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                shown += os.read(terminal, 65536).decode(errors="replace")
        assert wanted in shown, f"expected {wanted!r} after {typed!r}, found:\n{shown}"
        return shown

    setup = (f"fpath=({folder}/zsh $fpath); autoload -Uz compinit; compinit -u -D; unsetopt zle_bracketed_paste; "
             "LISTMAX=0; zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' menu no; "
             # The key shows what was completed, and ends.
             "finish() { zle -I; print -r -- \"LINE<$BUFFER>EN\"D }; zle -N finish; bindkey '^G' finish; PS1=; echo RE''ADY\n")
    try:
        os.write(terminal, setup.encode())
        read_until("READY\r\n")
        os.write(terminal, f"{typed}\t\x07".encode())
        return read_until(">END")
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def test_zsh_completes(box):
    folder = pages(box)
    (folder / "answer.json").write_text("{}")
    for typed, wanted in [("enfold do", "enfold doctor"), ("enfold wrap --protocol stat", "--protocol stateless"),
                          ("enfold import claude-c", "claude-code"), ("enfold fit answ", "answer.json"),
                          ("enfold import --unw", "--unwrap")]:
        shown = complete_zsh(box, folder, typed)
        assert wanted in shown, f"{typed}: {shown}"
    assert "doctor" in complete_zsh(box, folder, "enfold ")


run_tests(globals())
