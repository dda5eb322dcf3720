// SPDX-License-Identifier: Apache-2.0
// Cutting inside the schemas of typed tools, which forbid marks: the report names what is missing.
#include "tests/budget/typed_schema.h"

#include "tests/budget/answer.h"
#include "tests/budget/explanation.h"
#include "tests/budget/payloads.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace enfold::budget {
namespace {

using enfold::testing::Dice;
using enfold::testing::Explanation;
using enfold::testing::fit_to;
using json::View;
using model::Fidelity;

constexpr std::string_view kReportSchema =
    R"({"type":"object","properties":{"count":{"type":"integer"},
        "by_genre":{"type":"object","additionalProperties":{"type":"integer"}},
        "books":{"type":"array","items":{"type":"object","properties":{
          "id":{"type":"integer"},"title":{"type":"string"},"author":{"type":"string"},
          "price_cents":{"type":"integer"}},"additionalProperties":false}}},
        "required":["by_genre","books"],"additionalProperties":false})";

// A shop's report: a small map in front of a list of records.
json::Value report(std::size_t genres, std::size_t books) {
  json::Writer w;
  w.begin_object().member("count", static_cast<std::int64_t>(books)).key("by_genre").begin_object();
  static const std::vector<std::string> names{"classic", "comedy", "crime",  "science", "travel",
                                              "drama",   "poetry", "horror", "cookery"};
  for (std::size_t i = 0; i < genres; ++i) w.member(names[i], std::int64_t{400});
  w.end_object().key("books").begin_array();
  for (std::size_t i = 1; i <= books; ++i) {
    w.begin_object().member("id", static_cast<std::int64_t>(i));
    w.member("title", fmt::format("The harbour at night, volume {}", i));
    w.member("author", "Ada Lovelace").member("price_cents", static_cast<std::int64_t>(900 + i));
    w.end_object();
  }
  return std::move(w.end_array().end_object()).finish_value();
}

OutputSchema compiled(const json::Value& schema) {
  auto made = OutputSchema::compile(schema);
  EXPECT_TRUE(made.has_value());
  return *std::move(made);
}

// The places of `dropped`; ids of records are replaced by the places of the records.
std::vector<std::string> opened(const std::vector<std::string>& dropped, View whole) {
  std::vector<std::string> places;
  const auto visit = [&](const auto& self, View value, const std::string& pointer,
                         const std::string& id) -> void {
    std::size_t position = 0;
    for (const View item : value.items()) {
      const std::string place = fmt::format("{}/{}", pointer, position++);
      for (const auto& [key, member] : item.members()) {
        if (member.is_string() ? member.equals(id) : member.raw() == id) places.push_back(place);
      }
    }
    for (const auto& [key, member] : value.members()) {
      std::string place = pointer;
      json::append_token(place, key.string());
      self(self, member, place, id);
    }
  };
  for (const std::string& one : dropped) {
    if (one.empty() || one[0] == '/') {
      places.push_back(one);
    } else {
      visit(visit, whole, "", one);
    }
  }
  return places;
}

// Empty: everything that the fitted payload does not show is told.
std::string untold(const FitResult& fitted, View whole) {
  const std::vector<std::string> dropped = opened(fitted.dropped, whole);
  std::vector<std::string> gaps = dropped;
  gaps.insert(gaps.end(), fitted.briefed.begin(), fitted.briefed.end());
  gaps.insert(gaps.end(), fitted.clipped.begin(), fitted.clipped.end());
  if (Explanation(dropped, gaps).holds(fitted.payload.view(), whole)) return {};
  return "something is missing that nothing tells: " + enfold::testing::answer_text(fitted);
}

TEST(FitInTypedSchema, a_small_map_is_whole_at_every_budget_or_the_report_names_it) {
  const OutputSchema schema = compiled(json::parse_own(std::string(kReportSchema)));
  for (const std::size_t genres : {2U, 5U, 9U}) {
    const json::Value payload = report(genres, 400);
    for (std::size_t budget = 200; budget < 700; ++budget) {
      const auto fitted = fit_to(payload.view(), budget, {}, &schema);
      ASSERT_TRUE(fitted);
      if (fitted->fidelity != Fidelity::partial) continue;
      EXPECT_EQ(untold(*fitted, payload.view()), "") << genres << " genres, " << budget;
    }
  }
}

TEST(FitInTypedSchema, a_larger_budget_never_shows_less_of_a_small_map) {
  const OutputSchema schema = compiled(json::parse_own(std::string(kReportSchema)));
  const json::Value payload = report(5, 400);
  std::size_t most = 0;
  for (std::size_t budget = 200; budget < 700; ++budget) {
    const auto fitted = fit_to(payload.view(), budget, {}, &schema);
    ASSERT_TRUE(fitted);
    if (fitted->fidelity != Fidelity::partial) continue;
    const std::size_t shown = fitted->payload.view().find("by_genre")->size();
    EXPECT_GE(shown, most) << budget;
    most = std::max(most, shown);
  }
  EXPECT_EQ(most, 5U);
}

TEST(FitInTypedSchema, a_record_without_some_of_its_members_is_named_as_not_shown_whole) {
  const OutputSchema schema = compiled(json::parse_own(
      R"({"type":"array","items":{"type":"object","additionalProperties":false,"required":["id"],
          "properties":{"id":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},
            "extra":{"type":"object","additionalProperties":{"type":"string"}}}}})"));
  json::Writer w;
  w.begin_array();
  Dice dice(3);
  for (std::int64_t i = 0; i < 60; ++i) {
    w.begin_object().member("id", i).key("tags").begin_array();
    for (int tag = 0; tag < 12; ++tag) w.string(enfold::testing::hex(dice, 12));
    w.end_array().key("extra").begin_object();
    for (int j = 0; j < 12; ++j) w.member(fmt::format("m{}", j), enfold::testing::hex(dice, 12));
    w.end_object().end_object();
  }
  const json::Value payload = std::move(w.end_array()).finish_value();
  std::size_t partial = 0;
  for (std::size_t budget = 200; budget < 3'000; budget += 40) {
    const auto fitted = fit_to(payload.view(), budget, {}, &schema);
    ASSERT_TRUE(fitted);
    if (fitted->fidelity != Fidelity::partial) continue;
    ++partial;
    EXPECT_EQ(untold(*fitted, payload.view()), "") << budget;
  }
  EXPECT_GT(partial, 50U);
}

// Maps and closed objects of every shape, beside lists and texts.
json::Value draw_typed_payload(Dice& dice, int kind, std::size_t size, std::uint64_t seed) {
  const json::Value rest = enfold::testing::random_payload(kind, size, seed);
  if (dice.chance(40)) return rest;
  json::Writer w;
  w.begin_object();
  if (dice.chance(50)) w.key("rest").value(rest);
  w.key("by_genre").begin_object();
  for (std::size_t i = dice.below(12); i > 0; --i) {
    w.member(fmt::format("genre_{}", i), static_cast<std::int64_t>(dice.below(1'000)));
  }
  w.end_object().key("late").value(rest).end_object();
  return std::move(w).finish_value();
}

TEST(BudgetPromise, true_when_cut_in_typed_schema) {
  int partial = 0;
  int cases = 0;
  enfold::testing::check_property(
      "true_when_cut_in_typed_schema", enfold::testing::property_cases(5'000, 200'000), [&] {
        const auto draw = [](int below) {
          return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, below));
        };
        const int kind = draw(enfold::testing::kPayloadKinds);
        const auto seed = static_cast<std::uint64_t>(draw(1 << 30));
        Dice dice(seed + 2);
        const json::Value payload =
            draw_typed_payload(dice, kind, static_cast<std::size_t>(4 + draw(40)), seed);
        const OutputSchema schema =
            compiled(enfold::testing::typed_schema_of(payload.view(), seed + 1));
        RC_ASSERT(*schema.accepts(payload.view()));
        const auto budget = static_cast<std::size_t>(128 + draw(draw(2) == 0 ? 400 : 3872));
        const auto fitted = fit_to(payload.view(), budget, {}, &schema);
        RC_ASSERT(fitted.has_value());
        if (fitted->fidelity == Fidelity::full) return;
        ++cases;
        if (fitted->fidelity != Fidelity::partial) return;
        ++partial;
        RC_ASSERT(*schema.accepts(fitted->payload.view()));
        const std::string problem = untold(*fitted, payload.view());
        if (!problem.empty()) RC_FAIL(problem + " of " + std::string(payload.view().raw()));
      });
  std::cout << "[ figures  ] cut inside typed schemas: " << partial << " of " << cases << '\n';
  EXPECT_GT(partial * 2, cases);
}

}  // namespace
}  // namespace enfold::budget
