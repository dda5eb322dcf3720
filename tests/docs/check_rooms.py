#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is everything in the documents found, and is everything shown run?

  check_rooms.py CHECK --root FOLDER [--enfold PROGRAM]

CHECK is one of
  index      docs/README.md lists every page, or the README of its folder, which docs/README.md lists, does;
             with ENFOLD_UPDATE_GOLDEN set its table of decisions is written from their headings.
             The README of the repository has at most 150 lines
  messages   every message that docs/guide/troubleshooting.md quotes is in the sources, or is printed there
             by a command, which reader.py runs
  shell      every command of an ```sh block is listed in shell_commands.txt with what runs it
  picture    docs/images/before-after.svg is what tools/draw_answer draws

A message is quoted in a heading, as ### `text`, or ### ``text`` if it holds a backtick; … in it matches any
characters.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from check_docs import documents, fenced_blocks, same_line

INDEX = Path("docs/README.md")
TROUBLES = Path("docs/guide/troubleshooting.md")
LISTED = Path("tests/docs/shell_commands.txt")
LONGEST_README = 150


# --- index ----------------------------------------------------------------------------------------


def linked_pages(page):
    """The pages that a page links to."""
    if not page.exists():
        return set()
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    targets = re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", text)
    return {(page.parent / target).resolve() for target in targets if not re.match(r"[a-z]+:", target)}


def write_decisions(root):
    rows = ["| decision | |", "|---|---|"]
    for page in sorted((root / "docs/decisions").glob("[0-9]*.md")):
        title = re.sub(r"^# *\d+[:.] *", "", page.read_text().splitlines()[0])
        rows.append(f"| [{page.name[:4]}](decisions/{page.name}) | {title} |")
    text = (root / INDEX).read_text()
    table = re.search(r"^\| decision \| \|\n(?:\|.*\n)+", text, re.M)
    if table:
        (root / INDEX).write_text(text.replace(table.group(0), "\n".join(rows) + "\n"))


def check_index(root, _program):
    if os.environ.get("ENFOLD_UPDATE_GOLDEN"):
        write_decisions(root)
    index = root / INDEX
    listed, problems = linked_pages(index), []
    length = len((root / "README.md").read_text().splitlines())
    if length > LONGEST_README:
        problems.append(f"README.md: expected at most {LONGEST_README} lines, found {length}; move some to docs/guide")
    pages = [page for page in sorted((root / "docs").rglob("*.md")) if page != index]
    for page in pages:
        room = page.parent / "README.md"
        if page in listed or room != page and room in listed and page in linked_pages(room):
            continue
        # The reference of the library has folders inside; its README lists them all.
        if any(page in linked_pages(above / "README.md") for above in page.parents
               if (above / "README.md") in listed):
            continue
        problems.append(f"{page.relative_to(root)}: {INDEX} does not list it, and no README that it lists does"
                        + ("; run tools/update_golden" if page.parent.name == "decisions" else ""))
    return problems, len(pages)


# --- messages -------------------------------------------------------------------------------------

LITERAL = re.compile(r'R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<text>(?:[^"\\\n]|\\.)*)"|(?P<gap>\s+|//[^\n]*)|(?P<other>.)', re.S)


def literals(text):
    """The string literals of a C++ source, adjacent ones joined."""
    joined, current = [], None
    for token in LITERAL.finditer(text):
        if token["text"] is not None or token["raw"] is not None:
            piece = token["raw"] if token["text"] is None else token["text"].replace('\\"', '"').replace("\\\\", "\\")
            current = (current or "") + piece
        elif token["other"] and current is not None:
            joined.append(current)
            current = None
    return "\n".join(joined + ([current] if current else []))


def quoted_messages(text):
    return [line.strip("`") for line in re.findall(r"^### (`.*`)$", text, re.M)]


def check_messages(root, _program):
    sources = [path for path in sorted((root / "src").rglob("*")) if path.suffix in (".cc", ".h")]
    said = "\n".join(literals(path.read_text()) for path in sources)
    text = (root / TROUBLES).read_text()
    printed = [line for _, block in fenced_blocks(text, "console") for line in block if not line.startswith("$ ")]
    said = "\n".join([said, *printed])
    quoted = quoted_messages(text)
    problems = [f"{TROUBLES}: no source says \"{part}\" of \"{message}\"" for message in quoted
                for part in re.split(r"\s*…\s*", message) if part and part not in said]
    problems += [f"{TROUBLES}: \"{message}\" is there twice" for message in sorted(set(quoted)) if quoted.count(message) > 1]
    return problems, len(quoted)


# --- shell ----------------------------------------------------------------------------------------


def shell_commands(block):
    """Commands of a block, without the remark behind."""
    text = re.sub(r"\\\n\s*", "", "\n".join(block))
    return [re.sub(r"\s+# .*", "", line).strip() for line in text.splitlines() if line.strip()]


def check_shell(root, _program):
    listed = {}
    for line in (root / LISTED).read_text().splitlines():
        if line and not line.startswith("#"):
            command, _, runs = line.partition(" :: ")
            listed[command] = runs
    problems, shown, count = [], set(), 0
    for page in documents(root):
        five = "## Five commands" in page.read_text()  # examples/check_readme.py runs them
        for line, block in fenced_blocks(page.read_text(), "sh"):
            for command in [] if five else shell_commands(block):
                known = {one for one in listed if same_line(one, command)}
                shown |= known
                count += 1
                if not known:
                    problems.append(f"{page.relative_to(root)}:{line}: no test runs \"{command}\"; use a ```console block, "
                                    f"or name in {LISTED} what runs it")
    problems += [f"{LISTED}: no page shows \"{command}\"" for command in sorted(set(listed) - shown)]
    for command, runs in listed.items():
        if not runs.startswith("not run: ") and not (root / runs.split()[0]).exists():
            problems.append(f"{LISTED}: {runs.split()[0] if runs else 'nothing'} does not exist, which runs \"{command}\"")
    return problems, count


def check_picture(root, program):
    ended = subprocess.run([root / "tools/draw_answer", "--check", "--enfold", program], capture_output=True, text=True, check=False)
    return ([ended.stderr.strip()] if ended.returncode else []), 1


CHECKS = {"index": check_index, "messages": check_messages, "shell": check_shell, "picture": check_picture}


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
