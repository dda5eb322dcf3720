// SPDX-License-Identifier: Apache-2.0
// Which fields identify and describe a record.
#include "enfold/base/text.h"
#include "enfold/budget/survey/survey.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr std::size_t kPricedBytes = 192;  // of each sampled value
constexpr std::size_t kLongestId = 96;     // bytes; ids are never cut, so a longer value is no id

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::size_t kSampled = 128;  // of Field::sample_fingerprints, at most

// The share of distinct values among the sampled ones: 1 if all differ.
double distinct_share(const Field& field) {
  if (field.sample_fingerprints.empty()) return 0;  // only nulls
  std::array<std::uint64_t, 4 * kSampled> known{};  // open addressing; 0 is free
  std::size_t distinct = 0;
  for (const std::uint64_t hash : field.sample_fingerprints) {
    std::size_t at = hash % known.size();
    while (known[at] != 0 && known[at] != (hash | 1)) at = (at + 1) % known.size();
    if (known[at] != 0) continue;
    known[at] = hash | 1;
    ++distinct;
  }
  return static_cast<double>(distinct) / static_cast<double>(field.sample_fingerprints.size());
}

// Average tokens of the sampled values, each shortened to kPricedBytes; 1e9 if there are none.
double average_cost(const Field& field, const Counter& counter) {
  std::int64_t total = 0;
  for (const View value : field.sample_values)
    total += counter.tokens(value.raw().substr(0, kPricedBytes));
  return field.sample_values.empty()
             ? 1e9
             : static_cast<double>(total) / static_cast<double>(field.sample_values.size());
}

// A quick estimate that is usually below average_cost: few values have longer tokens on average.
double least_cost(const Field& field) {
  constexpr std::size_t long_token = 8;  // bytes
  std::size_t bytes = 0;
  for (const View value : field.sample_values) bytes += std::min(value.raw().size(), kPricedBytes);
  return static_cast<double>(bytes) /
         static_cast<double>(long_token * std::max<std::size_t>(field.sample_values.size(), 1));
}

// Whether the key is one that ids usually have: id, order_id, invoice_no, metadata/name.
bool is_named_as_id(const Field& field) {
  const std::string name = to_lower(field.key.string());
  return is_one_of(name,
                   {"id", "_id", "number", "no", "key", "uuid", "guid", "slug", "path", "name",
                    "sha", "hash", "code", "iid", "ref", "url", "uri", "href", "hostname"}) ||
         name.ends_with("_id") || name.ends_with("_no") || name.ends_with("_key") ||
         name.ends_with("number") || field.key.string().ends_with("Id");
}

// Whether the field is a member of the records themselves.
bool is_column(const Field& field) { return field.parent == kRecord && !field.key.is_null(); }

bool may_identify(const Survey& survey, const Field& field) {
  const bool nested = field.parent != kRecord;
  // Nested members only if they are named like an id: metadata/name.
  if (field.key.is_null() || field.in_array || (nested && !is_named_as_id(field))) return false;
  if (field.present != survey.objects || field.nulls > 0 || field.empty > 0) return false;
  if (field.all_numbers())
    return field.lowest.first().value.integer() && distinct_share(field) == 1;
  return field.all_strings() && field.bytes / field.strings <= kLongestId &&
         distinct_share(field) > 0.95;
}

bool reads_as_text(const Field& field) {
  if (!field.all_strings() || field.opaque * 2 > field.strings) return false;
  std::size_t letters = 0;
  std::size_t bytes = 0;
  for (const View value : field.sample_values) {
    const std::string_view text = value.string_source();
    letters += static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_letter));
    bytes += text.size();
  }
  return letters * 2 > bytes;
}

bool has_spaces(const Field& field) {
  return std::ranges::any_of(field.sample_values, [](View value) {
    return value.string_source().find(' ') != std::string_view::npos;
  });
}

/// The first record with each value of a member, in a table with open addressing. Slots are small:
/// of many records nearly all are looked up in vain, each at another place in memory.
class FirstSeen {
 public:
  explicit FirstSeen(std::size_t count) : slots_(std::bit_ceil(2 * count + 2)) {
    values_.reserve(count);
  }

  /// The record that was added with this value before, valid until the next call. nullptr: there
  /// was none, and `place` is added.
  const Place* find_or_add(const Place& place, View value) {
    const std::size_t mask = slots_.size() - 1;
    const std::size_t hash = std::hash<std::string_view>{}(usual_spelling(value, buffer_));
    const auto tag = static_cast<std::uint32_t>(hash >> 32U);
    std::size_t at = hash & mask;
    for (; slots_[at].number != 0; at = (at + 1) & mask) {
      const Value& known = values_[slots_[at].number - 1];
      if (slots_[at].tag == tag && is_same_value(known.value, value)) return &known.place;
    }
    values_.push_back({value, place});
    slots_[at] = {tag, static_cast<std::uint32_t>(values_.size())};
    return nullptr;
  }

 private:
  struct Value {
    View value;
    Place place;
  };
  struct Slot {
    std::uint32_t tag = 0;     ///< bits of the hash
    std::uint32_t number = 0;  ///< of the value, from 1; 0: free
  };
  std::vector<Slot> slots_;
  std::vector<Value> values_;
  std::string buffer_;  ///< of usual_spelling()
};

void add_shared(Shared& shared, View value, const Place& first, const Place& place) {
  const auto known = std::ranges::find_if(
      shared.values, [&](const auto& one) { return is_same_value(one.first, value); });
  if (known != shared.values.end()) {
    known->second.push_back(place);
  } else {
    shared.values.push_back({value, {first, place}});
  }
}

// Whether sampled values differ within the bytes that the narrowest label shows.
bool differs_at_once(const Field& field) {
  constexpr std::size_t shown = 24;  // bytes, as kLabelWidths in plan/fill.cc
  for (std::size_t i = 1; i < field.sample_values.size(); ++i) {
    const std::string_view before = field.sample_values[i - 1].string_source();
    const std::string_view text = field.sample_values[i].string_source();
    if (before.substr(0, shown) != text.substr(0, shown)) return true;
  }
  return field.sample_values.size() < 2;
}

}  // namespace

// Chooses the member that the policy names; else one that is named like an id; else the cheapest
// string or integer that is different in every record. Penalties are tokens.
void choose_id(Survey& survey, const Policy& policy, const Counter& counter) {
  double best = 1e9;
  for (std::size_t i = 0; i < survey.fields.size(); ++i) {
    const Field& field = survey.fields[i];
    if (!policy.id.empty()) {
      if (is_column(field) && field.key.equals(policy.id)) survey.id = i;
      continue;
    }
    if (!may_identify(survey, field)) continue;
    double penalty = is_named_as_id(field) ? -40 : 0;
    if (field.parent != kRecord) penalty += 10;
    if (field.has_times()) penalty += 20;
    // Numbers that are not named like an id may differ by accident: requests, amounts.
    if (field.all_numbers() && !is_named_as_id(field)) penalty += 15;
    if (least_cost(field) + penalty >= best) continue;
    const double cost = average_cost(field, counter) + penalty;
    if (cost < best) best = cost, survey.id = i;
  }
}

void find_repeated(Survey& survey, View records) {
  constexpr std::size_t most = 12;
  if (!survey.id) return;
  FirstSeen seen(survey.count);
  for (const View record : records.items()) {
    const auto id = survey.value(record, *survey.id);
    if (!id || id->is_null() || !seen.find_or_add({0, record}, *id)) continue;
    const auto known = std::ranges::find_if(
        survey.repeated, [&](const auto& other) { return is_same_value(other.first, *id); });
    if (known != survey.repeated.end()) {
      ++known->second;
    } else {
      survey.repeated.emplace_back(*id, 2);
    }
    if (survey.repeated.size() > most) break;
  }
  survey.has_names = survey.repeated.size() <= most;
  if (!survey.has_names) survey.repeated.clear();
}

std::vector<Shared> find_shared(const Survey& survey, View records) {
  constexpr std::size_t most_fields = 2;
  constexpr std::size_t most_values = 6;
  constexpr std::size_t least_records = 12;
  std::vector<Shared> found;
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < survey.fields.size() && looked_at < most_fields; ++i) {
    const Field& field = survey.fields[i];
    if (survey.id == i || !is_column(field) || field.ambiguous || survey.count < least_records)
      continue;
    if (!field.all_strings() || field.countable || field.has_most_times()) continue;
    if (field.present * 10 < survey.count * 9 || field.bytes > kLongestId * field.strings) continue;
    if (has_spaces(field) || distinct_share(field) < 0.97) continue;
    ++looked_at;
    Shared shared{i, {}};
    FirstSeen first(survey.count);
    Place place;
    const auto look_at = [&](View key, View item) {
      place.key = key;
      place.item = item;
      const auto value = survey.value(item, i);
      if (value && value->is_string() && shared.values.size() <= most_values) {
        const Place* const known = first.find_or_add(place, *value);
        if (known != nullptr) add_shared(shared, *value, *known, place);
      }
      ++place.position;
    };
    for (const View item : records.items()) look_at({}, item);
    for (const auto& [key, value] : records.members()) look_at(key, value);
    if (!shared.values.empty() && shared.values.size() <= most_values) {
      found.push_back(std::move(shared));
    }
  }
  return found;
}

std::string record_name(const Survey& survey, const Place& place) {
  const auto text_of = [](View value) {
    return value.is_string() ? value.string() : std::string(value.raw());
  };
  // A name that looks like a position ("#3") or a mark ("…") would be taken for one.
  const auto may_name = [&](View value) {
    if (value.is_container() || value.is_null() || value.raw().size() > kLongestId) return false;
    const std::string text = text_of(value);
    return !text.starts_with('#') && !text.starts_with("…");
  };
  const std::string position = "#" + std::to_string(place.position);
  if (!place.key.is_null()) return may_name(place.key) ? place.key.string() : position;
  if (place.item.is_array()) {
    const bool named = survey.objects == 0 && !survey.fields.empty() &&
                       survey.fields[0].path == "0" && survey.fields[0].is_sorted() &&
                       !survey.fields[0].series.stays && survey.fields[0].present == survey.count;
    return named ? text_of(*place.item.item(0)) : position;
  }
  if (!survey.has_names) return position;
  const auto id = survey.value(place.item, *survey.id);
  if (!id || !may_name(*id)) return position;
  const bool repeated = std::ranges::any_of(
      survey.repeated, [&](const auto& other) { return is_same_value(other.first, *id); });
  return repeated ? position : text_of(*id);
}

// Chooses the member that the policy names; else the cheapest text that at least nine of ten
// records have and that distinguishes them. Usual names of labels are preferred; penalties are
// tokens.
void choose_label(Survey& survey, const Policy& policy, const Counter& counter) {
  double best = 1e9;
  for (std::size_t i = 0; i < survey.fields.size(); ++i) {
    const Field& field = survey.fields[i];
    if (!policy.label.empty()) {
      if (is_column(field) && field.key.equals(policy.label)) survey.label = i;
      continue;
    }
    if (survey.id == i || field.key.is_null() || field.parent != kRecord ||
        field.present * 10 < survey.objects * 9 || !reads_as_text(field) ||
        !differs_at_once(field)) {
      continue;
    }
    const double share = distinct_share(field);
    if (share < 0.1) continue;
    double penalty = 40 * (1 - share);
    if (is_one_of(field.key.string_source(), {"title", "name", "subject", "summary", "message",
                                              "msg", "label", "headline", "path"})) {
      penalty -= 40;
    }
    if (!has_spaces(field)) penalty += 8;
    if (least_cost(field) + penalty >= best) continue;
    const double cost = average_cost(field, counter) + penalty;
    if (cost < best) best = cost, survey.label = i;
  }
}

}  // namespace enfold::budget::detail
