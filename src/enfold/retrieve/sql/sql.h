// SPDX-License-Identifier: Apache-2.0
// SELECT statements over the tables of archived answers, by SQLite in memory. The statement is
// untrusted: it can read nothing but these tables, and its time, memory and result are bounded.
#pragma once

#include "enfold/answer/stored/places.h"
#include "enfold/base/result.h"
#include "enfold/retrieve/tables/tables.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// What a statement may use.
struct SqlBounds {
  /// Called every few hundred steps, on the thread of the statement; true ends the statement. Not
  /// set: only the number of steps bounds the time.
  std::function<bool()> is_late;
  std::uint64_t most_steps = 2'000'000'000;         ///< instructions of SQLite's virtual machine
  std::size_t most_memory = std::size_t{48} << 20;  ///< bytes, without those of the answer
  std::size_t most_rows = 1'000'000;                ///< of the result
  std::int64_t now = 0;                             ///< what 'now' means: milliseconds since 1970
};

/// The tables of one answer. Statements write `name` before a table of the second answer:
/// `b.orders`. Tables of the first answer are written without a name.
struct SqlSource {
  std::string name;
  const Tables* tables = nullptr;
};

struct SqlResult {
  std::vector<std::string> columns;
  json::Value rows;       ///< list of objects: the rows inside the window
  std::size_t total = 0;  ///< rows of the result, including those outside the window
};

inline constexpr std::size_t kLongestStatement = 8'192;  ///< bytes

/// Whether this program links enfold::retrieve_sql, and with it SQLite.
[[nodiscard]] bool has_sql();

/// Runs a SELECT over the tables of `sources`. Fails with `invalid_input` without has_sql() and for
/// a wrong statement, and then names the tables or columns that there are; with `unauthorized` for
/// a statement that does more than SELECT; with `limit_exceeded` beyond the bounds.
[[nodiscard]] Result<SqlResult> run_sql(std::string_view statement,
                                        std::span<const SqlSource> sources,
                                        const SqlBounds& bounds = {}, answer::Window window = {});

namespace detail {
/// What enfold::retrieve_sql defines, as the symbol enfold_sql_engine.
struct SqlEngine {
  Result<SqlResult> (*run)(std::string_view statement, std::span<const SqlSource> sources,
                           const SqlBounds& bounds, answer::Window window);
};
}  // namespace detail

}  // namespace enfold::retrieve
