// SPDX-License-Identifier: Apache-2.0
// Rows in a text: CSV (RFC 4180), also with semicolons or tabs.
#pragma once

#include "enfold/json/document.h"

#include <optional>
#include <string_view>

namespace enfold::contract::detail {

/// The rows as a list of objects whose keys are the names in the header; cells stay texts. nullopt:
/// the first line is no header, no row follows it, or a row has another number of cells than the
/// header or an open quote.
[[nodiscard]] std::optional<json::Value> csv_rows(std::string_view text);

}  // namespace enfold::contract::detail
