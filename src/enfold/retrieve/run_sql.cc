// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/sql/sql.h"

namespace enfold::retrieve {

// A weak reference, so that only a program that links enfold::retrieve_sql needs SQLite. In other
// programs its address is null.
extern "C" [[gnu::weak]] const detail::SqlEngine enfold_sql_engine;

bool has_sql() { return &enfold_sql_engine != nullptr; }

Result<SqlResult> run_sql(std::string_view statement, std::span<const SqlSource> sources,
                          const SqlBounds& bounds, answer::Window window) {
  if (has_sql()) return enfold_sql_engine.run(statement, sources, bounds, window);
  return fail(ErrorCode::invalid_input, "this program has no SQL", "sql",
              "select with find, where, id, pointer, range or lines");
}

}  // namespace enfold::retrieve
