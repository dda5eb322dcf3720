// SPDX-License-Identifier: Apache-2.0
// Facts and rows of cut texts by their form: records with broken lines, tables under headings,
// code, logs, Markdown and HTML.
#include "enfold/budget/text/digest.h"
#include "enfold/budget/text/stamp.h"
#include "tests/budget/answer.h"
#include "tests/budget/text_samples.h"
#include "tests/support/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::budget::text {
namespace {

using enfold::testing::lines;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> facts_of(const Digest& digest) {
  std::vector<std::string> facts;
  for (const Statement& fact : digest.facts) {
    facts.push_back(fmt::format("{}{}{}={}", fact.section, fact.section.empty() ? "" : "/",
                                fact.name, fact.value));
  }
  return facts;
}

std::vector<std::string> rows_of(const Digest& digest) {
  std::vector<std::string> rows;
  for (const Row& row : digest.rows) rows.push_back(fmt::format("{},{}", row.line, row.cells));
  return rows;
}

// A cut answer whose payload is the text.
FitResult cut(const std::string& text) {
  const json::Value payload = json::parse_own(json::quote(text));
  return enfold::testing::fit_to(payload.view(), 500).value();
}

std::string facts_of_cut(const std::string& text) {
  const FitResult fitted = cut(text);
  return fitted.facts ? std::string((*fitted.facts)->find("")->raw()) : std::string();
}

TEST(TextFacts, of_json_lines_name_the_broken_ones) {
  std::string text = lines(60, [](std::size_t i) {
    return fmt::format(R"({{"id":{},"kind":"{}"}})", i, i % 3 == 0 ? "a" : "b");
  });
  text.insert(text.find("{\"id\":7"), "{\"id\":7,\n\n");
  const Digest digest = digest_of(text, 100);
  EXPECT_EQ(digest.form, TextForm::json_lines);
  EXPECT_THAT(facts_of(digest), ElementsAre("broken_lines=[8]"));
  EXPECT_EQ(digest.tables[0].records->size(), 60U);
  EXPECT_EQ(digest.tables[0].lines[7], 10U);
  const std::string facts = facts_of_cut(text);
  EXPECT_THAT(facts, HasSubstr(R"("broken_lines":[8],"count":60)"));
  EXPECT_THAT(facts, HasSubstr(R"("kind":{"b":40,"a":20})"));
  EXPECT_NE(digest_of("{\"a\":1}\n{\"a\":\n{\"a\":2}\n", 100).form, TextForm::json_lines)
      << "one of three lines is too many";
}

TEST(TextFacts, of_separated_values_name_the_broken_lines) {
  std::string text = "id,kind,size\n";
  text += lines(60, [](std::size_t i) { return fmt::format("{},{},{}", i, "ab"[i % 2], i * 7); });
  text += "60,a\n61,\"open,8\n62,b,9\n";
  const Digest digest = digest_of(text, 100);
  EXPECT_EQ(digest.form, TextForm::csv);
  EXPECT_THAT(facts_of(digest), ElementsAre("broken_lines=[62,63]"));
  EXPECT_EQ(digest.tables[0].records->size(), 61U);
  EXPECT_EQ(digest.tables[0].lines.back(), 64U);
  EXPECT_EQ(digest_of("one, two\nthree, four, five\nsix, seven\n", 100).form, TextForm::text);
}

TEST(TextFacts, read_numbers_with_separators_if_the_whole_column_has_them) {
  const auto ranges = [](const std::string& odd) {
    return facts_of_cut("name;amount\n" + lines(100, [&](std::size_t i) {
                          return i == 20 ? "x;" + odd
                                         : fmt::format("n{};{},{:03}.50", i, i + 1, i * 9);
                        }));
  };
  EXPECT_THAT(ranges("1,284,990.00"), HasSubstr(R"("amount":[1000.50,1284990.00])"));
  EXPECT_THAT(ranges("999"), HasSubstr(R"("amount":[999,100891.50])"));
  EXPECT_THAT(ranges("–"), HasSubstr(R"("amount":[1000.50,100891.50])"));
  EXPECT_THAT(ranges("-"), HasSubstr(R"("null":{"amount":1})"));
  EXPECT_THAT(ranges("gone"), HasSubstr(R"("amount":["1,000.50","100,891.50"])"))
      << "as they are written, beside a word";
  EXPECT_THAT(ranges("1,28"), Not(HasSubstr(R"("amount":[)"))) << "no group of three digits";
  const std::string decimal_commas = facts_of_cut("name;amount\n" + lines(100, [](std::size_t i) {
                                                    return fmt::format("n{};{},{:03}", i, i + 1, i);
                                                  }));
  ASSERT_THAT(decimal_commas, HasSubstr("csv"));
  EXPECT_THAT(decimal_commas, Not(HasSubstr(R"("amount":[)"))) << "they may be decimal commas";
}

std::string two_tables() {
  return "# Report\n\nWords.\n\n## Hosts\n\n| name | size |\n|---|---:|\n" +
         lines(40, [](std::size_t i) { return fmt::format("| h{} | {} |", i, i * 3); }) +
         "\nMore.\n\n```sh\n# no heading\n```\n\n## Faults/year\n\n| id | kind |\n|---|---|\n" +
         lines(20, [](std::size_t i) { return fmt::format("| f{} | {} |", i, i % 4 ? "x" : "y"); });
}

TEST(TextFacts, rows_of_records_begin_with_those_that_have_a_value_of_their_own) {
  const std::string text = "id,kind,note\n" + lines(600, [](std::size_t i) {
                             const std::string note =
                                 i % 9 == 0 ? "an error in the third part" : "";
                             return fmt::format("{},{},{}", i, i == 411 ? "deploy" : "view", note);
                           });
  EXPECT_THAT(std::string(cut(text).index->view().raw()), HasSubstr("411,deploy"));
}

TEST(TextFacts, of_tables_in_a_text_are_those_of_records_under_their_headings) {
  const std::string facts = facts_of_cut(two_tables());
  EXPECT_THAT(facts,
              HasSubstr(R"("tables":{"Hosts":{"line":9,"rows":40,"columns":["name","size"]})"));
  EXPECT_THAT(facts, HasSubstr(R"("Faults~1year/kind":{"x":15,"y":5})"));
  EXPECT_THAT(facts, HasSubstr(R"("Hosts/size":{"first":0,"last":117,"step":3})"));
}

TEST(TextFacts, of_markdown_count_what_readers_count) {
  const Digest digest = digest_of(
      "---\ntitle: x\n---\n\nTitle\n=====\n\n- [ ] one\n- [x] two\n1. [X] three\n* [y] four\n\n"
      "## Part\n\n```sh\n# no heading\n- [ ] no box\n```\n\n~~~\n```\n~~~\n\n> **Warning:** hot\n\n"
      "> [!WARNING]\n> hot\n\n**Default:** 5\n\n### Inner\n\nText\n\n## End\n\nText\n",
      100);
  EXPECT_EQ(digest.form, TextForm::markdown);
  EXPECT_THAT(facts_of(digest),
              ElementsAre("headings=4", R"(headings_by_level={"1":1,"2":2,"3":1})",
                          R"(check_boxes={"ticked":2,"open":1})",
                          R"(code_blocks={"none":1,"sh":1})", R"(admonitions={"warning":2})"));
  EXPECT_THAT(rows_of(digest), ElementsAre(R"(5,"Title",33)", R"(13,"## Part",22)",
                                           R"(31,"### Inner",4)", R"(35,"## End",3)"));
}

TEST(TextFacts, of_html_has_tables_languages_and_links_without_target) {
  std::string page =
      "<html><body><nav><a href=\"#b\">menu</a></nav><h2 id=\"a\">Ports &para;</h2>\n"
      "<table><tr><th>Name</th><th>Port</th></tr>\n";
  for (int i = 0; i < 20; ++i) {
    page += fmt::format("<tr><td><b>p</b>{}</td><td>{}<br>x</td></tr>\n", i, i % 2);
  }
  page +=
      "</table><p>See <a href=\"#a\">a</a>, <a href=\"#c\">c</a>.</p>\n"
      "<pre><code class=\"hl language-go\">f()</code></pre><code class=\"language-go\">x</code>\n"
      "<table><tr><th>A</th><th>B</th></tr><tr><td "
      "colspan=\"2\">1</td></tr></table></body></html>\n";
  const Digest digest = digest_of(page, 100);
  EXPECT_THAT(facts_of(digest),
              IsSupersetOf({R"(code_blocks={"go":1})", R"(links_without_target=["#b","#c"])",
                            "table_count=2"}));
  ASSERT_EQ(digest.tables.size(), 1U);
  EXPECT_EQ(digest.tables[0].name, "Ports");
  EXPECT_EQ(digest.tables[0].records->item(3)->raw(), R"({"Name":"p3","Port":"1 x"})");
  EXPECT_THAT(facts_of_cut(page), HasSubstr(R"("Ports/Port":{"0 x":10,"1 x":10})"));
}

TEST(TextFacts, of_python_count_definitions_outside_of_strings) {
  const Digest digest = digest_of(
      "import os\n\n\nclass A(Base, metaclass=Meta):\n    '''Not this:\n    def no(self):\n    "
      "'''\n"
      "    @cached\n    def one(self):\n        # TODO: more\n        return (\n            1)\n\n"
      "    async def two(\n        self,\n    ):\n        s = '# TODO no'  # FIXME: yes\n"
      "        return s\n\n\n@retry(3)\ndef alone(x):\n    return x  # todo\n\n\n"
      "class B(A, Base):\n    pass\n",
      100);
  EXPECT_EQ(digest.form, TextForm::source);
  EXPECT_THAT(
      facts_of(digest),
      ElementsAre(R"(definitions={"class":2,"def":2,"async def":1})", R"(methods={"A":2,"B":0})",
                  R"(subclasses/A=["B"])", R"(subclasses/Base=["A","B"])",
                  R"(longest_function={"name":"A.two","line":14,"lines":5})",
                  R"(decorators={"@cached":1,"@retry":1})", R"(comments={"FIXME":1,"TODO":1})"));
  EXPECT_THAT(rows_of(digest),
              ElementsAre(R"(4,"class A(Base, metaclass=Meta):",15)", R"(22,"def alone(x):",2)",
                          R"(26,"class B(A, Base):",2)", R"(9,"    def one(self):",4)",
                          R"(14,"    async def two(",5)"));
}

TEST(TextFacts, of_other_languages_say_less) {
  const auto facts =
      facts_of(digest_of("class A < B\n  # TODO x\n  def one(a)\n    a\n  end\n\n  def two\n  "
                         "end\nend\n\nputs(A.new)\n",
                         100));
  EXPECT_THAT(facts, ElementsAre(R"(definitions={"def":2,"class":1})", R"(comments={"TODO":1})"));
  EXPECT_THAT(facts_of(digest_of(enfold::testing::cpp_source(), 100)),
              ElementsAre(R"(definitions={"namespace":1,"struct":1})"));
}

TEST(TextFacts, of_logs_count_one_level_in_all_its_spellings) {
  const std::string text =
      "2026-01-01 10:00:00 INFO  [web] up\n2026-01-01 10:00:01 warn  [web] slow error\n"
      "2026-01-01 10:10:02 WARNING [web] slow\n2026-01-01 10:20:02 WARN [db] slow\n"
      "2026-01-01 10:30:03 ERROR [db] lost\njava.io.IOException: gone\n\tat a.B.c(B.java:1)\n"
      "Caused by: java.lang.Error\n\t... 3 more\n2026-01-01 11:00:04 error [db] lost\n"
      "2026-01-01 11:00:04 INFO [db] warn about it\n2026-01-01 11:00:05 INFO [web] error page\n";
  EXPECT_THAT(facts_of(digest_of(text, 100)),
              IsSupersetOf({R"(levels={"ERROR":2,"INFO":3,"WARN":3})",
                            R"(hours/ERROR={"10":1,"11":1})", R"(components/WARN={"web":2,"db":1})",
                            R"(exceptions={"java.io.IOException":1,"java.lang.Error":1})"}));
  EXPECT_THAT(facts_of(digest_of(text, 100)), Not(Contains(StartsWith("components/ERROR"))))
      << "one component says nothing";
}

TEST(TextFacts, of_logs_read_the_whole_time_stamp) {
  const std::pair<std::string, std::string> table[] = {
      {"Oct 11 22:14:15 host sshd: up", "Oct 11 22:14:15"},
      {"Oct  1 22:14:15 host sshd: up", "Oct  1 22:14:15"},
      {"Sun Oct 11 22:14:15 2026 up", "Sun Oct 11 22:14:15 2026"},
      {"Sun, Oct 11 22:14:15 up", "Sun, Oct 11 22:14:15"},
      {"Oct 11 22:14:15 12345 rows", "Oct 11 22:14:15"},
      {"10:00:05 image pulled", "10:00:05"},
      {"10:00:05 vm1 up", "10:00:05"},
      {"10:00:05 AMQP up", "10:00:05"},
      {"10:00:05 PM up", "10:00:05 PM"},
      {"10:00:05 am up", "10:00:05 am"},
      {"11/10/2026 10:00:05 pm up", "11/10/2026 10:00:05 pm"},
      {"11/10/2026 10:00:05 emergency", "11/10/2026 10:00:05"},
      {"2026-10-11 10:00:05 UTCtime is set", "2026-10-11 10:00:05"},
      {"2026-10-11 10:00:05 +0200 up", "2026-10-11 10:00:05 +0200"},
  };
  for (const auto& [line, want] : table) {
    const auto stamp = find_stamp(line);
    ASSERT_TRUE(stamp) << line;
    EXPECT_EQ(line.substr(stamp->begin, stamp->end - stamp->begin), want);
  }
  EXPECT_FALSE(find_stamp("10:00:05x up"));
}

TEST(TextFacts, of_logs_show_the_line_with_a_number_far_above_the_others) {
  const std::string text = lines(60, [](std::size_t i) {
    return fmt::format("2026-01-01 10:00:{:02} INFO request {} took {} ms", i % 60, 1000 + i,
                       i == 40 ? 48'213 : 20 + i % 9);
  });
  EXPECT_THAT(rows_of(digest_of(text, 100)), Contains(HasSubstr("took 48213 ms")));
}

TEST(TextFacts, of_logs_join_names_of_several_words_in_one_pattern) {
  std::string text;
  for (std::size_t i = 0; i < 60; ++i) {
    std::string first(1, static_cast<char>('A' + i % 20));
    std::string last(1, static_cast<char>('A' + i * 7 % 20));
    text += fmt::format("2026-01-01 10:00:{:02} INFO session {} created for {}a {}b\n", i, i, first,
                        last);
  }
  EXPECT_THAT(facts_of(digest_of(text, 100)),
              Contains("patterns/INFO session <*> created for <*> <*>=60"));
}

TEST(TextFacts, of_listings_name_links_the_deepest_entry_and_spellings) {
  const auto facts =
      facts_of(digest_of(".\n├── A.MD\n├── b.md\n├── cur -> v2/x\n└── src\n    ├── deep\n    │   "
                         "└── z.cc\n    └── y.cc\n",
                         100));
  EXPECT_THAT(facts, IsSupersetOf({R"(deepest={"depth":3,"count":1,"path":"src/deep/z.cc"})",
                                   "symbolic_links=1", R"(link_targets/cur="v2/x")",
                                   "extensions/md=2", R"(extension_spellings={"MD":1})"}));
}

TEST(TextFacts, the_index_of_a_text_says_how_many_rows_are_left_out) {
  const std::string text = lines(400, [](std::size_t i) {
    return fmt::format("def function_number_{}(argument, other):\n    return argument\n", i);
  });
  const FitResult fitted = cut(text);
  const auto index = (*fitted.index)->find("");
  const std::size_t rows = index->find("rows")->size();
  EXPECT_EQ(*index->find("more")->integer(), static_cast<std::int64_t>(400 - rows));
}

}  // namespace
}  // namespace enfold::budget::text
