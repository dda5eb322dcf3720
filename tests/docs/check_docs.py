#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are the documents true?

  check_docs.py CHECK --root FOLDER --enfold PROGRAM

CHECK is one of
  tables        the path tables of docs/reference/contracts/*.md name what schema/*.json names, no more, no less
  examples      every ```json block of docs/reference/contracts/*.md is valid in the contract of its page
  console       every ```console block that begins with `$ ` gives the output that it shows
  command-line  docs/reference/command-line.md and the help pages describe the same options
  code          every ```cpp block is in a file that is compiled, under examples/ or tests/, and every
                ```python block in a Python file there; docs/reference/api is copied from headers
  links         links to files, and to headings in them, exist
  paths         pages that sources, scripts and messages name as docs/….md exist

A ```console block holds commands, each on a line that begins with `$ ` (a line that ends in a
backslash goes on in the next, and so do the lines of a here document that ends with EOF), and after
each what it prints on both streams. The commands of a block run in one bash, from the root folder, with
the program first on PATH and a home of their own, so that no archive of the user is touched; a page sees
what its commands before have left there. A line with nothing but … matches any lines, … inside a line
any characters. A command that ends in & starts a server: the block goes on when it says that it listens,
and ends it. reader.py and first_server.py run the pages of NOT_HERE in the same way.
With ENFOLD_UPDATE_GOLDEN set the blocks are rewritten with what was printed.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ANY_LINES = "…"
END = "\x1e"  # after the output of each command
# Pages whose commands run in a folder of their own, with servers from npm or an installed package.
READER = ("docs/tutorial.md", "docs/guide/clients/", "docs/guide/cookbook/", "docs/guide/troubleshooting.md")
NOT_HERE = ("docs/guide/first-server.md", *READER)


def documents(root):
    pages = list(root.glob("*.md")) + list((root / "docs").rglob("*.md"))
    return sorted(pages + list((root / "examples").glob("*/README.md")))


def fenced_blocks(text, language):
    """(number of the first line inside, lines) of each fenced block of a language."""
    blocks, inside, start = [], None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if inside is None and re.match(r"```\S", line):
            inside, start, wanted = [], number + 1, line[3:].strip() == language
        elif inside is None and line.startswith("```"):
            inside, start, wanted = [], number + 1, language == ""
        elif inside is not None and line.startswith("```"):
            if wanted:
                blocks.append((start, inside))
            inside = None
        elif inside is not None:
            inside.append(line)
    return blocks


# --- tables ---------------------------------------------------------------------------------------


def schema_paths(schema):
    """Every member that a schema names, by the rules of docs/reference/contracts/README.md."""
    found = set()

    def walk(node, path, visiting):
        if not isinstance(node, dict):
            return
        reference = node.get("$ref")
        if reference is not None and (reference, path) not in visiting and len(visiting) < 40:
            target = schema
            for token in reference.removeprefix("#/").split("/"):
                target = target[token.replace("~1", "/").replace("~0", "~")]
            walk(target, path, visiting | {(reference, path)})
        for name, member in node.get("properties", {}).items():
            place = f"{path}.{name}" if path else name
            found.add(place)
            walk(member, place, visiting)
        walk(node.get("items"), path + "[]", visiting)
        if isinstance(node.get("additionalProperties"), dict):
            found.add(f"{path}.*" if path else "*")
            walk(node["additionalProperties"], f"{path}.*" if path else "*", visiting)
        for keyword in ("allOf", "anyOf"):
            for part in node.get(keyword, []):
                walk(part, path, visiting)
        walk(node.get("then"), path, visiting)

    walk(schema, "", frozenset())
    return found


def table_paths(text):
    """First column of the table whose first heading is `path`."""
    paths, inside = [], False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| path |"):
            inside = True
        elif inside and line.startswith("|"):
            if not set(cells[0]) <= {"-", ":"}:
                paths.append(cells[0].strip("`"))
        else:
            inside = False
    return paths


def contract_pages(root):
    """(page, schema file, contract as the command line names it)"""
    for page in sorted((root / "docs" / "reference" / "contracts").glob("*.md")):
        name = "mcp-result" if page.stem == "mcp" else page.stem
        schema = root / "schema" / f"{name}.json"
        if schema.exists():
            yield page, schema, page.stem


def check_tables(root, _program):
    problems = []
    pages = list(contract_pages(root))
    described = {schema.name for _, schema, _ in pages}
    for schema in sorted((root / "schema").glob("*.json")):
        if schema.name not in described:
            problems.append(f"docs/reference/contracts has no page for schema/{schema.name}")
    for page, schema, _ in pages:
        listed = table_paths(page.read_text())
        named = schema_paths(json.loads(schema.read_text()))
        where = page.relative_to(root)
        problems += [f"{where}: {path} is listed twice" for path in sorted(set(listed)) if listed.count(path) > 1]
        problems += [f"{where}: {path} is not in {schema.name}" for path in sorted(set(listed) - named)]
        problems += [f"{where}: {path} of {schema.name} is not listed" for path in sorted(named - set(listed))]
    return problems, len(pages)


# --- examples -------------------------------------------------------------------------------------


def check_examples(root, program):
    problems, count = [], 0
    for page, _, contract in contract_pages(root):
        for line, block in fenced_blocks(page.read_text(), "json"):
            count += 1
            ended = subprocess.run([program, "validate", "--strict", "--contract", contract],
                                   input="\n".join(block), capture_output=True, text=True, timeout=60)
            if ended.returncode != 0:
                problems.append(f"{page.relative_to(root)}:{line}: {ended.stdout}{ended.stderr}".rstrip())
    return problems, count


# --- console --------------------------------------------------------------------------------------


def goes_on(lines):
    """Does a command go on in the next line?"""
    return lines[-1].endswith("\\") or "<<'EOF'" in lines[0] and lines[-1] != "EOF"


def commands_of(block):
    """(lines of the command, lines of its output) of each command in a block."""
    commands = []
    for line in block:
        if commands and not commands[-1][1] and goes_on(commands[-1][0]):
            commands[-1][0].append(line)
        elif line.startswith("$ "):
            commands.append(([line], []))
        else:
            commands[-1][1].append(line)
    return commands


def same_line(expected, printed):
    parts = [re.escape(part) for part in expected.split(ANY_LINES)]
    return re.fullmatch(".*".join(parts), printed) is not None


def same_lines(expected, printed):
    return len(expected) == len(printed) and all(map(same_line, expected, printed))


def matches(expected, printed):
    if ANY_LINES not in expected:
        return same_lines(expected, printed)
    cut = expected.index(ANY_LINES)
    head, rest = expected[:cut], expected[cut + 1:]
    if not same_lines(head, printed[:cut]):
        return False
    return any(matches(rest, printed[skip:]) for skip in range(cut, len(printed) + 1))


# Its lines go to a file; they are shown when it listens, or ends.
STARTED = """{{ exec {command}
}} > "$HOME/.started" 2>&1 &
for _ in $(seq 200); do grep -q '^listening on' "$HOME/.started" && break; kill -0 $! 2> /dev/null || break; sleep 0.1; done
cat "$HOME/.started"
"""


def script_of(lines):
    command = "\n".join([lines[0][2:]] + lines[1:])
    return STARTED.format(command=command[:-2]) if command.endswith(" &") else command + "\n"


def run_block(commands, root, program, home, seconds=240):
    """What each command of a block prints. All run in one shell, as a reader types them."""
    script = "".join(script_of(lines) + f"printf '{END}'\n" for lines in commands)
    script += "for one in $(jobs -p); do kill $one && wait $one; done 2> /dev/null\nrm -f \"$HOME/.started\"\n"
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("ENFOLD_ARCHIVE", "XDG_STATE_HOME", "NO_COLOR")}
    environment |= {"LC_ALL": "C.UTF-8", "HOME": home, "PATH": f"{Path(program).parent}:{os.environ['PATH']}"}
    ended = subprocess.run(["bash", "-c", script], cwd=root, env=environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
    return [printed.splitlines() for printed in ended.stdout.decode("utf-8", "replace").split(END)]


def check_console(root, program):
    with tempfile.TemporaryDirectory() as home:
        return check_console_in(root, program, home)


def check_console_in(root, program, home):
    problems, count = [], 0
    for page in documents(root):
        if str(page.relative_to(root)).startswith(NOT_HERE):
            continue
        found, checked = check_blocks(page, root, root, program, home)
        problems += found
        count += checked
    return problems, count


def check_blocks(page, root, folder, program, home, seconds=240):
    """Runs the ```console blocks of a page in a folder: what is wrong, and the number of commands."""
    problems, count, replacements = [], 0, []
    update = bool(os.environ.get("ENFOLD_UPDATE_GOLDEN"))
    text = page.read_text()
    for start, block in fenced_blocks(text, "console"):
        if not block or not block[0].startswith("$ "):
            continue
        fresh = []
        commands = commands_of(block)
        outputs = run_block([command for command, _ in commands], folder, program, home, seconds)
        for (command, expected), printed in zip(commands, outputs):
            count += 1
            fresh += command + (expected if matches(expected, printed) else printed)
            if not matches(expected, printed) and not update:
                problems.append(f"{page.relative_to(root)}:{start}: {command[0]}\n  expected\n"
                                + "".join(f"    {line}\n" for line in expected) + "  printed\n"
                                + "".join(f"    {line}\n" for line in printed))
        replacements.append((start, len(block), fresh))
    if update:
        lines = text.splitlines()
        for start, length, fresh in reversed(replacements):
            lines[start - 1:start - 1 + length] = fresh
        page.write_text("\n".join(lines) + "\n")
    return problems, count


# --- command line ---------------------------------------------------------------------------------

OPTION = re.compile(r"^  (-\S+)((?: \S+)*?)(?: {2,}|$)")


def help_page(program, *verb):
    return subprocess.run([program, *verb, "--help"], capture_output=True, text=True, timeout=60, check=True).stdout


def help_verbs(program):
    listed = help_page(program).split("Verbs:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def help_options(program, verb):
    """Option with its placeholder → its default, of one verb."""
    options = {}
    for line in help_page(program, verb).splitlines():
        match = OPTION.match(line)
        if not match or "--help" in match.group(1):
            continue
        spelled, _, default = (match.group(1) + match.group(2)).replace(" (required)", "").partition("=")
        options[spelled] = default
    return options


def sections(text):
    """Heading → text, of the second level."""
    parts = re.split(r"^## (.*)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def documented_options(section):
    options = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `-") and len(cells) >= 3:
            options[cells[0].strip("`")] = cells[1].strip("`").replace("–", "")
    return options


def check_command_line(root, program):
    page = root / "docs" / "reference" / "command-line.md"
    text = page.read_text()
    parts = sections(text)
    problems, everything = [], {"--help", "--version"}
    for verb in help_verbs(program):
        accepted = help_options(program, verb)
        everything |= {option.split()[0] for option in accepted}
        section = parts.get(f"enfold {verb}")
        if section is None:
            problems.append(f"{page.name}: there is no section `## enfold {verb}`")
            continue
        listed = documented_options(section)
        problems += [f"{verb}: {option} is not documented" for option in accepted if option not in listed]
        problems += [f"{verb}: {option} is documented and does not exist" for option in listed if option not in accepted]
        problems += [f"{verb}: {option} has the default \"{accepted[option]}\", documented is \"{default}\""
                     for option, default in listed.items() if option in accepted and accepted[option] != default]
    verbs = {f"enfold {verb}" for verb in help_verbs(program)}
    problems += [f"{page.name}: there is no verb for the section {name}"
                 for name in parts if name.startswith("enfold ") and name not in verbs]
    overview = set(re.findall(r"^\| \[(\w+)\]\(#enfold-", text, re.M))
    problems += [f"{page.name}: the table at the top leaves out {verb}"
                 for verb in help_verbs(program) if overview and verb not in overview]
    own = re.sub(r"^.* mcp add .*$", "", text, flags=re.M)  # those are commands of clients
    mentioned = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", own))
    problems += [f"{page.name} mentions {option}, which no verb has" for option in sorted(mentioned - everything)]
    return problems, len(everything)


# --- links ----------------------------------------------------------------------------------------


# --- code -----------------------------------------------------------------------------------------


def bare_code(text):
    """Without comments and white space: layout and remarks may differ."""
    return re.sub(r"\s+", "", re.sub(r"(^|\s)//.*", "", text, flags=re.M))


def check_code(root, _program):
    problems, count = [], 0
    for language, suffixes, where in (("cpp", (".cc", ".h"), "no file that is compiled"),
                                      ("python", (".py",), "no Python file")):
        sources = [bare_code(file.read_text()) for folder in ("examples", "tests")
                   for file in sorted((root / folder).rglob("*"))
                   if file.suffix in suffixes and "node_modules" not in file.parts]
        for page in documents(root):
            if root / "docs" / "reference" / "api" in page.parents:
                continue  # tools/generate_api_reference --check
            for line, block in fenced_blocks(page.read_text(), language):
                count += 1
                if not any(bare_code("\n".join(block)) in source for source in sources):
                    problems.append(f"{page.relative_to(root)}:{line}: this code is in {where}")
    return problems, count


# --- links ----------------------------------------------------------------------------------------


def anchors(text):
    plain = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    heading_lines = re.findall(r"^#+ (.*)$", plain, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in heading_lines}


def check_links(root, _program):
    problems, count = [], 0
    for page in documents(root):
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
        text = re.sub(r"`[^`\n]*`", "", text)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            name, _, anchor = target.partition("#")
            file = (page.parent / name) if name else page
            if not file.exists():
                problems.append(f"{page.relative_to(root)}: {target} does not exist")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                problems.append(f"{page.relative_to(root)}: {target} names a heading that is not there")
    return problems, count


# --- paths ----------------------------------------------------------------------------------------


def check_paths(root, _program):
    problems, count = [], 0
    sources = [file for folder in ("src", "tests", "tools", "bench", "fuzz", "examples", "schema")
               for file in sorted((root / folder).rglob("*"))
               if not {"node_modules", "golden", "answers"} & set(file.parts) and file.is_file()
               and file.suffix in (".cc", ".h", ".py", ".sh", ".txt", ".json", "")]
    for file in sources:
        if file.parent == root / "tests" / "docs" or file.parent == root / "tests" / "architecture" and file.suffix == ".py":
            continue  # their small trees have other pages
        for name in set(re.findall(r"(?<![\w/])docs/[\w./-]+\.md\b", file.read_text(errors="replace"))):
            count += 1
            if not (root / name).exists():
                problems.append(f"{file.relative_to(root)}: {name} does not exist")
    return problems, count


CHECKS = {"tables": check_tables, "examples": check_examples, "console": check_console,
          "command-line": check_command_line, "code": check_code, "links": check_links,
          "paths": check_paths}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--enfold", default="enfold")
    arguments = parser.parse_args()
    problems, count = CHECKS[arguments.check](arguments.root.resolve(), arguments.enfold)
    if count == 0:
        problems.append("found nothing to check")
    for problem in problems:
        print(problem)
    print(f"docs {arguments.check}: {count} checked, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
