// SPDX-License-Identifier: Apache-2.0
// Handles as arguments: Enfold replaces {"$enfold": "HANDLE"}, optionally with a "pointer",
// anywhere in the arguments of a call by the content archived under the handle. So a model can pass
// content that is too large for it to read.
#pragma once

#include "enfold/model/response.h"
#include "enfold/store/archive.h"

namespace enfold::gateway {

inline constexpr std::string_view kHandleKey = "$enfold";

/// Whether an object anywhere in the arguments has the member `kHandleKey`.
[[nodiscard]] bool has_handles(json::View arguments);

struct HandleSource {
  store::Archive* archive = nullptr;  ///< never null
  std::string principal;              ///< whose archived answers may be used
  store::Time now;                    ///< decides which entries have expired
};

/// The arguments with every handle replaced. Fails if a handle does not exist or is malformed, if
/// its content contains the marker of a redacted secret, or if there are too many handles or bytes.
/// Reads the archive, which may block.
[[nodiscard]] tl::expected<json::Value, model::Response> replace_handles(
    json::View arguments, const HandleSource& source);

}  // namespace enfold::gateway
