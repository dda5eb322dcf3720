// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/rows_table.h"

#include "cli/terminal/terminal.h"
#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::cli {
namespace {

// The text of a string, the JSON of other values; empty for null.
std::string text_of(json::View value) {
  if (value.is_null()) return {};
  return value.is_string() ? value.string() : json::to_text(value);
}

struct Cell {
  std::string text;
  bool is_number = false;
};

Cell cell_of(json::View value) {
  constexpr std::size_t max_bytes = 60;
  std::string text = printable(text_of(value));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return {utf8::shortened(text, max_bytes), value.is_number()};
}

// A field of CSV, in quotes only if it needs them.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::string drawn_table(const std::vector<std::string>& columns, json::View rows) {
  std::vector<std::vector<Cell>> lines;
  std::vector<std::size_t> widths;
  for (const std::string& column : columns) widths.push_back(utf8::length(printable(column)));
  for (const json::View row : rows.items()) {
    std::vector<Cell>& line = lines.emplace_back();
    for (const json::Member& member : row.members()) {
      if (line.size() == widths.size()) break;  // a member that is no column
      std::size_t& width = widths[line.size()];
      line.push_back(cell_of(member.value));
      width = std::max(width, utf8::length(line.back().text));
    }
  }
  std::string out;
  const auto add_cell = [&](std::size_t i, const Cell& cell) {
    const std::string blanks(widths[i] - utf8::length(cell.text), ' ');
    if (i != 0) out += "  ";
    out += cell.is_number ? blanks + cell.text : cell.text;
    if (!cell.is_number && i + 1 < widths.size()) out += blanks;
  };
  for (std::size_t i = 0; i < columns.size(); ++i) add_cell(i, {printable(columns[i])});
  out += '\n';
  for (std::size_t i = 0; i < columns.size(); ++i) add_cell(i, {std::string(widths[i], '-')});
  out += '\n';
  for (const std::vector<Cell>& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) add_cell(i, line[i]);
    out += '\n';
  }
  return out + fmt::format("({})\n", counted(lines.size(), "row"));
}

std::string as_csv(const std::vector<std::string>& columns, json::View rows) {
  std::string out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    out += (i == 0 ? "" : ",") + csv_field(columns[i]);
  }
  out += "\r\n";
  for (const json::View row : rows.items()) {
    std::size_t position = 0;
    for (const json::Member& member : row.members()) {
      if (position == columns.size()) break;  // a member that is no column
      if (position++ != 0) out += ',';
      out += csv_field(text_of(member.value));
    }
    out += "\r\n";
  }
  return out;
}

}  // namespace enfold::cli
