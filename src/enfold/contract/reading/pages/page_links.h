// SPDX-License-Identifier: Apache-2.0
// Links from a page to other pages, by relation: {"next": …}, [{"rel": "next", "href": …}], or the
// text of a Link header (RFC 8288).
#pragma once

#include "enfold/json/document.h"

#include <optional>
#include <string>

namespace enfold::contract::detail {

/// Whether a list or a text holds links with relations. Reads only the first item of a list.
[[nodiscard]] bool holds_relations(json::View value);

struct PageLinks {
  /// The link to the next page: of an object of links, the value of its member `next`, which may be
  /// an address, an object such as {"href": …}, null or empty; of a list, `href` or `url` of the
  /// link with the relation `next`.
  std::optional<json::View> next;
  /// The address of the next page in a Link header, which sets no `next`.
  std::optional<std::string> next_target;
  bool next_is_missing = false;  ///< there are links to other pages, but none to the next
};
/// `links`: an object, list or text as described above; of another value, the result is empty. The
/// result refers to `links`, which must outlive it.
[[nodiscard]] PageLinks page_links(json::View links);

}  // namespace enfold::contract::detail
