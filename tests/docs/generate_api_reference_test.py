#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tools/generate_api_reference makes of declarations and comments."""

import importlib.machinery
import importlib.util
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
TOOL = Path(__file__).resolve().parents[2] / "tools" / "generate_api_reference"
loader = importlib.machinery.SourceFileLoader("generate_api_reference", str(TOOL))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(tool)


def header(text):
    made = tool.Header.__new__(tool.Header)
    made.name, made.lines = "enfold/test.h", text.splitlines()
    return made


class Declarations(unittest.TestCase):
    def test_end_before_the_body_of_a_function(self):
        made = header("  [[nodiscard]] int size() const { return size_; }\n")
        self.assertEqual(made.declaration(1, True)[0], "[[nodiscard]] int size() const;")

    def test_end_before_the_initialisers_of_a_constructor(self):
        for text in ("  explicit A(int b) : b_(b) {}\n", "  explicit A(int b)\n      : b_(b) {}\n"):
            self.assertEqual(header(text).declaration(1, True)[0], "explicit A(int b);")

    def test_keep_templates_constraints_and_default_arguments(self):
        text = "template <class F>\n  requires(is_fit<F>)\nvoid call(F f, int n = {});\n"
        self.assertEqual(header("int before;\n" + text).declaration(4, True)[0], text.rstrip())

    def test_keep_the_base_of_a_class(self):
        self.assertEqual(header("class B : public a::A {\n").declaration(1, True)[0], "class B : public a::A;")

    def test_keep_the_value_of_a_member(self):
        made = header("  std::size_t page = 1'000;  ///< rows\n")
        self.assertEqual(made.declaration(1, False)[0], "std::size_t page = 1'000;")


class Members(unittest.TestCase):
    @staticmethod
    def wanted(definition, qualified):
        name = qualified.rsplit("::", 1)[1]
        element = tool.ElementTree.fromstring(
            "<memberdef kind='function' prot='public'><name/><definition/><qualifiedname/><argsstring>(int)</argsstring>"
            "<briefdescription/><detaileddescription/></memberdef>")
        for tag, text in (("name", name), ("definition", definition), ("qualifiedname", qualified)):
            element.find(tag).text = text
        return tool.wanted_member(element, "Reply")

    def test_of_templates_are_shown(self):
        self.assertTrue(self.wanted("bool a::Reply< Response >::finish", "a::Reply::finish"))
        self.assertTrue(self.wanted("b::C< d< E > > a::Reply< std::vector< F > >::finish", "a::Reply::finish"))

    def test_that_a_class_takes_from_its_base_are_not_shown(self):
        self.assertFalse(self.wanted("a::Base::Base", "a::Reply::Base"))


class Comments(unittest.TestCase):
    def test_stand_above_or_behind(self):
        self.assertEqual(header("int a;\n/// One.\n/// Two.\nint b;\n").comment(4, 3), ["One.", "Two."])
        self.assertEqual(header("int a;  ///< of one\n").comment(1, 0), ["of one"])

    def test_of_another_declaration_do_not_count(self):
        self.assertEqual(header("/// Of a.\nint a;\nint b;\n").comment(3, 2), [])

    def test_become_sentences_and_code(self):
        self.assertEqual(tool.prose(["of one"]), "Of one.")
        self.assertEqual(tool.prose(["Use:", "  a();"]), "Use:\n\n```cpp\na();\n```")

    def test_link_what_they_name(self):
        links = [("Call::level()", "call.md#calllevel")]
        self.assertEqual(tool.linked("See Call::level() of vector<T>.", links),
                         r"See [`Call::level()`](call.md#calllevel) of vector\<T\>.")


if __name__ == "__main__":
    unittest.main()
