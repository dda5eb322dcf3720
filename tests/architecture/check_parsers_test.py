#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds small trees whose table of parsers is wrong; tools/check_parsers must name each breach."""

import unittest

from checked_tree import run

HEADER = """// [[nodiscard]] int parse_comment(std::string_view text);
[[nodiscard]] Result<Thing> parse_thing(std::string_view text,
                                        int most = 3);
[[nodiscard]] std::optional<Thing> read_thing(json::View value);
void read_into(int descriptor);
"""
TREE = {
    "src/a/thing.h": HEADER,
    "fuzz/thing.cc": "parse_thing(input); find_thing(input);",
    "fuzz/corpus/fuzz_thing/seed": "x",
    "fuzz/parsers.txt": "# table\na/thing.h parse_thing thing\na/thing.h read_thing thing by find_thing\n",
}


class CheckParsers(unittest.TestCase):
    def refused(self, complaint, **changed):
        tree = TREE | {name.replace("__", "/").replace("_dot_", "."): text for name, text in changed.items()}
        code, stderr = run({name: text for name, text in tree.items() if text is not None})
        self.assertEqual(code, 1, complaint)
        self.assertIn(complaint, stderr)

    def test_accepts_a_tree_in_which_every_parser_has_a_target(self):
        self.assertEqual(run(TREE), (0, ""))

    def test_finds_a_parser_without_a_line(self):
        self.refused("src/b/new.h: decode_new has no line in fuzz/parsers.txt",
                     src__b__new_dot_h="Value decode_new(const std::string& bytes);\n")

    def test_finds_a_line_of_a_parser_that_is_gone(self):
        self.refused("read_thing is not in a/thing.h any more", src__a__thing_dot_h="int parse_thing(std::string_view a);")

    def test_finds_a_target_that_does_not_exist(self):
        self.refused("there is no target thing", fuzz__thing_dot_cc=None)

    def test_finds_a_target_without_seeds(self):
        self.refused("there is no target thing", fuzz__corpus__fuzz_thing__seed=None)

    def test_finds_a_target_that_does_not_call_the_parser(self):
        self.refused("the target thing does not mention it", fuzz__thing_dot_cc="find_thing(input);")

    def test_asks_for_a_reason_where_there_is_no_target(self):
        self.refused("needs a reason", fuzz__parsers_dot_txt="a/thing.h parse_thing thing\na/thing.h read_thing -\n")


if __name__ == "__main__":
    unittest.main()
