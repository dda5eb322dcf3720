// SPDX-License-Identifier: Apache-2.0
// The tokens of a whole session.
#include "enfold/gateway/policy/session_budget.h"

#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

TEST(SessionBudget, gives_the_last_fifth_out_by_halves_and_then_the_least) {
  SessionBudget use(10'000);
  SessionBudget::Share share = use.reserve(4'000);
  EXPECT_EQ(share.tokens, 4'000U);
  EXPECT_FALSE(share.warning);
  use.settle(share, 3'900);
  share = use.reserve(4'100);
  use.settle(share, 4'100);
  EXPECT_EQ(use.used(), 8'000U);
  share = use.reserve(4'000);
  EXPECT_EQ(share.tokens, 1'000U);
  EXPECT_EQ(share.warning->code, "SESSION_BUDGET_APPROACHING");
  EXPECT_EQ(json::to_text(share.warning->context->view()), R"({"used":8000,"budget":10000})");
  use.settle(share, 1'000);
  share = use.reserve(4'000);
  EXPECT_EQ(share.tokens, 500U);
  use.settle(share, 1'000);
  share = use.reserve(4'000);
  EXPECT_EQ(share.tokens, budget::kSmallestBudget);
  EXPECT_EQ(share.warning->code, "SESSION_BUDGET_EXCEEDED");
}

TEST(SessionBudget, of_answers_on_their_way_counts_too) {
  SessionBudget use(10'000);
  std::size_t all = 0;
  for (int i = 0; i < 6; ++i) all += use.reserve(4'000).tokens;
  EXPECT_LE(all, 10'000U);
}

TEST(SessionBudget, property_never_gives_out_more_than_there_is_while_anything_is_left) {
  for (std::size_t wanted = 128; wanted < 30'000; wanted += 777) {
    SessionBudget use(20'000);
    for (int i = 0; i < 500 && use.used() + budget::kSmallestBudget <= use.cap(); ++i) {
      const SessionBudget::Share share = use.reserve(wanted);
      use.settle(share, share.tokens);
      EXPECT_LE(use.used(), use.cap());
    }
  }
}

TEST(SessionBudgets, are_a_hundred_and_the_least_used_is_dropped) {
  SessionBudgets all;
  const auto use = [&](const std::string& client, std::uint64_t tokens) {
    const auto budget = all.of("anna", client, 10'000);
    budget->settle(budget->reserve(1'000), tokens);
    return budget->used();
  };
  use("a", 500);
  for (int i = 0; i < 99; ++i) use(fmt::format("client {}", i), i == 50 ? 1 : 2);
  EXPECT_EQ(use("a", 500), 1'000U) << "there is room for all of them";
  EXPECT_EQ(use("one more", 2), 2U);
  EXPECT_EQ(use("a", 500), 1'500U);
  EXPECT_EQ(use("client 49", 2), 4U);
  EXPECT_EQ(use("client 50", 2), 2U) << "it was dropped";
}

TEST(SessionBudgets, keep_one_of_which_only_open_calls_have_reserved) {
  SessionBudgets all;
  const auto busy = all.of("anna", "busy", 10'000);
  const SessionBudget::Share share = busy->reserve(1'000);
  for (int i = 0; i < 100; ++i) {
    const auto other = all.of("anna", fmt::format("client {}", i), 10'000);
    other->settle(other->reserve(10), 2);
  }
  EXPECT_EQ(all.of("anna", "busy", 10'000), busy);
  busy->settle(share, 3);
}

std::string rows(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    out += fmt::format(R"({}{{"id":{},"name":"row {}"}})", i == 0 ? "" : ",", i, i);
  }
  return fmt::format(R"({{"content":[],"structuredContent":{{"rows":[{}]}}}})", out);
}

TEST(SessionBudget, makes_answers_smaller_and_loses_nothing) {
  Settings settings = in_front_of(upstream());
  settings.session_budget = 6'000;
  settings.answers.budget = budget::Budget{};
  settings.answers.budget->tokens = 2'000;
  Meeting meeting(std::move(settings));
  const token::Tokenizer& tokenizer = *token::default_profile().tokenizer;
  std::size_t total = 0;
  std::string warned;
  std::string handle;
  for (int i = 0; i < 12; ++i) {
    const json::Value result = meeting.result(rows(2000 + i));
    const std::string text = result->find("content")->item(0)->find("text")->string();
    total += tokenizer.count(text);
    EXPECT_EQ(at(result, "/isError"), "false");
    EXPECT_EQ(at(result, "/_meta/dev.enfold~1session"),
              fmt::format(R"({{"used":{},"budget":6000}})", total));
    if (i == 0) {
      EXPECT_EQ(text.find("SESSION_BUDGET"), std::string::npos);
    }
    warned += text;
    const auto hashes = json::Pointer::parse("/structuredContent/meta/content_archive_hashes")
                            ->resolve(result.view());
    ASSERT_TRUE(hashes) << text;
    handle = (*hashes->members().begin()).key.string();
    if (total < 6'000) continue;
    EXPECT_LE(tokenizer.count(text), budget::kSmallestBudget);
    EXPECT_THAT(text, HasSubstr("SESSION_BUDGET_EXCEEDED"));
  }
  EXPECT_LE(total, 6'000U + 12 * budget::kSmallestBudget);
  EXPECT_THAT(warned, HasSubstr("SESSION_BUDGET_APPROACHING"));
  const json::Value fetched =
      meeting.call("enfold_fetch", fmt::format(R"({{"handle":"{}","pointer":"/rows/7"}})", handle));
  EXPECT_EQ(at(fetched, "/structuredContent/data"), R"({"id":7,"name":"row 7"})");
}

TEST(SessionBudget, counts_small_answers_too) {
  Settings settings = in_front_of(upstream());
  settings.session_budget = 6'000;
  Meeting meeting(std::move(settings));
  const json::Value result = meeting.result(R"({"content":[],"structuredContent":{"a":1}})");
  const std::string text = result->find("content")->item(0)->find("text")->string();
  EXPECT_EQ(at(result, "/_meta/dev.enfold~1session/used"),
            std::to_string(token::default_profile().tokenizer->count(text)));
}

}  // namespace
}  // namespace enfold::gateway
