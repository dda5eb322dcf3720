// SPDX-License-Identifier: Apache-2.0
// What the members around a list say about its pages, by their names and values.
#pragma once

#include "enfold/json/document.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace enfold::contract::detail {

/// What a member says about the page.
enum class Role {
  none,
  offset,      ///< number of items before this page
  number,      ///< number of this page, from 0 or 1
  size,        ///< most items of a page
  pages,       ///< number of pages
  total,       ///< number of items on all pages
  returned,    ///< number of items on this page
  more,        ///< whether there is a next page
  last,        ///< whether this is the last page
  remaining,   ///< number of items after this page
  next,        ///< token, offset or address of the next page; blank: there is none
  weak_next,   ///< a token that the last page may have too, so it does not prove a next page
  links,       ///< to other pages (page_links.h)
  range,       ///< an HTTP Content-Range: "items 20-39/212"
  before,      ///< an id; another page has the items before it
  after,       ///< an id; another page has the items after it
  container,   ///< an object whose members say something about the page
  request,     ///< an object that repeats the arguments of the request
  other_page,  ///< token or address of the previous, first or last page
};

/// The first role that has the member's name and fits its value (`page` may be a number or an
/// object), else a role that the form of the name says (next_page_uri); Role::none: neither. `key`
/// is in the form of plain().
[[nodiscard]] Role named_role(std::string_view key, json::View value);

/// The role by the name (named_role), else by the value, such as an object that describes a page,
/// or by a name such as totalChannels.
[[nodiscard]] Role role_of(std::string_view key, json::View value);

/// Whether an object says by its members which page this is, whatever its own name is.
[[nodiscard]] bool is_page_object(json::View value);

/// Whether a total of this name counts all items: total, totalCount; not totalUnread.
[[nodiscard]] bool is_general_total(std::string_view key);

/// An integer, also one that is written as text; nullopt: something else.
[[nodiscard]] std::optional<std::int64_t> integer_of(json::View value);

/// Whether a value is an address in place of a token: https://…, /things.json?page=2, ?page=2.
[[nodiscard]] bool is_address(json::View value);

/// Whether a member for the next page says that there is none: null, false or empty.
[[nodiscard]] bool is_blank(json::View value);

}  // namespace enfold::contract::detail
