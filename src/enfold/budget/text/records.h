// SPDX-License-Identifier: Apache-2.0
// Rows of cells, written as a list of objects.
#pragma once

#include "enfold/budget/text/form.h"
#include "enfold/json/write.h"

namespace enfold::budget::text {

struct Cell {
  std::string_view text;
  bool is_quoted = false;
};
using Cells = std::vector<Cell>;

/// Whether the cells can be names of columns: short, different, and not numbers, unlike a first
/// line of prose.
[[nodiscard]] bool is_header(const Cells& cells);

/// A cell without quotes that is a JSON number is a number (007 is none, and stays a text); an
/// empty one is null.
class RecordWriter {
 public:
  /// `name`: of the table.
  explicit RecordWriter(const Cells& header, std::string name = {});

  /// Cells beyond the header are left out. False: the table is too large.
  [[nodiscard]] bool add(const Cells& cells, std::size_t line);
  [[nodiscard]] std::size_t count() const { return table_.lines.size(); }
  [[nodiscard]] std::size_t width() const { return columns_.size(); }
  void add_broken(std::size_t line) { table_.broken.push_back(static_cast<std::uint32_t>(line)); }
  [[nodiscard]] TextTable finish() &&;

 private:
  /// Whether all texts of a column are numbers with separators of thousands: 1,284,990.00.
  struct Column {
    json::View key;
    char separator = 0;    ///< of thousands; 0: none yet
    bool certain = false;  ///< a value has two separators, or a decimal point behind one
    bool other = false;    ///< a text is something else
  };
  void write_cell(Column& column, const Cell& cell);

  json::Value header_;
  std::vector<Column> columns_;
  json::Writer writer_;
  TextTable table_;
  std::size_t header_bytes_ = 0;
  std::size_t bytes_ = 0;
};

/// Writes the columns of TextTable::grouped as numbers without separators.
void read_grouped_numbers(TextTable& table);

}  // namespace enfold::budget::text
