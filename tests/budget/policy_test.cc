// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/fit.h"
#include "enfold/json/pointer.h"
#include "tests/budget/answer.h"
#include "tests/budget/data_sets.h"
#include "tests/budget/truth.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::budget {
namespace {

using enfold::testing::fit_to;
using json::View;
using model::Fidelity;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

View at(const json::Value& value, std::string_view pointer) {
  const auto found = json::Pointer::parse(pointer)->resolve(value.view());
  EXPECT_TRUE(found) << pointer << " in " << value.view().raw().substr(0, 300);
  return found.value_or(View());
}

TEST(Policy, levels_that_the_policy_forbids_are_not_used) {
  const json::Value payload = enfold::testing::issues(100);
  EXPECT_EQ(fit_to(payload.view(), 2'000, {.partial = false})->fidelity, Fidelity::summary);
  EXPECT_EQ(fit_to(payload.view(), 2'000, {.partial = false, .summary = false})->fidelity,
            Fidelity::reference_only);
}

TEST(Policy, items_that_hold_the_terms_of_the_call_come_first) {
  const json::Value payload = enfold::testing::issues(500);
  Policy policy;
  policy.terms = terms_of(json::parse_own(R"({"query":"Coolant PUMP","limit":500})").view());
  EXPECT_THAT(policy.terms, ElementsAre("coolant", "pump"));
  const auto fitted = fit_to(payload.view(), 800, policy);
  ASSERT_TRUE(fitted);
  bool shown = false;
  for (const View item : enfold::testing::records_of(*fitted->payload.view().find("items"))) {
    shown = shown || item.find("number")->integer() == 4377;
  }
  EXPECT_TRUE(shown);
}

TEST(Policy, order_by_brings_the_highest_first) {
  const json::Value payload = enfold::testing::shipments(500);
  const auto fitted = fit_to(payload.view(), 900, {.order_by = "-weight_kg"});
  ASSERT_TRUE(fitted);
  bool shown = false;
  for (const View item : enfold::testing::records_of(at(fitted->payload, "/result/shipments"))) {
    shown = shown || item.find("weight_kg")->raw() == "98765.4";
  }
  EXPECT_TRUE(shown);
}

TEST(Policy, the_policy_names_id_label_and_what_to_keep_drop_and_protect) {
  const json::Value payload = enfold::testing::issues(300);
  Policy policy;
  policy.id = "id";
  policy.label = "node_id";
  policy.keep = {"/items/*/url"};
  policy.drop = {"/items/*/body", "/repository"};
  policy.protect = {"/total_count"};
  const auto fitted = fit_to(payload.view(), 3'000, policy);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(json::to_text(at(*fitted->index, "/~1items/cols")), R"(["id","node_id"])");
  EXPECT_FALSE(fitted->payload.view().find("repository"));
  EXPECT_EQ(at(fitted->payload, "/total_count").integer(), 300);
  for (const View item : enfold::testing::records_of(*fitted->payload.view().find("items"))) {
    EXPECT_TRUE(item.find("url"));
    EXPECT_FALSE(item.find("body"));
  }
}

TEST(Policy, patterns_reach_large_containers_and_what_lies_deep_in_records) {
  std::string text = R"({"raw":{)";
  for (int i = 0; i < 60; ++i) text += fmt::format(R"({}"k{}":"{:x>90}")", i ? "," : "", i, i);
  text += R"(},"items":[)";
  for (int i = 0; i < 60; ++i) {
    text +=
        fmt::format(R"({}{{"id":{},"body":"{:y>400}","user":{{"name":"n{}","site":"{:z>60}"}}}})",
                    i ? "," : "", i, i, i, i);
  }
  const json::Value payload = json::parse_own(text + "]}");
  const auto without = fit_to(payload.view(), 1'500, {.drop = {"/raw"}});
  ASSERT_TRUE(without);
  EXPECT_FALSE(without->payload->find("raw"));
  EXPECT_TRUE(without->payload->find("items"));
  for (const Policy& policy :
       {Policy{.protect = {"/items/*/user/name"}}, Policy{.keep = {"/items/*/user/name"}}}) {
    const auto fitted = fit_to(payload.view(), 1'500, policy);
    ASSERT_TRUE(fitted);
    ASSERT_GT(fitted->payload->find("items")->size(), 0U);
    for (const View item : enfold::testing::records_of(*fitted->payload->find("items"))) {
      EXPECT_TRUE(item.find("user") && item.find("user")->find("name")) << item.raw();
    }
  }
}

TEST(Policy, a_star_at_the_end_of_a_pattern_means_every_member_of_the_items) {
  const json::Value payload = enfold::testing::issues(300);
  Policy policy{.keep = {"/items/*/number", "/items/*/title"}, .drop = {"/items/*/*"}};
  const auto fitted = fit_to(payload.view(), 3'000, policy);
  ASSERT_TRUE(fitted);
  ASSERT_EQ(fitted->fidelity, Fidelity::partial);
  ASSERT_GT(fitted->payload->find("items")->size(), 20U);
  for (const View item : enfold::testing::records_of(*fitted->payload->find("items"))) {
    EXPECT_TRUE(item.find("number") && item.find("title")) << item.raw();
    EXPECT_EQ(item.size(), 3U) << item.raw();  // and the mark of the others
  }
  policy = {.keep = {"/items/*/*"}};
  const auto kept = fit_to(payload.view(), 3'000, policy);
  ASSERT_TRUE(kept);
  ASSERT_GT(kept->payload->find("items")->size(), 0U);
  EXPECT_THAT(kept->briefed, IsEmpty());
}

TEST(Policy, what_is_kept_and_dropped_is_kept) {
  const json::Value payload = enfold::testing::issues(300);
  const std::vector<std::string> both{"/items/*/url", "/items", "/repository"};
  for (const Policy& policy :
       {Policy{.keep = both, .drop = both}, Policy{.protect = {"/total_count"}, .drop = {"/*"}}}) {
    Policy without = policy;
    without.drop.clear();
    const auto fitted = fit_to(payload.view(), 3'000, policy);
    const auto plain = fit_to(payload.view(), 3'000, without);
    ASSERT_TRUE(fitted && plain);
    EXPECT_EQ(fitted->fidelity, plain->fidelity);
    if (policy.keep.empty()) {
      EXPECT_EQ(json::to_text(fitted->payload.view()), R"({"total_count":300,"…":"+2 members"})");
    } else {
      EXPECT_EQ(json::to_text(fitted->payload.view()), json::to_text(plain->payload.view()));
    }
  }
}

TEST(Policy, what_is_protected_and_does_not_fit_is_not_shown_in_part) {
  const auto fitted = fit_to(enfold::testing::issues(300).view(), 2'000, {.protect = {"/items/*"}});
  ASSERT_TRUE(fitted);
  EXPECT_NE(fitted->fidelity, Fidelity::partial);
}

TEST(Policy, a_table_is_used_on_request_where_it_saves_a_tenth) {
  const json::Value staff = enfold::testing::staff(400);
  const auto plain = fit_to(staff.view(), 3'000);
  const auto table = fit_to(staff.view(), 3'000, {.columnar = true});
  ASSERT_TRUE(plain && table);
  EXPECT_THAT(plain->columnar, IsEmpty());
  EXPECT_THAT(table->columnar, ElementsAre("/rows"));
  const View rows = at(table->payload, "/rows/rows");
  EXPECT_EQ(at(table->payload, "/rows/cols").size(), rows.item(0)->size());
  EXPECT_EQ(rows.item(0)->item(0)->raw(), "1001");
  EXPECT_GT(rows.size(), at(plain->payload, "/rows").size());

  auto schema =
      OutputSchema::compile(json::parse_own(R"({"properties":{"rows":{"type":"array"}}})"));
  const auto declared = fit_to(staff.view(), 3'000, {.columnar = true}, &*schema);
  EXPECT_THAT(declared->columnar, IsEmpty());
}

TEST(Policy, is_read_with_every_member_and_refuses_strangers) {
  const auto policy = read_policy(
      json::parse_own(R"({"id":"sku","label":"name","protect":["/a"],"keep":["/b/*"],"drop":["/c"],
                          "clip":80,"order_by":"-n","terms":["x"],"columnar":true,
                          "partial":false,"summary":false})")
          .view());
  ASSERT_TRUE(policy);
  const Policy want{"sku", "name", {"/a"}, {"/b/*"}, {"/c"}, 80, "-n", {"x"}, true, false, false};
  EXPECT_EQ(*policy, want);
  struct Row {
    const char* text;
    const char* where;
  };
  for (const Row& row : {Row{"[]", ""}, Row{R"({"idd":"x"})", "/idd"}, Row{R"({"id":1})", "/id"},
                         Row{R"({"clip":0})", "/clip"}, Row{R"({"keep":"/a"})", "/keep"},
                         Row{R"({"terms":[1]})", "/terms"}, Row{R"({"protect":[""]})", "/protect"},
                         Row{R"({"keep":["/a",""]})", "/keep"}, Row{R"({"drop":[""]})", "/drop"}}) {
    const auto wrong = read_policy(json::parse_own(row.text).view());
    ASSERT_FALSE(wrong) << row.text;
    EXPECT_EQ(wrong.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(wrong.error().where, row.where) << row.text;
  }
}

std::string words(char first, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{}{}{}word", i ? " " : "", first, i);
  return text;
}

TEST(Policy, items_that_are_dropped_leave_their_place_to_others) {
  std::string text = R"({"items":[)";
  for (int i = 0; i < 60; ++i) {
    text += fmt::format(R"({}{{"id":{},"t":"{}"}})", i ? "," : "", i, words('t', 20));
  }
  const json::Value payload = json::parse_own(text + "]}");
  const auto fitted = fit_to(payload.view(), 800, {.drop = {"/items/0", "/items/1", "/items/59"}});
  ASSERT_TRUE(fitted);
  const auto items = fitted->payload->find("items");
  ASSERT_TRUE(items && items->size() > 0);
  EXPECT_TRUE(items->item(0)->equals("…[+2 items]")) << json::to_text(*items);
  EXPECT_EQ(items->item(1)->find("id")->integer(), 2) << json::to_text(*items);
}

TEST(Policy, a_member_that_one_container_drops_stays_in_its_siblings) {
  const json::Value payload = json::parse_own(
      fmt::format(R"({{"a":{{"name":"A","body":"{}"}},"b":{{"name":"B","body":"{}"}}}})",
                  words('a', 200), words('b', 100)));
  const auto fitted = fit_to(payload.view(), 900, {.drop = {"/a/body"}});
  ASSERT_TRUE(fitted);
  EXPECT_EQ(at(fitted->payload, "/b/body").string(), words('b', 100));
}

TEST(Policy, a_large_container_that_is_kept_comes_before_others) {
  const auto members = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += fmt::format(R"({}"m{}":"{}")", i ? "," : "", i, words('m', 12));
    }
    return text;
  };
  const json::Value payload =
      json::parse_own(fmt::format(R"({{"first":{{{}}},"kept":{{{}}}}})", members(40), members(10)));
  const auto fitted = fit_to(payload.view(), 1'500, {.keep = {"/kept"}});
  ASSERT_TRUE(fitted);
  const View kept = at(fitted->payload, "/kept");
  EXPECT_EQ(kept.size(), 10U);
  for (const json::Member& member : kept.members()) {
    EXPECT_EQ(member.value.string(), words('m', 12));
  }
}

TEST(Policy, order_by_puts_items_without_the_member_last_and_compares_any_number) {
  std::string text = R"({"items":[)";
  for (int i = 0; i < 40; ++i) text += fmt::format(R"({{"id":{},"t":"{}"}},)", i, words('t', 20));
  text += fmt::format(R"({{"id":40,"score":5,"t":"{}"}},{{"id":41,"score":1e400,"t":"{}"}}]}})",
                      words('t', 20), words('t', 20));
  const json::Value payload = json::parse_own(text);
  const auto first = [&](const char* order) {
    const auto fitted = fit_to(payload.view(), 300, {.order_by = order});
    const auto items = fitted ? fitted->payload->find("items") : std::nullopt;
    std::vector<std::int64_t> ids;
    for (const View item : enfold::testing::records_of(items.value_or(View()))) {
      ids.push_back(item.find("id")->integer().value_or(-1));
    }
    return ids;
  };
  EXPECT_THAT(first("score"), ::testing::Contains(40));
  EXPECT_THAT(first("-score"), ::testing::Contains(41));
}

TEST(Fit, a_small_payload_keeps_its_large_member_if_that_fits) {
  const std::string large = json::quote(std::string(40, 'a') + " the value that fits in its place");
  const json::Value payload =
      json::parse_own(R"({"a":)" + large + R"(,"b":"qz7Xk0Vw5Jt2Rp9Ld4Hs8Gf1"})");
  const auto measure = [](const FitResult& fitted) {
    Size size = enfold::testing::size_of(json::to_text(fitted.payload.view()), token::o200k_base());
    size.tokens += 128 - 26;
    return size;
  };
  const auto fitted =
      fit(payload.view(), {128, 32'000, std::nullopt}, {}, nullptr, token::o200k_base(), measure);
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_THAT(json::to_text(fitted->payload.view()), HasSubstr(large));
}

}  // namespace
}  // namespace enfold::budget
