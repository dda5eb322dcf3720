// SPDX-License-Identifier: Apache-2.0
// URI references and fragments (RFC 3986), as far as schemas need them.
#pragma once

#include <string>
#include <string_view>

namespace enfold::schema::detail {

struct SplitUri {
  std::string_view document;  ///< without the "#"
  std::string_view fragment;  ///< still percent-encoded
};

[[nodiscard]] SplitUri split_fragment(std::string_view uri);

/// Resolves `reference` against `base` (section 5.2).
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

[[nodiscard]] std::string percent_decode(std::string_view text);

}  // namespace enfold::schema::detail
