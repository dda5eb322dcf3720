// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/tables/text_tables.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/query.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace enfold::retrieve {
namespace {

constexpr std::size_t kMostTablesInText = 16;
constexpr std::size_t kMostCells = 500;  // of one row
constexpr std::string_view kSpace = " \t\r";

struct Cell {
  std::string text;
  bool is_quoted = false;
};
using Cells = std::vector<Cell>;

void write_cell(json::Writer& writer, const Cell& cell) {
  if (cell.is_quoted) {
    writer.string(cell.text);
  } else if (cell.text.empty()) {
    writer.null();
  } else if (is_number_text(cell.text)) {  // the JSON grammar has no leading zeros
    writer.number(cell.text);
  } else {
    writer.string(cell.text);
  }
}

// Whether the cells can be names of columns: short, different, and not numbers, unlike a first line
// of prose.
bool is_header(const Cells& cells) {
  constexpr std::size_t longest_name = 60;
  constexpr std::ptrdiff_t most_words = 5;
  std::set<std::string_view> names;
  for (const Cell& cell : cells) {
    const std::string_view name = cell.text;
    if (name.empty() || name.size() > longest_name || is_number_text(name)) return false;
    if (std::count(name.begin(), name.end(), ' ') >= most_words) return false;
    if (name.find_first_of("{}[]") != std::string_view::npos) return false;
    if (!names.insert(name).second) return false;
  }
  return cells.size() >= 2 && cells.size() <= kMostCells;
}

/// Writes rows as a list of objects.
class RecordWriter {
 public:
  explicit RecordWriter(Cells header) : header_(std::move(header)) { writer_.begin_array(); }

  void add(const Cells& cells) {
    writer_.begin_object();
    for (std::size_t i = 0; i < std::min(cells.size(), header_.size()); ++i) {
      writer_.key(header_[i].text);
      write_cell(writer_, cells[i]);
    }
    writer_.end_object();
    ++count_;
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] json::Value finish() && {
    writer_.end_array();
    return std::move(writer_).finish_value();
  }

 private:
  Cells header_;
  json::Writer writer_;
  std::size_t count_ = 0;
};

/// Reads one record of separated values at `at` (RFC 4180: quoted cells may hold line ends) and
/// advances behind its line end.
Cells read_separated(std::string_view text, std::size_t& at, char separator) {
  Cells cells;
  Cell cell;
  bool in_quotes = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_quotes) {
      if (c != '"') {
        cell.text += c;
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        cell.text += text[++at];
      } else {
        in_quotes = false;
      }
    } else if (c == '"' && cell.text.empty()) {
      in_quotes = cell.is_quoted = true;
    } else if (c == separator) {
      cells.push_back(std::exchange(cell, {}));
    } else if (c == '\n') {
      ++at;
      break;
    } else {
      cell.text += c;
    }
  }
  cells.push_back(std::move(cell));
  for (Cell& each : cells) {
    if (!each.is_quoted) each.text = std::string(trimmed(each.text, kSpace));
  }
  return cells;
}

bool is_blank(const Cells& cells) { return cells.size() == 1 && cells.front().text.empty(); }

// The table in a text that is a header and at least one record, all of the same number of cells, to
// its end; nullopt: the text is something else.
std::optional<json::Value> separated_values(std::string_view text, char separator) {
  std::size_t at = 0;
  Cells header = read_separated(text, at, separator);
  if (!is_header(header)) return std::nullopt;
  const std::size_t width = header.size();
  RecordWriter records(std::move(header));
  while (at < text.size()) {
    const Cells cells = read_separated(text, at, separator);
    if (is_blank(cells)) continue;
    if (cells.size() != width) return std::nullopt;
    records.add(cells);
  }
  // Two lines of prose with a comma each look the same as two columns with one record.
  const bool is_certain = width > 2 || separator == '\t' || records.count() > 1;
  if (records.count() == 0 || !is_certain) return std::nullopt;
  return std::move(records).finish();
}

/// The cells of "| a | b |" or "a | b"; "\|" is a '|' inside a cell.
Cells read_barred(std::string_view line) {
  line = trimmed(line, kSpace);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|') && !line.ends_with("\\|")) line.remove_suffix(1);
  Cells cells;
  std::string text;
  const auto finish = [&] {
    cells.push_back({std::string(trimmed(text, kSpace))});
    text.clear();
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      text += line[++i];
    } else if (line[i] == '|') {
      finish();
    } else {
      text += line[i];
    }
  }
  finish();
  return cells;
}

// The line under the header: dashes, and '|', '+' or ':' between them.
bool is_rule(std::string_view line) {
  line = trimmed(line, kSpace);
  return line.find("--") != std::string_view::npos &&
         line.find_first_of("|+") != std::string_view::npos &&
         line.find_first_not_of("-|+: ") == std::string_view::npos;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<json::Value> barred_tables(std::string_view text) {
  std::vector<json::Value> tables;
  if (text.find("--") == std::string_view::npos) return tables;
  const std::vector<std::string_view> lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size() && tables.size() < kMostTablesInText; ++i) {
    if (!is_rule(lines[i]) || lines[i - 1].find('|') == std::string_view::npos) continue;
    Cells header = read_barred(lines[i - 1]);
    const std::size_t width = header.size();
    if (!is_header(header)) continue;
    RecordWriter records(std::move(header));
    for (++i; i < lines.size() && lines[i].find('|') != std::string_view::npos; ++i) {
      if (is_rule(lines[i])) continue;
      Cells cells = read_barred(lines[i]);
      cells.resize(width);
      records.add(cells);
    }
    if (records.count() != 0) tables.push_back(std::move(records).finish());
  }
  return tables;
}

}  // namespace

std::vector<json::Value> tables_in_text(std::string_view text) {
  text = trimmed(text, " \r\n");
  std::vector<json::Value> tables = barred_tables(text);
  if (!tables.empty()) return tables;
  for (const char separator : {'\t', ',', ';'}) {
    if (auto table = separated_values(text, separator)) return {std::move(*table)};
  }
  return {};
}

}  // namespace enfold::retrieve
