// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/records.h"

#include "enfold/budget/text/lines.h"
#include "enfold/budget/text/stamp.h"
#include "enfold/json/number.h"

#include <set>

namespace enfold::budget::text {
namespace {

using json::is_number_text;

constexpr std::size_t kMostCells = 500;  // of one row
// Names of columns are repeated in every record: a table that would grow beyond this is not read.
constexpr std::size_t kMostRecordBytes = std::size_t{256} << 20;

/// A number with separators between groups of three digits: 1,284,990.00.
struct Grouped {
  char separator = 0;
  bool certain = false;  ///< "1,234" alone may also have a decimal comma
};

std::optional<Grouped> grouped_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits == 0 || digits > 3 || digits == text.size()) return std::nullopt;
  const char separator = text[digits];
  if ((separator != ',' && separator != '\'') || text[0] == '0') return std::nullopt;
  std::size_t groups = 0;
  text.remove_prefix(digits);
  while (text.starts_with(separator)) {
    if (text.size() < 4 || !std::ranges::all_of(text.substr(1, 3), is_digit)) return std::nullopt;
    text.remove_prefix(4);
    ++groups;
  }
  if (text.empty()) return Grouped{separator, groups > 1};
  const bool fraction = text.size() > 1 && text[0] == '.' &&
                        std::ranges::all_of(text.substr(1), [](char c) { return is_digit(c); });
  return fraction ? std::optional(Grouped{separator, true}) : std::nullopt;
}

}  // namespace

bool is_header(const Cells& cells) {
  constexpr std::size_t longest_name = 60;
  constexpr std::ptrdiff_t most_words = 5;
  std::set<std::string_view> names;
  for (const Cell& cell : cells) {
    const std::string_view name = cell.text;
    if (name.empty() || name.size() > longest_name || is_number_text(name)) return false;
    if (std::count(name.begin(), name.end(), ' ') >= most_words) return false;
    if (name.ends_with('.') || name.ends_with('!') || name.ends_with('?')) return false;
    if (name.find_first_of("{}[]<>;") != std::string_view::npos || find_stamp(name)) return false;
    if (!names.insert(name).second) return false;
  }
  return cells.size() >= 2 && cells.size() <= kMostCells;
}

RecordWriter::RecordWriter(const Cells& header, std::string name) {
  table_.name = std::move(name);
  json::Writer names;
  names.begin_array();
  for (const Cell& cell : header) {
    names.string(cell.text);
    header_bytes_ += cell.text.size() + 4;
  }
  header_ = std::move(names.end_array()).finish_value();
  for (const json::View key : header_->items()) columns_.push_back({key});
  writer_.begin_array();
}

void RecordWriter::write_cell(Column& column, const Cell& cell) {
  if (cell.text.empty() && !cell.is_quoted) {
    writer_.null();
  } else if (!cell.is_quoted && is_number_text(cell.text)) {  // JSON has no leading zeros
    writer_.number(cell.text);
  } else {
    writer_.string(cell.text);
    if (column.other) return;
    const auto grouped = grouped_number(cell.text);
    const bool alike = grouped && (column.separator == 0 || column.separator == grouped->separator);
    column.other = !alike;
    if (!alike) return;
    column.separator = grouped->separator;
    column.certain = column.certain || grouped->certain;
  }
}

bool RecordWriter::add(const Cells& cells, std::size_t line) {
  bytes_ += header_bytes_;
  writer_.begin_object();
  for (std::size_t i = 0; i < std::min(cells.size(), columns_.size()); ++i) {
    writer_.key(columns_[i].key);
    write_cell(columns_[i], cells[i]);
    bytes_ += cells[i].text.size();
  }
  writer_.end_object();
  table_.lines.push_back(static_cast<std::uint32_t>(line));
  return bytes_ <= kMostRecordBytes;
}

TextTable RecordWriter::finish() && {
  for (std::uint32_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].certain && !columns_[i].other) table_.grouped.push_back(i);
  }
  table_.records = std::move(writer_.end_array()).finish_value();
  return std::move(table_);
}

void read_grouped_numbers(TextTable& table) {
  if (table.grouped.empty()) return;
  json::Writer writer;
  writer.begin_array();
  for (const json::View record : table.records->items()) {
    writer.begin_object();
    std::uint32_t column = 0;
    for (const json::Member& member : record.members()) {
      writer.key(member.key);
      if (member.value.is_string() && std::ranges::binary_search(table.grouped, column)) {
        std::string digits = member.value.string();
        std::erase_if(digits, [](char c) { return c == ',' || c == '\''; });
        writer.number(digits);
      } else {
        writer.value(member.value);
      }
      ++column;
    }
    writer.end_object();
  }
  table.records = std::move(writer.end_array()).finish_value();
  table.grouped.clear();
}

}  // namespace enfold::budget::text
