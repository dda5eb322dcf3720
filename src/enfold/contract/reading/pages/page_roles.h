// SPDX-License-Identifier: Apache-2.0
// What the members around a list say about its pages, by their names and values.
#pragma once

#include "enfold/json/document.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace enfold::contract::detail {

enum class Role {
  none,
  offset,
  number,
  size,
  pages,
  total,
  returned,
  more,
  last,
  remaining,
  next,
  weak_next,
  links,
  range,
  before,
  after,
  container,
  request,
  other_page,
};

/// The role of a member whose name is known, or is put together like those. `key` is in the form of
/// plain().
[[nodiscard]] Role named_role(std::string_view key, json::View value);

/// The same, and by what a member holds: an object that describes a page, a total of something.
[[nodiscard]] Role role_of(std::string_view key, json::View value);

/// An object of any name that says which page this is: result_info, searchinfo.
[[nodiscard]] bool is_page_object(json::View value);

/// Whether a total of this name counts all items: total, totalCount; not totalUnread.
[[nodiscard]] bool is_general_total(std::string_view key);

/// A number, also one that is a text.
[[nodiscard]] std::optional<std::int64_t> integer_of(json::View value);

/// An address in place of a token: https://…, /things.json?page=2, ?page=2.
[[nodiscard]] bool is_address(json::View value);

/// Null, false or empty: there is no next page.
[[nodiscard]] bool is_blank(json::View value);

}  // namespace enfold::contract::detail
