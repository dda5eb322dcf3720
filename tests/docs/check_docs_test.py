#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a small sound set of documents in one way at a time; check_docs.py must name each break."""

import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().parent / "check_docs.py"

# Stands for the program: accepts what contains "good", and has one verb with two options.
PROGRAM = """#!/bin/sh
case "$*" in
  "--help") printf 'Enfold\\n\\nVerbs:\\n  convert    Convert\\n\\nMore\\n' ;;
  "convert --help") printf 'Options:\\n  -h,--help  Help\\n  --to NAME (required)  To\\n  --from NAME=auto  From\\n' ;;
  validate*) grep -q good || { echo "not valid"; exit 2; } ;;
  *) echo "said $*"; echo "and more"; echo "words" >&2 ;;
esac
"""

SCHEMA = """{
  "properties": {"ok": {"type": "boolean"}, "rows": {"items": {"$ref": "#/$defs/row"}}, "map": {"additionalProperties": {"type": "string"}}},
  "allOf": [{"if": {"properties": {"hidden": true}}, "then": {"properties": {"why": {"type": "string"}}}}],
  "$defs": {"row": {"properties": {"id": {}, "parent": {"$ref": "#/$defs/leaf"}}}, "leaf": {"anyOf": [{"properties": {"name": {}}}]}}
}"""

SOUND = {
    "README.md": "# Small\n\nSee [the contract](docs/reference/contracts/small.md#members).\n\n"
                 "```console\n$ enfold one \\\n    two\nsaid one two\nand more\nwords\n"
                 "$ enfold three 2>/dev/null | head -n 1\nsaid three\n```\n",
    "docs/reference/contracts/small.md":
        "# small\n\n## Members\n| path | type |\n|---|---|\n"
        "| `ok` | b |\n| `rows` | a |\n| `rows[].id` | x |\n| `rows[].parent` | x |\n"
        "| `rows[].parent.name` | x |\n| `map` | o |\n| `map.*` | s |\n| `why` | s |\n\n"
        "```json\n{\"good\": true}\n```\n",
    "docs/reference/command-line.md": "# Command line\n\n## enfold convert\n| option | default | meaning |\n|---|---|---|\n"
                            "| `--to NAME` | – | x |\n| `--from NAME` | auto | x; see `--to` |\n",
    "schema/small.json": SCHEMA,
}


class CheckDocs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name, text in SOUND.items():
            self.write(name, text)
        self.program = self.root / "bin" / "enfold"
        self.write("bin/enfold", PROGRAM)
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def replace(self, name, old, new):
        text = (self.root / name).read_text()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new, 1))

    def check(self, what, update=False):
        environment = {key: value for key, value in os.environ.items() if key != "ENFOLD_UPDATE_GOLDEN"}
        if update:
            environment["ENFOLD_UPDATE_GOLDEN"] = "1"
        ended = subprocess.run([sys.executable, CHECK, what, "--root", self.root, "--enfold", self.program],
                               capture_output=True, text=True, env=environment, check=False)
        self.assertEqual(ended.stderr, "")
        return ended.returncode, ended.stdout

    def expect_wrong(self, what, words):
        code, out = self.check(what)
        self.assertEqual(code, 1, out)
        self.assertIn(words, out)

    def test_sound_documents_pass(self):
        for what in ("tables", "examples", "console", "command-line", "links"):
            code, out = self.check(what)
            self.assertEqual(code, 0, out)

    def test_a_row_too_many(self):
        self.replace("docs/reference/contracts/small.md", "| `ok` | b |", "| `ok` | b |\n| `gone` | b |")
        self.expect_wrong("tables", "docs/reference/contracts/small.md: gone is not in small.json")

    def test_a_row_too_few(self):
        self.replace("docs/reference/contracts/small.md", "| `rows[].parent.name` | x |\n", "")
        self.expect_wrong("tables", "rows[].parent.name of small.json is not listed")

    def test_a_row_twice(self):
        self.replace("docs/reference/contracts/small.md", "| `ok` | b |", "| `ok` | b |\n| `ok` | b |")
        self.expect_wrong("tables", "ok is listed twice")

    def test_a_schema_without_a_page(self):
        self.write("schema/other.json", "{}")
        self.expect_wrong("tables", "docs/reference/contracts has no page for schema/other.json")

    def test_an_example_that_is_not_valid(self):
        self.replace("docs/reference/contracts/small.md", '{"good": true}', '{"bad": true}')
        self.expect_wrong("examples", "docs/reference/contracts/small.md:16: not valid")

    def test_no_examples_at_all(self):
        self.replace("docs/reference/contracts/small.md", "```json", "```text")
        self.expect_wrong("examples", "found nothing to check")

    def test_output_that_differs(self):
        self.replace("README.md", "said one two", "said one")
        self.expect_wrong("console", "README.md:6: $ enfold one")

    def test_output_that_is_cut(self):
        self.replace("README.md", "and more\n", "")
        self.expect_wrong("console", "README.md:6: $ enfold one")

    def test_output_left_out(self):
        self.replace("README.md", "said one two\nand more\nwords\n", "said one two\n…\n")
        self.assertEqual(self.check("console")[0], 0)
        self.replace("README.md", "said one two\n…\n", "…\nsaid nothing\n")
        self.expect_wrong("console", "README.md:6: $ enfold one")

    def test_characters_left_out(self):
        self.replace("README.md", "said one two\n", "said … two\n")
        self.assertEqual(self.check("console")[0], 0)
        self.replace("README.md", "said … two\n", "said … three\n")
        self.expect_wrong("console", "README.md:6: $ enfold one")

    def test_a_here_document_is_part_of_the_command(self):
        self.write("docs/here.md", "```console\n$ cat > \"$HOME/a\" <<'EOF'\nfirst\n\nlast\nEOF\n$ wc -l < \"$HOME/a\"\n3\n```\n")
        self.assertEqual(self.check("console")[0], 0)

    def test_a_server_in_the_background_is_waited_for_and_ended(self):
        block = "```console\n$ enfold serve &\nsaid serve\nand more\nwords\n$ echo then\nthen\n```\n"
        self.write("docs/background.md", block)
        self.assertEqual(self.check("console")[0], 0)
        self.write("docs/background.md", block.replace("said serve", "said nothing"))
        self.expect_wrong("console", "docs/background.md:2: $ enfold serve &")

    def test_output_can_be_rewritten(self):
        sound = (self.root / "README.md").read_text()
        self.replace("README.md", "said one two\nand more\n", "old\n")
        self.assertEqual(self.check("console", update=True)[0], 0)
        self.assertEqual((self.root / "README.md").read_text(), sound)

    def test_a_verb_that_the_overview_leaves_out(self):
        self.replace("docs/reference/command-line.md", "# Command line\n", "# Command line\n| [other](#enfold-convert) | x |\n")
        self.expect_wrong("command-line", "the table at the top leaves out convert")

    def test_an_option_that_is_not_documented(self):
        self.replace("docs/reference/command-line.md", "| `--to NAME` | – | x |\n", "")
        self.expect_wrong("command-line", "convert: --to NAME is not documented")

    def test_an_option_that_does_not_exist(self):
        self.replace("docs/reference/command-line.md", "see `--to`", "see `--into`")
        self.expect_wrong("command-line", "mentions --into, which no verb has")

    def test_another_default(self):
        self.replace("docs/reference/command-line.md", "| auto |", "| mcp |")
        self.expect_wrong("command-line", 'convert: --from NAME has the default "auto", documented is "mcp"')

    def test_a_verb_without_a_section(self):
        self.replace("docs/reference/command-line.md", "## enfold convert", "## enfold turn")
        self.expect_wrong("command-line", "there is no section `## enfold convert`")
        self.expect_wrong("command-line", "there is no verb for the section enfold turn")

    def test_code_that_nobody_compiles(self):
        self.write("tests/snippet.cc", "int main() {\n  run( 1 );\n}\n")
        self.write("docs/code.md", "```cpp\nrun(1);  // once\n```\n")
        self.assertEqual(self.check("code")[0], 0)
        self.replace("docs/code.md", "run(1)", "run(2)")
        self.expect_wrong("code", "docs/code.md:2: this code is in no file that is compiled")

    def test_python_that_is_in_no_file(self):
        self.write("tests/a.py", "def run():\n    pass\n")
        self.write("docs/code.md", "```python\ndef run():\n    pass\n```\n")
        self.assertEqual(self.check("code")[0], 0)
        self.replace("docs/code.md", "run()", "stop()")
        self.expect_wrong("code", "docs/code.md:2: this code is in no Python file")

    def test_a_link_to_nowhere(self):
        self.replace("README.md", "small.md#members", "large.md")
        self.expect_wrong("links", "README.md: docs/reference/contracts/large.md does not exist")

    def test_a_link_to_a_heading_that_is_gone(self):
        self.replace("README.md", "#members", "#rows")
        self.expect_wrong("links", "names a heading that is not there")

    def test_a_source_that_names_a_page_that_is_gone(self):
        self.write("src/a.cc", "// See docs/reference/contracts/small.md.\n")
        self.assertEqual(self.check("paths")[0], 0)
        self.write("src/a.cc", "// See docs/reference/contracts/large.md.\n")
        self.expect_wrong("paths", "src/a.cc: docs/reference/contracts/large.md does not exist")

    def test_golden_data_may_name_pages_of_other_projects(self):
        self.write("src/a.cc", "// See docs/reference/contracts/small.md.\n")
        self.write("tests/golden/tree.json", '["docs/guide.md"]\n')
        self.assertEqual(self.check("paths")[0], 0)


if __name__ == "__main__":
    unittest.main()
