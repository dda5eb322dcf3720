// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/render/clip.h"
#include "enfold/budget/survey/outline.h"

#include <algorithm>
#include <unordered_set>

namespace enfold::budget::detail {
namespace {

constexpr std::size_t kHeadLines = 8;  // of a text whose facts and rows say more
constexpr std::size_t kHeadBytes = 1'200;
constexpr std::size_t kPrefixBytes = 48;  // of Base64
constexpr std::size_t kTailLines = 3;

// Bytes of the source, which is escaped, up to the end of the first lines.
std::size_t bytes_of_head(std::string_view source) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < kHeadLines; ++line) {
    const std::size_t feed = source.find("\\n", end);
    if (feed == std::string_view::npos || feed + 2 > kHeadBytes) break;
    end = feed + 2;
  }
  return end > 0 ? end : kHeadBytes;
}

// Rows of the last lines, and of records that are odd or hold rare values.
void add_record_rows(std::string_view decoded, std::size_t most, Text& text) {
  text::Digest& digest = text.digest;
  const std::vector<std::uint32_t>& lines = digest.table->lines;
  if (lines.empty()) return;
  std::vector<std::size_t> wanted;  // positions of records, by priority
  std::unordered_set<std::size_t> known;
  const auto want = [&](std::size_t position) {
    if (known.insert(position).second) wanted.push_back(position);
  };
  for (std::size_t i = 1; i <= std::min(kTailLines, lines.size()); ++i) want(lines.size() - i);
  for (const Place& place : exceptional_items(*text.records, most)) want(place.position);
  std::vector<std::uint32_t> numbers;
  for (const std::size_t position : wanted) numbers.push_back(lines[position]);
  std::ranges::sort(numbers);
  std::vector<std::pair<std::uint32_t, text::Row>> found;
  text::each_line(decoded, [&](const text::Line& line) {
    const auto number = static_cast<std::uint32_t>(line.number);
    if (std::ranges::binary_search(numbers, number)) found.emplace_back(number, row_of(line));
  });
  for (const std::size_t position : wanted) {
    const auto row = std::ranges::lower_bound(found, lines[position], {},
                                              [](const auto& one) { return one.first; });
    if (digest.rows.size() < most) digest.rows.push_back(row->second);
  }
}

}  // namespace

Text read_text(json::View string, std::size_t most, const Policy& policy, const Counter& counter) {
  const json::Buffer decoded = json::string_buffer(string);
  Text text;
  text.digest = text::digest_of(decoded.view(), most);
  if (text.digest.table) {
    text.records = survey_records(text.digest.table->records.view(), 0, policy, counter);
    add_record_rows(decoded.view(), most, text);
  }
  const auto has_tail = [](text::TextForm form) {
    return form == text::TextForm::log || form == text::TextForm::text ||
           form == text::TextForm::csv || form == text::TextForm::tsv ||
           form == text::TextForm::json_lines || form == text::TextForm::markdown_table;
  };
  if (has_tail(text.digest.form)) text::add_tail(decoded.view(), most / 2, text.digest);
  switch (text.digest.head) {
    case text::Head::normal: break;
    case text::Head::few: text.head = bytes_of_head(string.string_source()); break;
    case text::Head::prefix: text.head = kPrefixBytes; break;
  }
  text.row_shown.assign(text.digest.rows.size(), 0);
  text.row_costs.resize(text.digest.rows.size());
  return text;
}

}  // namespace enfold::budget::detail
