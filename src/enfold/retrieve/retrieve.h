// SPDX-License-Identifier: Apache-2.0
// Runs a query over an archived answer. The archived bytes are the `result` of a tool call;
// pointers refer to the payload inside it. Values of the answer are returned verbatim. Takes time
// linear in the answer, except for SQL, which SqlBounds limits.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/model/response.h"
#include "enfold/retrieve/opened.h"
#include "enfold/retrieve/query.h"
#include "enfold/retrieve/sql/sql.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// One selected record, member or line, and how a page shows it.
struct Match {
  std::string pointer;                   ///< of the record; for a line, of the lines shown
  std::optional<std::size_t> line = {};  ///< number of a selected line, from 1
  /// Pages show the pointer too: the match is a hit of a search, or only a part of a record
  /// ("/items/*/id").
  bool shows_pointer = false;
  bool is_excerpt = false;  ///< the value is {"matches": …}, made from a record that is too long
  std::optional<std::string> name = {};        ///< the key of a member of a map
  std::optional<std::size_t> first_line = {};  ///< the first line shown around `line`, from 1
  friend bool operator==(const Match&, const Match&) = default;
};

/// The parts of `QueryResult::value` that a page counts.
enum class Unit {
  single,   ///< no parts: the value is one page
  records,  ///< items of an array
  members,  ///< of an object
  lines,    ///< of a string
};

/// What a query selected: a value of the archived answer, or a list of records.
struct QueryResult {
  json::Value value;
  Unit unit = Unit::single;
  std::size_t total = 1;  ///< parts, including selected records outside the window; single: 1
  /// Position of the first record in `value` among all selected ones. Of select::Characters: the
  /// position of the first selected character in the text.
  std::size_t first = 0;
  std::string pointer;  ///< of `value`, if it is part of the answer; else empty
  /// If `value` is a range of lines and `pointer` ends in that range: lines of the text before it.
  /// nullopt: another value.
  std::optional<std::size_t> lines_before;
  std::vector<Match> matches;        ///< one for each item of `value`, if they are selected records
  std::vector<std::string> missing;  ///< requested ids that were not found, if others were found
  /// Of a search: matches in all records together; nullopt: too many to count.
  std::optional<std::size_t> match_count;
  std::vector<std::string> notes;  ///< sentences that a page shows as warnings (QUERY_NOTE)
};

/// What a query with SQL needs beside the answer.
struct SqlContext {
  SqlBounds bounds;
  /// Opens the second answer of a statement, by handle or hash. Not set: a query with a second
  /// answer fails with `unsupported`.
  std::function<Result<OpenedAnswerPtr>(const std::string& reference)> open;
};

/// Fails with `not_found` if there is no place at a pointer, no part in a range, or no record for
/// any id; with `invalid_input` if the query does not fit the answer, such as lines of a number. A
/// search or condition without a match gives an empty list. Only the selected records inside the
/// window are kept in memory.
[[nodiscard]] Result<QueryResult> retrieve(json::View archived, const Query& query,
                                           const Limits& limits = {}, answer::Window window = {},
                                           const SqlContext& sql = {});

[[nodiscard]] Result<QueryResult> retrieve(const OpenedAnswer& opened, const Query& query,
                                           answer::Window window = {}, const SqlContext& sql = {});

/// Reads the archived bytes by their `media_type`, see open_answer.
[[nodiscard]] Result<QueryResult> retrieve_bytes(std::string_view archived,
                                                 std::string_view media_type, const Query& query,
                                                 const Limits& limits = {},
                                                 answer::Window window = {},
                                                 const SqlContext& sql = {});

/// The payload of an answer in archived bytes or a file; for text that is not JSON, the text.
[[nodiscard]] Result<json::Value> payload_of(std::string_view bytes, std::string_view media_type,
                                             const Limits& limits = {});

/// For an archived text that is not JSON. Its records are its lines.
[[nodiscard]] Result<QueryResult> retrieve_text(std::string_view archived, const Query& query,
                                                answer::Window window = {},
                                                const SqlContext& sql = {});

/// The failure for an error of the archive, by its code. `not_found`: handle_not_found; `internal`:
/// the entry is damaged (warning ARCHIVE_READ_CORRUPT); any other: the archive is unavailable.
[[nodiscard]] model::Response archive_failure(const Error& error, std::string_view reference);

/// The same failure for an unknown handle, an expired one, and one of another principal, so that a
/// caller cannot tell which it is.
[[nodiscard]] model::Response handle_not_found(std::string_view handle);

}  // namespace enfold::retrieve
