// SPDX-License-Identifier: Apache-2.0
// Links from a page to others, by relation: {"next": …}, [{"rel": "next", "href": …}], or the text
// of a Link header (RFC 8288).
#pragma once

#include "enfold/json/document.h"

#include <optional>
#include <string>

namespace enfold::contract::detail {

/// Whether a list or a text holds links with relations.
[[nodiscard]] bool holds_relations(json::View value);

struct PageLinks {
  std::optional<json::View> next;          ///< the link to the next page; may be null or empty
  std::optional<std::string> next_target;  ///< the same from a Link header, in place of `next`
  bool next_is_missing = false;            ///< there are links to other pages, but none to the next
};
[[nodiscard]] PageLinks page_links(json::View links);

}  // namespace enfold::contract::detail
