// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/tables.h"

#include "enfold/budget/text/lines.h"
#include "enfold/budget/text/stamp.h"
#include "enfold/json/number.h"
#include "enfold/json/write.h"

#include <set>

namespace enfold::budget::text {
namespace {

using json::is_number_text;

constexpr std::size_t kMostTablesInText = 16;
constexpr std::size_t kMostCells = 500;  // of one row
// Names of columns are repeated in every record: a table that would grow beyond this is not read.
constexpr std::size_t kMostRecordBytes = std::size_t{256} << 20;

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
    if (name.ends_with('.') || name.ends_with('!') || name.ends_with('?')) return false;
    if (name.find_first_of("{}[]<>;") != std::string_view::npos || find_stamp(name)) return false;
    if (!names.insert(name).second) return false;
  }
  return cells.size() >= 2 && cells.size() <= kMostCells;
}

/// Writes rows as a list of objects.
class RecordWriter {
 public:
  explicit RecordWriter(Cells header) : header_(std::move(header)) {
    writer_.begin_array();
    for (const Cell& cell : header_) header_bytes_ += cell.text.size() + 4;
  }

  /// False: the table is too large.
  [[nodiscard]] bool add(const Cells& cells, std::size_t line) {
    bytes_ += header_bytes_;
    writer_.begin_object();
    for (std::size_t i = 0; i < std::min(cells.size(), header_.size()); ++i) {
      writer_.key(header_[i].text);
      write_cell(writer_, cells[i]);
      bytes_ += cells[i].text.size();
    }
    writer_.end_object();
    lines_.push_back(static_cast<std::uint32_t>(line));
    return bytes_ <= kMostRecordBytes;
  }
  [[nodiscard]] std::size_t count() const { return lines_.size(); }
  [[nodiscard]] TextTable finish() && {
    writer_.end_array();
    return {std::move(writer_).finish_value(), std::move(lines_)};
  }

 private:
  Cells header_;
  json::Writer writer_;
  std::vector<std::uint32_t> lines_;
  std::size_t header_bytes_ = 0;
  std::size_t bytes_ = 0;
};

/// Reads records of separated values (RFC 4180: quoted cells may hold line ends).
class SeparatedReader {
 public:
  SeparatedReader(std::string_view text, char separator) : text_(text), separator_(separator) {}

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t line() const { return line_; }  ///< of the next record

  /// The next record; valid until the next call. nullptr: behind a quoted cell is more text.
  const Cells* next() {
    used_ = 0;
    for (bool more = true; more;) {
      Cell& cell = next_cell();
      if (at_ < text_.size() && text_[at_] == '"') {
        if (!read_quoted(cell)) return nullptr;
      } else {
        const std::size_t end = end_of_cell();
        cell.text = without_blanks(text_.substr(at_, end - at_));
        at_ = end;
      }
      more = at_ < text_.size() && text_[at_] == separator_;
      ++at_;  // the separator or the line end
    }
    ++line_;
    cells_.resize(used_);
    return &cells_;
  }

 private:
  Cell& next_cell() {
    if (used_ == cells_.size()) cells_.emplace_back();
    Cell& cell = cells_[used_++];
    cell.text.clear();
    cell.is_quoted = false;
    return cell;
  }

  [[nodiscard]] std::size_t end_of_cell() const {
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != separator_ && text_[end] != '\n') ++end;
    return end;
  }

  bool read_quoted(Cell& cell) {
    cell.is_quoted = true;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      }
      line_ += text_[at_] == '\n' ? 1 : 0;
      cell.text += text_[at_];
    }
    if (at_ >= text_.size()) return false;
    ++at_;
    const std::size_t end = end_of_cell();
    const bool clean = is_blank(text_.substr(at_, end - at_));
    at_ = end;
    return clean;
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  Cells cells_;
  std::size_t used_ = 0;
};

bool is_empty(const Cells& cells) { return cells.size() == 1 && cells.front().text.empty(); }

/// The cells of "| a | b |" or "a | b"; "\|" is a '|' inside a cell.
Cells read_barred(std::string_view line) {
  line = trimmed(line, kBlank);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|') && !line.ends_with("\\|")) line.remove_suffix(1);
  Cells cells;
  std::string text;
  const auto finish = [&] {
    cells.push_back({std::string(trimmed(text, kBlank))});
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
  line = trimmed(line, kBlank);
  return line.find("--") != std::string_view::npos &&
         line.find_first_of("|+") != std::string_view::npos &&
         line.find_first_not_of("-|+: ") == std::string_view::npos;
}

}  // namespace

std::optional<TextTable> separated_values(std::string_view text, char separator) {
  if (text.find(separator) == std::string_view::npos) return std::nullopt;
  SeparatedReader reader(text, separator);
  const Cells* cells = reader.next();
  while (cells != nullptr && is_empty(*cells) && !reader.done()) cells = reader.next();
  if (cells == nullptr || !is_header(*cells)) return std::nullopt;
  const std::size_t width = cells->size();
  RecordWriter records(*cells);
  while (!reader.done()) {
    const std::size_t line = reader.line();
    cells = reader.next();
    if (cells == nullptr) return std::nullopt;
    if (is_empty(*cells)) continue;
    if (cells->size() != width || !records.add(*cells, line)) return std::nullopt;
  }
  // Two lines of prose with a comma each look the same as two columns with one record.
  const bool is_certain = width > 2 || separator == '\t' || records.count() > 1;
  if (records.count() == 0 || !is_certain) return std::nullopt;
  return std::move(records).finish();
}

std::optional<TextTable> json_lines(std::string_view text) {
  TextTable table;
  std::string joined;
  joined.reserve(text.size() + 2);
  std::vector<std::size_t> begins;
  bool good = true;
  char separator = '[';
  each_line(text, [&](const Line& line) {
    const std::string_view object = trimmed(line.text, kBlank);
    if (object.empty() || !good) return;
    good = object.front() == '{' && object.back() == '}';
    joined += separator;
    separator = ',';
    begins.push_back(joined.size());
    joined += object;
    table.lines.push_back(static_cast<std::uint32_t>(line.number));
  });
  if (!good || begins.size() < 2) return std::nullopt;
  joined += ']';
  auto document = json::parse(joined);
  if (!document || document->root().size() != begins.size()) return std::nullopt;
  // An object that continues on the next line would be joined by the comma between them.
  std::size_t index = 0;
  for (const json::View item : document->root().items()) {
    if (!item.is_object() || item.offset() != begins[index++]) return std::nullopt;
  }
  table.records = document->value();
  return table;
}

BarredTables barred_tables(std::string_view text) {
  BarredTables found;
  if (text.find('|') == std::string_view::npos || text.find("--") == std::string_view::npos) {
    return found;
  }
  std::optional<RecordWriter> records;
  std::size_t width = 0;
  std::size_t table_lines = 0;
  std::string_view before;
  const auto finish = [&] {
    if (records && records->count() != 0) {
      found.tables.push_back(std::move(*records).finish());
      found.lines += table_lines;
    }
    records.reset();
  };
  each_line(text, [&](const Line& line) {
    const bool barred = line.text.find('|') != std::string_view::npos;
    const bool rule = is_rule(line.text);
    if (records && (barred || rule)) {
      ++table_lines;
      if (rule) return;
      Cells cells = read_barred(line.text);
      cells.resize(width);
      if (!records->add(cells, line.number)) records.reset();
      return;
    }
    finish();
    if (rule && before.find('|') != std::string_view::npos &&
        found.tables.size() < kMostTablesInText) {
      Cells header = read_barred(before);
      if (is_header(header)) {
        width = header.size();
        records.emplace(std::move(header));
        table_lines = 2;
      }
    }
    before = line.text;
  });
  finish();
  return found;
}

}  // namespace enfold::budget::text
