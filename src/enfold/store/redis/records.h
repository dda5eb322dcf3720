// SPDX-License-Identifier: Apache-2.0
// An archived answer in Redis is a field of a Redis hash, named after the digest of its bytes. The
// value is a line "handle size stored codec created expires\n", which the Lua scripts (scripts.h)
// read too, and then tool, arguments_hash and media_type of Meta, each as "length:text,". `size` is
// that of the answer, `stored` that of the bytes as compressed by `codec`; times are Unix seconds.
#pragma once

#include "enfold/store/detail/backend.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::store::detail {

/// The texts of Meta, as they follow the line of numbers in a value.
[[nodiscard]] std::string encode_meta(const Meta& meta);

/// Reads the digest from the name of a field; nullopt: there is none. For a second media type of
/// the same bytes a space and that media type follow the digest.
[[nodiscard]] std::optional<Digest> digest_of_field(std::string_view field);

/// Reads a field and its value; nullopt: this program did not write them.
[[nodiscard]] std::optional<Row> decode_row(std::string_view field, std::string_view value);

}  // namespace enfold::store::detail
