// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/records/text_search.h"

#include "enfold/base/text.h"
#include "enfold/json/duplicate_members.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/records/needle.h"
#include "enfold/retrieve/records/records.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::retrieve {
namespace {

constexpr std::size_t kSurroundings = 80;  // bytes before and after a match, for each line shown
constexpr std::size_t kMostShown = 5;      // matches of one long record

/// The line of the occurrence and `context` lines before and after it. If they are long, only
/// kSurroundings bytes for each of them; "…" marks what is left out.
std::string surroundings(std::string_view text, const Occurrence& found, std::size_t context) {
  std::size_t begin = found.begin;
  std::size_t end = found.begin + found.size;
  for (std::size_t lines = 0; begin > 0; --begin) {
    if (text[begin - 1] == '\n' && lines++ == context) break;
  }
  for (std::size_t lines = 0; end < text.size(); ++end) {
    if (text[end] == '\n' && lines++ == context) break;
  }
  const std::size_t most = kSurroundings * (context + 1);
  const std::size_t first = found.begin - std::min(found.begin - begin, most);
  const std::size_t after = found.begin + found.size;
  std::string_view shown =
      utf8::prefix(text.substr(first), std::min(end - after, most) + after - first);
  // A byte of a character whose first byte is not shown.
  const auto is_split = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  while (!shown.empty() && is_split(shown.front())) shown.remove_prefix(1);
  return fmt::format("{}{}{}", first > begin || begin > 0 ? "…" : "", shown,
                     after + most < end || end < text.size() ? "…" : "");
}

bool is_in_string(const Needle& needle, json::View string) {
  return string.has_escapes() ? needle.is_in(string.string())
                              : needle.is_in(string.string_source());
}

/// Whether a key or scalar at any depth matches. A quick test: places are only built for records
/// that pass it.
bool is_anywhere_in(const Needle& needle, json::View value) {
  if (value.is_string()) return is_in_string(needle, value);
  if (!value.is_container()) return !value.is_null() && needle.matches_scalar(value.raw());
  for (const json::View item : value.items()) {
    if (is_anywhere_in(needle, item)) return true;
  }
  for (const json::Member& member : value.members()) {
    if (is_in_string(needle, member.key) || is_anywhere_in(needle, member.value)) return true;
  }
  return false;
}

/// Counts the matches in a record, and keeps the place and surroundings of the first ones.
class Excerpts {
 public:
  Excerpts(const Needle& needle, std::size_t context) : needle_(needle), context_(context) {}

  /// `pointer`: of the value; any text once enough matches are kept.
  void visit(const std::string& pointer, json::View value) {
    if (value.is_array()) {
      std::size_t position = 0;
      for (const json::View item : value.items()) {
        visit(is_full() ? std::string() : json::below(pointer, std::to_string(position++)), item);
      }
    } else if (value.is_object()) {
      for (const json::Member& member : value.members()) {
        const std::string key = member.key.string();
        const std::string place = is_full() ? std::string() : json::below(pointer, key);
        if (needle_.is_in(key)) add(place, /*times=*/1, [&] { return start_of(member.value); });
        visit(place, member.value);
      }
    } else if (value.is_string()) {
      visit_text(pointer, value);
    } else if (!value.is_null() && needle_.matches_scalar(value.raw())) {
      add(pointer, /*times=*/1, [&] { return std::string(value.raw()); });
    }
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  /// {"matches": …} as find_text describes it.
  [[nodiscard]] json::Value finish() && {
    json::Writer writer;
    writer.begin_object().key("matches").begin_array();
    for (const auto& [place, text] : shown_) {
      writer.begin_object().member("at", place).member("text", text).end_object();
    }
    writer.end_array();
    if (count_ > shown_.size() && !needle_.gave_up()) writer.member("match_count", count_);
    return std::move(writer.end_object()).finish_value();
  }

 private:
  [[nodiscard]] bool is_full() const { return shown_.size() == kMostShown; }

  void visit_text(const std::string& pointer, json::View value) {
    const std::string text = value.string();
    const auto found = needle_.first_in(text);
    if (!found) return;
    add(pointer, needle_.count_in(text), [&] { return surroundings(text, *found, context_); });
  }

  /// `times`: number of matches at the place. `make_text` is called only for a match that is shown.
  template <class MakeText>
  void add(const std::string& place, std::size_t times, MakeText make_text) {
    count_ += times;
    if (!is_full()) shown_.emplace_back(place, make_text());
  }

  static std::string start_of(json::View value) {
    return utf8::shortened(value.is_string() ? value.string() : json::to_text(value),
                           kSurroundings);
  }

  const Needle& needle_;
  std::size_t context_;  ///< lines around a match
  std::size_t count_ = 0;
  std::vector<std::pair<std::string, std::string>> shown_;  ///< place and text
};

class TextSearch {
 public:
  TextSearch(const answer::Place& scope, const select::Find& wanted, answer::Window window)
      : needle_(wanted.text, wanted.is_pattern),
        context_(wanted.context),
        is_map_(map_rule(scope)),
        window_(window) {
    values_.begin_array();
  }

  /// False: nothing in `scope` matches. A quick test.
  [[nodiscard]] bool may_find(const answer::Place& scope) const {
    return needle_.may_be_in_json(scope.value.raw());
  }

  /// Searches the value and everything inside it.
  void visit(const answer::Place& here) {
    if (here.value.is_string()) return visit_text(here);
    if (here.value.is_array()) return visit_items(here);
    if (!here.value.is_object()) return visit_value(here.pointer, here.value, /*in_name=*/0);
    const bool holds_records = is_map_(here.value);
    const json::MemberTokens tokens(here.value);
    std::size_t position = 0;
    for (const json::Member& member : here.value.members()) {
      const std::string key = member.key.string();
      const std::string pointer = json::below(here.pointer, tokens.token(member.key, position++));
      const bool is_scalar = !member.value.is_container() && !member.value.is_string();
      if (holds_records || needle_.is_in(key) || is_scalar) {
        visit_value(pointer, member.value, needle_.is_in(key) ? 1 : 0);
      } else {
        visit({pointer, member.value, std::nullopt});
      }
    }
  }

  QueryResult finish() && {
    QueryResult found{.value = std::move(values_.end_array()).finish_value(),
                      .unit = Unit::records,
                      .total = total_,
                      .first = std::min(window_.offset, total_),
                      .matches = std::move(matches_)};
    if (!needle_.gave_up()) found.match_count = count_;
    return found;
  }

 private:
  void visit_items(const answer::Place& list) {
    std::size_t position = 0;
    for (const json::View item : list.value.items()) {
      const std::size_t at = position++;
      if (!needle_.may_be_in_json(item.raw()) || !is_anywhere_in(needle_, item)) continue;
      visit_value(json::below(list.pointer, std::to_string(at)), item, /*in_name=*/0);
    }
  }

  // A record, or a member outside of lists. `in_name`: matches in the key of the member.
  void visit_value(const std::string& pointer, json::View value, std::size_t in_name) {
    if (in_name == 0 && !is_anywhere_in(needle_, value)) return;
    Excerpts excerpts(needle_, context_);
    excerpts.visit(pointer, value);
    const std::size_t count = excerpts.count() + in_name;
    if (count == 0) return;
    count_ += count;
    if (!window_.holds(total_++)) return;
    const bool is_long = value.raw().size() > kLongRecord && excerpts.count() > 0;
    if (is_long) {
      values_.value(std::move(excerpts).finish());
    } else {
      values_.value(value);
    }
    matches_.push_back({.pointer = pointer, .shows_pointer = true, .is_excerpt = is_long});
  }

  void visit_text(const answer::Place& place) {
    const std::string text = place.value.string();
    const std::vector<std::size_t> starts = answer::line_starts(text);
    if (starts.size() < 2 && !place.pointer.empty()) {
      return visit_value(place.pointer, place.value, /*in_name=*/0);
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::size_t count =
          needle_.count_in(answer::lines_of(text, starts, answer::Range{i, i}));
      if (count == 0) continue;
      count_ += count;
      if (!window_.holds(total_++)) continue;
      const answer::Range around{i - std::min(i, context_),
                                 std::min(i + context_, starts.size() - 1)};
      values_.string(answer::lines_of(text, starts, around));
      matches_.push_back({.pointer = fmt::format("{}/{}", place.pointer, to_text(around)),
                          .line = i + 1,
                          .shows_pointer = true,
                          .first_line = around.first + 1});
    }
  }

  Needle needle_;
  std::size_t context_;  ///< lines around a match
  IsMap is_map_;         ///< whether the members of an object are records
  answer::Window window_;
  json::Writer values_;
  std::vector<Match> matches_;
  std::size_t total_ = 0;  ///< records, members and lines that match
  std::size_t count_ = 0;  ///< matches in all of them together
};

}  // namespace

QueryResult find_text(const answer::Place& scope, const select::Find& wanted,
                      answer::Window window) {
  TextSearch search(scope, wanted, window);
  if (search.may_find(scope)) search.visit(scope);
  return std::move(search).finish();
}

}  // namespace enfold::retrieve
