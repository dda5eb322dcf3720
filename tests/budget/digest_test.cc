// SPDX-License-Identifier: Apache-2.0
// What is said of a text holds for all of it; counted again here by other means.
#include "enfold/budget/text/digest.h"

#include "enfold/json/write.h"
#include "tests/budget/text_samples.h"
#include "tests/support/cases.h"

#include <ctime>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck.h>
#include <sstream>

namespace enfold::budget::text {
namespace {

using enfold::testing::lines;
using ::testing::ElementsAre;

// All facts as "section/name=value".
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

TEST(Digest, of_a_log_counts_levels_where_they_are_written) {
  const std::string text =
      "2026-01-01 10:00:00 INFO [a] tests: 0 failed\n"
      "2026-01-01 10:00:01 INFO [a] errors=0 ERROR rate 0\n"
      "2026-01-01 10:00:02 WARN [b] ERROR in the name\n"
      "2026-01-01 10:00:03 ERROR [b] disk sda1 is full\n"
      "2026-01-01 10:00:04 INFO [a] tests: 0 failed\n"
      "    at a.b(C.java:1)\n";
  EXPECT_THAT(facts_of(digest_of(text, 100)),
              ::testing::IsSupersetOf(
                  {"levels={\"ERROR\":1,\"INFO\":3,\"WARN\":1}",
                   "times={\"first\":\"2026-01-01 10:00:00\",\"last\":\"2026-01-01 10:00:04\"}"}));
  const auto says_times = [](std::string_view format) {
    std::string lines;
    for (int i = 1; i < 9; ++i) lines += fmt::format(fmt::runtime(format), i) + " INFO up\n";
    const auto facts = facts_of(digest_of(lines, 100));
    return std::ranges::any_of(facts,
                               [](const std::string& one) { return one.starts_with("times="); });
  };
  EXPECT_TRUE(says_times("2026-01-01T10:00:0{}Z"));
  EXPECT_FALSE(says_times("0{}/02/2026 10:00:00")) << "day and month cannot be told apart";
  EXPECT_FALSE(says_times("01/02/2026 0{}:00:00 PM")) << "noon comes after eleven";
  EXPECT_FALSE(says_times("Jan  {} 10:00:00")) << "no year";
  EXPECT_FALSE(says_times("2026-01-01T10:00:00+0{}:00")) << "offsets differ";
}

TEST(Digest, of_a_log_has_patterns_values_of_fields_and_the_severe_lines) {
  const Digest digest = digest_of(enfold::testing::application_log(1'000), 40);
  const auto facts = facts_of(digest);
  EXPECT_THAT(facts, ::testing::Contains("levels={\"ERROR\":11,\"INFO\":890,\"DEBUG\":99}"));
  EXPECT_THAT(facts, ::testing::Contains("fields/errors={\"0\":890}"));
  EXPECT_THAT(facts,
              ::testing::Contains("patterns/INFO <*> request id=<*> took <*> ms errors=<*>=890"));
  EXPECT_THAT(facts, ::testing::Contains("pattern_count=3"));
  EXPECT_THAT(rows_of(digest),
              ::testing::Contains(::testing::HasSubstr("ERROR [db] connection to db-2 lost")));
  EXPECT_EQ(digest.head, Head::few);
}

TEST(Digest, of_a_diff_counts_by_the_lengths_of_hunks) {
  const Digest diff = digest_of(enfold::testing::patch(), 100);
  EXPECT_THAT(
      facts_of(diff),
      ElementsAre("renamed=[\"old.txt → new.txt\"]", "created=[\"logo.png\"]", "files=3",
                  "added_in_text_files=3", "removed_in_text_files=3", "binary_or_merged_files=1"));
  EXPECT_THAT(rows_of(diff),
              ElementsAre("1,\"src/a.cc\",1,2", "11,\"new.txt\",2,1", "22,\"logo.png\",null,null"));
}

TEST(Digest, of_commits_says_who_changed_what_and_when) {
  const Digest history = digest_of(enfold::testing::history(3), 100);
  EXPECT_THAT(
      facts_of(history),
      ElementsAre("commits=3",
                  "dates={\"first\":\"Mon Mar 2 10:00:00 2026 +0000\",\"last\":\"Mon Mar 2 "
                  "10:00:02 2026 +0000\"}",
                  "author_count=2", "authors/Amara <x@example.org>=2",
                  "authors/Bjorn <x@example.org>=1",
                  ::testing::StartsWith("renamed=[\"old.txt → new.txt in 000000000000\","),
                  ::testing::StartsWith("created=[\"logo.png in 000000000000\","), "files=3",
                  "file_changes=9", "added_in_text_files=9", "removed_in_text_files=9",
                  "binary_or_merged_files=3", "paths/logo.png=\"3 changes\"",
                  "paths/new.txt=\"3 changes, +6 -3\"", "paths/src/a.cc=\"3 changes, +3 -6\""));
  EXPECT_THAT(history.columns,
              ElementsAre("commit", "author", "date", "subject or path", "added", "removed"));
  EXPECT_EQ(
      rows_of(history)[0],
      "67,\"000000000000\",\"Amara\",\"Mon Mar 2 10:00:02 2026 +0000\",\"Change number 2\",3,3")
      << "the last commit comes first";
  EXPECT_EQ(rows_of(history)[3], "9,\"000000000000\",null,null,\"src/a.cc\",1,2");
  const Digest few = digest_of(enfold::testing::history(3), 5);
  EXPECT_EQ(few.rows.size(), 5U);
  EXPECT_EQ(few.left_out, 7U);
  const Digest trailers = digest_of(
      "commit 0123456789abcdef\nAuthor: A <a@b.example>\nDate:   Mon\n\n    Subject-by: none\n\n"
      "    Reviewed-by: B. C.\n    Signed-off-by: A\n\ndiff --git a/x b/x\n--- a/x\n+++ /dev/null\n"
      "@@ -1 +0,0 @@\n-    Reviewed-by: nobody\n",
      100);
  EXPECT_THAT(facts_of(trailers),
              ::testing::IsSupersetOf({"trailers={\"Reviewed-by: B. C.\":1,\"Signed-off-by: A\":1}",
                                       "deleted=[\"x in 0123456789ab\"]"}));
}

TEST(Digest, of_source_lists_its_definitions) {
  const auto texts = [](const std::string& source) {
    std::vector<std::string> found;
    for (const Row& row : digest_of(source, 100).rows)
      found.push_back(json::parse_own("[" + row.cells + "]")->item(0)->string());
    return found;
  };
  EXPECT_THAT(texts(enfold::testing::python_source()),
              ElementsAre("class Reader:", "def main():", "    def __init__(self, name):",
                          "    def failed(self):"));
  EXPECT_THAT(texts(enfold::testing::cpp_source()),
              ElementsAre("namespace a {", "struct Error {", "int fail(int code) {"));
  EXPECT_THAT(
      texts(enfold::testing::typescript_source()),
      ElementsAre("export interface Failure {", "export async function load(name: string) {",
                  "const fails = (error: Error) => {"));
}

TEST(Digest, of_html_is_text_under_headings) {
  const Digest digest = digest_of(enfold::testing::html_page(), 100);
  EXPECT_THAT(facts_of(digest), ElementsAre("title=\"Notes & more\"", "headings=2",
                                            "headings_by_level={\"1\":1,\"2\":1}", "text_blocks=3",
                                            "links=1", "images=1"));
  EXPECT_THAT(rows_of(digest), ElementsAre("5,\"# Release notes\"", "8,\"## Older\""));
  std::vector<std::string> blocks;
  for (const Row& row : digest.html_block_rows) blocks.push_back(row.cells);
  EXPECT_THAT(blocks, ElementsAre("\"The importer, which failed on page 3, works.\"",
                                  "\"One, two\"", "\"3 < 4\""));
}

TEST(Digest, of_listings_counts_folders_and_files) {
  EXPECT_THAT(
      facts_of(digest_of(enfold::testing::long_listing(), 100)),
      ::testing::IsSupersetOf({"entries=4", "folders=1", "files=3", "file_bytes=1800",
                               "files_below/docs=2", "extensions/md=2", "extensions/txt=1"}));
  const Digest tree = digest_of(enfold::testing::tree_listing(), 100);
  EXPECT_THAT(facts_of(tree),
              ::testing::IsSupersetOf({"entries=8", "folders_with_entries=3", "leaves_below/docs=2",
                                       "leaves_below/docs/deep=1", "leaves_below/src=2"}));
  EXPECT_THAT(rows_of(tree), ElementsAre("3,\"docs\",2", "5,\"docs/deep\",1", "7,\"src\",2"));
}

TEST(Digest, of_a_trace_has_its_end_first) {
  const Digest python = digest_of(enfold::testing::python_trace(), 100);
  EXPECT_THAT(facts_of(python),
              ElementsAre("frames=4", "exceptions={\"RuntimeError\":1,\"ValueError\":1}",
                          "exception_count=2", "last_exception=\"RuntimeError: import failed\""));
  EXPECT_EQ(rows_of(python)[0], "15,\"RuntimeError: import failed\"");
  EXPECT_EQ(rows_of(python)[2], "13,\"  File \\\"/app/d.py\\\", line 40, in stop\"");
  const Digest java = digest_of(enfold::testing::java_trace(), 100);
  EXPECT_EQ(rows_of(java)[0], "4,\"Caused by: java.sql.SQLException: refused\"");
  EXPECT_EQ(rows_of(java)[2], "5,\"\\tat db.C.open(C.java:3)\"");
}

TEST(Digest, of_base64_is_type_and_size) {
  std::string base64 = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAAf";
  while (base64.size() < 1'000) base64 += "8/9hAAAABklEQVR4";
  const Digest digest = digest_of(base64, 100);
  EXPECT_THAT(facts_of(digest), ElementsAre("media_type=\"image/png\"",
                                            fmt::format("decoded_bytes={}", base64.size() * 3 / 4),
                                            "pixels=[640,480]"));
  EXPECT_EQ(digest.head, Head::prefix);
  EXPECT_THAT(facts_of(digest_of("data:image/gif;base64,R0lGODlhAQABAAAAACw=", 100)),
              ElementsAre("declared_type=\"image/gif\"", "media_type=\"image/gif\"",
                          "decoded_bytes=14", "pixels=[1,1]"));
  EXPECT_THAT(facts_of(digest_of("data:text/plain;base64,Qa1D", 100)),
              ElementsAre("declared_type=\"text/plain\"", "decoded_bytes=3"));
}

TEST(Digest, of_json_names_its_records) {
  const Digest digest =
      digest_of("{\n \"total\": 2,\n \"page\": {\"rows\": [{\"a\":1},{\"a\":2}]}\n}", 100);
  EXPECT_THAT(facts_of(digest),
              ElementsAre("members=2", "values_by_key/total=2", "records_at=\"/page/rows\""));
  ASSERT_EQ(digest.tables.size(), 1U);
  EXPECT_EQ(digest.tables[0].records->size(), 2U);
}

TEST(Digest, takes_time_in_proportion_to_the_text) {
  const auto repeated = [](const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  const auto seconds = [](const std::string& text) {
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
      const std::clock_t begin = std::clock();
      EXPECT_GT(digest_of(text, 500).bytes, 0U);
      least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least;
  };
  const std::string many_words = lines(3'000, [](std::size_t i) {
    return fmt::format("2026-01-01 00:00:00 INFO {}{} said {}", static_cast<char>('a' + i % 26),
                       static_cast<char>('a' + i / 26 % 26), static_cast<char>('a' + i / 676));
  });
  for (const std::string& text :
       {enfold::testing::application_log(3'000), many_words, enfold::testing::history(60),
        repeated(enfold::testing::cpp_source(), 500), repeated(enfold::testing::html_page(), 300),
        "id,name,x\n" +
            lines(8'000, [](std::size_t i) { return fmt::format("{},n{},{}", i, i % 7, i * 3); }),
        lines(8'000, [](std::size_t i) { return fmt::format("src/d{}/f{}.cc", i % 90, i); }),
        std::string(200'000, 'a'), std::string(100'000, '\n'),
        repeated("| a | b |\n|--|--|\n| 1 | 2 |\n", 6'000), repeated("<!--", 40'000),
        repeated("<script>", 20'000)}) {
    const double small = seconds(text);
    const double large = seconds(repeated(text, 8));
    EXPECT_LT(large, small * 24 + 0.05) << text.substr(0, 60);
  }
}

// A log of random lines, and what a second count of it says.
struct RandomLog {
  std::string text;
  std::map<std::string, std::size_t> levels;
  std::vector<std::string> lines;
};

RandomLog random_log() {
  static const std::vector<std::string> levels{"INFO", "INFO",  "INFO", "DEBUG",
                                               "WARN", "ERROR", "FATAL"};
  static const std::vector<std::string> words{"error", "ERROR", "0 failed", "worker",
                                              "id=17", "/a/b",  "user",     "status=ok",
                                              "[x]",   "x@y.z", "FATAL",    "…"};
  RandomLog log;
  const int count = *rc::gen::inRange(4, 60);
  for (int i = 0; i < count; ++i) {
    const std::string level = *rc::gen::elementOf(levels);
    std::string line = fmt::format("2026-01-01T{:02}:{:02}:00Z {} [main]", i / 60, i % 60, level);
    for (int word = *rc::gen::inRange(0, 6); word > 0; --word)
      line += " " + *rc::gen::elementOf(words);
    ++log.levels[level];
    log.lines.push_back(line);
    log.text += line + "\n";
  }
  return log;
}

TEST(Digest, says_of_any_log_what_a_second_count_says) {
  using enfold::testing::check_property;
  check_property("digest_of_logs", enfold::testing::property_cases(300, 20'000), [] {
    const RandomLog log = random_log();
    const Digest digest = digest_of(log.text, 1'000);
    RC_ASSERT(digest.form == TextForm::log);
    RC_ASSERT(digest.lines == log.lines.size());
    RC_ASSERT(digest.bytes == log.text.size());
    std::size_t in_patterns = 0;
    std::size_t patterns = 0;
    std::size_t all_patterns = 0;
    for (const Statement& fact : digest.facts) {
      if (fact.name == "levels" && fact.section.empty()) {
        const json::Value said = json::parse_own(fact.value);
        RC_ASSERT(said->size() == log.levels.size());
        for (const json::Member& member : said->members()) {
          RC_ASSERT(static_cast<std::size_t>(*member.value.integer()) ==
                    log.levels.at(member.key.string()));
        }
      } else if (fact.name == "pattern_count") {
        all_patterns = std::stoul(fact.value);
      } else if (fact.section == "patterns") {
        in_patterns += std::stoul(fact.value);
        ++patterns;
      }
    }
    // All patterns together are all lines, each line once.
    if (patterns > 0 && patterns == all_patterns) RC_ASSERT(in_patterns == log.lines.size());
    for (const Row& row : digest.rows) {
      RC_ASSERT(json::parse_own(row.cells).view().string() == log.lines.at(row.line - 1));
    }
  });
}

TEST(Digest, says_of_any_diff_what_a_second_count_says) {
  using enfold::testing::check_property;
  check_property("digest_of_diffs", enfold::testing::property_cases(300, 20'000), [] {
    std::string text;
    std::size_t added = 0;
    std::size_t removed = 0;
    const int files = *rc::gen::inRange(1, 5);
    for (int file = 0; file < files; ++file) {
      text += fmt::format("diff --git a/f{0} b/f{0}\n--- a/f{0}\n+++ b/f{0}\n", file);
      for (int hunk = *rc::gen::inRange(1, 4); hunk > 0; --hunk) {
        std::string body;
        int old_lines = 0;
        int new_lines = 0;
        for (int line = *rc::gen::inRange(1, 9); line > 0; --line) {
          static const std::vector<std::string> contents{
              "x", "-- a/f", "++ b/f", "@ -1 +1 @@", "", "commit 0123456789"};
          const char mark = *rc::gen::element(' ', '+', '-');
          body += mark + *rc::gen::elementOf(contents) + "\n";
          old_lines += mark != '+' ? 1 : 0;
          new_lines += mark != '-' ? 1 : 0;
          added += mark == '+' ? 1 : 0;
          removed += mark == '-' ? 1 : 0;
        }
        text += fmt::format("@@ -1,{} +1,{} @@\n{}", old_lines, new_lines, body);
      }
    }
    const auto facts = facts_of(digest_of(text, 100));
    RC_ASSERT(facts == (std::vector<std::string>{fmt::format("files={}", files),
                                                 fmt::format("added={}", added),
                                                 fmt::format("removed={}", removed)}));
  });
}

}  // namespace
}  // namespace enfold::budget::text
