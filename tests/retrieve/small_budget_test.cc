// SPDX-License-Identifier: Apache-2.0
// Budgets with hardly room for an envelope: the words go before the data, and the data before the
// places that lead to it.
#include "enfold/retrieve/page.h"
#include "tests/answer/answers.h"
#include "tests/support/cases.h"
#include "tests/support/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace enfold::answer {
namespace {

const contract::CursorKey& key() {
  static const contract::CursorKey key = *contract::CursorKey::from_bytes(std::string(32, 'k'));
  return key;
}

json::Value record(int number) {
  std::string words;
  for (int i = 0; i < 600; ++i) words += "v ";
  json::Writer writer;
  writer.begin_object().member("id", std::int64_t{number}).member("v", words);
  return std::move(writer.member("w", std::int64_t{1}).end_object()).finish_value();
}

json::Document list_of_records() {
  json::Writer writer;
  writer.begin_object().key("items").begin_array();
  for (int i = 0; i < 4; ++i) writer.value(record(i));
  return *json::parse(std::move(writer.end_array().end_object()).finish().str());
}

json::Document map_of_records(const std::string& name) {
  json::Writer writer;
  writer.begin_object();
  for (int i = 0; i < 4; ++i) writer.key(name + std::to_string(i)).value(record(i));
  return *json::parse(std::move(writer.end_object()).finish().str());
}

/// Higher is more: data, a summary, places, nothing.
int worth(const FittedAnswer& finished) {
  const auto& reduction = finished.answer.reading.response.reduction;
  if (!reduction || reduction->level < model::Fidelity::summary) return 3;
  if (reduction->level == model::Fidelity::summary) return 2;
  return reduction->dropped_ids.empty() ? 0 : 1;
}

TEST(SmallBudget, never_shows_less_than_a_smaller_one) {
  const json::Document answers[] = {list_of_records(), map_of_records("src/main/file_")};
  for (const json::Document& answer : answers) {
    int best = 0;
    for (std::size_t tokens = 128; tokens <= 400; ++tokens) {
      SCOPED_TRACE(tokens);
      const FitSettings settings = with_budget(tokens);
      const auto prepared = prepare(answer, contract::Id::json, settings, {});
      ASSERT_TRUE(prepared);
      const auto finished = finish(*prepared, receipt_for(*prepared), settings);
      ASSERT_TRUE(finished) << finished.error().message;
      EXPECT_LE(finished->size.tokens, tokens);
      EXPECT_GE(worth(*finished), best);
      best = std::max(best, worth(*finished));
    }
    EXPECT_EQ(best, 3);
  }
}

FittedAnswer fitted(const std::string& answer, std::size_t tokens) {
  const FitSettings settings = with_budget(tokens);
  const auto prepared = prepare(*json::parse(answer), contract::Id::response_v2, settings, {});
  return *finish(*prepared, receipt_for(*prepared), settings);
}

TEST(SmallBudget, shows_no_data_instead_of_a_warning_or_of_what_a_failure_says) {
  const std::string items = json::to_text(list_of_records().root());
  const std::string message = "The index did not answer in time, after three attempts in a row";
  const std::string warned =
      R"({"success":true,"data":)" + items + R"(,"error":null,"meta":{"version":"response-v2",)" +
      R"("warnings":["Old"],"warning_details":[{"code":"DEPRECATED","message":"Old"}]}})";
  const std::string failed = R"({"success":false,"data":{"error_code":"TIMEOUT","details":)" +
                             items + R"(},"error":")" + message +
                             R"(","meta":{"version":"response-v2"}})";
  for (std::size_t tokens = 160; tokens <= 400; tokens += 4) {
    SCOPED_TRACE(tokens);
    const FittedAnswer with_warning = fitted(warned, tokens);
    EXPECT_EQ(with_warning.answer.reading.response.warnings.front().code, "DEPRECATED");
    if (tokens < 200) continue;
    const FittedAnswer with_failure = fitted(failed, tokens);
    ASSERT_TRUE(with_failure.answer.reading.response.failure);
    EXPECT_EQ(with_failure.answer.reading.response.failure->message, message);
  }
}

retrieve::PageRequest at_position(retrieve::Position position) {
  return {.position = std::move(position),
          .page_size = std::nullopt,
          .archived = {"184467440737", sha256_name("some bytes")},
          .key = &key(),
          .principal = "ann"};
}

/// All that a reader comes by who follows every cursor and fetches every place that is named.
class Following {
 public:
  Following(const json::Document& archived, std::size_t tokens) : archived_(archived) {
    settings_.budget = {.tokens = tokens, .characters = 1'000'000};
  }

  void all_of(const std::string& place) {
    if (!asked_.insert(place).second) return;
    retrieve::Position position{"184467440737", *retrieve::parse_query({.pointer = place}), 0};
    for (int pages = 0; pages < 200; ++pages) {
      const auto found = retrieve::retrieve(archived_.root(), position.query);
      ASSERT_TRUE(found) << found.error().message;
      const auto finished = retrieve::answer_page(*found, at_position(position), settings_);
      ASSERT_TRUE(finished) << place << ": " << finished.error().message;
      EXPECT_LE(finished->size.tokens, settings_.budget.tokens);
      look_at(*finished);
      const auto& page = finished->answer.reading.response.page;
      if (!page || !page->cursor) return;
      position = *retrieve::from_cursor(*page->cursor, key(), "ann");
    }
    FAIL() << "no end of pages at " << place;
  }

  [[nodiscard]] std::size_t characters() const { return characters_; }

 private:
  void look_at(const FittedAnswer& finished) {
    const model::Response& response = finished.answer.reading.response;
    if (response.payload->view().is_string())
      characters_ += response.payload->view().string().size();
    if (!response.reduction) return;
    EXPECT_GT(worth(finished), 0) << "a page that leads nowhere";
    for (const auto* list : {&response.reduction->dropped_ids, &response.reduction->briefed,
                             &response.reduction->clipped}) {
      for (const std::string& named : *list) all_of(named);
    }
  }

  const json::Document& archived_;
  FitSettings settings_;
  std::set<std::string> asked_;
  std::size_t characters_ = 0;
};

TEST(SmallBudget, every_page_leads_on) {
  const json::Document answers[] = {list_of_records(), map_of_records("src/main/file_")};
  for (const json::Document& answer : answers) {
    for (std::size_t tokens = 128; tokens <= 400; tokens += 8) {
      SCOPED_TRACE(tokens);
      Following reader(answer, tokens);
      reader.all_of("");
      EXPECT_GE(reader.characters(), 4U * 1'200U);
    }
  }
}

TEST(SmallBudget, has_no_page_that_names_nothing_whatever_is_archived) {
  testing::check_property("small_budget/names", testing::property_cases(200, 5'000), [] {
    json::Writer writer;
    writer.begin_object().member("n", std::int64_t{1}).key("items").begin_array();
    for (int left = testing::draw_below(8); left > 0; --left) {
      writer.value(testing::draw_result().result);
    }
    const auto archived = *json::parse(std::move(writer.end_array().end_object()).finish().str());
    const retrieve::QueryOptions queries[] = {{}, {.pointer = "/items"}, {.find = "a"}};
    const FitSettings settings =
        with_budget(128 + static_cast<std::size_t>(testing::draw_below(272)));
    retrieve::Position position{"184467440737",
                                *retrieve::parse_query(queries[testing::draw_below(3)]), 0};
    for (int pages = 0;; ++pages) {
      RC_ASSERT(pages < 2'000);
      const auto found = retrieve::retrieve(archived.root(), position.query);
      RC_ASSERT(found.has_value());
      const auto finished = retrieve::answer_page(*found, at_position(position), settings);
      if (!finished) RC_ASSERT(finished.error().code == ErrorCode::budget_too_small);
      if (!finished) break;
      RC_ASSERT(finished->size.tokens <= settings.budget.tokens);
      RC_ASSERT(worth(*finished) > 0);
      const auto& page = finished->answer.reading.response.page;
      if (!page || !page->cursor) break;
      position = *retrieve::from_cursor(*page->cursor, key(), "ann");
    }
  });
}

// A place too long for the budget is refused with what it takes: an empty page would hide it.
TEST(SmallBudget, refuses_a_page_whose_place_does_not_fit) {
  std::string name;
  for (int i = 0; i < 60; ++i) name += "name" + std::to_string(i * 7919);
  const json::Document answer = map_of_records(name);
  const auto found = retrieve::retrieve(answer.root(), {});
  ASSERT_TRUE(found);
  const auto finished =
      retrieve::answer_page(*found, at_position({"184467440737", {}, 0}), with_budget(200));
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::budget_too_small);
}

}  // namespace
}  // namespace enfold::answer
