// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/tables.h"

#include "enfold/budget/text/forms/headings.h"
#include "enfold/budget/text/lines.h"
#include "enfold/budget/text/records.h"

#include <deque>

namespace enfold::budget::text {
namespace {

constexpr std::size_t kMostTablesInText = 16;
constexpr std::size_t kMostBroken = 1'000;  // lines of a text of records
constexpr std::size_t kMostOpenQuotes = 8;  // records whose quoted cell has no end
constexpr std::size_t kFirstRecords = 64;   // from which the size of the others is estimated

/// Reads records of separated values (RFC 4180: quoted cells may hold line ends).
class SeparatedReader {
 public:
  SeparatedReader(std::string_view text, char separator) : text_(text), separator_(separator) {}

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t line() const { return line_; }  ///< of the next record
  /// How much of the text was read.
  [[nodiscard]] double share() const {
    return static_cast<double>(at_) / static_cast<double>(text_.size());
  }

  /// The next record; valid until the next call. nullptr: a quoted cell has no end, or more text
  /// after it; the next record then begins on the next line.
  const Cells* next() {
    const std::size_t begin = at_;
    const std::size_t line = line_;
    cells_.clear();
    unescaped_.clear();
    for (bool more = true; more;) {
      if (at_ < text_.size() && text_[at_] == '"') {
        if (!read_quoted()) {
          at_ = std::min(text_.find('\n', begin), text_.size()) + 1;
          line_ = line + 1;
          return nullptr;
        }
      } else {
        const std::size_t end = end_of_cell();
        cells_.push_back({without_blanks(text_.substr(at_, end - at_))});
        at_ = end;
      }
      more = at_ < text_.size() && text_[at_] == separator_;
      ++at_;  // the separator or the line end
    }
    ++line_;
    return &cells_;
  }

 private:
  [[nodiscard]] std::size_t end_of_cell() const {
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != separator_ && text_[end] != '\n') ++end;
    return end;
  }

  // False: the cell has no end, or more text follows it.
  bool read_quoted() {
    const std::size_t begin = ++at_;
    bool escaped = false;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
        escaped = true;
      }
      line_ += text_[at_] == '\n' ? 1 : 0;
    }
    if (at_ >= text_.size()) return false;
    std::string_view inside = text_.substr(begin, at_ - begin);
    if (escaped) inside = unescaped_.emplace_back(without_double_quotes(inside));
    cells_.push_back({inside, true});
    ++at_;
    const std::size_t end = end_of_cell();
    const bool clean = is_blank(text_.substr(at_, end - at_));
    at_ = end;
    return clean;
  }

  static std::string without_double_quotes(std::string_view inside) {
    std::string text;
    for (std::size_t i = 0; i < inside.size(); ++i) {
      text += inside[i];
      if (inside[i] == '"') ++i;
    }
    return text;
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  Cells cells_;
  std::deque<std::string> unescaped_;  ///< of cells that hold quotes
};

// Whether the record is an empty line.
bool is_empty(const Cells& cells) { return cells.size() == 1 && cells.front().text.empty(); }

/// The cells of "| a | b |" or "a | b"; "\\|" is a '|' inside a cell.
class BarredReader {
 public:
  /// Valid until the next call.
  const Cells& read(std::string_view line) {
    line = trimmed(line, kBlank);
    if (line.starts_with('|')) line.remove_prefix(1);
    if (line.ends_with('|') && !line.ends_with("\\|")) line.remove_suffix(1);
    cells_.clear();
    unescaped_.clear();
    std::size_t begin = 0;
    bool escaped = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      if (i < line.size() && line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
        escaped = true;
        ++i;
      } else if (i == line.size() || line[i] == '|') {
        std::string_view cell = trimmed(line.substr(begin, i - begin), kBlank);
        if (escaped) cell = unescaped_.emplace_back(without_backslashes(cell));
        cells_.push_back({cell});
        begin = i + 1;
        escaped = false;
      }
    }
    return cells_;
  }

 private:
  static std::string without_backslashes(std::string_view cell) {
    std::string text(cell);
    for (std::size_t at = text.find("\\|"); at != std::string::npos;
         at = text.find("\\|", at + 1)) {
      text.erase(at, 1);
    }
    return text;
  }

  Cells cells_;
  std::deque<std::string> unescaped_;  ///< of cells that hold '|'
};

// Whether it is the line under the header: dashes, and '|', '+' or ':' between them.
bool is_rule(std::string_view line) {
  line = trimmed(line, kBlank);
  return line.find("--") != std::string_view::npos &&
         line.find_first_of("|+") != std::string_view::npos &&
         line.find_first_not_of("-|+: ") == std::string_view::npos;
}

// A text of records may have a few broken lines; a text with more of them is something else.
bool are_few(std::size_t broken, std::size_t records) {
  return broken == 0 || (records >= 20 && broken * 20 <= records);
}
bool are_few(std::size_t broken, const RecordWriter& records) {
  return are_few(broken, records.count()) && (broken == 0 || records.width() > 2);
}
// The same while reading: with later records, the lines that are broken so far may turn out few.
bool may_become_few(std::size_t broken, std::size_t records) { return broken <= 2 + records / 20; }

// A table of lines that each hold an object; nullopt: one of the lines does not.
std::optional<TextTable> read_objects(const std::vector<Line>& objects) {
  TextTable table;
  json::Buffer joined;
  std::size_t bytes = 2;
  for (const Line& object : objects) bytes += object.text.size() + 1;
  static_cast<void>(joined.room(bytes));
  std::vector<std::size_t> offsets;  // of the objects in `joined`
  offsets.reserve(objects.size());
  table.lines.reserve(objects.size());
  std::string_view separator = "[";
  for (const Line& object : objects) {
    joined.put(separator);
    separator = ",";
    offsets.push_back(joined.size());
    joined.put(object.text);
    table.lines.push_back(static_cast<std::uint32_t>(object.number));
  }
  joined.put("]");
  joined.pad();
  auto document = json::parse(std::move(joined));
  if (!document || document->root().size() != offsets.size()) return std::nullopt;
  // Two lines that are one object with the comma between them have another offset.
  std::size_t index = 0;
  for (const json::View item : document->root().items()) {
    if (!item.is_object() || item.offset() != offsets[index++]) return std::nullopt;
  }
  table.records = document->value();
  return table;
}

}  // namespace

std::optional<TextTable> separated_values(std::string_view text, char separator,
                                          GroupedDigits grouped) {
  if (text.find(separator) == std::string_view::npos) return std::nullopt;
  SeparatedReader reader(text, separator);
  const Cells* cells = reader.next();
  while (cells != nullptr && is_empty(*cells) && !reader.done()) cells = reader.next();
  if (cells == nullptr || !is_header(*cells)) return std::nullopt;
  RecordWriter records(*cells, grouped);
  std::size_t broken = 0;
  std::size_t open_quotes = 0;
  while (!reader.done()) {
    const std::size_t line = reader.line();
    cells = reader.next();
    if (cells != nullptr && is_empty(*cells)) continue;
    if (cells == nullptr || cells->size() != records.width()) {
      open_quotes += cells == nullptr ? 1 : 0;
      records.add_broken(line);
      if (!may_become_few(++broken, records.count()) || open_quotes > kMostOpenQuotes) break;
    } else if (!records.add(*cells, line)) {
      return std::nullopt;
    } else if (records.count() == kFirstRecords) {
      // Growing a large text step by step would copy it several times.
      constexpr double margin = 1.1;
      records.reserve(margin / reader.share());
    }
  }
  // Two lines of prose with a comma each look the same as two columns with one record.
  const bool is_certain = records.width() > 2 || separator == '\t' || records.count() > 1;
  if (records.count() == 0 || !is_certain || !are_few(broken, records)) return std::nullopt;
  return std::move(records).finish();
}

std::optional<TextTable> json_lines(std::string_view text) {
  if (!text.starts_with('{') && !trimmed(text, " \t\r\n").starts_with('{')) return std::nullopt;
  std::vector<Line> objects;
  std::vector<std::uint32_t> broken;
  each_line(text, [&](const Line& line) {
    const std::string_view object = trimmed(line.text, kBlank);
    if (object.empty() || broken.size() > kMostBroken) return;
    if (object.front() == '{' && object.back() == '}') {
      objects.push_back({line.number, object});
    } else {
      broken.push_back(static_cast<std::uint32_t>(line.number));
    }
  });
  const auto is_good = [&] {
    return objects.size() > 1 && broken.size() <= kMostBroken &&
           are_few(broken.size(), objects.size());
  };
  if (!is_good()) return std::nullopt;
  if (auto table = read_objects(objects)) {
    table->broken = std::move(broken);
    return table;
  }
  std::erase_if(objects, [&](const Line& line) {
    if (broken.size() > kMostBroken || json::parse(line.text)) return false;
    broken.push_back(static_cast<std::uint32_t>(line.number));
    return true;
  });
  if (!is_good()) return std::nullopt;
  auto table = read_objects(objects);
  std::ranges::sort(broken);
  if (table) table->broken = std::move(broken);
  return table;
}

BarredTables barred_tables(std::string_view text, GroupedDigits grouped) {
  BarredTables found;
  if (text.find('|') == std::string_view::npos || text.find("--") == std::string_view::npos) {
    return found;
  }
  std::optional<RecordWriter> records;
  BarredReader reader;
  std::size_t table_lines = 0;
  std::string_view before;
  std::string_view heading;
  HeadingReader headings(text);
  const auto finish = [&] {
    if (records && records->count() != 0) {
      found.tables.push_back(std::move(*records).finish());
      found.lines += table_lines;
    }
    records.reset();
  };
  each_line(text, [&](const Line& line) {
    const auto found_heading = headings.read(line);
    const bool barred = line.text.find('|') != std::string_view::npos;
    const bool rule = is_rule(line.text);
    if (records && (barred || rule)) {
      ++table_lines;
      if (rule) return;
      Cells cells = reader.read(line.text);
      cells.resize(records->width());
      if (!records->add(cells, line.number)) records.reset();
      return;
    }
    finish();
    if (rule && before.find('|') != std::string_view::npos &&
        found.tables.size() < kMostTablesInText) {
      const Cells& header = reader.read(before);
      if (is_header(header)) {
        records.emplace(header, grouped, std::string(heading));
        table_lines = 2;
      }
    }
    const std::string_view whole = without_blanks(line.text);
    const bool bold = headings.is_text() && whole.starts_with("**") && whole.ends_with("**");
    if (found_heading || bold) {
      heading = trimmed(found_heading ? found_heading->line.text : whole, "#* \t\r");
    }
    before = line.text;
  });
  finish();
  return found;
}

}  // namespace enfold::budget::text
