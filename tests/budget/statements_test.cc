// SPDX-License-Identifier: Apache-2.0
// Statements that were false once: found by tests/truth/checker, each with the smallest payload
// that shows it.
#include "enfold/budget/text/digest.h"
#include "tests/budget/answer.h"
#include "tests/budget/text_samples.h"
#include "tests/support/cases.h"

#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::budget {
namespace {

using enfold::testing::fit_to;
using enfold::testing::lines;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The facts at the root, or "".
std::string facts(const FitResult& fitted) {
  const auto found = fitted.facts ? fitted.facts->view().find("") : std::nullopt;
  return found ? std::string(found->raw()) : std::string();
}

FitResult fit_text(const std::string& text, std::size_t tokens) {
  return fit_to(json::parse_own(json::quote(text)).view(), tokens).value();
}

// Facts about a list of 40 records, too large for 900 tokens.
std::string facts_of_records(const std::function<std::string(int)>& members) {
  std::string text = "[";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format(R"({}{{"body":"{:x>200}",{}}})", i > 0 ? "," : "", i, members(i));
  }
  return facts(fit_to(json::parse_own(text + "]").view(), 900).value());
}

TEST(Statements, a_value_with_escapes_is_the_value_without) {
  const std::string twice = facts_of_records(
      [](int i) { return fmt::format(R"("id":{},"tags":["login","\u006cogin"])", i); });
  EXPECT_THAT(twice, HasSubstr(R"("tags/*":{"login":40})")) << "records, not spellings";
  EXPECT_THAT(twice, HasSubstr(R"("item_values":{"tags/*":{"login":80}})"));
  const std::string rare = facts_of_records([](int i) {
    return fmt::format(R"("id":{},"ok":"{}")", i, i == 7 ? R"(\u0074rue)" : i % 2 ? "true" : "no");
  });
  EXPECT_THAT(rare, HasSubstr(R"("ok":{"no":20,"\"true\"":20})"));
  EXPECT_THAT(rare, Not(HasSubstr("values_in")));
  const std::string constant = facts_of_records(
      [](int i) { return fmt::format(R"("id":{},"kind":"{}")", i, i == 3 ? R"(\u0061)" : "a"); });
  EXPECT_THAT(constant, HasSubstr(R"("constant":{"kind":"a"})"));
}

TEST(Statements, an_id_with_escapes_names_the_record_that_has_it_without) {
  const std::string said = facts_of_records([](int i) {
    const std::string id = i == 9 ? "\\u006b3" : fmt::format("k{}", i);
    return fmt::format(R"("id":"{}","size":{})", id, i == 3 ? 9000 : i * i);
  });
  EXPECT_THAT(said, HasSubstr(R"("repeated":{"id":{"k3":2}})"));
  EXPECT_THAT(said, HasSubstr(R"("highest":{"size":{"#3":9000,"k39":1521,"k38":1444}})"));
}

TEST(Statements, an_id_that_reads_like_a_mark_names_no_record) {
  const std::string said = facts_of_records([](int i) {
    const std::string id = i == 3 ? "…[+3 items]" : fmt::format("k{}", i);
    return fmt::format(R"("id":"{}"{})", id, i == 3 ? "" : R"(,"state":"ok")");
  });
  EXPECT_THAT(said, HasSubstr(R"("missing_in":{"state":["#3"]})"));
}

TEST(Statements, a_word_with_escapes_is_one_of_the_words) {
  const std::string said = facts_of_records([](int i) {
    const std::string due = i < 3 ? "never" : i < 5 ? "\\u006efter" : fmt::format("{}.25", i * 37);
    return fmt::format(R"("id":{},"due":"{}")", i, due);
  });
  EXPECT_THAT(said, Not(HasSubstr("words"))) << "not all of them are known";
}

TEST(Statements, a_member_that_an_item_of_a_list_has_twice_is_not_added_up) {
  const auto lists = [](const char* more) {
    return facts_of_records([&](int i) {
      return fmt::format(R"("id":{},"lines":[{{"n":{}{}}},{{"n":7}}])", i, i * i,
                         i == 39 ? more : "");
    });
  };
  EXPECT_THAT(lists(""), HasSubstr(R"("lines/*/n":{"39":1528,)"));
  EXPECT_THAT(lists(R"(,"n":5)"), Not(HasSubstr("lines/*/n")));
  EXPECT_THAT(lists(R"(,"\u006e":5)"), Not(HasSubstr("lines/*/n")));
}

TEST(Statements, a_member_named_like_the_items_of_a_list_is_not_taken_for_them) {
  const std::string said = facts_of_records([](int i) {
    return fmt::format(R"("id":{},"v":{})", i,
                       i == 7   ? R"({"*":null})"
                       : i == 9 ? "[null]"
                                : "[1]");
  });
  EXPECT_THAT(said, Not(HasSubstr(R"("null_in":{"v/*")")));
}

TEST(Statements, a_field_of_a_log_has_all_words_between_its_quotes) {
  const std::string text = lines(60, [](std::size_t i) {
    return fmt::format(
        R"(time="2026-01-01T10:00:{:02}Z" level=info msg="{} status={}" code={}, ok)", i,
        i % 2 ? "job done" : "job lost", i, 200 + i % 2);
  });
  const std::string said = facts(fit_text(text, 600));
  EXPECT_THAT(said, AllOf(HasSubstr(R"("code":{"200":30,"201":30})"),
                          Not(HasSubstr(R"("status":{)")), Not(HasSubstr(R"("msg")"))));
}

TEST(Statements, hours_of_a_log_of_several_days_have_their_date) {
  const auto said = [](int day) {
    return facts(fit_text(lines(60,
                                [&](std::size_t i) {
                                  return fmt::format("2026-01-{:02} {:02}:00:00 {} job {}",
                                                     i < 50 ? day : 2, 10 + i % 3,
                                                     i > 50 ? "ERROR" : "INFO", i);
                                }),
                          600));
  };
  EXPECT_THAT(said(2), HasSubstr(R"("ERROR":{"10":3,"11":3,"12":3})"));
  EXPECT_THAT(said(1), HasSubstr(R"("ERROR":{"2026-01-02 10":3,)"));
}

TEST(Statements, records_that_are_lists_are_not_missing_beside_scalars) {
  std::string text = "[";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("{}{}", i > 0 ? "," : "",
                        i % 2 ? fmt::format("[{},{}]", i, i * i) : fmt::format("\"{:x>99}\"", i));
  }
  const std::string said = facts(fit_to(json::parse_own(text + "]").view(), 400).value());
  EXPECT_THAT(said, HasSubstr(R"("missing":{"0":20,"1":20})"));
  EXPECT_THAT(said, Not(HasSubstr(R"("":)")));
}

TEST(Statements, an_object_with_a_member_named_like_the_mark_lacks_no_member) {
  const auto fitted = [](const std::string& object) {
    std::string long_text;
    for (int i = 0; i < 80; ++i) long_text += fmt::format("{} ", i * 7919 % 10'007);
    const std::string text = fmt::format(fmt::runtime(object), long_text);
    return std::string(fit_to(json::parse_own(text).view(), 300).value().payload->raw());
  };
  const std::string many = R"("a":["{0}","{0}","{0}"],"b":{{"c":"{0}"}},"d":5)";
  EXPECT_THAT(fitted("[{{\"…\":{{\"own\":1}}," + many + "}},1,2]"),
              ::testing::AnyOf("[\"…[+1 item]\",1,2]", AllOf(HasSubstr("\"a\""), HasSubstr("\"b\""),
                                                             HasSubstr("\"d\":5"))));
  EXPECT_THAT(fitted("{{\"…\":{{\"own\":1}}," + many + "}}"),
              AllOf(HasSubstr("\"own\":1"), HasSubstr("\"a\""), HasSubstr("\"b\""),
                    HasSubstr("\"d\":5"), Not(HasSubstr("member"))));
}

TEST(Statements, traces_of_python_and_java_are_told_apart) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text +=
        "Traceback (most recent call last):\n  File \"/app/a.py\", line 1, in a\n    b()\n"
        "ValueError: bad\n\njava.io.IOException: closed\n\tat a.B.c(B.java:1)\n"
        "\tat a.B.d(B.java:2)\n\n";
  }
  text +=
      "Traceback (most recent call last):\n  File \"/app/z.py\", line 9, in z\n    y()\n"
      "KeyError: 'last'\n";
  const text::Digest digest = text::digest_of(text, 100);
  std::vector<std::string> said;
  for (const text::Statement& fact : digest.facts) said.push_back(fact.name + "=" + fact.value);
  EXPECT_THAT(said, ::testing::IsSupersetOf(
                        {"frames=91", "exception_count=61",
                         R"(exceptions={"ValueError":30,"java.io.IOException":30,"KeyError":1})"}));
  // The innermost frame of Python is its last one, that of Java its first.
  EXPECT_THAT(digest.rows[8].cells, HasSubstr("/app/z.py"));
  EXPECT_THAT(digest.rows[9].cells, HasSubstr("B.java:1"));
}

TEST(Statements, folders_of_a_list_of_paths_are_counted_without_lines_of_their_own) {
  const std::string text =
      lines(120, [](std::size_t i) { return fmt::format("src/{}/file_{}.py", "abc"[i % 3], i); });
  EXPECT_THAT(facts(fit_text(text, 400)), HasSubstr(R"("folders_with_entries":4)"));
  const std::string sorted = "a\na-b\na-b/x.md\na/y.md\n" + text;  // not in the order of `find`
  EXPECT_THAT(facts(fit_text(sorted, 400)), HasSubstr(R"("folders_with_entries":6)"));
}

TEST(Statements, a_table_is_under_the_underlined_heading_above_it) {
  const std::string text =
      "# First\n\nText.\n\nThe ports\n---------\n\n| port | state |\n|---|---|\n" +
      lines(60,
            [](std::size_t i) {
              return fmt::format("| {} | {} |", 8000 + i, i % 2 ? "open" : "closed");
            }) +
      "\nMore\n====\n\n## Last\n\n" + std::string(20, '-') + "\n" +
      lines(60, [](std::size_t i) { return fmt::format("Line {}.", i); });
  EXPECT_THAT(facts(fit_text(text, 500)), HasSubstr(R"("tables":{"The ports":{)"));
}

TEST(Statements, facts_about_a_text_say_its_form_and_where_its_records_are) {
  const std::string json = R"({"state":"ok","list":[)" +
                           lines(60,
                                 [](std::size_t i) {
                                   return fmt::format(R"({}{{"id":{},"kind":"{}"}})",
                                                      i > 0 ? "," : "", i, i % 2 ? "a" : "b");
                                 }) +
                           "]}";
  for (std::size_t tokens = 128; tokens < 600; tokens += 4) {
    const std::string said = facts(fit_text(json, tokens));
    EXPECT_TRUE(said.empty() || said.find("\"form\"") != std::string::npos) << said;
    EXPECT_TRUE(said.find("\"count\"") == std::string::npos ||
                said.find("\"records_at\"") != std::string::npos)
        << said;
  }
}

}  // namespace
}  // namespace enfold::budget
