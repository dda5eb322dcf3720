// SPDX-License-Identifier: Apache-2.0
// Which page of a list an answer is, and whether there is another: offsets, page numbers, tokens,
// cursors and links, beside the list or in a member such as `pagination`, `meta` or `_links`.
#pragma once

#include "enfold/model/response.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::contract::detail {

/// Whether a member is about pages. `key` is in the form of plain().
[[nodiscard]] bool is_paging_member(std::string_view key, json::View value);

struct PageReading {
  model::Page page;
  /// Byte offsets, in the document, of the values that `page` states, so that callers need not show
  /// them beside the page.
  std::set<std::uint32_t> used;
  std::string reason;      ///< why there is a next page or none; empty: not known
  bool has_marks = false;  ///< the answer says something about pages
};

/// Reads the page of the list at `path` (shape.h). `has_more` stays unset if neither a member nor
/// arithmetic says whether there is a next page.
[[nodiscard]] PageReading page_of(json::View data, const std::vector<std::string>& path);

}  // namespace enfold::contract::detail
