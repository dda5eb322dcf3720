// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/budget/render/clip.h"
#include "enfold/budget/survey/named_facts.h"
#include "enfold/budget/survey/outline.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::budget::detail {
namespace {

using json::Writer;

constexpr std::size_t kLongestBound = 36;  // bytes of a lowest or highest value

// Whether all records have the same value.
bool is_constant(const Field& field, const Survey& survey) {
  // Inside a nested list some items may lack the member, though every record has it.
  return !field.in_array && field.values.size() == 1 && field.nulls == 0 &&
         field.present == survey.count;
}

// Order of fields: those with failure words first, then by number of values and depth.
std::size_t rank(const Field& field) {
  const bool failing = std::any_of(field.values.begin(), field.values.end(), [](const auto& value) {
    return has_failure_word(value.value.raw());
  });
  const auto depth = std::count(field.path.begin(), field.path.end(), '/');
  return failing ? 0 : field.values.size() + 4 * static_cast<std::size_t>(depth);
}

// The step of a series: for times in seconds, without zeros at the end; for numbers as it is.
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

/// Collects facts in the order of their priority, with their prices.
class Collector {
 public:
  /// Whether a fact is about a list or text as a whole, or names single records.
  enum class About { whole, single_records };

  Collector(std::vector<Fact>& facts, const Counter& counter) : facts_(facts), counter_(counter) {}

  void add(const std::string& pointer, std::string_view section, std::string name,
           std::string value, About about = About::whole) {
    Fact fact{.pointer = pointer,
              .section = section,
              .name = std::move(name),
              .value = std::move(value),
              .cost = {}};
    const bool of_records = about == About::single_records;
    fact.turn = inner_ ? (of_records ? FactTurn::inner_records : FactTurn::inner_whole)
                       : (of_records ? FactTurn::records : FactTurn::whole);
    const bool follows = !facts_.empty() && facts_.back().pointer == pointer;
    if (follows && facts_.back().turn == fact.turn) fact.order = facts_.back().order + 1;
    fact.cost = counter_.of(json::quote(fact.name) + ":" + fact.value + ",");
    // The first fact of a pointer or section has the cost of the brackets around its facts.
    const bool opens_place = facts_.empty() || facts_.back().pointer != pointer;
    if (opens_place) fact.cost += counter_.of(json::quote(pointer) + ":{},");
    if (!section.empty() && (opens_place || facts_.back().section != section)) {
      fact.cost += counter_.of(json::quote(section) + ":{},");
    }
    facts_.push_back(std::move(fact));
  }

  /// Whether the next facts are about a list inside of a record.
  void set_inner(bool inner) { inner_ = inner; }

  // Adds facts in the order in which readers ask for them most: how many, of which kinds, from
  // where to where, what is missing.
  void add_records(const std::string& pointer, const Survey& survey) {
    add(pointer, "", "count", std::to_string(survey.count));
    add_values(pointer, survey);
    for (const Field& field : survey.fields) {
      if (field.is_series() && field.present == survey.count) {
        add(pointer, "series", field.path, series_of(field));
      }
    }
    add_ranges(pointer, survey);
    add_words(pointer, survey);
    add_repeated(pointer, survey);
    add_gaps(pointer, survey);
    for (const Field& field : survey.fields) {
      if (auto types = types_of(field)) add(pointer, "types", field.path, *std::move(types));
    }
    for (const Field& field : survey.fields) {  // a value that all records have
      if (!has_value_counts(field) || !is_constant(field, survey)) continue;
      add(pointer, "constant", field.path, std::string(field.values.front().raw));
    }
    for (NamedFact& fact : named_facts(survey)) {
      add(pointer, fact.section, std::move(fact.name), std::move(fact.value),
          About::single_records);
    }
  }

  void add_values(const std::string& pointer, const Survey& survey) {
    std::vector<const Field*> categories;
    for (const Field& field : survey.fields) {
      if (has_value_counts(field) && !is_constant(field, survey)) categories.push_back(&field);
    }
    std::stable_sort(categories.begin(), categories.end(),
                     [](const Field* a, const Field* b) { return rank(*a) < rank(*b); });
    for (const Field* field : categories)
      add(pointer, "values", field->path, count_values(*field, CountOf::records));
  }

  // Adds the ranges of numbers and times, the ranges of sizes of containers, and numbers of items.
  void add_ranges(const std::string& pointer, const Survey& survey) {
    for (const Field& field : survey.fields) {
      if (has_value_counts(field) || field.is_series()) continue;
      if (!field.has_numbers() && !field.has_most_times()) continue;
      const std::string_view low = field.lowest.first().value.raw();
      const std::string_view high = field.highest.first().value.raw();
      if (low.size() > kLongestBound || high.size() > kLongestBound) continue;
      add(pointer, "ranges", field.path, fmt::format("[{},{}]", low, high));
    }
    for (const Field& field : survey.fields) {
      if (!has_sizes(field)) continue;
      add(pointer, "sizes", field.path,
          fmt::format("[{},{}]", field.shortest, field.longest.first().exact));
    }
    for (const Field& field : survey.fields) {
      if (field.arrays == 0 || field.objects > 0 || field.items == 0) continue;
      add(pointer, "items", field.path, std::to_string(field.items));
    }
  }

  // Adds counts of the words among values that have digits.
  void add_words(const std::string& pointer, const Survey& survey) {
    for (const Field& field : survey.fields) {
      if (field.words.empty() || field.in_array || has_value_counts(field)) continue;
      Writer writer;
      writer.begin_object();
      std::size_t records = 0;
      for (const ValueCount& word : field.words) {
        records += word.count;
        writer.member(value_name(word.value), static_cast<std::int64_t>(word.count));
      }
      writer.end_object();
      // Among hexadecimal ids a word is one by accident.
      if (records < 2 * field.words.size() || records * 4 > field.not_null()) continue;
      add(pointer, "words", field.path, std::move(writer).finish().str());
    }
  }

  // Adds the ids that several records have, and how many records.
  void add_repeated(const std::string& pointer, const Survey& survey) {
    if (survey.repeated.empty()) return;
    Writer writer;
    writer.begin_object();
    for (const auto& [id, records] : survey.repeated) {
      writer.member(id.is_string() ? id.string() : std::string(id.raw()),
                    static_cast<std::int64_t>(records));
    }
    writer.end_object();
    add(pointer, "repeated", survey.fields[*survey.id].path, std::move(writer).finish().str());
  }

  // Adds the numbers of records without the member, and of those with null.
  void add_gaps(const std::string& pointer, const Survey& survey) {
    for (const Field& field : survey.fields) {
      if (field.in_array || field.present == 0 || field.present == survey.count) continue;
      const bool is_like_parent =
          field.parent != kRecord && survey.fields[field.parent].present == field.present;
      if (is_like_parent) continue;  // it is missing only with the object around it
      add(pointer, "missing", field.path, std::to_string(survey.count - field.present));
    }
    for (const Field& field : survey.fields) {
      if (field.in_array || field.nulls == 0 || has_value_counts(field)) continue;
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
  bool inner_ = false;
};

bool is_inside_record(const Outline& outline, const Group& group) {
  for (std::uint32_t at = group.parent; at != kNone; at = outline.groups[at].parent) {
    if (outline.groups[at].is_list()) return true;
  }
  return false;
}

}  // namespace

std::string value_name(json::View value) {
  if (!value.is_string()) return std::string(value.raw());
  std::string text = value.string();
  const bool short_enough = !text.empty() && text.size() < 48;
  return short_enough && json::parse(text).has_value() ? json::quote(text) : text;
}

bool has_value_counts(const Field& field) {
  const std::size_t seen = field.in_array ? field.not_null() : field.present;
  return field.countable && !field.values.empty() && seen >= 4 && field.values.size() * 2 <= seen;
}

bool has_sizes(const Field& field) {
  const bool counted = field.nested() == field.arrays || field.too_wide;
  return field.nested() > 0 && counted &&
         field.longest.first().exact != static_cast<std::int64_t>(field.shortest);
}

std::string count_values(const Field& field, CountOf of) {
  const bool items = of == CountOf::items;
  struct Counted {
    std::string name;
    std::string folded;  // the name in lower case
    std::size_t count = 0;
    std::size_t of_folded = 0;  // sum of the counts of all names with the same `folded`
    std::size_t first = 0;      // index of the first of these names
  };
  std::vector<Counted> counts;
  const auto add = [&](std::string name, std::size_t count) {
    std::string folded = to_lower(name);
    counts.push_back({std::move(name), std::move(folded), count});
  };
  for (const ValueCount& value : field.values)
    add(value_name(value.value), items ? value.items : value.count);
  if (field.nulls > 0) add("null", items ? field.nulls : field.null_records);
  for (Counted& one : counts) {
    const auto first = std::ranges::find(counts, one.folded, &Counted::folded);
    one.first = static_cast<std::size_t>(first - counts.begin());
    for (const Counted& other : counts)
      one.of_folded += one.folded == other.folded ? other.count : 0;
  }
  std::ranges::stable_sort(counts, [](const Counted& a, const Counted& b) {
    if (a.of_folded != b.of_folded) return a.of_folded > b.of_folded;
    return a.first != b.first ? a.first < b.first : a.count > b.count;
  });
  Writer writer;
  writer.begin_object();
  for (const Counted& one : counts) writer.member(one.name, static_cast<std::int64_t>(one.count));
  writer.end_object();
  return std::move(writer).finish().str();
}

std::vector<Fact> facts_of(const Outline& outline, const Counter& counter) {
  std::vector<Fact> facts;
  Collector collector(facts, counter);
  for (const Group& group : outline.groups) {
    if (!group.is_list()) continue;
    collector.set_inner(is_inside_record(outline, group));
    collector.add_records(group.pointer, *group.survey);
  }
  collector.set_inner(false);
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
