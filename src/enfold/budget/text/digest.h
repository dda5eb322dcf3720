// SPDX-License-Identifier: Apache-2.0
// What a reader of a long text needs when only its beginning is shown: facts about the whole, and
// the lines that matter, chosen by the form of the text. Every statement holds for the whole text.
#pragma once

#include "enfold/budget/text/form.h"
#include "enfold/budget/text/lines.h"

#include <string>

namespace enfold::budget::text {

/// A row of the index: the number of a line, then cells.
struct Row {
  std::size_t line = 0;
  std::string cells;  ///< minified JSON, with commas between them
};

/// A fact about a text.
struct Statement {
  /// "levels", "patterns" …; empty: directly under the place of the text.
  std::string_view section;
  std::string name;
  std::string value;  ///< minified JSON
};

/// How much of the beginning of the text serves its reader.
enum class Head : std::uint8_t {
  normal,  ///< as much as there is room for
  few,     ///< a few lines, then the index, then what is left
  prefix,  ///< enough to see what it is, and never more
};

struct Digest {
  TextForm form = TextForm::text;
  std::size_t bytes = 0;
  std::size_t lines = 0;
  Head head = Head::normal;
  std::vector<Statement> facts;      ///< by priority, without form, bytes and lines
  std::vector<std::string> columns;  ///< of `rows`, without the number of the line
  std::vector<Row> rows;             ///< by priority
  std::size_t left_out = 0;          ///< lines that would be rows if there were room in `rows`
  std::vector<Row> html_block_rows;  ///< of HTML; read_text adds them after the rows of its tables
  std::size_t tail_rows = 0;         ///< so many of `rows`, the last ones: lines of the text's end
  bool in_order = true;              ///< true: rows are shown by line; false: by priority
  std::vector<TextTable> tables;     ///< lists of records in the text

  void add(std::string_view section, std::string name, std::string value) {
    facts.push_back({section, std::move(name), std::move(value)});
  }
  /// Adds the row, or counts it in `left_out` if there are `most` rows already.
  void add_row(Row row, std::size_t most) {
    if (rows.size() < most) {
      rows.push_back(std::move(row));
    } else {
      ++left_out;
    }
  }
  /// Whether the whole text is one table.
  [[nodiscard]] bool is_table() const {
    return tables.size() == 1 &&
           (form == TextForm::csv || form == TextForm::tsv || form == TextForm::json_lines ||
            form == TextForm::markdown_table || form == TextForm::json);
  }
  void add(std::string name, std::size_t value) { add("", std::move(name), std::to_string(value)); }
};

/// `text` is decoded. Linear in the text; at most `most_rows` rows.
[[nodiscard]] Digest digest_of(std::string_view text, std::size_t most_rows);

/// The row of a line, with its text as the only cell; a long line ends in "…".
[[nodiscard]] Row row_of(const Line& line);
/// A JSON string with at most 240 bytes of the text; a longer text ends in "…".
[[nodiscard]] std::string label(std::string_view text);

// A function for each form. It adds facts, columns and rows, of these at most `most`.
void digest_log(std::string_view text, std::size_t most, Digest& digest);
void digest_diff(std::string_view text, std::size_t most, Digest& digest);
void digest_source(std::string_view text, std::size_t most, Digest& digest);
void digest_html(std::string_view text, std::size_t most, Digest& digest);
void digest_markdown(std::string_view text, std::size_t most, Digest& digest);
void digest_tree(std::string_view text, std::size_t most, Digest& digest);
void digest_trace(std::string_view text, std::size_t most, Digest& digest);
void digest_key_values(std::string_view text, std::size_t most, Digest& digest);
void digest_base64(std::string_view text, Digest& digest);
void digest_json(json::View document, Digest& digest);
void digest_plain(std::string_view text, std::size_t most, Digest& digest);

/// Adds the last lines as rows, the last one first: room that is left is divided between the
/// beginning and the end of the text.
void add_tail(std::string_view text, std::size_t most, Digest& digest);

// Whether a text has a form: by its first lines (the sample), or by the text itself.
[[nodiscard]] bool is_diff(std::string_view text, const Sample& sample);
[[nodiscard]] bool is_commits(const Sample& sample);
[[nodiscard]] bool is_source(const Sample& sample);
[[nodiscard]] bool is_html(const Sample& sample);
[[nodiscard]] bool is_markdown(std::string_view text);
[[nodiscard]] bool is_trace(const Sample& sample);
[[nodiscard]] bool is_key_values(const Sample& sample);
[[nodiscard]] bool is_base64(std::string_view text);
[[nodiscard]] bool is_binary(std::string_view text);

}  // namespace enfold::budget::text
