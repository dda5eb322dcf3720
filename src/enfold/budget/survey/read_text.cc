// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/render/clip.h"
#include "enfold/budget/survey/outline.h"
#include "enfold/json/pointer.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace enfold::budget::detail {
namespace {

constexpr std::size_t kHeadLines = 8;      // of a text whose facts and rows say more (Head::few)
constexpr std::size_t kHeadBytes = 1'200;  // the most that these lines have
constexpr std::size_t kPrefixBytes = 48;   // of Base64 and binary data (Head::prefix)
constexpr std::size_t kTailLines = 3;      // last lines, and broken ones, that are rows
constexpr std::size_t kMostUnique = 8;     // records with a value of their own
constexpr std::size_t kTableRows = 24;     // exceptional records of each table inside a text
constexpr std::size_t kSmallTable = 12;    // records; a smaller table has a row for each of them

// Bytes of the escaped source up to the end of the first kHeadLines lines.
std::size_t bytes_of_head(std::string_view source) {
  std::size_t end = 0;
  std::size_t lines = 0;
  // Every escape is read, because an escaped backslash may stand before the letter n.
  for (std::size_t at = source.find('\\');
       at < source.size() && at + 2 <= kHeadBytes && lines < kHeadLines;
       at = source.find('\\', at + 2)) {
    if (source.substr(at, 2) != "\\n") continue;
    end = at + 2;
    ++lines;
  }
  return end > 0 ? end : kHeadBytes;
}

// The row of a record of an HTML table, which has no line of its own in the text: "a | b".
std::string joined_values(json::View record) {
  std::string text;
  for (const json::Member& member : record.members()) {
    if (!text.empty()) text += " | ";
    if (member.value.is_null()) continue;
    text += member.value.is_string() ? member.value.string() : std::string(member.value.raw());
  }
  return text;
}

/// Chooses which records of the tables are rows of the index.
class RecordRows {
 public:
  void want(const text::TextTable& table, std::size_t position) {
    if (known_.emplace(&table, position).second) wanted_.push_back({&table, position});
  }
  void want_line(std::size_t line) { wanted_.push_back({nullptr, line}); }

  // Adds the wanted rows to the digest. `most`: of all its rows.
  void write(std::string_view decoded, std::size_t most, text::Digest& digest) {
    if (wanted_.empty()) return;
    std::unordered_map<std::size_t, text::Row> rows;  // by line
    for (const auto& [table, position] : wanted_) rows[line_of(table, position)] = {};
    text::each_line(decoded, [&](const text::Line& line) {
      const auto row = rows.find(line.number);
      if (row != rows.end()) row->second = row_of(line);
    });
    for (const auto& [table, position] : wanted_) {
      text::Row row = rows[line_of(table, position)];
      if (digest.form == text::TextForm::html) {
        row.cells = text::label(joined_values(*table->records->item(position)));
      }
      for (std::size_t i = 1; i < digest.columns.size(); ++i) row.cells += ",null";
      digest.add_row(std::move(row), most);
    }
  }

 private:
  /// A table and the position of a record in it; nullptr and the number of a line.
  using Choice = std::pair<const text::TextTable*, std::size_t>;
  static std::size_t line_of(const text::TextTable* table, std::size_t position) {
    return table == nullptr ? position : table->lines[position];
  }
  std::vector<Choice> wanted_;  ///< by priority
  std::set<Choice> known_;      ///< the records in `wanted_`
};

// Records with a value that no other record has, in a field with few values.
std::vector<Place> unique_items(const Survey& survey) {
  std::vector<Place> found;
  if (survey.count < kSmallTable) return found;
  for (const Field& field : survey.fields) {
    if (!field.countable || field.values.size() * 2 > field.present) continue;
    for (const ValueCount& value : field.values) {
      if (value.count == 1 && found.size() < kMostUnique) found.push_back(value.first);
    }
  }
  return found;
}

// For a text that is one table: adds rows of the last lines, of broken lines, and of records that
// are exceptional or hold rare values.
void add_record_rows(std::string_view decoded, std::size_t most, Text& text) {
  const text::TextTable& table = text.digest.tables[0];
  if (table.lines.empty()) return;
  RecordRows rows;
  for (std::size_t i = 1; i <= std::min(kTailLines, table.lines.size()); ++i) {
    rows.want(table, table.lines.size() - i);
  }
  for (std::size_t i = 0; i < std::min(kTailLines, table.broken.size()); ++i) {
    rows.want_line(table.broken[i]);
  }
  for (const Place& place : unique_items(*text.records)) rows.want(table, place.position);
  for (const Place& place : exceptional_items(*text.records, most)) {
    rows.want(table, place.position);
  }
  rows.write(decoded, most, text.digest);
}

// Names of the tables: the headings above them, each once.
std::vector<std::string> names_of(const std::vector<text::TextTable>& tables) {
  std::vector<std::string> names;
  for (const text::TextTable& table : tables) {
    std::string name = table.name.empty() ? fmt::format("line {}", table.lines[0]) : table.name;
    if (std::ranges::find(names, name) != names.end()) {
      name += fmt::format(" (line {})", table.lines[0]);
    }
    names.push_back(std::move(name));
  }
  return names;
}

// The token as a JSON Pointer writes it.
std::string escaped_token(std::string_view token) { return json::below("", token).substr(1); }

// For a text that has tables: adds facts about each of them, as about a list of records, and rows
// of its exceptional records.
void add_tables(std::string_view decoded, std::size_t most, const Policy& policy,
                const Counter& counter, text::Digest& digest) {
  const std::vector<std::string> names = names_of(digest.tables);
  Outline lists;  // a group for each table, for facts_of
  RecordRows rows;
  for (std::size_t i = 0; i < digest.tables.size(); ++i) {
    const text::TextTable& table = digest.tables[i];
    Group& list = lists.groups.emplace_back();
    list.pointer = names[i];
    list.survey = survey_records(table.records.view(), /*head=*/0, policy, counter);
    json::Writer writer;
    writer.begin_object().member("line", table.lines[0]);
    writer.member("rows", table.records->size()).key("columns").begin_array();
    for (const json::Member& member : table.records->item(0)->members()) writer.value(member.key);
    writer.end_array().end_object();
    digest.add("tables", names[i], std::move(writer).finish().str());
    for (const Place& place : unique_items(*list.survey)) rows.want(table, place.position);
    for (const Place& place : exceptional_items(*list.survey, kTableRows)) {
      rows.want(table, place.position);
    }
  }
  std::vector<Fact> facts = facts_of(lists, counter);
  std::erase_if(facts, [](const Fact& fact) { return fact.section.empty(); });
  std::vector<std::string_view> sections;
  for (const Fact& fact : facts) {
    if (std::ranges::find(sections, fact.section) == sections.end()) {
      sections.push_back(fact.section);
    }
  }
  for (const std::string_view section : sections) {
    for (Fact& fact : facts) {
      if (fact.section != section) continue;
      digest.add(section, escaped_token(fact.pointer) + "/" + fact.name, fact.value);
    }
  }
  for (const text::TextTable& table : digest.tables) {
    if (table.lines.size() > kSmallTable) continue;
    for (std::size_t i = 0; i < table.lines.size(); ++i) rows.want(table, i);
  }
  rows.write(decoded, most, digest);
}

}  // namespace

Text read_text(json::View string, std::size_t most, const Policy& policy, const Counter& counter) {
  const json::Buffer decoded = json::string_buffer(string);
  Text text;
  text.digest = text::digest_of(decoded.view(), most);
  if (text.digest.is_table()) {
    text.records =
        survey_records(text.digest.tables[0].records.view(), /*head=*/0, policy, counter);
    add_record_rows(decoded.view(), most, text);
  } else if (!text.digest.tables.empty()) {
    add_tables(decoded.view(), most, policy, counter, text.digest);
  }
  // Blocks of text of an HTML page; only digests of HTML have them. A block may be a record of a
  // table, which has a row already.
  std::unordered_set<std::string> shown;
  for (const text::Row& row : text.digest.rows) shown.insert(row.cells);
  for (text::Row& row : text.digest.html_block_rows) {
    if (shown.insert(row.cells).second) text.digest.add_row(std::move(row), most);
  }
  const auto has_tail = [](text::TextForm form) {
    return form == text::TextForm::log || form == text::TextForm::text ||
           form == text::TextForm::csv || form == text::TextForm::tsv ||
           form == text::TextForm::json_lines || form == text::TextForm::markdown ||
           form == text::TextForm::markdown_table;
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
