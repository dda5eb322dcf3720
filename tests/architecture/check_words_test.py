#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants one word at a time in a clean tree; tools/check_words must find it, and nothing else."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(sys.argv.pop(1)).resolve()

CLEAN = {
    "docs/internals/words.md": """# Words

## Words to avoid

| avoid | use | where |
|---|---|---|
| `patience` | timeout | all |
| `those who` | callers | prose |
| `visitor` | client session | names |
| `Given` | a noun | types |
""",
    "tests/architecture/words_todo.txt": "# not yet done\n",
    "src/enfold/base/file.cc": '// The given timeout.\nint visit(int given) { return given; }\nconst char* text = "for those\\n"\n'
    '  "callers";\n',
    "docs/guide/page.md": "# Page\n\nThe `timeout` is given. Those\nare words.\n\n```json\n{\"patience\": 1}\n```\n",
    "schema/settings/config.json": '{"properties": {"timeout": {"description": "A timeout"}}}',
    "README.md": "# Readme\n",
}

# name: (file, its new text, what the check must print)
PLANTED = {
    "comment": ("src/a.cc", "// Its patience ends.\n", 'src/a.cc:1: "patience": timeout'),
    "comment_over_two_lines": ("src/a.cc", "int a;\n// For those\n// who call.\n", 'src/a.cc:2: "those who": callers'),
    "message": ("src/a.cc", 'auto a = "no patience";\n', 'src/a.cc:1: "patience"'),
    "message_in_two_literals": ("src/a.cc", 'auto a = "for those "\n         "who call";\n', '"those who"'),
    "message_over_two_lines": ("src/a.cc", 'auto a = "for those\\n"\n         "who call";\n', '"those who"'),
    "raw_literal": ("src/a.cc", 'auto a = R"(no patience)";\n', 'src/a.cc:1: "patience"'),
    "snake_case": ("src/a.cc", "int start_patience_ms;\n", 'src/a.cc:1: "patience"'),
    "pascal_case": ("src/a.cc", "\nclass OpenVisitor;\n", 'src/a.cc:2: "visitor"'),
    "constant": ("src/a.cc", "int kPatience;\n", 'src/a.cc:1: "patience"'),
    "type": ("src/a.h", "struct Given {};\n", 'src/a.h:1: "Given": a noun'),
    "configuration_key": ("src/a.cc", 'auto a = argument("start_patience");\n', 'src/a.cc:1: "patience"'),
    "file_name": ("src/visitor.cc", "int a;\n", 'src/visitor.cc: "visitor" in its path'),
    "page": ("docs/a.md", "# A\n\nIts patience.\n", 'docs/a.md:3: "patience"'),
    "inline_code": ("docs/a.md", "# A\n\nThe `open_visitor`.\n", 'docs/a.md:3: "visitor"'),
    "configuration_in_a_page": ("docs/a.md", "```toml\npatience = 1\n```\n", 'docs/a.md:2: "patience"'),
    "schema_key": ("schema/settings/config.json", '{"properties": {"patience": {}}}', '"patience"'),
    "schema_description": ("schema/settings/config.json", '{"description": "those who call"}', '"those who"'),
    "example_configuration": ("examples/a.toml", "patience = 1\n", '"patience"'),
    "clean_path_in_the_list": ("tests/architecture/words_todo.txt", "docs/guide/page.md\n", "docs/guide/page.md is clean: remove it"),
    "missing_path_in_the_list": ("tests/architecture/words_todo.txt", "src/gone\n", "src/gone is clean: remove it"),
}


class CheckWords(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        for name, text in CLEAN.items():
            self.write(name, text)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_check(self):
        return subprocess.run([sys.executable, CHECK, "--root", self.root], capture_output=True, text=True, timeout=60)

    def test_clean_tree_passes(self):
        ended = self.run_check()
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_finds_each_planted_word(self):
        for name, (file, text, complaint) in PLANTED.items():
            with self.subTest(name):
                before = (self.root / file).read_text() if (self.root / file).exists() else None
                self.write(file, text)
                ended = self.run_check()
                self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
                self.assertIn(complaint, ended.stdout)
                self.assertIn(" 1 problems", ended.stdout)
                self.write(file, before) if before is not None else (self.root / file).unlink()

    def test_listed_paths_are_skipped(self):
        self.write("src/old/a.cc", "int patience;\n")
        self.write("tests/architecture/words_todo.txt", "src/old\n")
        self.assertEqual(self.run_check().returncode, 0)
        self.write("src/older/a.cc", "int patience;\n")
        self.assertIn("src/older/a.cc", self.run_check().stdout)


if __name__ == "__main__":
    unittest.main()
