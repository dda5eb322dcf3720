// SPDX-License-Identifier: Apache-2.0
// Tables written as text: comma, semicolon and tab separated values, JSON Lines, Markdown tables,
// and tables that programs draw with '|'.
#pragma once

#include "enfold/budget/text/form.h"

namespace enfold::budget::text {

/// A text that is a header and records of the same number of cells to its end, up to one broken
/// record of twenty; nullopt: it is something else.
[[nodiscard]] std::optional<TextTable> separated_values(std::string_view text, char separator,
                                                        GroupedDigits grouped);

/// A text of two or more lines that each hold one JSON object, up to one broken line of twenty;
/// blank lines do not count.
[[nodiscard]] std::optional<TextTable> json_lines(std::string_view text);

struct BarredTables {
  std::vector<TextTable> tables;  ///< in the order of the text
  std::size_t lines = 0;          ///< of the text that belong to a table
};
/// The tables with '|' between their cells and a rule of dashes under the header.
[[nodiscard]] BarredTables barred_tables(std::string_view text, GroupedDigits grouped);

}  // namespace enfold::budget::text
