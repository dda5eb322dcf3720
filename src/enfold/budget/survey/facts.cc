// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/render/clip.h"
#include "enfold/budget/survey/outline.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::budget::detail {
namespace {

using json::Writer;

// Counts of values, the most frequent first: {"open":349,"closed":151}. nullopt if different values
// would get the same key, such as 1 and "1".
std::optional<std::string> count_values(const Field& field) {
  struct CountedValue {
    std::string text;
    bool quoted;
    std::size_t count;
  };
  std::vector<CountedValue> counts;
  bool unambiguous = true;
  const auto add = [&](std::string text, bool quoted, std::size_t count) {
    const auto known = std::find_if(counts.begin(), counts.end(),
                                    [&](const auto& one) { return one.text == text; });
    if (known == counts.end()) {
      counts.push_back({std::move(text), quoted, count});
    } else {
      unambiguous = unambiguous && known->quoted == quoted;
      known->count += count;
    }
  };
  for (const ValueCount& value : field.values) {
    const bool quoted = value.value.is_string();
    add(quoted ? value.value.string() : std::string(value.value.raw()), quoted, value.count);
  }
  if (field.nulls > 0) add("null", false, field.nulls);
  if (!unambiguous) return std::nullopt;
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  Writer writer;
  writer.begin_object();
  for (const CountedValue& one : counts)
    writer.member(one.text, static_cast<std::int64_t>(one.count));
  writer.end_object();
  return std::move(writer).finish().str();
}

// Few distinct values: each occurs twice or more on average.
bool is_categorical(const Field& field) {
  return field.countable && !field.values.empty() && field.present >= 4 &&
         field.values.size() * 2 <= field.present;
}

// Order of fields: those with failure words first, then by number of values, constants last.
std::size_t rank(const Field& field) {
  if (field.values.size() == 1 && field.nulls == 0) return 1000;
  const bool failing = std::any_of(field.values.begin(), field.values.end(), [](const auto& value) {
    return has_failure_word(value.value.raw());
  });
  return failing ? 0 : field.values.size();
}

// Whether the field has a meaningful range: numbers, or ordered strings that start with a digit.
bool has_range(const Field& field) {
  if (field.all_numbers()) return field.lowest && field.highest;
  if (!field.all_strings() || !field.ordered || field.lowest->raw().size() > 36 ||
      field.highest->raw().size() > 36) {
    return false;
  }
  const std::string_view lowest = field.lowest->string_source();
  return !lowest.empty() && lowest.front() >= '0' && lowest.front() <= '9';
}

class Collector {
 public:
  Collector(std::vector<Fact>& facts, const Counter& counter) : facts_(facts), counter_(counter) {}

  void add(const std::string& pointer, std::string_view section, std::string name,
           std::string value) {
    Fact fact{pointer, section, std::move(name), std::move(value), {}, false, kNone};
    fact.cost = counter_.of(json::quote(fact.name) + ":" + fact.value + ",");
    // The first fact of a pointer or section pays for its brackets.
    const bool opens_place = facts_.empty() || facts_.back().pointer != pointer;
    if (opens_place) fact.cost += counter_.of(json::quote(pointer) + ":{},");
    if (!section.empty() && (opens_place || facts_.back().section != section)) {
      fact.cost += counter_.of(json::quote(section) + ":{},");
    }
    facts_.push_back(std::move(fact));
  }

  void add_list(const std::string& pointer, const Survey& survey) {
    add(pointer, "", "count", std::to_string(survey.count));
    if (survey.failing_count > 0) add(pointer, "", "failing", std::to_string(survey.failing_count));
    std::vector<const Field*> categories;
    for (const Field& field : survey.fields) {
      if (is_categorical(field)) categories.push_back(&field);
    }
    std::stable_sort(categories.begin(), categories.end(),
                     [](const Field* a, const Field* b) { return rank(*a) < rank(*b); });
    for (const Field* field : categories) {
      if (auto counts = count_values(*field)) {
        add(pointer, "values", field->key.string(), *std::move(counts));
      }
    }
    for (const Field& field : survey.fields) {
      if (is_categorical(field) || !has_range(field)) continue;
      add(pointer, "ranges", field.key.string(),
          fmt::format("[{},{}]", field.lowest->raw(), field.highest->raw()));
    }
  }

  void add_text(const std::string& pointer, const Text& text) {
    const text::Digest& digest = text.digest;
    add(pointer, "", "form", json::quote(name(digest.form)));
    add(pointer, "", "bytes", std::to_string(digest.bytes));
    add(pointer, "", "lines", std::to_string(digest.lines));
    for (const text::Statement& fact : digest.facts)
      add(pointer, fact.section, fact.name, fact.value);
    if (text.records) add_list(pointer, *text.records);
  }

 private:
  std::vector<Fact>& facts_;
  const Counter& counter_;
};

}  // namespace

std::vector<Fact> facts_of(const Outline& outline, const Counter& counter) {
  std::vector<Fact> facts;
  Collector collector(facts, counter);
  for (const Group& group : outline.groups) {
    if (group.is_list()) {
      collector.add_list(group.pointer, *group.survey);
    } else if (group.count >= 8) {
      collector.add(group.pointer, "", "count", std::to_string(group.count));
    }
  }
  for (std::uint32_t i = 0; i < outline.texts.size(); ++i) {
    const std::size_t first = facts.size();
    const Text& text = outline.texts[i];
    collector.add_text(outline.pointer(outline.units[text.unit]), text);
    for (std::size_t at = first; at < facts.size(); ++at) facts[at].text = i;
  }
  return facts;
}

std::optional<json::Value> write_facts(const std::vector<Fact>& facts, const Outline& outline) {
  Writer writer;
  writer.begin_object();
  const Fact* before = nullptr;
  const auto close_section = [&] {
    if (before != nullptr && !before->section.empty()) writer.end_object();
  };
  for (const Fact& fact : facts) {
    if (!fact.shown) continue;
    if (fact.text != kNone && outline.units[outline.texts[fact.text].unit].shown == Detail::whole) {
      continue;
    }
    if (before == nullptr || before->pointer != fact.pointer) {
      close_section();
      if (before != nullptr) writer.end_object();
      writer.key(fact.pointer).begin_object();
      if (!fact.section.empty()) writer.key(fact.section).begin_object();
    } else if (before->section != fact.section) {
      close_section();
      if (!fact.section.empty()) writer.key(fact.section).begin_object();
    }
    splice_text(writer.key(fact.name), fact.value);
    before = &fact;
  }
  if (before == nullptr) return std::nullopt;
  close_section();
  writer.end_object();
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::budget::detail
