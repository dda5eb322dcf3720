// SPDX-License-Identifier: Apache-2.0
// An archive entry as one Redis value: "handle size stored codec created expires\n", which the
// scripts read too, and the three texts of Meta, each as "length:text,".
#pragma once

#include "enfold/store/detail/backend.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::store::detail {

[[nodiscard]] std::string encode_meta(const Meta& meta);

/// nullopt for anything that this program did not write.
[[nodiscard]] std::optional<Row> decode_row(std::string_view hash_hex, std::string_view entry);

}  // namespace enfold::store::detail
