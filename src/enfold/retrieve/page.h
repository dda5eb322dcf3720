// SPDX-License-Identifier: Apache-2.0
// Pages of a query result: the position in the result with its signed cursor, one page, and the
// page as an answer within the budget. That answer holds as many whole records, members or lines as
// fit, and a cursor to the next page. A single part that does not fit is cut; JSON Pointers into
// the archived answer name what is missing. A long line is shown in pages of characters.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/retrieve/query.h"
#include "enfold/retrieve/retrieve.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// The page size that means: as many parts as fit the budget. Only `answer_page` knows the budget;
/// the functions without one take kMostThatFit parts, and `answer_page` uses fewer of them.
inline constexpr std::size_t kFillPage = 0;
inline constexpr std::size_t kMostThatFit = 10'000;  ///< no page is filled with more parts

/// The parts of a list or object from `offset` on.
struct Parts {
  std::string pointer;     ///< of the list or object in the archived answer
  std::size_t offset = 0;  ///< of the first part
  friend bool operator==(const Parts&, const Parts&) = default;
};

/// Where a page begins. A cursor holds one.
struct Position {
  std::string archive;  ///< handle or hash of the archived answer
  Query query;
  std::size_t offset = 0;             ///< of the first part of the page among all parts
  std::size_t page_size = kFillPage;  ///< parts per page at most
  /// Whether the query is for a part of what the caller asked for. Such a part does not fit a page,
  /// so its own parts are shown in pages.
  bool is_inside = false;
  /// A stack of what follows that part, in the containers around the part: the innermost at the
  /// back.
  std::vector<Parts> later;
  friend bool operator==(const Position&, const Position&) = default;
};

[[nodiscard]] std::string to_cursor(const Position& position, const contract::CursorKey& key,
                                    std::string_view principal);
/// The error's message begins with the reason: empty, decode_failed, or bad_signature for a cursor
/// that was forged, altered, or issued to another principal.
[[nodiscard]] Result<Position> from_cursor(std::string_view cursor, const contract::CursorKey& key,
                                           std::string_view principal);

struct ResultPage {
  json::Value value;                ///< same kind as the whole value, with the parts of this page
  std::vector<Match> matches;       ///< one for each part in `value`; empty: QueryResult has none
  std::size_t offset = 0;           ///< of the first part in `value`
  std::size_t size = 0;             ///< parts in `value`
  std::size_t total = 0;            ///< parts of the whole result
  std::optional<std::size_t> next;  ///< offset of the next page; nullopt: this is the last
};

/// The window of records that a page needs. `page_size`: kFillPage for kMostThatFit records; any
/// other size is clamped to 1…1000.
[[nodiscard]] answer::Window window_at(std::size_t offset, std::size_t page_size);

/// The parts from `offset` on, as many as `window_at` says for `page_size`, or as there are. An
/// offset beyond the end is `invalid_input`; offset 0 never is. A value without parts is one page.
/// `internal` if `found` was retrieved with a window that does not hold these parts.
[[nodiscard]] Result<ResultPage> page(const QueryResult& found, std::size_t offset,
                                      std::size_t page_size);
/// Like `page`, with exactly `parts` parts, or as many as there are.
[[nodiscard]] Result<ResultPage> page_of(const QueryResult& found, std::size_t offset,
                                         std::size_t parts);

/// Pagination for the envelope, with the cursor to the next page if there is one.
[[nodiscard]] Result<model::Page> page_info(const ResultPage& page, const Position& position,
                                            const contract::CursorKey& key,
                                            std::string_view principal);

/// The position after the last page of the query, from Position::later; nullopt: there is none.
[[nodiscard]] std::optional<Position> after(const Position& position);

/// Fails with `internal` unless `next` makes progress in the same archived answer: a larger offset
/// in the same query, a more specific query (a place instead of a search, a place below the place
/// of `from`, or characters of a text), later characters, or what follows the part (`after`). This
/// rules out endless paging.
[[nodiscard]] Status check_advance(const Position& from, const Position& next);

/// Whether the page shows its values as objects with their place or name: one of its matches is a
/// line, a member of a map, or has `shows_pointer`.
[[nodiscard]] bool shows_pointers(const ResultPage& page);

/// Translates the places in the report of a cut: the budget names them in the page, the reader
/// needs them in the archived answer. Ids become pointers too, because an id may not be unique in
/// the whole answer. Only a page of one part, or of a value that is shown as one (Unit::single), is
/// ever cut.
class PagePointers {
 public:
  /// `found` and `page` must outlive this object.
  PagePointers(const QueryResult& found, const ResultPage& page) : found_(found), page_(page) {}
  /// Replaces all places in the report.
  void apply(model::Reduction& reduction);

 private:
  /// Replaces ids by pointers in the page.
  void ids_to_places(std::vector<std::string>& dropped);
  /// Pointers in the page to the records with this id; the id itself if there is none.
  const std::vector<std::string>& places_of(const std::string& id);

  const QueryResult& found_;
  const ResultPage& page_;
  std::map<std::string, std::vector<std::string>>
      known_;  ///< cache of `places_of`: each id takes a pass over the page
};

/// How the pages of the rest of a cut answer differ from those of a query. `answer_page` calls the
/// functions for every page that it tries.
struct RestOfAnswer {
  std::function<model::Page(const ResultPage&)> page;  ///< the pagination for the envelope
  /// Puts the records of a page into the tool's payload; not set: the records are the payload.
  std::function<json::Value(const json::Value& records)> frame;
  /// The shape of the archived answer and the place of its list; its pages are rendered alike.
  contract::WholeForm answer_form;
};

struct PageRequest {
  Position position;
  std::optional<std::size_t> page_size;      ///< nullopt: that of the position
  answer::Receipt archived;                  ///< where the answer is archived
  const contract::CursorKey* key = nullptr;  ///< nullptr: no cursors
  std::string principal;
  const RestOfAnswer* rest = nullptr;  ///< nullptr: the pages are those of a query
};

/// The window that `answer_page` needs.
[[nodiscard]] answer::Window window_of(const PageRequest& request);

/// The page of `found` at the position of `request`, as an answer within the budget of `settings`.
/// If an object does not fit and has most of its bytes in one member (pages/bulk.h), the first page
/// shows all other members and the first parts of that member, and the next pages show the other
/// parts of it. If not even one part fits beside the other members, and for any other object, the
/// pages hold as many members as fit. A part that does not fit a page by itself is shown in pages
/// of its own parts if the query is for a place (select::At); else it is cut. Fails with
/// `budget_too_small` if the envelope and the cursor leave no room.
[[nodiscard]] Result<answer::FittedAnswer> answer_page(const QueryResult& found,
                                                       const PageRequest& request,
                                                       const answer::FitSettings& settings);

}  // namespace enfold::retrieve
