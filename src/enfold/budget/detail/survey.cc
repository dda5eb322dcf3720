// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/detail/survey.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr std::size_t kMostFields = 64;
constexpr std::size_t kMostValues = 16;
constexpr std::size_t kLongestValue = 42;  // with quotes; longer ones are text, not categories
constexpr std::size_t kFirstPlaces = 16;
constexpr std::size_t kSample = 128;
constexpr std::size_t kPriced = 4;  // values that stand for the cost of a field

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void count_value(Field& field, View value, const Place& place) {
  if (!field.countable) return;
  const std::string_view raw = value.raw();
  for (ValueCount& known : field.values) {
    if (known.value.raw() == raw) {
      ++known.count;
      if (known.first.size() < kFirstPlaces && known.first.back().position != place.position) {
        known.first.push_back(place);
      }
      return;
    }
  }
  if (field.values.size() == kMostValues || raw.size() > kLongestValue) {
    field.countable = false;
    field.values.clear();
    return;
  }
  field.values.push_back({value, 1, {place}});
}

void widen(Field& field, View value) {
  if (value.is_number()) {
    const auto number = value.real();
    if (!number) return;
    if (!field.lowest || *number < field.low) field.low = *number, field.lowest = value;
    if (!field.highest || *number > field.high) field.high = *number, field.highest = value;
  } else if (field.numbers == 0) {
    if (!field.lowest || value.raw() < field.lowest->raw()) field.lowest = value;
    if (!field.highest || value.raw() > field.highest->raw()) field.highest = value;
  }
}

void note(Field& field, View value, const Place& place) {
  ++field.present;
  if (value.is_null()) {
    ++field.nulls;
    return;
  }
  field.bytes += value.raw().size();
  if (field.first.size() < kFirstPlaces) field.first.push_back(place);
  if (field.sample.size() < kSample) {
    field.sample.push_back(std::hash<std::string_view>{}(value.raw()));
  }
  if (value.is_container()) {
    ++field.nested;
    field.empty += value.size() == 0 ? 1 : 0;
    if (!value.is_array()) field.countable = false, field.values.clear();
    if (!field.countable) return;
    for (const View item : value.items()) {
      if (!item.is_string()) field.countable = false, field.values.clear();
      if (field.countable) count_value(field, item, place);
    }
    return;
  }
  if (value.is_string()) {
    ++field.strings;
    field.empty += value.string_source().empty() ? 1 : 0;
    field.opaque += is_opaque(value.string_source()) ? 1 : 0;
    widen(field, value);
  } else if (value.is_number()) {
    ++field.numbers;
    widen(field, value);
  }
  count_value(field, value, place);
}

class Surveyor {
 public:
  explicit Surveyor(Survey& survey) : survey_(survey) {}

  void see(const Place& place) {
    if (!place.item.is_object()) {
      survey_.uniform = false;
      if (place.item.is_string() && speaks_of_failure(place.item.string_source())) {
        ++survey_.failing_count;
        if (survey_.failing.size() < 4 * kFirstPlaces) survey_.failing.push_back(place);
      }
      return;
    }
    ++survey_.objects;
    std::size_t column = 0;
    for (const auto& [key, value] : place.item.members()) {
      const std::size_t at = find(key, column++);
      if (at == kMostFields) continue;
      Field& field = survey_.fields[at];
      if (field.last_position == place.position) {  // a repeated key counts once
        survey_.uniform = false;
        continue;
      }
      field.last_position = place.position;
      note(field, value, place);
    }
    if (column != survey_.fields.size()) survey_.uniform = false;
  }

 private:
  std::size_t find(View key, std::size_t column) {
    const std::string_view raw = key.raw();
    if (column < survey_.fields.size() && survey_.fields[column].key.raw() == raw) return column;
    if (const auto known = by_key_.find(raw); known != by_key_.end()) {
      survey_.uniform = false;
      return known->second;
    }
    if (survey_.objects > 1 || survey_.fields.size() == kMostFields) survey_.uniform = false;
    if (survey_.fields.size() == kMostFields) return kMostFields;
    by_key_.emplace(raw, survey_.fields.size());
    survey_.fields.emplace_back().key = key;
    return survey_.fields.size() - 1;
  }

  Survey& survey_;
  std::unordered_map<std::string_view, std::size_t> by_key_;
};

bool named(View key, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return key.equals(name); });
}

double distinct_share(const Field& field) {
  std::vector<std::uint64_t> hashes = field.sample;
  std::sort(hashes.begin(), hashes.end());
  const auto distinct = std::unique(hashes.begin(), hashes.end()) - hashes.begin();
  return field.sample.empty()
             ? 0
             : static_cast<double>(distinct) / static_cast<double>(field.sample.size());
}

// Average tokens of a value, over the items that are at hand.
double average_cost(const Field& field, const Counter& counter) {
  std::int64_t total = 0;
  std::size_t seen = 0;
  for (const Place& place : field.first) {
    if (seen == kPriced) break;
    if (const auto value = place.item.find(field.key.string())) {
      total += counter.tokens(value->raw().substr(0, 512));
      ++seen;
    }
  }
  return seen == 0 ? 1e9 : static_cast<double>(total) / static_cast<double>(seen);
}

// Cheapest member that is there, scalar and different in every item; a usual name counts for it.
void choose_id(Survey& survey, const Policy& policy, const Counter& counter) {
  double best = 1e9;
  for (std::size_t i = 0; i < survey.fields.size(); ++i) {
    const Field& field = survey.fields[i];
    if (!policy.id.empty()) {
      if (field.key.equals(policy.id)) survey.id = i;
      continue;
    }
    if (field.present != survey.objects || !(field.all_strings() || field.all_numbers()) ||
        field.empty > 0 || distinct_share(field) < 1) {
      continue;
    }
    if (field.all_numbers() && !field.lowest->integer()) continue;
    double cost = average_cost(field, counter);
    if (named(field.key, {"id", "number", "key", "uuid", "slug", "path", "name", "sha", "code"})) {
      cost -= 4;
    }
    if (field.strings > 0 && field.bytes / field.strings > 60) cost += 40;
    if (cost < best) best = cost, survey.id = i;
  }
}

bool reads_as_text(const Field& field) {
  if (!field.all_strings() || field.opaque * 2 > field.strings) return false;
  const std::string_view text = field.highest->string_source();
  return std::count_if(text.begin(), text.end(), is_letter) * 2 >
         static_cast<std::ptrdiff_t>(text.size());
}

// The string that tells items apart at the least cost per word of prose.
void choose_label(Survey& survey, const Policy& policy, const Counter& counter) {
  double best = 1e9;
  for (std::size_t i = 0; i < survey.fields.size(); ++i) {
    const Field& field = survey.fields[i];
    if (!policy.label.empty()) {
      if (field.key.equals(policy.label)) survey.label = i;
      continue;
    }
    if (survey.id == i || field.present * 10 < survey.objects * 9 || !field.highest ||
        field.highest->raw().size() <= 2 || !reads_as_text(field)) {
      continue;
    }
    const double share = distinct_share(field);
    if (share < 0.1) continue;
    double cost = average_cost(field, counter) + 40 * (1 - share);
    if (named(field.key, {"title", "name", "subject", "summary", "message", "msg", "label",
                          "headline", "path"})) {
      cost -= 40;
    }
    if (field.highest->raw().find(' ') == std::string_view::npos) cost += 8;
    if (cost < best) best = cost, survey.label = i;
  }
}

}  // namespace

bool speaks_of_failure(std::string_view text) {
  static constexpr std::string_view words[] = {"error",    "fail",      "fatal", "panic",
                                               "critical", "exception", "denied"};
  for (std::size_t at = 0; at + 4 <= text.size(); ++at) {
    const char c = static_cast<char>(text[at] | 0x20);
    if (c != 'e' && c != 'f' && c != 'p' && c != 'c' && c != 'd') continue;
    for (const std::string_view word : words) {
      if (c != word[0] || at + word.size() > text.size()) continue;
      std::size_t same = 1;
      while (same < word.size() && (text[at + same] | 0x20) == word[same]) ++same;
      if (same == word.size()) return true;
    }
  }
  return false;
}

bool is_opaque(std::string_view source) {
  if (source.starts_with("http://") || source.starts_with("https://")) return true;
  if (source.size() < 16 || source.size() > 512) return false;
  std::size_t digits = 0;
  for (const char c : source) {
    if (!is_digit(c) && !is_letter(c) && c != '_' && c != '-') return false;
    digits += is_digit(c) ? 1 : 0;
  }
  return digits * 10 >= source.size() * 3;
}

Survey survey_list(View list, std::size_t head, const Policy& policy, const Counter& counter) {
  Survey survey;
  survey.count = list.size();
  Surveyor surveyor(survey);
  Place place;
  for (const View item : list.items()) {
    place.item = item;
    if (survey.head.size() < head) survey.head.push_back(place);
    surveyor.see(place);
    survey.last = place;
    ++place.position;
  }
  if (survey.objects == 0) survey.uniform = false;
  if (survey.objects == survey.count) {
    choose_id(survey, policy, counter);
    choose_label(survey, policy, counter);
  }
  return survey;
}

std::vector<Place> unusual(const Survey& survey, std::size_t most) {
  // What fails comes before what is only rare.
  std::vector<Place> failing = survey.failing;
  std::vector<Place> rare;
  if (survey.count >= 12) {
    const std::size_t few = std::max<std::size_t>(2, survey.count / 20);
    for (const Field& field : survey.fields) {
      if (field.live() > 0 && field.live() <= few) {
        rare.insert(rare.end(), field.first.begin(), field.first.end());
      }
      if (!field.countable || field.values.size() < 2) continue;
      for (const ValueCount& value : field.values) {
        const bool fails = value.count <= survey.count / 4 && speaks_of_failure(value.value.raw());
        if (!fails && value.count > few) continue;
        std::vector<Place>& places = fails ? failing : rare;
        places.insert(places.end(), value.first.begin(), value.first.end());
      }
    }
  }
  for (std::vector<Place>* places : {&failing, &rare}) {
    std::sort(places->begin(), places->end(),
              [](const Place& a, const Place& b) { return a.position < b.position; });
  }
  failing.insert(failing.end(), rare.begin(), rare.end());
  std::vector<Place> places;
  std::unordered_set<std::uint32_t> known;
  for (const Place& place : failing) {
    if (places.size() == most) break;
    if (known.insert(place.position).second) places.push_back(place);
  }
  return places;
}

}  // namespace enfold::budget::detail
