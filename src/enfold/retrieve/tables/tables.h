// SPDX-License-Identifier: Apache-2.0
// The tables of an answer, as SQL names them: each list of records under its last name, nested
// lists with their parent, maps with their keys, tables inside texts, lines of texts, and `doc`.
// docs/reference/sql.md has the rules.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/json/document.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// What a column holds. A `mixed` column is declared to SQLite without a type.
enum class ColumnType : std::uint8_t { mixed, integer, real, text, json };
/// The type as describe_tables writes it: "integer"; "any" for `mixed`.
[[nodiscard]] std::string_view name(ColumnType type);

struct Column {
  /// Where its value comes from.
  enum class Source : std::uint8_t {
    path,      ///< the value at `path` in the record; an empty path is the record itself
    cell,      ///< item `cell` of a record that is a list
    position,  ///< `_i`: row number from 0
    line,      ///< `n`: line number from 1
    key,       ///< `_key`: name of the record in its map
    parent,    ///< `_parent`: `_i` of the row that holds the list
    pointer,   ///< `_at`: Rows::pointer
    record,    ///< `_json`: the record as JSON
  };
  std::string name;
  Source source = Source::path;
  std::vector<std::string> path;  ///< used by Source::path
  std::size_t cell = 0;           ///< used by Source::cell
  ColumnType type = ColumnType::mixed;
  bool is_hidden = false;  ///< not part of `select *`
};

struct Table {
  /// What the rows are: items of a list, members of a map, lines of a text, or one row for the
  /// whole document.
  enum class Form : std::uint8_t { items, members, lines, document };
  std::string name;
  std::vector<std::string> other_names;  ///< in lower case
  Form form = Form::items;
  json::Value root;                   ///< the document that holds the list
  std::string pointer;                ///< of `root` in the answer, or of the text that holds it
  bool is_in_text = false;            ///< `root` was read from a text, whose pointer all rows have
  std::optional<std::size_t> parent;  ///< table whose records hold this list; nullopt: none
  std::vector<std::string> path;      ///< from the root or the record of `parent` to the list
  std::size_t count = 0;              ///< rows
  std::vector<Column> columns;
};

inline constexpr std::size_t kMostTables = 200;   ///< of an answer, without `doc`
inline constexpr std::size_t kMostColumns = 500;  ///< of a table, without those that Enfold adds

struct Tables {
  std::vector<Table> tables;
  std::size_t left_out = 0;  ///< tables beyond `kMostTables`

  /// The index of a table, ignoring case, by any of its names; a nested list is also found by any
  /// name of its parent followed by its whole path: items_status_conditions. nullopt: there is no
  /// such table.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
};

/// Whether SQLite or one of its extensions may have a table of this name, which no statement may
/// read. The table of a list with such a name gets "_" before it.
[[nodiscard]] bool is_sqlite_table(std::string_view name);

/// The tables of an answer. `payload`: the data of the answer, or one text; `limits`: for JSON
/// inside texts; `pointer`: the place of the payload in the answer.
[[nodiscard]] Tables tables_of(const json::Value& payload, const Limits& limits = {},
                               const std::string& pointer = {});

/// The rows of one table, in document order.
class Rows {
 public:
  /// `table`: an index in `tables`, which must outlive this object.
  Rows(const Tables& tables, std::size_t table);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] json::View value(std::size_t row) const;
  /// The name of the record in its map; nullopt: the row is no member of a map.
  [[nodiscard]] std::optional<std::string> key(std::size_t row) const;
  /// The number of the row of the parent table that holds this row's list.
  [[nodiscard]] std::size_t parent(std::size_t row) const { return rows_[row].parent; }
  /// JSON Pointer into the answer; of a record inside a text, that of the text.
  [[nodiscard]] std::string pointer(std::size_t row) const;
  /// The rows with this parent, which are consecutive: the first one and the one after the last.
  [[nodiscard]] std::pair<std::size_t, std::size_t> with_parent(std::size_t parent) const;

 private:
  struct Row {
    std::uint32_t begin, end, container;  // a json::View without its document
    std::uint32_t parent;
    std::uint32_t position;  // in its own list
  };
  /// Adds the rows of one list. `parent`: the number of the row of the parent table, else 0.
  void add_list(json::View list, std::size_t parent);
  void add(json::View value, std::size_t position, std::size_t parent);

  const Table& table_;
  json::Value root_;               ///< the document of all rows; for a text, the list of its lines
  std::unique_ptr<Rows> parents_;  ///< rows of the parent table; nullptr: there is none
  std::vector<Row> rows_;
  /// By row: begin and end of the key in the document; {0, 0} or missing for rows that are no
  /// members of a map.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> keys_;
};

/// The value of a column of source `path` or `cell` in a record; null if there is none.
[[nodiscard]] json::View value_in(const Column& column, json::View record);

/// The tables with their rows, and each column with its type and up to two values.
[[nodiscard]] json::Value describe_tables(const Tables& tables);

}  // namespace enfold::retrieve
