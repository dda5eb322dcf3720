// SPDX-License-Identifier: Apache-2.0
// An archive entry as one Redis value: "handle size stored codec created expires\n", which the
// scripts read too, and the three texts of Meta, each as "length:text,".
#pragma once

#include "enfold/store/detail/backend.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::store::detail {

/// The three texts of an entry, as they follow the line of numbers.
[[nodiscard]] std::string encode_meta(const Meta& meta);

/// Reads the hash from the field of an entry; nullopt: there is none. For a second media type of
/// the same bytes a space and that media type follow the hash.
[[nodiscard]] std::optional<Digest> hash_of_field(std::string_view field);

/// The row of an entry; nullopt: this program did not write it.
[[nodiscard]] std::optional<Row> decode_row(std::string_view field, std::string_view entry);

}  // namespace enfold::store::detail
