// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/records.h"

#include "enfold/budget/text/lines.h"
#include "enfold/budget/text/stamp.h"
#include "enfold/json/number.h"

#include <array>
#include <set>

namespace enfold::budget::text {
namespace {

using json::is_number_text;

constexpr std::size_t kMostCells = 500;  // of one row
// Names of columns are repeated in every record: a table that would grow beyond this is not read.
constexpr std::size_t kMostRecordBytes = std::size_t{256} << 20;

/// A number with separators between groups of three digits: 1,284,990.00.
struct GroupedNumber {
  char separator = 0;
  bool is_certain = false;  ///< "1,234" alone may also have a decimal comma
};

std::optional<GroupedNumber> grouped_number(std::string_view text) {
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
  if (text.empty()) return GroupedNumber{separator, groups > 1};
  const bool fraction = text.size() > 1 && text[0] == '.' &&
                        std::ranges::all_of(text.substr(1), [](char c) { return is_digit(c); });
  return fraction ? std::optional(GroupedNumber{separator, true}) : std::nullopt;
}

// Whether the text is one that people write into a column of numbers where a number is missing.
bool is_gap(std::string_view text) {
  static constexpr std::string_view gaps[] = {"-", "–", "—", "n/a", "N/A", "NA", "na", "?", "NaN"};
  return std::ranges::find(gaps, text) != std::end(gaps);
}

enum : std::uint8_t { kEscaped = 1, kNotAscii = 2 };

constexpr std::array<std::uint8_t, 256> string_bytes() {
  std::array<std::uint8_t, 256> of{};
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (i < 0x20 || i == '"' || i == '\\') of[i] = kEscaped;
    if (i >= 0x80) of[i] = kNotAscii;
  }
  return of;
}
constexpr std::array<std::uint8_t, 256> kStringBytes = string_bytes();

// Whether a JSON string may hold the text as it is.
bool is_plain(std::string_view text) {
  unsigned found = 0;
  for (const char c : text) found |= kStringBytes[static_cast<unsigned char>(c)];
  return found == 0 || (found == kNotAscii && !utf8::first_invalid(text));
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

RecordWriter::RecordWriter(const Cells& header, GroupedDigits grouped, std::string name) {
  table_.name = std::move(name);
  for (const Cell& cell : header) {
    columns_.push_back({(columns_.empty() ? "{" : ",") + json::quote(cell.text) + ":"});
    columns_.back().has_text = grouped == GroupedDigits::texts;
  }
}

void RecordWriter::write_text(Column& column, std::string_view text) {
  const std::size_t begin = json_.size();
  if (is_plain(text)) {
    json_.resize(begin + text.size() + 2, '"');
    std::ranges::copy(text, json_.begin() + static_cast<std::ptrdiff_t>(begin) + 1);
  } else {
    json_ += json::quote(text);
  }
  if (column.has_text) return;
  if (is_gap(text)) {
    while (json_.size() < begin + 4) json_ += ' ';  // room for null
    column.gaps.emplace_back(begin, json_.size() - begin);
    return;
  }
  const auto number = grouped_number(text);
  const bool is_alike = number && (column.separator == 0 || column.separator == number->separator);
  column.has_text = !is_alike;
  if (!is_alike) return;
  column.separator = number->separator;
  column.is_separator_certain = column.is_separator_certain || number->is_certain;
  column.grouped_numbers.emplace_back(begin, text.size() + 2);
}

bool RecordWriter::add(const Cells& cells, std::size_t line) {
  json_ += count() == 0 ? '[' : ',';
  for (std::size_t i = 0; i < std::min(cells.size(), columns_.size()); ++i) {
    const Cell& cell = cells[i];
    json_ += columns_[i].key;
    if (cell.text.empty() && !cell.is_quoted) {
      json_ += "null";
    } else if (!cell.is_quoted && is_number_text(cell.text)) {  // JSON has no leading zeros
      json_ += cell.text;
      columns_[i].has_number = true;
    } else {
      write_text(columns_[i], cell.text);
    }
  }
  json_ += '}';
  table_.lines.push_back(static_cast<std::uint32_t>(line));
  return json_.size() <= kMostRecordBytes;
}

void RecordWriter::reserve(double times) {
  constexpr auto most = static_cast<double>(kMostRecordBytes);
  const double bytes = static_cast<double>(json_.size()) * times;
  json_.reserve(static_cast<std::size_t>(std::min(bytes, most)));
}

TextTable RecordWriter::finish() && {
  json_ += ']';
  for (const Column& column : columns_) {
    if (column.has_text || (!column.grouped_numbers.empty() && !column.is_separator_certain))
      continue;
    if (!column.has_number && column.grouped_numbers.empty()) continue;
    for (const auto& [begin, bytes] : column.gaps) {
      json_.replace(begin, bytes, "null" + std::string(bytes - 4, ' '));
    }
    // The numbers lose their quotes and separators; blanks fill the bytes that become free.
    for (const auto& [begin, bytes] : column.grouped_numbers) {
      std::size_t to = begin;
      for (std::size_t at = begin + 1; at + 1 < begin + bytes; ++at) {
        if (json_[at] != column.separator) json_[to++] = json_[at];
      }
      std::fill(json_.begin() + static_cast<std::ptrdiff_t>(to),
                json_.begin() + static_cast<std::ptrdiff_t>(begin + bytes), ' ');
    }
  }
  const Limits limits{
      .max_bytes = 2 * kMostRecordBytes, .max_elements = 1U << 30, .max_containers = 1U << 30};
  table_.records = json::parse(json_, limits).value().value();
  return std::move(table_);
}

}  // namespace enfold::budget::text
