// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/page.h"

#include "enfold/answer/stored/places.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::retrieve {
namespace {

/// Number of parts in `value`.
std::size_t held(const QueryResult& found) {
  return found.unit == Unit::records ? found.value->size() : found.total;
}

/// The parts of the value from `begin` to `end`.
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

// A query may continue as a query of one place, and that as characters of a text, never back.
int specificity(const Query& query) {
  if (std::holds_alternative<select::Characters>(query.selection)) return 2;
  return std::holds_alternative<select::At>(query.selection) ? 1 : 0;
}

bool is_more_specific(const Query& from, const Query& next) {
  const auto* const here = std::get_if<select::Characters>(&from.selection);
  const auto* const there = std::get_if<select::Characters>(&next.selection);
  if (here == nullptr || there == nullptr) return specificity(next) > specificity(from);
  return from.within == next.within && from.raw_result == next.raw_result &&
         there->range.first > here->range.first && there->range.last == here->range.last;
}

model::Number number(std::size_t value) {
  return model::Number::of(static_cast<std::int64_t>(value));
}

}  // namespace

answer::Window window_at(std::size_t offset, std::size_t page_size) {
  return {offset, static_cast<std::size_t>(contract::clamp_page_size(
                      static_cast<std::int64_t>(std::min<std::size_t>(page_size, 1'000'000))))};
}

Result<ResultPage> page(const QueryResult& found, std::size_t offset, std::size_t page_size) {
  const std::size_t total = found.unit == Unit::single ? 1 : found.total;
  if (offset != 0 && offset >= total) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected an offset below {}, found {}", total, offset), "offset",
                "begin at 0");
  }
  const std::size_t first = found.unit == Unit::single ? 0 : found.first;
  const std::size_t end = offset + std::min(window_at(offset, page_size).size, total - offset);
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
  model::Page info{.has_more = page.next.has_value(),
                   .total = number(page.total),
                   .offset = number(page.offset),
                   .returned = number(page.size)};
  if (page.next) {
    Position next = position;
    next.offset = *page.next;
    ENFOLD_TRY(check_advance(position, next));
    info.cursor = to_cursor(next, key, principal);
  }
  return info;
}

Status check_advance(const Position& from, const Position& next) {
  const bool same = from.archive == next.archive && from.query == next.query;
  if (same && next.offset > from.offset) return {};
  if (from.archive == next.archive && is_more_specific(from.query, next.query)) return {};
  return fail(ErrorCode::internal,
              same ? fmt::format("expected a cursor behind offset {}, found offset {}", from.offset,
                                 next.offset)
                   : std::string("expected a cursor for the same query and answer"),
              "cursor", "stop here: the pages so far are complete");
}

}  // namespace enfold::retrieve
