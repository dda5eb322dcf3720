// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/duplicate_members.h"
#include "enfold/json/number.h"
#include "enfold/json/pointer.h"
#include "enfold/retrieve/records/records.h"

#include <algorithm>
#include <compare>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace enfold::retrieve {
namespace {

// Lower case of letters whose two cases take the same number of bytes.
std::uint32_t folded(std::uint32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 32;
  if ((c >= 0x100 && c <= 0x137 && c != 0x130 && c != 0x131) || (c >= 0x14A && c <= 0x177)) {
    return c | 1;
  }
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) return c + (c & 1);
  if (c >= 0x391 && c <= 0x3A9 && c != 0x3A2) return c + 32;
  if (c >= 0x410 && c <= 0x42F) return c + 32;
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  return c;
}

// Avoids a copy of strings without escapes.
template <class Use>
auto with_text(json::View string, Use use) {
  return string.has_escapes() ? use(std::string_view(string.string()))
                              : use(string.string_source());
}

using Order = std::optional<std::strong_ordering>;

// A text that is a number compares as that number, because many tools write ids and amounts as
// text.
Order compare_text(std::string_view text, const Literal& literal) {
  if (literal.kind == LiteralKind::text) return text.compare(literal.text) <=> 0;
  if (literal.kind != LiteralKind::number || !is_number_text(text)) return std::nullopt;
  return json::Number(text) <=> json::Number(literal.text);
}

// nullopt if the values cannot be compared.
Order compare(json::View value, const Literal& literal) {
  switch (value.kind()) {
    case json::Kind::string:
      return with_text(value, [&](std::string_view text) { return compare_text(text, literal); });
    case json::Kind::number:
      if (literal.kind != LiteralKind::number) return std::nullopt;
      return json::Number(value.number()) <=> json::Number(literal.text);
    case json::Kind::boolean:
      if (literal.kind != LiteralKind::boolean) return std::nullopt;
      return value.boolean() <=> (literal.text == "true");
    case json::Kind::null:
      return literal.kind == LiteralKind::null ? Order(std::strong_ordering::equal) : std::nullopt;
    default: return std::nullopt;
  }
}

bool meets(Order order, Comparison comparison) {
  if (!order) return false;
  switch (comparison) {
    case Comparison::equal: return *order == 0;
    case Comparison::less: return *order < 0;
    case Comparison::at_most: return *order <= 0;
    case Comparison::greater: return *order > 0;
    case Comparison::at_least: return *order >= 0;
    default: return false;
  }
}

// Strings are equal if they differ only in case.
bool equals_ignoring_case(json::View scalar, const Literal& literal) {
  if (!scalar.is_string()) return meets(compare(scalar, literal), Comparison::equal);
  return with_text(scalar, [&](std::string_view text) {
    return text.size() == literal.text.size() && fold_case(text) == fold_case(literal.text);
  });
}

// A text contains a substring, a list an item, an object a key. An item that is an object matches
// by any of its values, so that a list with {"id": 7, "name": "bug"} contains "bug".
bool contains(json::View value, const Literal& literal, const Needle& needle) {
  if (value.is_string()) return needle.is_in_string(value);
  if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      if (equals_ignoring_case(member.key, literal)) return true;
    }
    return false;
  }
  if (!value.is_array()) return equals_ignoring_case(value, literal);
  for (const json::View item : value.items()) {
    if (!item.is_container() && equals_ignoring_case(item, literal)) return true;
    if (!item.is_object()) continue;
    for (const json::Member& member : item.members()) {
      if (!member.value.is_container() && equals_ignoring_case(member.value, literal)) return true;
    }
  }
  return false;
}

// Whether `test` accepts a value at the path. A list on the path means each of its items, unless
// the path has an index.
template <class Test>
bool any_at(json::View here, const std::vector<std::string>& path, std::size_t at,
            const Test& test) {
  for (; at < path.size(); ++at) {
    const auto next = json::Pointer({path[at]}).resolve(here);
    if (next) {
      here = *next;
      continue;
    }
    if (!here.is_array()) return false;
    for (const json::View item : here.items()) {
      if (item.is_container() && any_at(item, path, at, test)) return true;
    }
    return false;
  }
  return test(here);
}

bool any_item_meets(json::View value, Comparison comparison, const Literal& literal) {
  if (!value.is_array()) return meets(compare(value, literal), comparison);
  for (const json::View item : value.items()) {
    if (any_item_meets(item, comparison, literal)) return true;
  }
  return false;
}

bool term_holds(const Term& term, Comparison comparison, json::View record) {
  switch (comparison) {
    case Comparison::exists: return path_exists(term.path, record);
    case Comparison::contains: {
      const Needle needle(term.literal.text);
      return any_at(record, term.path, 0,
                    [&](json::View value) { return contains(value, term.literal, needle); });
    }
    case Comparison::not_equal: return !term_holds(term, Comparison::equal, record);
    default: break;
  }
  const bool met = any_at(record, term.path, 0, [&](json::View value) {
    return any_item_meets(value, comparison, term.literal);
  });
  if (met) return true;
  const bool is_null_test =
      comparison == Comparison::equal && term.literal.kind == LiteralKind::null;
  return is_null_test && !path_exists(term.path, record);
}

class TextSearch {
 public:
  TextSearch(const answer::Place& scope, std::string_view text, answer::Hits& hits)
      : needle_(text), kind_(kind_of_outer_lists(scope)), hits_(hits) {}

  void visit(const answer::Place& here) {
    if (here.value.is_string()) return visit_text(here);
    if (here.value.is_array()) return visit_items(here);
    const bool holds_records = kind_ == RecordList::Kind::members && is_map_of_objects(here.value);
    const json::MemberTokens tokens(here.value);
    std::size_t position = 0;
    for (const json::Member& member : here.value.members()) {
      const std::string token = tokens.token(member.key, position++);
      answer::Place place{json::below(here.pointer, token), member.value, std::nullopt,
                          holds_records};
      const bool is_number = member.value.is_number() || member.value.is_boolean();
      const bool is_hit = needle_.is_in_string(member.key) ||
                          (is_number && needle_.is_in_scalar(member.value)) ||
                          (holds_records && needle_.is_anywhere_in(member.value));
      if (is_hit) {
        hits_.add([&] { return std::move(place); });
      } else if (!holds_records) {
        visit(place);
      }
    }
  }

 private:
  void visit_items(const answer::Place& list) {
    std::size_t position = 0;
    for (const json::View item : list.value.items()) {
      const std::size_t at = position++;
      if (!needle_.is_anywhere_in(item)) continue;
      hits_.add([&] {
        return answer::Place{json::below(list.pointer, std::to_string(at)), item, std::nullopt};
      });
    }
  }

  void visit_text(const answer::Place& place) {
    const std::string text = place.value.string();
    const std::vector<std::size_t> starts = answer::line_starts(text);
    if (starts.size() < 2 && !place.pointer.empty()) {
      if (needle_.is_in(text)) hits_.add([&] { return place; });
      return;
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (!needle_.is_in(answer::lines_of(text, starts, answer::Range{i, i}))) continue;
      hits_.add([&] {
        return answer::Place{fmt::format("{}/{}..{}", place.pointer, i, i), place.value,
                             answer::Range{i, i}, false};
      });
    }
  }

  Needle needle_;
  RecordList::Kind kind_;  ///< of the lists that hold the records
  answer::Hits& hits_;
};

}  // namespace

std::string fold_case(std::string_view utf8) {
  std::string out(utf8);
  for (std::size_t at = 0; at < out.size(); ++at) {
    const auto lead = static_cast<unsigned char>(out[at]);
    if (lead < 0x80) {
      out[at] = static_cast<char>(folded(lead));
    } else if ((lead & 0xE0U) == 0xC0U && at + 1 < out.size()) {
      const auto tail = static_cast<unsigned char>(out[at + 1]);
      const std::uint32_t lower = folded((lead & 0x1FU) << 6 | (tail & 0x3FU));
      out[at] = static_cast<char>(0xC0U | lower >> 6);
      out[++at] = static_cast<char>(0x80U | (lower & 0x3FU));
    }
  }
  return out;
}

Needle::Needle(std::string_view text) : text_(fold_case(text)), substring_(text_) {}

bool Needle::is_in(std::string_view text) const {
  return text.size() >= text_.size() && substring_.find(fold_case(text)) != std::string_view::npos;
}

bool Needle::is_in_string(json::View string) const {
  return with_text(string, [this](std::string_view text) { return is_in(text); });
}

bool Needle::is_in_scalar(json::View value) const {
  if (value.is_string()) return is_in_string(value);
  return value.is_number() || value.is_boolean() ? fold_case(value.raw()) == text_ : false;
}

bool Needle::is_anywhere_in(json::View value) const {
  if (!value.is_container()) return is_in_scalar(value);
  if (value.is_array()) {
    for (const json::View item : value.items()) {
      if (is_anywhere_in(item)) return true;
    }
  } else if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      if (is_in_string(member.key) || is_anywhere_in(member.value)) return true;
    }
  }
  return false;
}

bool holds(const Condition& condition, json::View record) {
  const auto part_holds = [&](const Condition& part) { return holds(part, record); };
  const std::vector<Condition>& parts = condition.parts;
  switch (condition.kind) {
    case Condition::Kind::all: return std::all_of(parts.begin(), parts.end(), part_holds);
    case Condition::Kind::any: return std::any_of(parts.begin(), parts.end(), part_holds);
    case Condition::Kind::negation: return !holds(parts.front(), record);
    case Condition::Kind::term: break;
  }
  return term_holds(condition.term, condition.term.comparison, record);
}

bool path_exists(const std::vector<std::string>& path, json::View record) {
  return any_at(record, path, 0, [](json::View) { return true; });
}

void find_text(const answer::Place& scope, std::string_view text, answer::Hits& hits) {
  TextSearch(scope, text, hits).visit(scope);
}

}  // namespace enfold::retrieve
