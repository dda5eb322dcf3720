// SPDX-License-Identifier: Apache-2.0
// Recounts what facts say about the records of a list or map, without knowing how they were found.
#pragma once

#include "enfold/json/number.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::testing {

/// All values at a path of a record; `*` stands for every item of an array.
inline void collect(json::View record, std::string_view path, std::vector<json::View>& found,
                    bool is_record = true) {
  if (path.empty() && !record.is_container()) return found.push_back(record);
  const std::size_t slash = path.find('/');
  const std::string_view step = path.substr(0, slash);
  const auto rest = [&](json::View value) {
    if (slash == std::string_view::npos) {
      found.push_back(value);
    } else {
      collect(value, path.substr(slash + 1), found, false);
    }
  };
  if (step == "*" && record.is_array()) {
    for (const json::View item : record.items()) rest(item);
    return;
  }
  if (!record.is_object() && !(is_record && record.is_array())) return;
  const auto pointer = json::Pointer::parse("/" + std::string(step));
  if (const auto value = pointer->resolve(record)) rest(*value);
}

inline bool is_named(json::View value, const std::string& name) {
  if (value.is_string() && value.string() == name) return !json::parse(name).has_value();
  return value.raw() == name || (value.is_string() && json::quote(value.string()) == name);
}

/// Something that can be compared: the text of a number, or a time with the year first.
struct Comparable {
  bool is_number = false;
  std::string text;
  bool operator==(const Comparable& other) const { return !(*this < other) && !(other < *this); }
  bool operator<(const Comparable& other) const {
    if (is_number != other.is_number) return is_number < other.is_number;
    return is_number ? json::Number(text) < json::Number(other.text) : text < other.text;
  }
};

inline bool is_day(const std::string& year, const std::string& month, const std::string& day) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int m = std::stoi(month);
  const int y = std::stoi(year);
  const bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
  return m >= 1 && m <= 12 && std::stoi(day) >= 1 &&
         std::stoi(day) <= days[m - 1] + (m == 2 && leap ? 1 : 0);
}

/// Times in UTC or without a zone, as the generators write them.
inline std::optional<Comparable> comparable(json::View value) {
  if (value.is_number()) return Comparable{true, std::string(value.raw())};
  if (!value.is_string()) return std::nullopt;
  const std::string text = value.string();
  const auto digits = [&](std::size_t at, std::size_t count) {
    return text.size() >= at + count &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at),
                       text.begin() + static_cast<std::ptrdiff_t>(at + count),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  const std::string_view clock =
      std::string_view(text).substr(std::min<std::size_t>(10, text.size()));
  const bool has_clock = clock.size() >= 6 && (clock[0] == ' ' || clock[0] == 'T') &&
                         clock.find_first_not_of("0123456789:.TZ+- ") == std::string_view::npos;
  const bool is_date = text.size() >= 10 && (text[4] == '-' || text[2] == '.' || text[2] == '/');
  if (is_date && !clock.empty() && !has_clock) return std::nullopt;
  if (text.size() >= 10 && digits(0, 4) && text[4] == '-' && digits(5, 2) && text[7] == '-' &&
      digits(8, 2)) {
    return is_day(text.substr(0, 4), text.substr(5, 2), text.substr(8, 2))
               ? std::optional(Comparable{false, text})
               : std::nullopt;
  }
  if (text.size() >= 10 && digits(0, 2) && (text[2] == '.' || text[2] == '/') && digits(3, 2) &&
      text[5] == text[2] && digits(6, 4)) {
    const std::string year = text.substr(6, 4);
    if (!is_day(year, text.substr(3, 2), text.substr(0, 2))) return std::nullopt;
    return Comparable{false, year + text.substr(3, 2) + text.substr(0, 2) + text.substr(10)};
  }
  std::string plain = text;
  std::erase(plain, ',');  // thousands separators
  if (json::is_number_text(plain)) return Comparable{true, plain};
  return std::nullopt;
}

/// Recounts one list. Returns what is wrong, or nothing.
class FactCheck {
 public:
  FactCheck(json::View facts, json::View list) : facts_(facts), is_map_(list.is_object()) {
    for (const json::View item : list.items()) {
      records_.push_back(item);
      has_objects_ = has_objects_ || item.is_object();
    }
    for (const auto& [key, value] : list.members()) {
      records_.push_back(value);
      keys_.push_back(key.string());
    }
  }

  /// Which member names the records is not said: there must be one with which all is true.
  std::string problem() {
    std::string first = check_counts();
    if (!first.empty() || records_.empty()) return first;
    std::set<std::string> paths{""};
    for (const json::View record : records_) add_paths(record, "", paths, 3);
    for (const std::string& path : paths) {
      id_ = path;
      const std::string wrong = check_names();
      if (wrong.empty()) return {};
      if (first.empty() || wrong.size() > first.size()) first = wrong;
    }
    return first;
  }

 private:
  using Names = std::set<std::size_t>;

  static void add_paths(json::View value, const std::string& path, std::set<std::string>& paths,
                        int depth) {
    for (const auto& [key, member] : value.members()) {
      std::string inner;
      json::append_token(inner, key.string());
      inner = path.empty() ? inner.substr(1) : path + inner;
      if (!member.is_container()) paths.insert(inner);
      if (depth > 0) add_paths(member, inner, paths, depth - 1);
    }
  }

  [[nodiscard]] std::vector<json::View> at(std::size_t record, json::View path) const {
    std::vector<json::View> found;
    // Beside objects, "0" is the name of a member and no position.
    if (has_objects_ && records_[record].is_array()) return found;
    collect(records_[record], path.string(), found);
    return found;
  }

  // SIZE_MAX: no record, or several, have the name.
  [[nodiscard]] std::size_t record_called(const std::string& name) const {
    if (name.starts_with('#')) {
      const std::size_t position = std::stoul(name.substr(1));
      return position < records_.size() ? position : SIZE_MAX;
    }
    std::size_t found = SIZE_MAX;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      bool same = is_map_ && keys_[i] == name;
      std::vector<json::View> ids;
      if (!is_map_) collect(records_[i], records_[i].is_array() ? "0" : id_, ids);
      for (const json::View id : ids) {
        same = same || (id.is_string() ? id.string() == name : id.raw() == name);
      }
      if (same && found != SIZE_MAX) return SIZE_MAX;
      if (same) found = i;
    }
    return found;
  }

  using Holds = std::function<bool(std::size_t)>;

  // Whether exactly the named records hold what is said.
  std::string check_set(std::string_view what, json::View names, const Holds& holds) const {
    Names named;
    for (const json::View name : names.items()) {
      const std::size_t record = record_called(name.string());
      if (record == SIZE_MAX || !named.insert(record).second) {
        return fmt::format("{}: {} names no record", what, name.raw());
      }
    }
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (holds(i) != named.contains(i)) return fmt::format("{} of record {}", what, i);
    }
    return {};
  }

  [[nodiscard]] json::View section(std::string_view name) const {
    return facts_.find(name).value_or(json::View());
  }

  std::string check_counts() {
    for (const auto& [path, counts] : section("values").members()) {
      for (const auto& [name, count] : counts.members()) {
        std::int64_t seen = 0;
        for (std::size_t i = 0; i < records_.size(); ++i) {
          seen += std::ranges::any_of(
              at(i, path), [&](json::View value) { return is_named(value, name.string()); });
        }
        if (count.integer() != seen)
          return fmt::format("values {} {}: {}", path.raw(), name.raw(), seen);
      }
    }
    for (const auto& [path, counts] : section("item_values").members()) {
      for (const auto& [name, count] : counts.members()) {
        std::int64_t seen = 0;
        for (std::size_t i = 0; i < records_.size(); ++i) {
          seen += std::ranges::count_if(
              at(i, path), [&](json::View value) { return is_named(value, name.string()); });
        }
        if (count.integer() != seen) return fmt::format("item_values {}: {}", path.raw(), seen);
      }
    }
    for (const auto& [path, counts] : section("repeated").members()) {
      for (const auto& [name, count] : counts.members()) {
        std::int64_t seen = 0;
        for (std::size_t i = 0; i < records_.size(); ++i) {
          seen += std::ranges::any_of(at(i, path), [&](json::View value) {
            return (value.is_string() ? value.string() : std::string(value.raw())) == name.string();
          });
        }
        if (count.integer() != seen) return fmt::format("repeated {}: {}", name.raw(), seen);
      }
    }
    for (const auto& [path, counts] : section("words").members()) {
      for (const auto& [name, count] : counts.members()) {
        std::int64_t seen = 0;
        for (std::size_t i = 0; i < records_.size(); ++i) {
          seen += std::ranges::any_of(
              at(i, path), [&](json::View value) { return is_named(value, name.string()); });
        }
        if (count.integer() != seen) return fmt::format("words {}: {}", path.raw(), seen);
      }
    }
    return check_numbers();
  }

  std::string check_numbers() {
    for (const auto& [path, value] : section("constant").members()) {
      for (std::size_t i = 0; i < records_.size(); ++i) {
        const auto found = at(i, path);
        if (found.size() != 1 || !json::equal(found.front(), value)) {
          return fmt::format("constant {}", path.raw());
        }
      }
    }
    const auto count_of = [&](const Holds& holds) {
      std::int64_t count = 0;
      for (std::size_t i = 0; i < records_.size(); ++i) count += holds(i) ? 1 : 0;
      return count;
    };
    for (const auto& [path, count] : section("missing").members()) {
      const json::View here = path;
      if (count.integer() != count_of([&](std::size_t i) { return at(i, here).empty(); })) {
        return fmt::format("missing {}", path.raw());
      }
    }
    for (const auto& [path, count] : section("null").members()) {
      const json::View here = path;
      if (count.integer() != count_of([&](std::size_t i) { return has_null(i, here); })) {
        return fmt::format("null {}", path.raw());
      }
    }
    for (const auto& [path, count] : section("items").members()) {
      std::int64_t all = 0;
      for (std::size_t i = 0; i < records_.size(); ++i) {
        for (const json::View value : at(i, path)) {
          all += value.is_array() ? static_cast<std::int64_t>(value.size()) : 0;
        }
      }
      if (count.integer() != all) return fmt::format("items {}: {}", path.raw(), all);
    }
    return check_bounds();
  }

  std::string check_bounds() {
    for (const auto& [path, range] : section("ranges").members()) {
      std::optional<Comparable> low, high;
      for (std::size_t i = 0; i < records_.size(); ++i) {
        for (const json::View value : at(i, path)) {
          const auto one = comparable(value);
          if (!one) continue;
          if (!low || *one < *low) low = one;
          if (!high || *high < *one) high = one;
        }
      }
      const auto said_low = comparable(*range.item(0));
      const auto said_high = comparable(*range.item(1));
      if (!low || !said_low || !said_high || *said_low != *low || *said_high != *high) {
        return fmt::format("ranges {}: {}", path.raw(), range.raw());
      }
    }
    for (const auto& [path, sizes] : section("sizes").members()) {
      std::int64_t least = INT64_MAX;
      std::int64_t most = 0;
      for (std::size_t i = 0; i < records_.size(); ++i) {
        for (const json::View value : at(i, path)) {
          if (!value.is_container()) continue;
          least = std::min(least, static_cast<std::int64_t>(value.size()));
          most = std::max(most, static_cast<std::int64_t>(value.size()));
        }
      }
      if (sizes.item(0)->integer() != least || sizes.item(1)->integer() != most) {
        return fmt::format("sizes {}", path.raw());
      }
    }
    return {};
  }

  [[nodiscard]] bool has_null(std::size_t record, json::View path) const {
    return std::ranges::any_of(at(record, path), [](json::View value) { return value.is_null(); });
  }

  std::string check_names() {
    for (const std::string_view name : {"values_in", "shared", "no_time"}) {
      for (const auto& [path, values] : section(name).members()) {
        for (const auto& [value, names] : values.members()) {
          const std::string said = value.string();
          const json::View here = path;
          const bool as_text = name != "values_in";
          const std::string wrong = check_set(name, names, [&](std::size_t i) {
            return std::ranges::any_of(at(i, here), [&](json::View one) {
              return as_text ? one.is_string() && one.string() == said : is_named(one, said);
            });
          });
          if (!wrong.empty()) return wrong;
          if (name == "no_time" && comparable(value)) return "no_time " + said;
        }
      }
    }
    for (const auto& [path, types] : section("types_in").members()) {
      for (const auto& [type, names] : types.members()) {
        const json::View here = path;
        const std::string said = type.string();
        const std::string wrong = check_set("types_in", names, [&](std::size_t i) {
          return std::ranges::any_of(
              at(i, here), [&](json::View one) { return json::name(one.kind()) == said; });
        });
        if (!wrong.empty()) return wrong;
      }
    }
    for (const auto& [path, names] : section("present_in").members()) {
      const json::View here = path;
      const auto wrong =
          check_set("present_in", names, [&](std::size_t i) { return !at(i, here).empty(); });
      if (!wrong.empty()) return wrong;
    }
    for (const auto& [path, names] : section("missing_in").members()) {
      const json::View here = path;
      const auto wrong =
          check_set("missing_in", names, [&](std::size_t i) { return at(i, here).empty(); });
      if (!wrong.empty()) return wrong;
    }
    for (const auto& [path, names] : section("null_in").members()) {
      const json::View here = path;
      const auto wrong =
          check_set("null_in", names, [&](std::size_t i) { return has_null(i, here); });
      if (!wrong.empty()) return wrong;
    }
    return check_rankings();
  }

  // The most extreme value of each record; nullopt: it has none.
  using Extreme = std::function<std::optional<Comparable>(std::size_t)>;

  std::string check_ranking(std::string_view what, json::View said, bool highest,
                            const Extreme& extreme) const {
    const auto before = [&](const Comparable& a, const Comparable& b) {
      return highest ? b < a : a < b;
    };
    Names named;
    std::optional<Comparable> last;
    for (const auto& [name, value] : said.members()) {
      const auto bound = comparable(value);
      if (!bound) return fmt::format("{}: {}", what, value.raw());
      if (last && before(*bound, *last)) return fmt::format("{}: order", what);
      last = bound;
      const std::string text = name.string();
      if (text.starts_with('+') && text.ends_with(" records")) {
        std::size_t ties = 0;
        for (std::size_t i = 0; i < records_.size(); ++i) {
          const auto own = extreme(i);
          if (own && before(*own, *bound)) return fmt::format("{}: record {}", what, i);
          ties += own && *own == *bound ? 1 : 0;
        }
        return text == fmt::format("+{} records", ties) ? "" : fmt::format("{}: {}", what, ties);
      }
      const std::size_t record = record_called(text);
      if (record == SIZE_MAX) return fmt::format("{}: no record {}", what, text);
      const auto own = extreme(record);
      if (!own || *own != *bound) return fmt::format("{}: value of {}", what, text);
      named.insert(record);
    }
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const auto own = named.contains(i) ? std::nullopt : extreme(i);
      if (own && !before(*last, *own)) return fmt::format("{}: record {} is not named", what, i);
    }
    return {};
  }

  std::string check_labels() const {
    for (const auto& [path, labels] : section("labels").members()) {
      for (const auto& [name, label] : labels.members()) {
        const std::size_t record = record_called(name.string());
        const auto found = record == SIZE_MAX ? std::vector<json::View>() : at(record, path);
        if (found.size() != 1 || !json::equal(found.front(), label)) {
          return fmt::format("labels of {}", name.raw());
        }
      }
    }
    return {};
  }

  std::string check_rankings() {
    if (std::string wrong = check_labels(); !wrong.empty()) return wrong;
    for (const bool highest : {true, false}) {
      const std::string_view name = highest ? "highest" : "lowest";
      for (const auto& [path, said] : section(name).members()) {
        const json::View here = path;
        const std::string wrong = check_ranking(name, said, highest, [&](std::size_t i) {
          std::optional<Comparable> best;
          for (const json::View value : at(i, here)) {
            const auto one = comparable(value);
            if (one && (!best || (highest ? *best < *one : *one < *best))) best = one;
          }
          return best;
        });
        if (!wrong.empty()) return wrong;
      }
    }
    const auto size_at = [&](std::size_t i, json::View path) -> std::optional<Comparable> {
      for (const json::View value : at(i, path)) {
        if (value.is_container()) return Comparable{true, std::to_string(value.size())};
      }
      return std::nullopt;
    };
    for (const auto& [path, said] : section("highest_total").members()) {
      const json::View here = path;
      const auto total = [&](std::size_t i) -> std::optional<Comparable> {
        std::int64_t sum = 0;
        const auto found = at(i, here);
        for (const json::View value : found) sum += value.integer().value_or(0);
        const bool any = std::ranges::any_of(found, [](json::View one) { return one.is_number(); });
        return any ? std::optional(Comparable{true, std::to_string(sum)}) : std::nullopt;
      };
      const std::string wrong = check_ranking("highest_total", said, true, total);
      if (!wrong.empty()) return wrong;
    }
    for (const auto& [path, said] : section("most_items").members()) {
      const json::View here = path;
      const std::string wrong =
          check_ranking("most_items", said, true, [&](std::size_t i) { return size_at(i, here); });
      if (!wrong.empty()) return wrong;
    }
    for (const auto& [path, said] : section("item_counts").members()) {
      std::size_t with_items = 0;
      for (std::size_t i = 0; i < records_.size(); ++i) with_items += size_at(i, path) ? 1 : 0;
      if (said.size() != with_items) return fmt::format("item_counts {}", path.raw());
      for (const auto& [name, count] : said.members()) {
        const std::size_t record = record_called(name.string());
        const auto size = record == SIZE_MAX ? std::nullopt : size_at(record, path);
        if (!size || size->text != count.raw()) return fmt::format("item_counts of {}", name.raw());
      }
    }
    return {};
  }

  json::View facts_;
  bool is_map_;
  bool has_objects_ = false;
  std::vector<json::View> records_;
  std::vector<std::string> keys_;
  std::string id_;
};

}  // namespace enfold::testing
