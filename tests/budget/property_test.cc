// SPDX-License-Identifier: Apache-2.0
// The promises about cutting, over random payloads and budgets.
#include "enfold/json/number.h"
#include "tests/budget/answer.h"
#include "tests/budget/fact_truth.h"
#include "tests/budget/payloads.h"
#include "tests/budget/truth.h"
#include "tests/support/cases.h"

#include <algorithm>
#include <rapidcheck.h>

namespace enfold::budget {
namespace {

using json::View;

using enfold::testing::answer_text;
using enfold::testing::check_property;
using enfold::testing::measure_with;
using enfold::testing::property_cases;
using enfold::testing::size_of;

struct Case {
  json::Value payload;
  Budget budget;
  Policy policy;
  const token::Tokenizer* tokenizer = nullptr;
};

int draw(int below) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, below)); }

Case draw_case() {
  Case drawn;
  const int kind = draw(enfold::testing::kPayloadKinds);
  const auto size = static_cast<std::size_t>(1 + draw(draw(6) == 0 ? 150 : 30));
  drawn.payload =
      enfold::testing::random_payload(kind, size, static_cast<std::uint64_t>(draw(1 << 30)));
  drawn.budget.tokens = static_cast<std::size_t>(128 + draw(draw(2) == 0 ? 400 : 3872));
  drawn.budget.characters = 1'000'000;
  if (draw(4) == 0) drawn.budget.characters = 700 + static_cast<std::size_t>(draw(8000));
  drawn.tokenizer = draw(4) == 0 ? &token::cl100k_base() : &token::o200k_base();
  if (draw(5) == 0) drawn.policy.columnar = true;
  if (draw(8) == 0) drawn.policy.order_by = draw(2) == 0 ? "-id" : "status";
  if (draw(8) == 0) drawn.policy.terms = {"proxy", "emoji"};
  if (draw(8) == 0) drawn.policy.drop = {"/items/*/status", "/nodes", "/content"};
  if (draw(8) == 0) drawn.policy.keep = {"/items/*/id", "/total", "/*/name0"};
  if (draw(16) == 0) drawn.policy.partial = false;
  if (draw(16) == 0) drawn.policy.summary = false;
  RC_TAG(kind);
  return drawn;
}

Result<FitResult> fit_case(const Case& drawn, const OutputSchema* schema = nullptr) {
  return fit(drawn.payload.view(), drawn.budget, drawn.policy, schema, *drawn.tokenizer,
             measure_with(*drawn.tokenizer));
}

TEST(BudgetPromise, never_over_budget) {
  check_property("never_over_budget", property_cases(5'000, 200'000), [] {
    const Case drawn = draw_case();
    const auto fitted = fit_case(drawn);
    RC_ASSERT(fitted.has_value());
    const std::string text = answer_text(*fitted);
    RC_ASSERT(within(size_of(text, *drawn.tokenizer), drawn.budget));
    RC_ASSERT(json::parse(text).has_value());
  });
}

// A list or a map beside a part that must be shown whole or not at all.
Case draw_protected_case() {
  Case drawn = draw_case();
  drawn.payload = enfold::testing::random_payload(draw(3), static_cast<std::size_t>(1 + draw(60)),
                                                  static_cast<std::uint64_t>(draw(1 << 30)));
  drawn.policy = {.protect = {"/must"}};
  drawn.budget.characters = 1'000'000;
  enfold::testing::Dice dice(static_cast<std::uint64_t>(draw(1 << 30)));
  json::Writer writer;
  writer.begin_object();
  const bool first = draw(2) == 0;
  if (first) writer.key("rest").value(drawn.payload);
  writer.key("must");
  switch (draw(3)) {
    case 0:
      writer.string(enfold::testing::paragraph(dice, static_cast<std::size_t>(draw(30))));
      break;
    case 1: writer.string(std::string(static_cast<std::size_t>(draw(1500)), 'm')); break;
    default: enfold::testing::random_value(dice, writer, 3);
  }
  if (!first) writer.key("rest").value(drawn.payload);
  drawn.payload = std::move(writer.end_object()).finish_value();
  return drawn;
}

// More room never makes an answer worse.
TEST(BudgetPromise, more_budget_never_lowers_the_fidelity) {
  check_property("more_budget_never_lowers_the_fidelity", property_cases(3'000, 200'000), [] {
    Case drawn = draw_protected_case();
    const auto less = fit_case(drawn);
    drawn.budget.tokens += static_cast<std::size_t>(1 + draw(draw(2) == 0 ? 12 : 300));
    const auto more = fit_case(drawn);
    RC_ASSERT(less.has_value() && more.has_value());
    if (more->fidelity > less->fidelity) {
      RC_FAIL(fmt::format("{} at {} tokens, and {} with less: {}", model::name(more->fidelity),
                          drawn.budget.tokens, model::name(less->fidelity),
                          drawn.payload.view().raw().substr(0, 3000)));
    }
  });
}

// What the payload shows is in the original, and what it does not show is in the report.
TEST(BudgetPromise, true_when_cut) {
  check_property("true_when_cut", property_cases(5'000, 200'000), [] {
    Case drawn = draw_case();
    drawn.policy.columnar = false;
    const auto fitted = fit_case(drawn);
    RC_ASSERT(fitted.has_value());
    const json::View whole = drawn.payload.view();
    if (fitted->fidelity == model::Fidelity::full) {
      RC_ASSERT(fitted->payload == drawn.payload);
      RC_ASSERT(fitted->dropped.empty() && fitted->dropped_count == 0);
      return;
    }
    if (fitted->fidelity != model::Fidelity::partial) {
      RC_ASSERT(fitted->dropped_count > 0U);
      return;
    }
    enfold::testing::Missing missing;
    if (!enfold::testing::is_true_cut(fitted->payload.view(), whole, missing)) {
      RC_FAIL("the payload is no true cut: " + answer_text(*fitted));
    }
    RC_ASSERT(!missing.places.empty());
    RC_ASSERT(fitted->dropped_count == missing.count);
    std::vector<std::string> places = fitted->dropped;
    places.insert(places.end(), fitted->briefed.begin(), fitted->briefed.end());
    places.insert(places.end(), fitted->clipped.begin(), fitted->clipped.end());
    const bool by_id = !fitted->dropped.empty() &&
                       std::none_of(fitted->dropped.begin(), fitted->dropped.end(),
                                    [](const auto& p) { return p.empty() || p[0] == '/'; });
    for (const std::string& pointer : missing.places) {
      if (by_id) break;
      const auto value = json::Pointer::parse(pointer)->resolve(whole);
      if (!enfold::testing::is_reported(places, pointer, *value)) {
        RC_FAIL(pointer + " is missing and not reported in " + answer_text(*fitted));
      }
    }
  });
}

// The records of csv_text, which has no quotes; null: it is something else.
json::Value csv_records(json::View text) {
  const std::string decoded = text.string();
  if (!decoded.starts_with("id,name,amount\n")) return {};
  json::Writer writer;
  writer.begin_array();
  for (std::size_t at = decoded.find('\n') + 1; at < decoded.size();) {
    const std::size_t end = decoded.find('\n', at);
    const std::string line = decoded.substr(at, end - at);
    const std::size_t first = line.find(',');
    const std::size_t second = line.find(',', first + 1);
    const std::string name = line.substr(first + 1, second - first - 1);
    writer.begin_object().key("id").number(line.substr(0, first)).key("name");
    json::is_number_text(name) ? writer.number(name) : writer.string(name);
    writer.key("amount").number(line.substr(second + 1)).end_object();
    at = end + 1;
  }
  return std::move(writer.end_array()).finish_value();
}

// Recounts what the facts say about the records of a list or map.
void check_records(View facts, View list) {
  const std::string wrong = enfold::testing::FactCheck(facts, list).problem();
  if (!wrong.empty())
    RC_FAIL(wrong + " in " + std::string(facts.raw()) + " of " +
            std::string(list.raw().substr(0, 1'500)));
}

// Facts are those of the whole payload, recounted here in another way.
TEST(BudgetPromise, facts_are_of_the_whole) {
  check_property("facts_are_of_the_whole", property_cases(1'000, 200'000), [] {
    const Case drawn = draw_case();
    const auto fitted = fit_case(drawn);
    RC_ASSERT(fitted.has_value());
    if (!fitted->facts) return;
    for (const auto& [place, facts] : fitted->facts->view().members()) {
      const auto pointer = json::Pointer::parse(place.string());
      auto list = pointer->resolve(drawn.payload.view());
      RC_ASSERT(list.has_value());
      const auto form = facts.find("form");
      if (form && form->equals("text")) RC_ASSERT(!facts.find("count"));
      const json::Value records = csv_records(*list);
      if (const auto bytes = facts.find("bytes")) {
        RC_ASSERT(bytes->integer() == static_cast<std::int64_t>(list->string().size()));
      }
      if (list->is_string()) list = records.view();
      if (const auto count = facts.find("count")) {
        RC_ASSERT(count->integer() == static_cast<std::int64_t>(list->size()));
      }
      if (list->is_container()) check_records(facts, *list);
    }
  });
}

// Records with members of every kind that facts speak of.
TEST(BudgetPromise, facts_name_the_right_records) {
  check_property("facts_name_the_right_records", property_cases(3'000, 200'000), [] {
    Case drawn;
    enfold::testing::Dice dice(static_cast<std::uint64_t>(draw(1 << 30)));
    drawn.payload = enfold::testing::random_records(dice, static_cast<std::size_t>(4 + draw(60)));
    drawn.budget.tokens = static_cast<std::size_t>(400 + draw(3'000));
    drawn.budget.characters = 1'000'000;
    drawn.tokenizer = &token::o200k_base();
    const auto fitted = fit_case(drawn);
    RC_ASSERT(fitted.has_value());
    if (!fitted->facts) return;
    for (const auto& [place, facts] : fitted->facts->view().members()) {
      const auto list = json::Pointer::parse(place.string())->resolve(drawn.payload.view());
      RC_ASSERT(list.has_value());
      if (list->is_container()) check_records(facts, *list);
    }
  });
}

TEST(BudgetPromise, deterministic) {
  check_property("deterministic", property_cases(5'000, 200'000), [] {
    const Case drawn = draw_case();
    const auto once = fit_case(drawn);
    // Another document with the same content, as another process would have it.
    Case again = drawn;
    again.payload = json::parse(json::pretty(drawn.payload.view()))->value();
    const auto twice = fit_case(again);
    RC_ASSERT(once.has_value() && twice.has_value());
    RC_ASSERT(answer_text(*once) == answer_text(*twice));
  });
}

}  // namespace
}  // namespace enfold::budget
