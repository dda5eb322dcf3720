// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/page.h"

#include "enfold/answer/stored/places.h"
#include "enfold/json/duplicate_members.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/records/records.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/format.h>

namespace enfold::retrieve {
namespace {

/// Number of parts in `found.value`.
std::size_t held(const QueryResult& found) {
  return found.unit == Unit::records ? found.value->size() : found.total;
}

/// The parts [begin, end) of `found.value`, counted from its first part, as a value of the same
/// kind.
json::Value sliced(const QueryResult& found, std::size_t begin, std::size_t end) {
  const json::View value = found.value.view();
  if (begin == 0 && end == held(found)) return found.value;
  if (found.unit == Unit::lines) {
    return json::string_value(answer::lines_of(value.string(), answer::Range{begin, end - 1}));
  }
  json::Writer writer;
  std::size_t position = 0;
  const auto is_inside = [&] {
    const bool inside = position >= begin && position < end;
    ++position;
    return inside;
  };
  if (found.unit == Unit::records) {
    writer.begin_array();
    for (const json::View item : value.items()) {
      if (is_inside()) writer.value(item);
    }
    return std::move(writer.end_array()).finish_value();
  }
  writer.begin_object();
  for (const json::Member& member : value.members()) {
    if (is_inside()) writer.key(member.key).value(member.value);
  }
  return std::move(writer.end_object()).finish_value();
}

// A page may have another query than the page before it: one place instead of a search, then the
// characters of a text. This number never decreases from page to page, so paging ends.
int specificity(const Query& query) {
  if (std::holds_alternative<select::Characters>(query.selection)) return 2;
  return std::holds_alternative<select::At>(query.selection) ? 1 : 0;
}

// Whether `next` selects less than `from`, see check_advance.
bool is_more_specific(const Query& from, const Query& next) {
  const auto* const at = std::get_if<select::At>(&from.selection);
  const auto* const below = std::get_if<select::At>(&next.selection);
  if (at != nullptr && below != nullptr) return below->pointer.starts_with(at->pointer + "/");
  const auto* const here = std::get_if<select::Characters>(&from.selection);
  const auto* const there = std::get_if<select::Characters>(&next.selection);
  if (here == nullptr || there == nullptr) return specificity(next) > specificity(from);
  return from.within == next.within && from.raw_result == next.raw_result &&
         there->range.first > here->range.first && there->range.last == here->range.last;
}

model::Number number(std::size_t value) {
  return model::Number::of(static_cast<std::int64_t>(value));
}

// Whether an entry of a cut report is an id and not a pointer.
bool is_id(const std::string& one) { return !one.empty() && one.front() != '/'; }

// Translates a pointer in the page to the pointer of the same place in the archived answer. An id
// stays unchanged.
class Places {
 public:
  Places(const QueryResult& found, const ResultPage& page) : found_(found), page_(page) {}

  [[nodiscard]] std::string of(const std::string& place) const {
    if (is_id(place)) return place;
    if (found_.unit == Unit::lines) return line_place();
    if (found_.unit == Unit::members && page_.size == 1) {
      // member_place() has the key of the member; `inside` is where the tokens after it begin.
      const std::size_t inside = place.empty() ? place.size() : place.find('/', 1);
      return member_place() + (inside < place.size() ? place.substr(inside) : std::string());
    }
    const bool records = found_.unit == Unit::records;
    if (!records) return found_.pointer + place;
    // The budget shortens a page only if it holds a single record, so the place is in record 0.
    const bool first = place == "/0" || place.starts_with("/0/");
    if (place.empty() || first || place.starts_with("/0..")) {
      // If the page shows the record as {pointer, value}, places inside do not exist in the answer.
      const bool wrapped = shows_pointers(page_);
      return record_place() + (first && !wrapped ? place.substr(2) : std::string());
    }
    return place;  // not a place on this page: an id that begins with '/'
  }

 private:
  [[nodiscard]] std::string member_place() const {
    std::string place = found_.pointer;
    const json::MemberTokens tokens(found_.value.view());
    json::append_token(place, tokens.token((*page_.value->members().begin()).key, page_.offset));
    return place;
  }
  [[nodiscard]] std::string record_place() const {
    if (!page_.matches.empty()) return page_.matches.front().pointer;
    return fmt::format("{}/{}", found_.pointer, page_.offset);
  }
  [[nodiscard]] std::string line_place() const {
    if (page_.size == page_.total) return found_.pointer;
    // If the pointer of the result itself ends in a range of lines ("/log/41..79"), the line
    // numbers of the page are added to the first line of that range.
    const std::size_t first = page_.offset + found_.lines_before.value_or(0);
    const std::size_t end = found_.lines_before ? found_.pointer.rfind('/') : found_.pointer.size();
    return fmt::format("{}/{}..{}", found_.pointer.substr(0, end), first, first + page_.size - 1);
  }

  const QueryResult& found_;
  const ResultPage& page_;
};

// `by_place`: an object with places as keys.
json::Value translate_keys(const json::Value& by_place, const Places& places) {
  if (!by_place->is_object()) return by_place;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : by_place->members()) {
    writer.key(places.of(member.key.string())).value(member.value);
  }
  return std::move(writer.end_object()).finish_value();
}

}  // namespace

answer::Window window_at(std::size_t offset, std::size_t page_size) {
  constexpr std::size_t kMostForCast = 1'000'000;  // more than any page, and fits std::int64_t
  if (page_size == kFillPage) return {offset, kMostThatFit};
  return {offset, static_cast<std::size_t>(contract::clamp_page_size(
                      static_cast<std::int64_t>(std::min(page_size, kMostForCast))))};
}

Result<ResultPage> page(const QueryResult& found, std::size_t offset, std::size_t page_size) {
  return page_of(found, offset, window_at(offset, page_size).size);
}

Result<ResultPage> page_of(const QueryResult& found, std::size_t offset, std::size_t parts) {
  const std::size_t total = found.unit == Unit::single ? 1 : found.total;
  if (offset != 0 && offset >= total) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected an offset below {}, found {}", total, offset), "offset",
                "begin at 0");
  }
  const std::size_t first = found.unit == Unit::single ? 0 : found.first;
  const std::size_t end = offset + std::min(parts, total - offset);
  if (found.unit != Unit::single && (offset < first || end - first > held(found))) {
    return fail(ErrorCode::internal,
                fmt::format("expected records {}..{} to be held, found {} from {}", offset, end,
                            held(found), first),
                "offset");
  }
  ResultPage page{.offset = offset, .size = end - offset, .total = total};
  page.value =
      found.unit == Unit::single ? found.value : sliced(found, offset - first, end - first);
  if (!found.matches.empty()) {
    const auto matches = found.matches.begin();
    page.matches.assign(matches + static_cast<std::ptrdiff_t>(offset - first),
                        matches + static_cast<std::ptrdiff_t>(end - first));
  }
  if (end < total) page.next = end;
  return page;
}

Result<model::Page> page_info(const ResultPage& page, const Position& position,
                              const contract::CursorKey& key, std::string_view principal) {
  std::optional<Position> next = after(position);
  if (page.next) {
    next = position;
    next->offset = *page.next;
  }
  model::Page info{.has_more = next.has_value(),
                   .total = number(page.total),
                   .offset = number(page.offset),
                   .returned = number(page.size)};
  if (next) {
    ENFOLD_TRY(check_advance(position, *next));
    info.cursor = to_cursor(*next, key, principal);
  }
  return info;
}

std::optional<Position> after(const Position& position) {
  if (position.later.empty()) return std::nullopt;
  Position next = position;
  const Parts parts = std::move(next.later.back());
  next.later.pop_back();
  next.query = {.selection = select::At{parts.pointer}};
  next.offset = parts.offset;
  return next;
}

Status check_advance(const Position& from, const Position& next) {
  const bool same = from.archive == next.archive && from.query == next.query;
  if (same && next.offset > from.offset) return {};
  if (after(from) == next) return {};
  if (from.archive == next.archive && is_more_specific(from.query, next.query)) return {};
  return fail(ErrorCode::internal,
              same ? fmt::format("expected a cursor behind offset {}, found offset {}", from.offset,
                                 next.offset)
                   : std::string("expected a cursor for the same query and answer"),
              "cursor", "stop here: the pages so far are complete");
}

bool shows_pointers(const ResultPage& page) {
  return std::any_of(page.matches.begin(), page.matches.end(), [](const Match& match) {
    return match.line || match.shows_pointer || match.name;
  });
}

void PagePointers::apply(model::Reduction& reduction) {
  const Places places(found_, page_);
  ids_to_places(reduction.dropped_ids);
  for (auto* list :
       {&reduction.dropped_ids, &reduction.briefed, &reduction.clipped, &reduction.columnar}) {
    for (std::string& place : *list) place = places.of(place);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  if (reduction.facts) reduction.facts = translate_keys(*reduction.facts, places);
  if (reduction.index) reduction.index = translate_keys(*reduction.index, places);
}

void PagePointers::ids_to_places(std::vector<std::string>& dropped) {
  if (std::none_of(dropped.begin(), dropped.end(), is_id)) return;
  std::vector<std::string> places;
  for (const std::string& one : dropped) {
    if (!is_id(one)) {
      places.push_back(one);
      continue;
    }
    const std::vector<std::string>& there = places_of(one);
    places.insert(places.end(), there.begin(), there.end());
  }
  dropped = std::move(places);
}

const std::vector<std::string>& PagePointers::places_of(const std::string& id) {
  const auto [known, is_new] = known_.try_emplace(id);
  if (!is_new) return known->second;
  const answer::ArchivedAnswer opened{page_.value, page_.value};
  const answer::Place all{"", page_.value.view(), std::nullopt};
  const Result<FoundIds> found = find_ids(opened, all, {id}, /*raw_result=*/false);
  if (!found) known->second = {id};
  for (const answer::Place& record : found ? found->records : std::vector<answer::Place>()) {
    known->second.push_back(record.pointer);
  }
  return known->second;
}

}  // namespace enfold::retrieve
