// SPDX-License-Identifier: Apache-2.0
// The form of a text, recognised by its structure and never by the words in it. This is the only
// recogniser: the facts of a cut answer, `stat` and SQL over archived texts all use it.
#pragma once

#include "enfold/json/document.h"

#include <optional>
#include <string_view>
#include <vector>

namespace enfold::budget::text {

/// Named as in facts. `csv` may be separated by `,` or `;`; `markdown_table` is also a table that
/// a program draws with `|`; `commits` are patches or the history of a repository.
enum class TextForm : std::uint8_t {
  text,
  log,
  diff,
  commits,
  source,
  html,
  markdown,
  csv,
  tsv,
  markdown_table,
  json_lines,
  json,
  tree,
  stack_trace,
  key_value,
  base64,
  binary,
};
[[nodiscard]] std::string_view name(TextForm form);

/// A list of objects that a text holds.
struct TextTable {
  json::Value records;
  std::vector<std::uint32_t> lines;     ///< by record: the number of its first line, from 1
  std::vector<std::uint32_t> broken{};  ///< numbers of lines among the records that are none
  std::string name{};                   ///< the heading above it; empty: none
};

struct FormReading {
  TextForm form = TextForm::text;
  std::vector<TextTable> tables;        ///< of csv, tsv, json_lines, and of `|` tables in any text
  std::optional<json::Value> document;  ///< of json; nullopt: another form
};

/// What numbers with separators of thousands, 1,284,990.00, become in the records of a table.
enum class GroupedDigits : std::uint8_t {
  texts,    ///< strings, as they are written
  numbers,  ///< numbers, if all texts of the column are such numbers
};

/// Finds the form of a decoded text, and its tables. Takes linear time; readers of tables stop at
/// the first line that shows that the text is none.
[[nodiscard]] FormReading read_form(std::string_view text,
                                    GroupedDigits grouped = GroupedDigits::texts);

}  // namespace enfold::budget::text
