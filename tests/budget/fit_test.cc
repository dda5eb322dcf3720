// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/fit.h"

#include "enfold/json/pointer.h"
#include "tests/budget/answer.h"
#include "tests/budget/data_sets.h"
#include "tests/budget/truth.h"

#include <ctime>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>

namespace enfold::budget {
namespace {

using enfold::testing::answer_text;
using enfold::testing::Dice;
using enfold::testing::fit_to;
using enfold::testing::measure_with;
using json::View;
using model::Fidelity;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::size_t tokens_of(const std::string& text) { return token::o200k_base().count(text); }

View at(const json::Value& value, std::string_view pointer) {
  const auto found = json::Pointer::parse(pointer)->resolve(value.view());
  EXPECT_TRUE(found) << pointer << " in " << value.view().raw().substr(0, 300);
  return found.value_or(View());
}

json::Value list_of(std::size_t count,
                    const std::function<void(json::Writer&, std::size_t)>& item) {
  json::Writer writer;
  writer.begin_array();
  for (std::size_t i = 0; i < count; ++i) item(writer, i);
  writer.end_array();
  return std::move(writer).finish_value();
}

TEST(Fit, a_payload_within_the_budget_is_left_alone) {
  const json::Value payload = json::parse_own(R"({"b":1.50,"a":[1,{"x":"é"}]})");
  const auto fitted = fit_to(payload.view(), 128);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->fidelity, Fidelity::full);
  EXPECT_EQ(fitted->payload.view().raw(), payload.view().raw());
  EXPECT_THAT(fitted->dropped, IsEmpty());
  EXPECT_FALSE(fitted->facts || fitted->index || fitted->schema_note);
}

TEST(Budget, says_of_each_measure_what_is_the_least) {
  struct Row {
    Budget budget;
    const char* want;
  };
  const Row rows[] = {
      {{127, 32'000, std::nullopt}, "expected a budget of at least 128 tokens, found 127"},
      {{128, 511, std::nullopt}, "expected a budget of at least 512 characters, found 511"},
      {{128, 512, 0}, "expected a budget of at least 1 line, found 0"}};
  for (const Row& row : rows) {
    const Status status = check(row.budget);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::budget_too_small);
    EXPECT_EQ(status.error().message, row.want);
  }
  EXPECT_TRUE(check({128, 512, 1}));
}

TEST(Fit, an_envelope_that_alone_is_over_the_budget_is_an_error_and_no_answer) {
  const auto fitted = fit(json::parse_own("1").view(), {128, 32'000, std::nullopt}, {}, nullptr,
                          token::o200k_base(), [](const FitResult&) { return Size{129, 10, 1}; });
  ASSERT_FALSE(fitted);
  EXPECT_EQ(fitted.error().code, ErrorCode::budget_too_small);
  EXPECT_THAT(fitted.error().message, HasSubstr("129 tokens"));
}

TEST(Fit, the_levels_follow_the_budget) {
  const json::Value payload = enfold::testing::issues(500);
  struct Row {
    std::size_t budget;
    Fidelity want;
  };
  const Row rows[] = {{128, Fidelity::summary},    {200, Fidelity::summary},
                      {800, Fidelity::partial},    {4'000, Fidelity::partial},
                      {60'000, Fidelity::partial}, {200'000, Fidelity::full}};
  for (const Row& row : rows) {
    const auto fitted = fit_to(payload.view(), row.budget);
    ASSERT_TRUE(fitted) << row.budget;
    EXPECT_EQ(model::name(fitted->fidelity), model::name(row.want)) << row.budget;
    EXPECT_LE(tokens_of(answer_text(*fitted)), row.budget);
  }
}

// The first place in the report of a cut that drops one to five of the 30 records in `nodes`.
std::string place_of_few_dropped(View payload, const Policy& policy = {}) {
  for (std::size_t budget = 800; budget < 3'000; budget += 10) {
    const auto fitted = fit_to(payload, budget, policy);
    const auto nodes = enfold::testing::records_of(*fitted->payload->find("nodes"));
    const std::size_t dropped = 30 - nodes.size();
    if (fitted->fidelity == Fidelity::partial && dropped != 0 && dropped <= 5) {
      return fitted->dropped.front();
    }
  }
  return {};
}

// "5" must lead to the item that was left out, and to no other.
TEST(Fit, few_dropped_items_are_named_by_id_only_where_nothing_else_has_that_name) {
  struct Row {
    const char* name;
    const char* beside;  ///< what stands beside the list
    const char* ref;     ///< of every item
    const char* other;   ///< another member of every item
    bool by_id;
  };
  const Row rows[] = {
      {"one list", "", "%", "", true},
      {"a scalar beside it", R"(,"total":30)", "%", "", true},
      {"another list", R"(,"edges":[{"id":7}])", "%", "", false},
      {"a list in an object", R"(,"more":{"edges":[{"id":7}]})", "%", "", false},
      {"another member with such numbers", "", "%", R"(,"iid":@)", false},
      {"a member of a member with such numbers", "", "%", R"(,"parent":{"id":@})", false},
      {"an id that is an object", "", R"({"n":%})", "", false}};
  for (const Row& row : rows) {
    Dice dice(7);
    std::string list;
    for (int i = 0; i < 30; ++i) {
      std::string item = fmt::format(R"({}{{"ref":{}{},"body":"{}"}})", i == 0 ? "" : ",", row.ref,
                                     row.other, enfold::testing::paragraph(dice, 5));
      item.replace(item.find('%'), 1, std::to_string(i));
      if (*row.other != '\0') item.replace(item.find('@'), 1, std::to_string(29 - i));
      list += item;
    }
    const json::Value payload =
        json::parse_own(fmt::format(R"({{"nodes":[{}]{}}})", list, row.beside));
    const std::string place = place_of_few_dropped(payload.view(), {.id = "ref"});
    ASSERT_NE(place, "") << row.name;
    EXPECT_EQ(place[0] != '/', row.by_id) << row.name << " " << place;
  }
}

TEST(Fit, real_lists_use_almost_all_of_their_budget) {
  const std::pair<const char*, json::Value> lists[] = {
      {"issues", enfold::testing::issues(500)},
      {"staff", enfold::testing::staff(1'500)},
      {"shipments", enfold::testing::shipments(500)},
      {"text", json::string_value(enfold::testing::log_text(3'000))}};
  for (const auto& [name, payload] : lists) {
    for (const std::size_t budget : {2'000U, 4'000U, 10'000U, 25'000U}) {
      const auto fitted = fit_to(payload.view(), budget);
      ASSERT_TRUE(fitted);
      ASSERT_EQ(fitted->fidelity, Fidelity::partial) << name;
      const std::size_t used = tokens_of(answer_text(*fitted));
      EXPECT_LE(used, budget);
      EXPECT_GE(used * 100, budget * 95) << name << ' ' << budget << " used " << used;
    }
  }
}

TEST(Fit, characters_and_lines_bind_like_tokens) {
  const json::Value payload = enfold::testing::issues(200);
  const auto& tokenizer = token::o200k_base();
  const auto by_characters = fit(payload.view(), {10'000, 6'000, std::nullopt}, {}, nullptr,
                                 tokenizer, measure_with(tokenizer));
  ASSERT_TRUE(by_characters);
  const std::size_t characters = utf8::length(answer_text(*by_characters));
  EXPECT_LE(characters, 6'000U);
  EXPECT_GE(characters, 5'700U);

  // An answer that is written one item a line.
  const Measure lines = [&](const FitResult& fitted) {
    Size size = enfold::testing::size_of(answer_text(fitted), tokenizer);
    const auto items = fitted.payload.view().find("items");
    size.lines = 10 + (items ? items->size() : 0);
    return size;
  };
  const auto by_lines = fit(payload.view(), {10'000, 1'000'000, 30}, {}, nullptr, tokenizer, lines);
  ASSERT_TRUE(by_lines);
  EXPECT_LE(lines(*by_lines).lines, 30U);
  EXPECT_EQ(by_lines->fidelity, Fidelity::partial);
}

TEST(Fit, a_tokenizer_that_counts_by_a_factor_is_met_and_used_up) {
  const json::Value payload = enfold::testing::issues(300);
  const auto& tokenizer = token::o200k_base();
  int calls = 0;
  const Measure dear = [&](const FitResult& fitted) {
    ++calls;
    Size size = enfold::testing::size_of(answer_text(fitted), tokenizer);
    size.tokens = size.tokens * 3 / 2 + 1;
    return size;
  };
  const auto fitted =
      fit(payload.view(), {4'000, 1'000'000, std::nullopt}, {}, nullptr, tokenizer, dear);
  ASSERT_TRUE(fitted);
  EXPECT_LE(calls, 12);
  const std::size_t used = dear(*fitted).tokens;
  EXPECT_LE(used, 4'000U);
  EXPECT_GE(used, 3'700U);
}

TEST(Fit, failing_and_rare_items_are_kept) {
  const auto payload = list_of(400, [](json::Writer& w, std::size_t i) {
    w.begin_object().member("id", static_cast<std::int64_t>(i));
    w.member("status", i == 211 ? "failed" : i == 300 ? "paused" : "ok");
    w.key("error");
    i == 123 ? w.string("disk full") : w.null();
    w.member("note", "nothing to see in this one, it went as all the others went").end_object();
  });
  const auto fitted = fit_to(payload.view(), 600);
  ASSERT_TRUE(fitted);
  std::vector<std::int64_t> ids;
  for (const View item : enfold::testing::records_of(fitted->payload.view())) {
    ids.push_back(*item.find("id")->integer());
  }
  for (const std::int64_t id : {0, 123, 211, 300, 399}) EXPECT_THAT(ids, Contains(id));
  EXPECT_EQ(at(*fitted->facts, "//values/status/failed").integer(), 1);
}

TEST(Fit, few_dropped_items_are_named_and_many_become_ranges) {
  const auto small = list_of(14, [](json::Writer& w, std::size_t i) {
    Dice dice(i);
    w.begin_object().member("key", fmt::format("K-{}", i));
    w.member("text", enfold::testing::paragraph(dice, 2)).end_object();
  });
  int named = 0;
  for (std::size_t budget = 300; budget < 900; budget += 10) {
    const auto few = fit_to(small.view(), budget);
    ASSERT_TRUE(few);
    const std::size_t dropped = 14 - enfold::testing::records_of(few->payload.view()).size();
    if (few->fidelity != Fidelity::partial || dropped == 0 || dropped > 5) continue;
    ++named;
    EXPECT_EQ(few->dropped.size(), dropped);
    for (const std::string& id : few->dropped) EXPECT_THAT(id, HasSubstr("K-"));
  }
  EXPECT_GT(named, 0) << "no budget of this test drops one to five";

  const auto many = fit_to(enfold::testing::issues(500).view(), 2'000);
  for (const std::string& range : many->dropped) EXPECT_THAT(range, HasSubstr("/items/"));
}

TEST(Fit, the_drop_report_costs_the_same_for_5_and_for_500000_items) {
  const auto price = [](const FitResult& fitted) {
    json::Writer writer;
    writer.begin_object();
    enfold::testing::write_report(writer, fitted);
    writer.end_object();
    return tokens_of(std::move(writer).finish().str());
  };
  const auto payload = [](std::size_t count) {
    return list_of(count, [](json::Writer& w, std::size_t i) {
      w.begin_object()
          .member("id", static_cast<std::int64_t>(i))
          .member("state", i % 977 == 9 ? "failed" : "ok");
      w.member("name", "a name of some length for the item").end_object();
    });
  };
  for (const std::size_t count : {30U, 5'000U, 500'000U}) {
    const auto fitted = fit_to(payload(count).view(), count == 30 ? 400 : 4'000);
    ASSERT_TRUE(fitted);
    ASSERT_EQ(fitted->fidelity, Fidelity::partial);
    std::cout << "[ figures  ] report of " << fitted->dropped_count << " drops: " << price(*fitted)
              << " tokens\n";
    EXPECT_LE(price(*fitted), 160U);
  }
  // Members with long names, deep and many.
  Dice dice(4);
  json::Writer writer;
  writer.begin_object();
  for (int i = 0; i < 300; ++i) {
    writer.key(enfold::testing::paragraph(dice, 2) + fmt::format("/{}", i));
    writer.string(enfold::testing::paragraph(dice, 4));
  }
  writer.end_object();
  const auto fitted = fit_to(std::move(writer).finish_value().view(), 2'000);
  ASSERT_TRUE(fitted);
  EXPECT_LE(price(*fitted), 160U);
}

TEST(Fit, a_giant_value_deep_inside_is_opened_and_not_just_dropped) {
  const json::Value inner = enfold::testing::issues(200);
  json::Writer writer;
  writer.begin_object().key("a").begin_array().begin_object().key("b").begin_object();
  writer.member("c", inner).end_object().end_object().end_array().end_object();
  const auto fitted = fit_to(std::move(writer).finish_value().view(), 2'000);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->fidelity, Fidelity::partial);
  EXPECT_GT(at(fitted->payload, "/a/0/b/c/items").size(), 3U);
}

TEST(Fit, an_item_larger_than_the_budget_is_shortened_at_every_depth) {
  const auto payload = list_of(9, [](json::Writer& w, std::size_t i) {
    Dice dice(i);
    w.begin_object().key("node").begin_object().member("id", static_cast<std::int64_t>(i));
    w.key("fields").begin_object().member("text", enfold::testing::paragraph(dice, 90));
    w.member("title", "the title").end_object().end_object().end_object();
  });
  const auto fitted = fit_to(payload.view(), 700);
  ASSERT_TRUE(fitted);
  ASSERT_EQ(fitted->fidelity, Fidelity::partial);
  EXPECT_EQ(at(fitted->payload, "/0/node/fields/title").string(), "the title");
  EXPECT_THAT(at(fitted->payload, "/0/node/fields/text").string(), HasSubstr("…[+"));
  EXPECT_FALSE(fitted->briefed.empty());
}

TEST(Fit, a_map_of_objects_keeps_the_names_of_what_it_drops) {
  json::Writer writer;
  writer.begin_object();
  for (int i = 0; i < 60; ++i) {
    writer.key(fmt::format("service-{}", i)).begin_object().member("image", "registry/app");
    for (int k = 0; k < 8; ++k) writer.member(fmt::format("VARIABLE_{}", k), "some value of it");
    writer.end_object();
  }
  writer.end_object();
  const auto fitted = fit_to(std::move(writer).finish_value().view(), 900);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->fidelity, Fidelity::partial);
  EXPECT_THAT(answer_text(*fitted), HasSubstr("service-59"));
}

TEST(Fit, nothing_of_another_type_takes_the_place_of_a_nested_value) {
  const auto fitted = fit_to(enfold::testing::issues(300).view(), 3'000);
  for (const View item : fitted->payload.view().find("items")->items()) {
    if (const auto labels = item.find("labels")) {
      EXPECT_TRUE(labels->is_array());
    }
    if (const auto user = item.find("user")) {
      EXPECT_TRUE(user->is_object());
    }
  }
}

TEST(Fit, the_explanation_adds_up) {
  Policy policy;
  policy.explain = true;
  const auto fitted = fit_to(enfold::testing::issues(500).view(), 4'000, policy);
  std::size_t items = 0;
  std::size_t tokens = 0;
  for (const Part& part : fitted->parts) {
    if (part.pointer.starts_with("/items/")) items += part.count;
    tokens += part.tokens;
  }
  EXPECT_EQ(items, 500U);
  EXPECT_GT(tokens, 3'600U);
  EXPECT_LT(tokens, 4'100U);
  EXPECT_THAT(fit_to(enfold::testing::issues(500).view(), 4'000)->parts, IsEmpty());
}

TEST(Fit, few_measurements_are_made_and_none_of_them_is_large) {
  const json::Value payload = enfold::testing::issues(2'000);
  const auto measure = measure_with(token::o200k_base());
  for (const std::size_t budget : {300U, 1'000U, 4'000U, 20'000U}) {
    int calls = 0;
    std::size_t largest = 0;
    const auto fitted = fit(payload.view(), {budget, 1'000'000, std::nullopt}, {}, nullptr,
                            token::o200k_base(), [&](const FitResult& tried) {
                              ++calls;
                              const Size size = measure(tried);
                              largest = std::max(largest, size.tokens);
                              return size;
                            });
    ASSERT_TRUE(fitted);
    EXPECT_LE(calls, 12) << budget;
    EXPECT_LE(largest, budget * 3 / 2) << budget;
  }
}

TEST(Fit, time_grows_no_faster_than_the_payload) {
  const auto seconds = [](const json::Value& payload) {
    const std::clock_t begin = std::clock();
    EXPECT_TRUE(fit_to(payload.view(), 2'000));
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const json::Value small = enfold::testing::issues(2'000);
  const json::Value large = enfold::testing::issues(16'000);
  seconds(small);
  const double one = seconds(small);
  const double eight = seconds(large);
  std::cout << fmt::format("[ figures  ] {:.1f} MB in {:.1f} ms, {:.1f} MB in {:.1f} ms\n",
                           static_cast<double>(small.view().raw().size()) / 1e6, one * 1e3,
                           static_cast<double>(large.view().raw().size()) / 1e6, eight * 1e3);
  EXPECT_LT(eight, 20 * one + 0.02);
}

}  // namespace
}  // namespace enfold::budget
