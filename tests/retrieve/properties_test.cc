// SPDX-License-Identifier: Apache-2.0
// What must hold of retrieval for any answer.
#include "enfold/contract/contract.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/retrieve.h"
#include "tests/budget/answer.h"
#include "tests/budget/payloads.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"

#include <fmt/core.h>
#include <functional>
#include <gtest/gtest.h>

namespace enfold::retrieve {
namespace {

using enfold::testing::check_property;
using enfold::testing::draw_below;
using enfold::testing::draw_chance;
using enfold::testing::draw_object;
using enfold::testing::draw_value;
using enfold::testing::property_cases;

TEST(Retrieve, a_range_of_any_partition_gives_exactly_its_items) {
  check_property("range_partition", property_cases(150, 5000), [] {
    json::Writer writer;
    writer.begin_object().key("items").begin_array();
    const int count = 1 + draw_below(40);
    for (int i = 0; i < count; ++i) writer.value(draw_value(2));
    const json::Value payload = std::move(writer.end_array().end_object()).finish_value();
    std::vector<std::string> got;
    for (int from = 0; from < count;) {
      const int to = from + draw_below(count - from);
      const std::string place = fmt::format("/items/{}..{}", from, to);
      Query query{.selection = select::At{place}};
      if (draw_chance(5)) query.selection = select::Ids{{place}};
      const auto found = retrieve(payload.view(), query);
      RC_ASSERT(found.has_value());
      RC_ASSERT(found->total == static_cast<std::size_t>(to - from + 1));
      for (const json::View item : found->value->items()) got.push_back(json::to_text(item));
      from = to + 1;
    }
    std::vector<std::string> want;
    for (const json::View item : payload->find("items")->items())
      want.push_back(json::to_text(item));
    RC_ASSERT(got == want);
  });
}

void each_leaf(json::View value, const json::Pointer& here,
               const std::function<void(const json::Pointer&, json::View)>& use) {
  if (!value.is_container()) return use(here, value);
  std::size_t position = 0;
  for (const json::View item : value.items()) {
    each_leaf(item, here / std::to_string(position++), use);
  }
  for (const json::Member& member : value.members()) {
    each_leaf(member.value, here / member.key.string(), use);
  }
}

TEST(Retrieve, every_leaf_is_reachable_by_its_pointer) {
  check_property("every_leaf", property_cases(200, 5000), [] {
    const json::Value payload = draw_object(4);
    json::Writer writer;
    writer.begin_object().key("content").begin_array().end_array();
    writer.key("structuredContent").value(payload).end_object();
    const json::Value archived = std::move(writer).finish_value();
    // Of an envelope only the data counts as payload; then the way leads through the result.
    const auto reading = contract::read(contract::Id::mcp, archived.view());
    const bool is_plain = reading && reading->response.payload == payload;
    each_leaf(payload.view(), {}, [&](const json::Pointer& pointer, json::View leaf) {
      const std::string text = pointer.str();
      const auto raw =
          retrieve(archived.view(),
                   Query{.selection = select::At{"/structuredContent" + text}, .raw_result = true});
      RC_ASSERT(raw.has_value());
      RC_ASSERT(raw->value->raw() == leaf.raw());
      if (!is_plain) return;
      const auto found = retrieve(archived.view(), Query{.selection = select::At{text}});
      RC_ASSERT(found.has_value());
      RC_ASSERT(found->value->raw() == leaf.raw());
      RC_ASSERT(found->pointer == text);
    });
  });
}

TEST(Retrieve, lines_and_characters_of_any_partition_make_the_text_again) {
  check_property("text_partition", property_cases(150, 5000), [] {
    static const std::vector<std::string> pieces{"a",    "\n", "\r\n", "é",
                                                 "日本", "😀", " x ",  "\n\n"};
    std::string text;
    for (int i = 1 + draw_below(20); i > 0; --i) {
      text += pieces[static_cast<std::size_t>(draw_below(static_cast<int>(pieces.size())))];
    }
    const bool lines = draw_chance(5);
    const std::int64_t first = lines ? 1 : 0;
    std::string again;
    for (std::int64_t from = first;;) {
      const Span range{from, from + draw_below(4)};
      const Selection selection =
          lines ? Selection(select::Lines{range}) : Selection(select::Characters{range});
      const auto found = retrieve_text(text, Query{.selection = selection});
      if (!found) {
        RC_ASSERT(found.error().code == ErrorCode::not_found);
        break;
      }
      again += found->value->string();
      from = *range.last + 1;
    }
    RC_ASSERT(again == text);
  });
}

json::Value result_with(const json::Value& payload) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  const bool is_text = payload->is_string();
  if (is_text) writer.begin_object().member("type", "text").member("text", payload).end_object();
  writer.end_array();
  if (!is_text) writer.key("structuredContent").value(payload);
  return std::move(writer.end_object()).finish_value();
}

TEST(Retrieve, every_string_in_a_drop_report_opens) {
  check_property("drop_report_opens", property_cases(500, 50'000), [] {
    const json::Value payload = enfold::testing::random_payload(
        draw_below(enfold::testing::kPayloadKinds), static_cast<std::size_t>(1 + draw_below(120)),
        static_cast<std::uint64_t>(draw_below(1 << 30)));
    const auto fitted =
        enfold::testing::fit_to(payload.view(), static_cast<std::size_t>(128 + draw_below(2000)));
    RC_ASSERT(fitted.has_value());
    const json::Value archived = result_with(payload);
    for (const auto* places : {&fitted->dropped, &fitted->briefed, &fitted->clipped}) {
      for (const std::string& place : *places) {
        const auto found = retrieve(archived.view(), Query{.selection = select::Ids{{place}}});
        if (!found) RC_FAIL(place + ": " + found.error().message);
        RC_ASSERT(found->total > 0U && found->missing.empty());
        // A place is no name: it gives what stands there, byte for byte.
        const auto there = json::Pointer::parse(place);
        const auto want = there ? there->resolve(payload.view()) : std::nullopt;
        const bool same = !want || json::to_text(*found->value->item(0)) == json::to_text(*want);
        RC_ASSERT(same);
      }
    }
  });
}

/// A plain record of the property below, and the obvious meaning of a condition over it.
struct Row {
  int n;
  std::string s;
};
struct Naive {
  std::string text;
  std::function<bool(const Row&)> holds;
};

Naive draw_condition(int depth) {
  static const std::vector<std::string> words{"a", "ab", "b", "ba"};
  switch (draw_below(depth > 0 ? 7 : 4)) {
    case 0: {
      static const char* const ops[] = {"=", "!=", "<", "<=", ">", ">="};
      const int op = draw_below(6);
      const int k = draw_below(5);
      return {fmt::format("n {} {}", ops[op], k), [=](const Row& row) {
                const bool results[] = {row.n == k, row.n != k, row.n<k, row.n <= k, row.n> k,
                                        row.n >= k};
                return results[op];
              }};
    }
    case 1: {
      const std::string word = words[static_cast<std::size_t>(draw_below(4))];
      return {"s contains " + word,
              [=](const Row& row) { return row.s.find(word) != std::string::npos; }};
    }
    case 2: {
      const std::string word = words[static_cast<std::size_t>(draw_below(4))];
      return {"s < '" + word + "'", [=](const Row& row) { return row.s < word; }};
    }
    case 3: {  // of another kind: never, and so always different
      const bool differs = draw_chance(5);
      return {differs ? "s != 3" : "s >= 3", [=](const Row&) { return differs; }};
    }
    case 4: {
      const Naive a = draw_condition(depth - 1);
      return {"not (" + a.text + ")", [=](const Row& row) { return !a.holds(row); }};
    }
    default: {
      const Naive a = draw_condition(depth - 1);
      const Naive b = draw_condition(depth - 1);
      const bool both = draw_chance(5);
      return {"(" + a.text + (both ? ") and (" : ") or (") + b.text + ")", [=](const Row& row) {
                return both ? a.holds(row) && b.holds(row) : a.holds(row) || b.holds(row);
              }};
    }
  }
}

TEST(Retrieve, a_condition_means_what_it_says) {
  check_property("where_equals_naive", property_cases(300, 10000), [] {
    static const std::vector<std::string> words{"", "a", "ab", "bab", "b"};
    std::vector<Row> rows;
    json::Writer writer;
    writer.begin_array();
    for (int i = 1 + draw_below(12); i > 0; --i) {
      const Row row{draw_below(5), words[static_cast<std::size_t>(draw_below(5))]};
      rows.push_back(row);
      writer.begin_object().member("n", static_cast<std::int64_t>(row.n)).member("s", row.s);
      writer.end_object();
    }
    const json::Value payload = std::move(writer.end_array()).finish_value();
    const Naive naive = draw_condition(3);
    auto condition = parse_condition(naive.text);
    RC_ASSERT(condition.has_value());
    const auto found =
        retrieve(payload.view(), Query{.selection = select::Where{naive.text, *condition}});
    RC_ASSERT(found.has_value());
    std::vector<std::string> want;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (naive.holds(rows[i])) want.push_back("/" + std::to_string(i));
    }
    std::vector<std::string> got;
    for (const Match& match : found->matches) got.push_back(match.pointer);
    RC_ASSERT(got == want);
  });
}

}  // namespace
}  // namespace enfold::retrieve
