// SPDX-License-Identifier: Apache-2.0
// As much of RFC 3986 as schema identifiers need: references against a base, and fragments.
#pragma once

#include <string>
#include <string_view>

namespace enfold::schema::detail {

struct SplitUri {
  std::string_view document;  ///< without the "#"
  std::string_view fragment;  ///< still percent-encoded
};

[[nodiscard]] SplitUri split_fragment(std::string_view uri);

/// Section 5.2: the absolute URI that `reference` means where `base` is in force.
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

[[nodiscard]] std::string percent_decode(std::string_view text);

}  // namespace enfold::schema::detail
