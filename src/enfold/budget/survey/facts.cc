// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/render/clip.h"
#include "enfold/budget/survey/outline.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::budget::detail {
namespace {

using json::Writer;

constexpr std::size_t kLongestBound = 36;  // bytes of a lowest or highest value

// The name of a value in the counts: a string as it is, unless it reads like another kind of value
// (null, true, 12): then with its quotes. Others as they are written.
std::string value_name(json::View value) {
  if (!value.is_string()) return std::string(value.raw());
  std::string text = value.string();
  const bool short_enough = !text.empty() && text.size() < 32;
  return short_enough && json::parse(text).has_value() ? std::string(value.raw()) : text;
}

// Counts of records by value, the most frequent first: {"open":349,"closed":151}.
std::string count_values(const Field& field) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const ValueCount& value : field.values) {
    // Strings may be written in two ways, with and without escapes.
    const std::string name = value_name(value.value);
    const auto known = std::find_if(counts.begin(), counts.end(),
                                    [&](const auto& one) { return one.first == name; });
    if (known == counts.end()) {
      counts.emplace_back(name, value.count);
    } else {
      known->second += value.count;
    }
  }
  if (field.nulls > 0) counts.emplace_back("null", field.nulls);
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Writer writer;
  writer.begin_object();
  for (const auto& [name, count] : counts) writer.member(name, static_cast<std::int64_t>(count));
  writer.end_object();
  return std::move(writer).finish().str();
}

// Few distinct values: each occurs twice or more on average.
bool is_categorical(const Field& field) {
  return field.countable && !field.values.empty() && field.present >= 4 &&
         field.values.size() * 2 <= field.present && !(field.in_array && field.nulls > 0);
}

bool is_constant(const Field& field, const Survey& survey) {
  return field.values.size() == 1 && field.nulls == 0 && field.present == survey.count;
}

// Order of fields: those with failure words first, then by number of values and depth.
std::size_t rank(const Field& field) {
  const bool failing = std::any_of(field.values.begin(), field.values.end(), [](const auto& value) {
    return has_failure_word(value.value.raw());
  });
  const auto depth = std::count(field.path.begin(), field.path.end(), '/');
  return failing ? 0 : field.values.size() + 4 * static_cast<std::size_t>(depth);
}

// A distance between times in seconds, without zeros at the end; of numbers as it is.
std::string step_of(const Field& field) {
  if (!field.has_times()) return std::to_string(*field.series.step);
  std::string seconds = fmt::format("{:.6f}", static_cast<double>(*field.series.step) / 1e6);
  while (seconds.back() == '0') seconds.pop_back();
  if (seconds.back() == '.') seconds.pop_back();
  return seconds;
}

// {"first":…,"last":…,"step_seconds":300,"breaks":[[before,after],…]}; breaks are neighbours that
// have another distance.
std::string series_of(const Field& field) {
  const Series& series = field.series;
  Writer writer;
  writer.begin_object();
  writer.key("first").value(series.first_value).key("last").value(series.last_value);
  splice_text(writer.key(field.has_times() ? "step_seconds" : "step"), step_of(field));
  if (series.break_count > 0) {
    writer.key("breaks").begin_array();
    for (const Series::Break& one : series.breaks) {
      writer.begin_array().value(one.before).value(one.after).end_array();
    }
    writer.end_array();
  }
  writer.end_object();
  return std::move(writer).finish().str();
}

// How many values of each type, where there are several: {"number":480,"string":12}.
std::optional<std::string> types_of(const Field& field) {
  Writer writer;
  writer.begin_object();
  int types = 0;
  const auto add = [&](std::string_view type, std::size_t count) {
    if (count == 0) return;
    ++types;
    writer.member(type, static_cast<std::int64_t>(count));
  };
  add("number", field.numbers);
  add("string", field.strings);
  add("boolean", field.booleans);
  add("array", field.arrays);
  add("object", field.objects);
  writer.end_object();
  if (types < 2) return std::nullopt;
  return std::move(writer).finish().str();
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

  // By what readers ask for most: how many, of which kinds, from where to where, what is missing.
  void add_records(const std::string& pointer, const Survey& survey) {
    add(pointer, "", "count", std::to_string(survey.count));
    add_values(pointer, survey);
    for (const Field& field : survey.fields) {
      if (field.is_series() && field.present == survey.count) {
        add(pointer, "series", field.path, series_of(field));
      }
    }
    add_ranges(pointer, survey);
    add_repeated(pointer, survey);
    add_gaps(pointer, survey);
    for (const Field& field : survey.fields) {
      if (auto types = types_of(field)) add(pointer, "types", field.path, *std::move(types));
    }
    for (const Field& field : survey.fields) {  // a value that all records have
      if (!is_categorical(field) || !is_constant(field, survey)) continue;
      add(pointer, "constant", field.path, std::string(field.values.front().raw));
    }
  }

  void add_values(const std::string& pointer, const Survey& survey) {
    std::vector<const Field*> categories;
    for (const Field& field : survey.fields) {
      if (is_categorical(field) && !is_constant(field, survey)) categories.push_back(&field);
    }
    std::stable_sort(categories.begin(), categories.end(),
                     [](const Field* a, const Field* b) { return rank(*a) < rank(*b); });
    for (const Field* field : categories) add(pointer, "values", field->path, count_values(*field));
  }

  // Of numbers, of times, and of the number of items or members.
  void add_ranges(const std::string& pointer, const Survey& survey) {
    for (const Field& field : survey.fields) {
      if (is_categorical(field) || field.is_series()) continue;
      if (!field.has_numbers() && !field.has_times()) continue;
      if (field.lowest->raw().size() > kLongestBound || field.highest->raw().size() > kLongestBound)
        continue;
      add(pointer, "ranges", field.path,
          fmt::format("[{},{}]", field.lowest->raw(), field.highest->raw()));
    }
    for (const Field& field : survey.fields) {
      const bool counted = field.nested() == field.arrays || field.too_wide;
      if (field.nested() == 0 || !counted || field.longest == field.shortest) continue;
      add(pointer, "sizes", field.path, fmt::format("[{},{}]", field.shortest, field.longest));
    }
  }

  // Ids that several records have.
  void add_repeated(const std::string& pointer, const Survey& survey) {
    if (survey.repeated.empty()) return;
    Writer writer;
    writer.begin_array();
    for (const json::View id : survey.repeated) writer.value(id);
    writer.end_array();
    add(pointer, "repeated", survey.fields[*survey.id].path, std::move(writer).finish().str());
  }

  // Records without the member, and with null.
  void add_gaps(const std::string& pointer, const Survey& survey) {
    for (const Field& field : survey.fields) {
      if (field.in_array || field.present == 0 || field.present == survey.count) continue;
      const bool as_around =
          field.parent != UINT32_MAX && survey.fields[field.parent].present == field.present;
      if (as_around) continue;  // it is missing with the object around it
      add(pointer, "missing", field.path, std::to_string(survey.count - field.present));
    }
    for (const Field& field : survey.fields) {
      if (field.in_array || field.nulls == 0 || is_categorical(field)) continue;
      add(pointer, "null", field.path, std::to_string(field.nulls));
    }
  }

  void add_text(const std::string& pointer, const Text& text) {
    const text::Digest& digest = text.digest;
    add(pointer, "", "form", json::quote(name(digest.form)));
    add(pointer, "", "bytes", std::to_string(digest.bytes));
    add(pointer, "", "lines", std::to_string(digest.lines));
    for (const text::Statement& fact : digest.facts)
      add(pointer, fact.section, fact.name, fact.value);
    if (text.records) add_records(pointer, *text.records);
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
    if (group.is_list()) collector.add_records(group.pointer, *group.survey);
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
