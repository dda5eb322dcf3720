// SPDX-License-Identifier: Apache-2.0
// Secrets in the columns of tables: CSV, Markdown, the output of databases.
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/forms.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/find/scanner.h"
#include "enfold/redact/replace/unescape.h"

#include <algorithm>

namespace enfold::redact::detail {
namespace {

constexpr std::size_t kLongestHeading = 2048;      // bytes
constexpr std::string_view kBar = "\xE2\x94\x82";  // a box-drawing bar

// Bytes [begin, end) of a cell, or of a line.
struct Cell {
  std::size_t begin;
  std::size_t end;
};

// The cell without the blanks and the quotes around its text, and without hidden characters in
// front, such as the byte order mark of a file.
Cell trimmed(std::string_view text, Cell cell) {
  while (const std::size_t hidden = cell.begin < cell.end ? hidden_length(text, cell.begin) : 0) {
    cell.begin += hidden;
  }
  while (cell.begin < cell.end && is(text[cell.begin], kBlank)) ++cell.begin;
  while (cell.end > cell.begin && is(text[cell.end - 1], kSpace)) --cell.end;
  if (cell.end - cell.begin >= 2 && is_quote(text[cell.begin]) &&
      text[cell.end - 1] == text[cell.begin]) {
    ++cell.begin;
    --cell.end;
  }
  return cell;
}

// The cells of a line. Separators inside double quotes belong to the cell.
std::vector<Cell> split(std::string_view text, Cell line, std::string_view separator) {
  std::vector<Cell> cells;
  std::size_t begin = line.begin;
  bool quoted = false;
  for (std::size_t i = line.begin; i <= line.end;) {
    if (i < line.end && text[i] == '"') quoted = !quoted;
    const bool ends =
        i == line.end || (!quoted && text.compare(i, separator.size(), separator) == 0);
    if (ends) cells.push_back(trimmed(text, {begin, i}));
    i += ends ? separator.size() : 1;
    if (ends) begin = i;
  }
  return cells;
}

Cell line_at(std::string_view text, std::size_t begin) {
  std::size_t end = std::min(text.find('\n', begin), text.size());
  if (end > begin && text[end - 1] == '\r') --end;
  return {begin, end};
}

// Where the next line begins; the size of the text if there is none.
std::size_t next_line(std::string_view text, const Cell& line) {
  return std::min(text.find('\n', line.end), text.size() - 1) + 1;
}

std::string_view separator_of(std::string_view line) {
  for (const std::string_view separator : {kBar, std::string_view("|"), std::string_view("\t"),
                                           std::string_view(";"), std::string_view(",")}) {
    if (line.find(separator) != std::string_view::npos) return separator;
  }
  return {};
}

// Whether the table is drawn with lines, as in Markdown; a rule follows the heading of such a
// table.
bool is_drawn(std::string_view separator) { return separator == "|" || separator == kBar; }

// `|---|:--:|`, `+----+----+`, `----+----`
bool is_rule(std::string_view line) {
  if (line.find("--") == std::string_view::npos &&
      line.find("\xE2\x94\x80") == std::string_view::npos) {
    return false;
  }
  return std::all_of(line.begin(), line.end(), [](char c) {
    return contains("-+|:= \t\r", c) || static_cast<unsigned char>(c) >= 0x80;
  });
}

// Whether the cells are column names. `drawn`: is_drawn, then almost any text may be a name.
bool is_heading(std::string_view text, const std::vector<Cell>& cells, bool drawn) {
  constexpr std::size_t kLongestName = 40;
  if (cells.size() < 2) return false;
  return std::all_of(cells.begin(), cells.end(), [&](const Cell& cell) {
    const std::string_view name = text.substr(cell.begin, cell.end - cell.begin);
    if (name.empty()) return drawn;
    if (name.size() > kLongestName || run_end(name, 0, kDigit) == name.size()) return false;
    return drawn || (run_end(name, 0, kName | kBlank) == name.size() &&
                     std::count(name.begin(), name.end(), ' ') <= 1);
  });
}

struct Column {
  std::size_t index;  // of the cell in each row
  SensitiveKey key;
  std::string_view name;
};

// The columns whose name is sensitive.
std::vector<Column> columns_of(std::string_view text, const std::vector<Cell>& cells,
                               const Policy& policy) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string_view name = text.substr(cells[i].begin, cells[i].end - cells[i].begin);
    if (const auto key = classify_visible_key(name, policy)) columns.push_back({i, *key, name});
  }
  return columns;
}

}  // namespace

void find_cells(std::string_view text, const NameInText& name, const Policy& policy,
                std::size_t& lines_done, std::vector<Secret>& found) {
  if (name.begin < lines_done) return;
  std::size_t begin = name.begin;
  while (begin > lines_done && name.begin - begin < kLongestHeading && text[begin - 1] != '\n')
    --begin;
  const Cell heading = line_at(text, begin);
  lines_done = heading.end;
  if ((begin > 0 && text[begin - 1] != '\n') || heading.end - begin > kLongestHeading) return;
  const std::string_view separator = separator_of(text.substr(begin, heading.end - begin));
  if (separator.empty()) return;
  const bool drawn = is_drawn(separator);
  const std::vector<Cell> cells = split(text, heading, separator);
  if (!is_heading(text, cells, drawn)) return;
  const std::vector<Column> columns = columns_of(text, cells, policy);
  Cell line = line_at(text, next_line(text, heading));
  if (drawn && !is_rule(text.substr(line.begin, line.end - line.begin))) return;
  if (drawn) line = line_at(text, next_line(text, line));
  for (; line.begin < line.end; line = line_at(text, next_line(text, line))) {
    if (drawn && is_rule(text.substr(line.begin, line.end - line.begin))) continue;
    const std::vector<Cell> row = split(text, line, separator);
    if (row.size() != cells.size()) break;
    for (const Column& column : columns) {
      const Cell cell = row[column.index];
      const std::string_view value = text.substr(cell.begin, cell.end - cell.begin);
      if (!is_secret_cell(column.key, column.name, value)) continue;
      found.push_back({cell.begin, cell.end, refined_label(column.key, value)});
    }
    lines_done = line.end;
  }
}

}  // namespace enfold::redact::detail
