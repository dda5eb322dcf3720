// SPDX-License-Identifier: Apache-2.0
// Tables written as text: comma, semicolon and tab separated values, JSON Lines, Markdown tables,
// and tables that programs draw with '|'.
#pragma once

#include "enfold/budget/text/form.h"

namespace enfold::budget::text {

/// Reads a text that is one table: a header, then only records with as many cells; at most one
/// record in twenty may be broken. nullopt: the text is something else.
[[nodiscard]] std::optional<TextTable> separated_values(std::string_view text, char separator,
                                                        GroupedDigits grouped);

/// Reads a text of two or more lines that each hold one JSON object; at most one line in
/// twenty may be broken, and blank lines do not count. nullopt: the text is something else.
[[nodiscard]] std::optional<TextTable> json_lines(std::string_view text);

struct BarredTables {
  std::vector<TextTable> tables;  ///< in the order of the text
  std::size_t lines = 0;          ///< number of lines that belong to a table
};
/// The tables with '|' between their cells and a rule of dashes under the header.
[[nodiscard]] BarredTables barred_tables(std::string_view text, GroupedDigits grouped);

}  // namespace enfold::budget::text
