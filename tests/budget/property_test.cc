// SPDX-License-Identifier: Apache-2.0
// The promises about cutting, over random payloads and budgets.
#include "enfold/json/number.h"
#include "tests/budget/answer.h"
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

// All values at a path of a record; `*` stands for every item of an array inside. With
// `by_number` the record is an array whose items are its members.
void collect(View record, std::string_view path, std::vector<View>& found, bool by_number) {
  if (path.empty() && !record.is_container()) return found.push_back(record);
  const std::size_t slash = path.find('/');
  const std::string_view step = path.substr(0, slash);
  const auto rest = [&](View value) {
    if (slash == std::string_view::npos) {
      found.push_back(value);
    } else {
      collect(value, path.substr(slash + 1), found, false);
    }
  };
  if (step == "*" && record.is_array()) {
    for (const View item : record.items()) rest(item);
    return;
  }
  const auto pointer = json::Pointer::parse("/" + std::string(step));
  if (!record.is_object() && !(by_number && record.is_array())) return;
  if (const auto value = pointer->resolve(record)) rest(*value);
}

// Recounts what the facts say about the records of a list or map.
void check_records(View facts, View list) {
  std::vector<View> records;
  for (const View item : list.items()) records.push_back(item);
  for (const auto& [key, value] : list.members()) records.push_back(value);
  const bool has_objects = std::ranges::any_of(records, &View::is_object);
  const auto values_at = [&](View record, View path) {
    std::vector<View> found;
    // Beside objects the empty path is that of a member without a name.
    const bool is_other = has_objects && !record.is_container();
    if (!is_other) collect(record, path.string(), found, !has_objects);
    return found;
  };
  const auto is_named = [](View value, const std::string& name) {
    if (value.is_string() && value.string() == name) return !json::parse(name).has_value();
    return value.raw() == name || (value.is_string() && json::quote(value.string()) == name);
  };
  for (const auto& [path, counts] : facts.find("values").value_or(View()).members()) {
    for (const auto& [name, count] : counts.members()) {
      std::int64_t seen = 0;
      for (const View record : records) {
        const auto found = values_at(record, path);
        seen += std::any_of(found.begin(), found.end(),
                            [&](View value) { return is_named(value, name.string()); });
      }
      if (count.integer() != seen) {
        RC_FAIL(fmt::format("{} {}: {}, counted {}", path.raw(), name.raw(), count.raw(), seen));
      }
    }
  }
  for (const auto& [path, value] : facts.find("constant").value_or(View()).members()) {
    for (const View record : records) {
      for (const View found : values_at(record, path)) RC_ASSERT(json::equal(found, value));
    }
  }
  for (const auto& [path, count] : facts.find("missing").value_or(View()).members()) {
    const auto without = std::count_if(records.begin(), records.end(), [&](View record) {
      return values_at(record, path).empty();
    });
    RC_ASSERT(count.raw() == std::to_string(without));
  }
  for (const auto& [path, count] : facts.find("null").value_or(View()).members()) {
    const auto nulls = std::count_if(records.begin(), records.end(), [&](View record) {
      const auto found = values_at(record, path);
      return !found.empty() && found.front().is_null();
    });
    RC_ASSERT(count.raw() == std::to_string(nulls));
  }
  for (const auto& [path, sizes] : facts.find("sizes").value_or(View()).members()) {
    for (const View record : records) {
      for (const View value : values_at(record, path)) {
        const auto size = static_cast<std::int64_t>(value.size());
        if (value.is_container()) {
          const bool inside = size >= sizes.item(0)->integer() && size <= sizes.item(1)->integer();
          RC_ASSERT(inside);
        }
      }
    }
  }
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
