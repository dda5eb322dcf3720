// SPDX-License-Identifier: Apache-2.0
// A SQLite virtual table over the rows of an answer. Values are read from the answer's bytes when a
// statement asks for them; nothing is copied.
#pragma once

#include "enfold/retrieve/sql/sql.h"

#include <memory>
#include <vector>

struct sqlite3;

namespace enfold::retrieve::detail {

/// A table and its rows, which are collected when a statement first uses the table.
class TableRows {
 public:
  TableRows(const Tables& tables, std::size_t index) : tables_(tables), index_(index) {}
  [[nodiscard]] const Table& table() const { return tables_.tables[index_]; }
  /// The first call collects the rows.
  [[nodiscard]] const Rows& rows();

 private:
  const Tables& tables_;
  std::size_t index_;
  std::unique_ptr<Rows> rows_;  ///< nullptr: not collected yet
};

using TableList = std::vector<std::unique_ptr<TableRows>>;

/// Registers the module `enfold`; false: SQLite refused it. Then `create virtual table NAME using
/// enfold(INDEX)` makes a table of `tables[INDEX]`; entries may be added later. `tables` must
/// outlive the statements.
[[nodiscard]] bool register_tables(sqlite3* database, TableList& tables);

}  // namespace enfold::retrieve::detail
