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
  RecordWriter(const Cells& header, GroupedDigits grouped, std::string name = {});

  /// Cells beyond the header are left out. False: the table is too large.
  [[nodiscard]] bool add(const Cells& cells, std::size_t line);
  /// All records will need about `times` as much room as those that were added so far.
  void reserve(double times);
  [[nodiscard]] std::size_t count() const { return table_.lines.size(); }
  [[nodiscard]] std::size_t width() const { return columns_.size(); }
  void add_broken(std::size_t line) { table_.broken.push_back(static_cast<std::uint32_t>(line)); }
  [[nodiscard]] TextTable finish() &&;

 private:
  struct Column {
    std::string key;          ///< quoted, with the colon, and what comes before it in a record
    char separator = 0;       ///< of thousands; 0: none yet
    bool is_certain = false;  ///< a value has two separators, or a decimal point behind one
    bool has_text = false;    ///< a text that is neither such a number nor a gap
    bool has_number = false;
    std::vector<std::pair<std::size_t, std::size_t>> grouped{};  ///< texts: offset and bytes
    std::vector<std::pair<std::size_t, std::size_t>> gaps{};     ///< "n/a", "–": the same
  };
  void write_text(Column& column, std::string_view text);

  std::vector<Column> columns_;
  std::string json_;
  TextTable table_;
};

}  // namespace enfold::budget::text
