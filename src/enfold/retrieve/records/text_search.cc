// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/records/text_search.h"

#include "enfold/json/duplicate_members.h"
#include "enfold/retrieve/records/condition_match.h"
#include "enfold/retrieve/records/record_lists.h"

#include <fmt/format.h>
#include <utility>

namespace enfold::retrieve {
namespace {

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
      const bool is_hit = needle_.is_in_string(member.key) ||
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

void find_text(const answer::Place& scope, std::string_view text, answer::Hits& hits) {
  TextSearch(scope, text, hits).visit(scope);
}

}  // namespace enfold::retrieve
