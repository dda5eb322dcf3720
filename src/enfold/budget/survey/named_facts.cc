// SPDX-License-Identifier: Apache-2.0
// Facts that name records: those with the highest and lowest values, with most items, with a rare
// value, without a member, with null, or with a value of another type than the others.
#include "enfold/budget/survey/named_facts.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <algorithm>

namespace enfold::budget::detail {
namespace {

using json::Writer;

constexpr std::size_t kLongestBound = 36;  // bytes of a lowest or highest value
constexpr std::size_t kFewRecords = 16;    // in lists up to this size, each record's size is given
constexpr std::size_t kRareList = 12;      // records from which a value can be rare
constexpr std::size_t kMostNames = 12;     // of records, in one fact
constexpr std::size_t kMostLabels = 8;     // of outstanding records (Namer::outstanding_)
constexpr std::size_t kLongestLabel = 80;  // bytes
constexpr std::size_t kMostNulls = 7;      // records with null that are named
constexpr std::int64_t kManyItems = 4;     // of the longest list; a shorter one is not named
constexpr std::size_t kRareRecords = 4;    // that a rare value or member has at most
constexpr std::size_t kMostHighest = 3;    // records with the highest values, in one fact
constexpr std::size_t kMostLowest = 1;     // records with the lowest values, in one fact

// Whether a field is named like an id: its numbers name something and are not compared.
bool is_id(const Field& field) {
  const std::string name = field.key.is_null() ? "" : to_lower(field.key.string());
  return name == "id" || name.ends_with("_id");
}

// Writes what was ranked: a sum or a number of items (Ranked::exact), or the value itself.
void write_bound(Writer& writer, const Ranked& one) {
  one.value.is_container() ? writer.integer(one.exact) : writer.value(one.value);
}

std::vector<Place> places_of(const ValueCount& value) {
  std::vector<Place> places{value.first};
  places.insert(places.end(), value.after.begin(), value.after.end());
  return places;
}

// Whether few records have the value, and at most a quarter of the average number. A value with a
// failure word may have more records, up to a tenth of all.
bool is_rare(const Field& field, const ValueCount& value) {
  std::size_t all = 0;
  for (const ValueCount& one : field.values) all += one.count;
  const bool fails = has_failure_word(value.raw);
  return value.count <= (fails ? kMostNames : kRareRecords) &&
         (fails ? value.count * 10 : value.count * 4 * field.values.size()) <= all;
}

/// Collects the facts that name records.
class Namer {
 public:
  explicit Namer(const Survey& survey) : survey_(survey) {}

  std::vector<NamedFact> take() {
    for (const Field& field : survey_.fields) {
      add_extremes("highest", field, field.highest, kMostHighest);
    }
    for (const Field& field : survey_.fields) add_totals(field);
    add_rare_values();
    add_shared();
    add_types();
    for (const Field& field : survey_.fields) add_rare_member(field);
    for (const Field& field : survey_.fields) add_missing(field);
    for (const Field& field : survey_.fields) add_not_times(field);
    for (const Field* field : by_length()) add_most_items(*field);
    for (const Field* field : by_values()) add_item_values(*field);
    for (const Field& field : survey_.fields) {
      add_extremes("lowest", field, field.lowest, kMostLowest);
    }
    for (const Field& field : survey_.fields) add_nulls(field);
    add_labels();
    return std::move(facts_);
  }

 private:
  void add(std::string_view section, const Field& field, Writer&& writer) {
    facts_.push_back({section, field.path, std::move(writer).finish().str()});
  }

  // The fields with sizes, the one with the longest list first.
  [[nodiscard]] std::vector<const Field*> by_length() const {
    std::vector<const Field*> fields;
    for (const Field& field : survey_.fields) {
      if (has_sizes(field)) fields.push_back(&field);
    }
    std::ranges::stable_sort(fields, std::ranges::greater(),
                             [](const Field* field) { return field->longest.first().exact; });
    return fields;
  }

  // The fields inside arrays that have value counts, the one with the fewest values first.
  [[nodiscard]] std::vector<const Field*> by_values() const {
    std::vector<const Field*> fields;
    for (const Field& field : survey_.fields) {
      if (field.in_array && has_value_counts(field)) fields.push_back(&field);
    }
    std::ranges::stable_sort(fields, {}, [](const Field* field) { return field->values.size(); });
    return fields;
  }

  void write_names(Writer& writer, const std::vector<Place>& places) {
    writer.begin_array();
    for (const Place& place : places) writer.string(record_name(survey_, place));
    writer.end_array();
  }

  // The highest sums of numbers in nested lists, where records have several.
  void add_totals(const Field& field) {
    if (!field.in_array || !field.all_numbers() || !field.has_totals || is_id(field)) return;
    if (field.numbers == field.present || field.totals.leading(kMostHighest).empty()) return;
    Writer writer;
    write_ranking(writer, field.totals, kMostHighest);
    add("highest_total", field, std::move(writer));
  }

  // {"SO-204733":48999.0,"SO-204101":812.5}; if too many records share the first place:
  // {"+12 records":1}.
  void write_ranking(Writer& writer, const Ranking& ranking, std::size_t most) {
    writer.begin_object();
    const std::vector<Ranked> leading = ranking.leading(std::max(most, ranking.ties()));
    if (leading.size() == 1 || ranking.ties() == 1) outstanding_.push_back(leading.front().place);
    for (const Ranked& one : leading) {
      writer.key(record_name(survey_, one.place));
      write_bound(writer, one);
    }
    if (leading.empty()) {
      writer.key("+" + std::to_string(ranking.ties()) + " records");
      write_bound(writer, ranking.first());
    }
    writer.end_object();
  }

  // The records with the highest or lowest values, unless another fact has these: value counts, or
  // the ends of a series. Ids are not compared.
  void add_extremes(std::string_view section, const Field& field, const Ranking& ranking,
                    std::size_t most) {
    const bool names = survey_.id && &survey_.fields[*survey_.id] == &field;
    if (has_value_counts(field) || field.is_series() || names || is_id(field)) return;
    if (!field.has_numbers() && !field.has_most_times()) return;
    if (field.lowest.first().value.raw() == field.highest.first().value.raw()) return;
    if (ranking.first().value.raw().size() > kLongestBound) return;
    Writer writer;
    write_ranking(writer, ranking, field.has_numbers() ? most : 1);
    add(section, field, std::move(writer));
  }

  // Values that few records have, the rarest first: {"SchedulerError":["ledger-1","report-2"]}.
  void add_rare_values() {
    if (survey_.count < kRareList) return;
    for (const Field& field : survey_.fields) {
      if (!has_value_counts(field) || field.values.size() < 2) continue;
      std::vector<const ValueCount*> rare;
      for (const ValueCount& value : field.values) {
        if (is_rare(field, value)) rare.push_back(&value);
      }
      std::ranges::stable_sort(rare, {}, &ValueCount::count);
      Writer writer;
      writer.begin_object();
      std::size_t names = 0;
      for (const ValueCount* value : rare) {
        if (names + value->count > kMostNames) continue;
        names += value->count;
        if (value->count == 1) outstanding_.push_back(value->first);
        write_names(writer.key(value_name(value->value)), places_of(*value));
      }
      writer.end_object();
      if (names > 0) add("values_in", field, std::move(writer));
    }
  }

  // Values that several records share: {"10.0.0.7":["web-1","db-4"]}.
  void add_shared() {
    for (const Shared& shared : survey_.shared) {
      Writer writer;
      writer.begin_object();
      std::size_t names = 0;
      for (const auto& [value, places] : shared.values) {
        names += places.size();
        write_names(writer.key(value.string()), places);
      }
      writer.end_object();
      if (names <= kMostNames) add("shared", survey_.fields[shared.field], std::move(writer));
    }
  }

  // The types that few records have: {"string":["build-1","mail-2"]}.
  void add_types() {
    static constexpr std::string_view names[] = {"number", "string", "boolean", "array", "object"};
    for (const Field& field : survey_.fields) {
      if (field.type_at.empty()) continue;
      const auto counts = field.types();
      Writer writer;
      writer.begin_object();
      std::size_t named = 0;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::vector<Place>& places = field.type_at[i];
        if (counts[i] == 0 || counts[i] > kFew || counts[i] * 4 > field.not_null()) continue;
        if (places.size() != counts[i] || named + counts[i] > kMostNames) continue;
        named += counts[i];
        write_names(writer.key(names[i]), places);
      }
      writer.end_object();
      if (named > 0) add("types_in", field, std::move(writer));
    }
  }

  // Whether exactly the records with the object around it have the field.
  [[nodiscard]] bool is_like_parent(const Field& field) const {
    return field.parent != kRecord && survey_.fields[field.parent].present == field.present;
  }

  void add_rare_member(const Field& field) {
    if (field.present == 0 || field.present > kRareRecords || field.present * 10 > survey_.count)
      return;
    if (field.nulls > 0 || is_like_parent(field)) return;
    std::vector<Place> places = field.first;
    const auto same = std::ranges::unique(places, {}, &Place::position);
    places.erase(same.begin(), same.end());
    if (places.size() != field.present) return;
    Writer writer;
    write_names(writer, places);
    add("present_in", field, std::move(writer));
  }

  // The records that lack a member which nearly all have.
  void add_missing(const Field& field) {
    if (field.absent.empty() || field.absent.size() * 4 > survey_.count) return;
    if (is_like_parent(field)) return;
    std::vector<Place> places;
    for (const std::uint32_t position : field.absent) {
      places.push_back(*std::ranges::lower_bound(survey_.lacking, position, {}, &Place::position));
    }
    Writer writer;
    write_names(writer, places);
    add("missing_in", field, std::move(writer));
  }

  void add_nulls(const Field& field) {
    if (field.in_array || field.nulls == 0 || field.nulls > kMostNulls) return;
    if (field.nulls * 4 > survey_.count) return;
    Writer writer;
    write_names(writer, field.null_at);
    add("null_in", field, std::move(writer));
  }

  // Texts that are no times, among times of one form: {"31/02/2026":["SO-204733"]}.
  void add_not_times(const Field& field) {
    if (!field.has_most_times() || field.not_times.empty() || has_value_counts(field)) return;
    Writer writer;
    writer.begin_object();
    for (const ValueCount& value : field.not_times) {
      write_names(writer.key(value.value.string()), places_of(value));
    }
    writer.end_object();
    add("no_time", field, std::move(writer));
  }

  // Lists inside of records: which record has most items; in short lists how many each record has.
  void add_most_items(const Field& field) {
    if (field.in_array || field.longest.first().exact < kManyItems) return;
    Writer writer;
    const bool all = survey_.count <= kFewRecords && survey_.head.size() == survey_.count &&
                     survey_.objects == survey_.count;
    if (!all) {
      if (field.longest.leading(kMostHighest).empty()) return;
      write_ranking(writer, field.longest, kMostHighest);
      return add("most_items", field, std::move(writer));
    }
    const auto index = static_cast<std::size_t>(&field - survey_.fields.data());
    writer.begin_object();
    for (const Place& place : survey_.head) {
      const auto value = survey_.value(place.item, index);
      if (!value || !value->is_container()) continue;
      writer.member(record_name(survey_, place), static_cast<std::int64_t>(value->size()));
    }
    writer.end_object();
    add("item_counts", field, std::move(writer));
  }

  // How often values occur, where a record may hold one several times.
  void add_item_values(const Field& field) {
    const bool differs = field.nulls != field.null_records ||
                         std::ranges::any_of(field.values, [](const ValueCount& value) {
                           return value.items != value.count;
                         });
    if (differs) facts_.push_back({"item_values", field.path, count_values(field, CountOf::items)});
  }

  // The labels of outstanding records: {"OPS-744":"Disk alarm on ymir"}.
  void add_labels() {
    if (!survey_.label) return;
    Writer writer;
    writer.begin_object();
    std::vector<std::uint32_t> known;
    for (const Place& place : outstanding_) {
      if (known.size() == kMostLabels) break;
      if (std::ranges::find(known, place.position) != known.end()) continue;
      const auto label = survey_.value(place.item, *survey_.label);
      if (!label || !label->is_string() || label->raw().size() > kLongestLabel) continue;
      known.push_back(place.position);
      writer.key(record_name(survey_, place)).value(*label);
    }
    writer.end_object();
    if (!known.empty()) add("labels", survey_.fields[*survey_.label], std::move(writer));
  }

  const Survey& survey_;
  std::vector<Place> outstanding_;  ///< records that stand out: a fact names such a record alone
  std::vector<NamedFact> facts_;
};

}  // namespace

std::vector<NamedFact> named_facts(const Survey& survey) { return Namer(survey).take(); }

}  // namespace enfold::budget::detail
