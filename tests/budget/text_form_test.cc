// SPDX-License-Identifier: Apache-2.0
// The form of a text is told by its structure: words such as "error" and "failed" say nothing.
#include "enfold/budget/text/form.h"
#include "enfold/json/write.h"
#include "tests/budget/text_samples.h"

#include <gtest/gtest.h>

namespace enfold::budget::text {
namespace {

using enfold::testing::lines;

TEST(TextForm, is_told_by_structure) {
  struct Case {
    std::string name;
    std::string text;
    TextForm want;
  };
  const std::string base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
  std::string long_base64;
  while (long_base64.size() < 800) long_base64 += base64;
  const Case cases[] = {
      {"an application log", enfold::testing::application_log(40), TextForm::log},
      {"an access log", enfold::testing::access_log(20), TextForm::log},
      {"syslog", enfold::testing::syslog(20), TextForm::log},
      {"logfmt",
       lines(9,
             [](auto i) {
               return fmt::format("time=\"2026-01-01T00:00:0{}Z\" level=info msg=up", i);
             }),
       TextForm::log},
      {"levels without times",
       lines(9, [](auto i) { return fmt::format("[INFO] step {}, done", i); }), TextForm::log},
      {"a log with a comma in every line",
       lines(9, [](auto i) { return fmt::format("2026-01-01 10:00:0{},123 INFO started", i); }),
       TextForm::log},
      {"day and month in either order",
       lines(
           9,
           [](auto i) { return fmt::format("0{}/02/2026 01:0{}:00 PM worker up", i % 9 + 1, i); }),
       TextForm::log},
      {"the kernel",
       lines(9, [](auto i) { return fmt::format("[    {}.123456] usb {}-1: new device", i, i); }),
       TextForm::log},
      {"a diff", enfold::testing::patch(), TextForm::diff},
      {"a diff without git", "--- a.txt\t2026-01-01\n+++ b.txt\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n",
       TextForm::diff},
      {"a history with patches", enfold::testing::history(2), TextForm::commits},
      {"a mail of git format-patch",
       "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: A <a@b.c>\n"
       "Date: Mon, 2 Mar 2026 10:00:00 +0000\nSubject: [PATCH 1/2] x\n\n---\n" +
           enfold::testing::patch(),
       TextForm::commits},
      {"Python", enfold::testing::python_source(), TextForm::source},
      {"C++", enfold::testing::cpp_source(), TextForm::source},
      {"TypeScript", enfold::testing::typescript_source(), TextForm::source},
      {"Go",
       "package main\n\nimport \"fmt\"\n\nfunc main() {\n\terr := run()\n\tfmt.Println(err)\n}\n",
       TextForm::source},
      {"SQL", "CREATE TABLE a (\n  id integer,\n  name text\n);\n\nCREATE INDEX b ON a (name);\n",
       TextForm::source},
      {"HTML", enfold::testing::html_page(), TextForm::html},
      {"a part of HTML", "<div class=\"a\">\n<p>One, two</p>\n<p>three, four</p>\n</div>\n",
       TextForm::html},
      {"Markdown", "# Title\n\nText.\n\n## Part\n\n- a\n- b\n\n## Other\n\nMore.\n",
       TextForm::markdown},
      {"Markdown with code",
       "# Use\n\n```c\nint main() {\n  return 0;\n}\n```\n\n## More\n\nText, more text.\n",
       TextForm::markdown},
      {"CSV", "id,name,amount\n1,\"a, b\",3\n2,c,4\n", TextForm::csv},
      {"CSV of times", "time,value,unit\n2026-01-01T00:00:00Z,1,ms\n2026-01-01T00:01:00Z,2,ms\n",
       TextForm::csv},
      {"CSV with semicolons", "id;name;x\n1;a;2\n2;b;3\n", TextForm::csv},
      {"TSV", "id\tname\n1\ta\n2\tb\n", TextForm::tsv},
      {"a Markdown table", "| id | name |\n|---|---|\n| 1 | a |\n| 2 | b |\n",
       TextForm::markdown_table},
      {"a table of psql", " id | name \n----+------\n  1 | a\n  2 | b\n(2 rows)\n",
       TextForm::markdown_table},
      {"JSON Lines", "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n", TextForm::json_lines},
      {"JSON in several lines", "{\n  \"a\": 1,\n  \"b\": [1, 2]\n}\n", TextForm::json},
      {"tree", enfold::testing::tree_listing(), TextForm::tree},
      {"ls -lR", enfold::testing::long_listing(), TextForm::tree},
      {"marked entries", "[DIR] src\n[FILE] errors.txt\n[FILE] a b.md\n", TextForm::tree},
      {"find", "./src\n./src/failed.cc\n./src/error.cc\n./README.md\n", TextForm::tree},
      {"a trace of Python", enfold::testing::python_trace(), TextForm::stack_trace},
      {"a trace of Java", enfold::testing::java_trace(), TextForm::stack_trace},
      {"a trace of JavaScript", "Error: no\n    at f (/a.js:1:2)\n    at g (/b.js:3:4)\n",
       TextForm::stack_trace},
      {"keys and values", "host = db1\nport = 5432\nuser = amara\nerror = none\nmode = fast\n",
       TextForm::key_value},
      {"YAML", "name: web\nreplicas: 3\nimage: nginx\nports:\n  - 80\nenv: test\n",
       TextForm::key_value},
      {"Base64", long_base64, TextForm::base64},
      {"a data URI", "data:image/png;base64," + base64, TextForm::base64},
      {"bytes", std::string("\x01\x02\x03\x04PK\x00\x00", 8) + std::string(40, '\x02'),
       TextForm::binary},
      {"prose",
       "We met on Monday, late.\nIt failed, as errors do.\nThen, we left.\nAll was well, again.\n",
       TextForm::text},
      {"one letter many times", std::string(5'000, 'a') + "b", TextForm::text},
      {"hexadecimal digits", std::string(600, 'f') + "0123", TextForm::text},
      {"results of tests",
       lines(20, [](auto i) { return fmt::format("tests/a.py::test_{} PASSED", i); }) +
           "20 passed, 0 failed\n",
       TextForm::text},
      {"comments of a shell profile",
       "# errors\n# go here\n# fail fast\nexport A=1\nexport B=2\nexport C=3\nexport D=4\n",
       TextForm::key_value},
  };
  for (const Case& row : cases) {
    EXPECT_EQ(name(read_form(row.text).form), name(row.want)) << row.name << "\n"
                                                              << row.text.substr(0, 300);
  }
}

TEST(TextForm, tables_are_read_as_records_with_their_lines) {
  const FormReading csv = read_form("id,name,amount\n1,\"a\nb\",3\n2,c,007\n");
  ASSERT_EQ(csv.tables.size(), 1U);
  EXPECT_EQ(json::to_text(csv.tables[0].records.view()),
            R"([{"id":1,"name":"a\nb","amount":3},{"id":2,"name":"c","amount":"007"}])");
  EXPECT_EQ(csv.tables[0].lines, (std::vector<std::uint32_t>{2, 4}));
  const FormReading two =
      read_form("# A\n\n| a | b |\n|--|--|\n| 1 | x |\n\n# B\n\n| c | d |\n|--|--|\n| 2 | y |\n");
  ASSERT_EQ(two.tables.size(), 2U);
  EXPECT_EQ(two.tables[1].lines, (std::vector<std::uint32_t>{11}));
  const FormReading json_lines = read_form("{\"a\":1}\n\n{\"a\":[{},\n{}]}\n");
  EXPECT_NE(json_lines.form, TextForm::json_lines) << "an object may not continue on the next line";
}

}  // namespace
}  // namespace enfold::budget::text
