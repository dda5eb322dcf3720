// SPDX-License-Identifier: Apache-2.0
// How archived bytes are read again: by the rule that found the payload when the answer was cut, so
// that places in it mean the same. The archive keeps it as the media type of an entry.
#pragma once

#include "enfold/contract/contract.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::answer {

struct StoredForm {
  contract::Id contract = contract::Id::json;
  bool own = false;  ///< made here: the payload is what it is, even if it looks like an envelope
  friend bool operator==(const StoredForm&, const StoredForm&) = default;
};

/// "application/json; contract=mcp", "text/plain".
[[nodiscard]] std::string media_type(const StoredForm& read);
/// nullopt: not one of ours.
[[nodiscard]] std::optional<StoredForm> read_as(std::string_view media_type);

}  // namespace enfold::answer
