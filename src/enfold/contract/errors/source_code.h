// SPDX-License-Identifier: Apache-2.0
// scalpel-v1 shows no source code in a failed response. Only this may be shown: the first line of a
// message, without quoted code; the members of details and data that kShownMembers names, if they
// are scalars or lists of names; plain names.
#pragma once

#include "enfold/model/response.h"

namespace enfold::contract {

/// The text up to the first line break or fence, at most 2,000 bytes. Quoted spans that are no
/// path, name or number, and what looks like code, become `…`. Empty if only `…` and punctuation
/// would be left.
[[nodiscard]] std::string without_source(std::string_view text);

/// Whether the text is a name, path, number or version, which may be shown as it is; not empty.
[[nodiscard]] bool is_plain_name(std::string_view text);

/// Removes from a failed response what may not be shown; returns whether anything was removed or
/// changed. Does nothing to a success. Idempotent.
bool withhold_source(model::Response& response);

}  // namespace enfold::contract
