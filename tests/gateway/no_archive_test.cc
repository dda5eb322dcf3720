// SPDX-License-Identifier: Apache-2.0
// Without an archive: what does not fit is cut, and nobody is told that it can be had again.
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Settings without_archive(std::size_t tokens) {
  Settings settings = in_front_of(upstream());
  settings.answers.keeps_originals = false;
  settings.answers.if_unstored = answer::Unstored::cut;
  settings.answers.budget = budget::Budget{};
  settings.answers.budget->tokens = tokens;
  return settings;
}

std::string many_rows() {
  std::string rows;
  for (int i = 0; i < 3000; ++i) {
    rows += fmt::format(R"({}{{"id":{},"name":"row {}"}})", i == 0 ? "" : ",", i, i);
  }
  return fmt::format(R"({{"content":[],"structuredContent":{{"rows":[{}]}}}})", rows);
}

TEST(NoArchive, cuts_within_the_budget_and_says_that_the_rest_is_gone) {
  for (const std::size_t tokens : {128U, 400U, 4000U}) {
    Meeting meeting(without_archive(tokens));
    const json::Value result = meeting.result(many_rows());
    const std::string text = result->find("content")->item(0)->find("text")->string();
    EXPECT_LE(token::default_profile().tokenizer->count(text), tokens);
    EXPECT_EQ(at(result, "/isError"), "false");
    EXPECT_NE(at(result, "/structuredContent/meta/content_fidelity"), "(none)");
    EXPECT_EQ(at(result, "/structuredContent/meta/content_archive_hashes"), "(none)");
    EXPECT_THAT(text, HasSubstr("not kept"));
  }
}

TEST(NoArchive, leaves_what_fits_as_it_is) {
  Meeting meeting(without_archive(4000));
  const json::Value result = meeting.result(R"({"content":[],"structuredContent":{"a":1}})");
  EXPECT_EQ(at(result, "/structuredContent/data"), R"({"a":1})");
  EXPECT_EQ(at(result, "/structuredContent/meta/warnings"), "(none)");
}

TEST(NoArchive, offers_no_way_back) {
  Meeting meeting(without_archive(4000));
  EXPECT_THAT(json::to_text(meeting.ask("tools/list", "{}").view()),
              Not(HasSubstr("enfold_fetch")));
  EXPECT_EQ(at(meeting.call("enfold_fetch", R"({"handle":"123456789012"})"), "/code"), "-32602");
}

}  // namespace
}  // namespace enfold::gateway
