// SPDX-License-Identifier: Apache-2.0
// The types of the values in requests to the admin API. A name has the same type on every path.
#pragma once

#include "enfold/gateway/admin/http/request.h"

namespace enfold::gateway {

/// `invalid_input` if a parameter of the query or a member of the body has a value that it cannot
/// have: it names the first one. Empty parameters, null, and names that are not known are ignored.
[[nodiscard]] Status check_values(const AdminRequest& request);

/// A name without characters that a path or a shell gives a meaning: "../x" becomes "_.._x".
[[nodiscard]] std::string file_name_of(std::string_view name);

}  // namespace enfold::gateway
