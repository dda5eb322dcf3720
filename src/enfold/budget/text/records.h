// SPDX-License-Identifier: Apache-2.0
// Rows of cells, written as a list of objects.
#pragma once

#include "enfold/budget/text/form.h"
#include "enfold/json/write.h"

namespace enfold::budget::text {

struct Cell {
  std::string_view text;
  bool is_quoted = false;  ///< it was written in quotes, so it is a string
};
using Cells = std::vector<Cell>;

/// Whether the cells can be names of columns: short, different, and no numbers. A first line of
/// prose has no such cells.
[[nodiscard]] bool is_header(const Cells& cells);

/// Writes rows of cells as a list of objects. A cell without quotes that is a JSON number becomes a
/// number (007 is none, and becomes a string); an empty cell without quotes becomes null.
class RecordWriter {
 public:
  /// `name`: of the table.
  RecordWriter(const Cells& header, GroupedDigits grouped, std::string name = {});

  /// Adds a record that begins at this line. Cells beyond the header are left out. False: the table
  /// is too large.
  [[nodiscard]] bool add(const Cells& cells, std::size_t line);
  /// Reserves memory: all records will need about `times` as much as those added so far.
  void reserve(double times);
  [[nodiscard]] std::size_t count() const { return table_.lines.size(); }  ///< of records
  [[nodiscard]] std::size_t width() const { return columns_.size(); }      ///< number of columns
  /// Notes a line that is no record (TextTable::broken).
  void add_broken(std::size_t line) { table_.broken.push_back(static_cast<std::uint32_t>(line)); }
  [[nodiscard]] TextTable finish() &&;

 private:
  struct Column {
    std::string key;     ///< as a record has it: '{' or ',', the name in quotes, ':'
    char separator = 0;  ///< of thousands, in the grouped numbers so far; 0: there are none
    /// A number shows that `separator` is no decimal comma: 1,284,990 or 1,284.5, but not 1,284.
    bool is_separator_certain = false;
    /// A value is neither a number nor a gap. Then grouped numbers and gaps stay strings.
    bool has_text = false;
    bool has_number = false;  ///< a value is a JSON number
    /// Grouped numbers, written as strings so far: offset in `json_`, bytes with quotes.
    std::vector<std::pair<std::size_t, std::size_t>> grouped_numbers{};
    std::vector<std::pair<std::size_t, std::size_t>> gaps{};  ///< the same for gaps: "n/a", "–"
  };
  void write_text(Column& column, std::string_view text);

  std::vector<Column> columns_;
  std::string json_;
  TextTable table_;
};

}  // namespace enfold::budget::text
