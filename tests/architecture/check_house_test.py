#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds small trees that break one limit each; tools/check_house must name each breach."""

import unittest

from checked_tree import run_check


def type_of(kind, name, methods, extra=""):
    return f"{kind} {name} {{\n public:\n{extra}{methods}}};\n"


def plain(count):
    return "".join(f"  [[nodiscard]] int m{i}(int a, int b = 1) const;\n" for i in range(count))


FREE = """  Thing();
  explicit Thing(int);
  Thing(const Thing&) = delete;
  ~Thing();
  Thing& operator=(const Thing&) = default;
  bool operator==(const Thing&) const;
  std::function<int(int)> callback;
  int value_ = compute(1);
"""
NESTED = "  struct Inner {\n    void a();\n    void b() { a(); }\n  };\n"


def run(files, *options):
    done = run_check(files, *options)
    return done.returncode, done.stdout, done.stderr


class CheckHouse(unittest.TestCase):
    def refused(self, files, complaint):
        code, _, stderr = run(files)
        self.assertEqual(code, 1, stderr)
        self.assertIn(complaint, stderr)
        self.assertEqual(stderr.count("error:"), 1, stderr)

    def accepted(self, files):
        code, _, stderr = run(files)
        self.assertEqual((code, stderr), (0, ""))

    def test_counts_methods_without_constructors_operators_and_nested_types(self):
        thing = "src/enfold/base/thing.h"
        self.accepted({thing: type_of("class", "Thing", plain(25), FREE + NESTED)})
        self.refused({thing: type_of("class", "Thing", plain(26), FREE + NESTED)}, "Thing: 26 methods of one class")
        self.refused({thing: type_of("struct", "Thing", plain(24) + "  int m0();\n  int m0(char);\n")}, "Thing: 26 methods")

    def test_counts_inline_methods_and_classes_in_sources(self):
        inline = "".join(f"  int m{i}() const {{ return {i}; }}\n" for i in range(26))
        self.refused({"src/enfold/base/thing.cc": type_of("class", "Thing", inline)}, "thing.cc: Thing: 26 methods")

    def test_definitions_outside_the_class_do_not_count_again(self):
        definitions = "".join(f"int Thing::m{i}(int a, int b) const {{ return a + b; }}\n" for i in range(25))
        self.accepted({"src/enfold/base/thing.cc": type_of("class", "Thing", plain(25)) + definitions})

    def test_counts_files_of_a_folder(self):
        self.accepted({f"src/enfold/base/f{i}.h": "" for i in range(20)})
        self.refused({f"src/enfold/base/f{i}.h": "" for i in range(21)}, "src/enfold/base: 21 files in one folder")

    def test_counts_installed_headers(self):
        listing = "".join(f"  enfold/base/f{i}.h\n" for i in range(80))
        self.accepted({"cmake/public_headers.cmake": listing + "# enfold/base/none.h\n", "src/a.h": ""})
        self.refused({"cmake/public_headers.cmake": listing + "  enfold/base/g.h\n", "src/a.h": ""}, "81 installed headers")

    def test_counts_lines(self):
        self.accepted({"src/a.cc": "\n" * 91_300})
        self.refused({"src/a.cc": "\n" * 91_300, "src/b.h": "\n"}, "src: 91301 lines")

    def test_reports_without_failing(self):
        code, stdout, _ = run({"src/a.cc": "\n" * 91_400}, "--report")
        self.assertEqual(code, 0)
        self.assertIn("lines: 91400, limit 91300, over it 1", stdout)


if __name__ == "__main__":
    unittest.main()
