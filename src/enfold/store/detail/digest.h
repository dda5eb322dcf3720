// SPDX-License-Identifier: Apache-2.0
// The names things have inside the stores: digests of content and of principals, and the short
// handles that follow from both.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::store::detail {

using Digest = std::array<std::uint8_t, 32>;

/// How principals and bucket keys are stored. Parts are counted, so ("a","bc") is not ("ab","c").
[[nodiscard]] Digest digest_of_parts(std::initializer_list<std::string_view> parts);

[[nodiscard]] std::string hash_name(const Digest& hash);  ///< "sha256:…"
[[nodiscard]] std::optional<Digest> digest_from_hex(std::string_view hex);

/// The handles content may get, best first. They follow from owner and content, so a handle can be
/// checked against the bytes it leads to, and never leads to other bytes later. Who does not know
/// the content cannot guess one.
using Handles = std::vector<std::string>;
[[nodiscard]] Handles handles_for(const Digest& owner, const Digest& hash);

struct Reference {
  std::string handle;          ///< empty: by hash
  std::optional<Digest> hash;  ///< empty: by handle
  Handles handles;             ///< by hash: those that its content may have
};
/// nullopt for anything that is neither twelve digits nor "sha256:" and 64 hex digits.
[[nodiscard]] std::optional<Reference> parse_reference(std::string_view text);

}  // namespace enfold::store::detail
