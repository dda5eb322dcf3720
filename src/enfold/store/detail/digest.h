// SPDX-License-Identifier: Apache-2.0
// Names inside the stores: digests of content and of principals, and the short handles that are
// derived from both.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::store::detail {

using Digest = std::array<std::uint8_t, 32>;

/// The digest under which principals and bucket keys are stored. Each part is preceded by its
/// length, so ("a","bc") differs from ("ab","c").
[[nodiscard]] Digest digest_of_parts(std::initializer_list<std::string_view> parts);

[[nodiscard]] std::string hash_name(const Digest& hash);  ///< "sha256:…"
[[nodiscard]] std::optional<Digest> digest_from_hex(std::string_view hex);

/// The handles that content may get, in order of preference. They are derived from owner and
/// content, so a handle can be checked against its content and never refers to other content later.
/// Without the content a handle cannot be guessed.
using Handles = std::vector<std::string>;
[[nodiscard]] Handles handles_for(const Digest& owner, const Digest& hash);

struct Reference {
  std::string handle;          ///< empty: the reference is a hash
  std::optional<Digest> hash;  ///< empty: the reference is a handle
  Handles handles;             ///< for a hash: the handles that its content may have
};
/// nullopt for anything that is neither twelve digits nor "sha256:" and 64 hex digits.
[[nodiscard]] std::optional<Reference> parse_reference(std::string_view text);

}  // namespace enfold::store::detail
