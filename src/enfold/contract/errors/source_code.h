// SPDX-License-Identifier: Apache-2.0
// scalpel-v1 shows no source code in a failed response. What may be shown is an allow-list: the
// first line of a message, without quoted code; listed scalar members of details and data; names.
#pragma once

#include "enfold/model/response.h"

namespace enfold::contract {

/// The text up to the first line break or fence, at most 2,000 bytes. Quoted spans that are no
/// path, name or number, and what looks like code, become `…`. Empty if nothing else is left.
[[nodiscard]] std::string without_source(std::string_view text);

/// Whether a name, path, number or version, which may be shown as it is.
[[nodiscard]] bool is_plain_name(std::string_view text);

/// Leaves in a failed response what may be shown; returns whether anything was left out or
/// changed. Does nothing to a success. Idempotent.
bool withhold_source(model::Response& response);

}  // namespace enfold::contract
