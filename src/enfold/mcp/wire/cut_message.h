// SPDX-License-Identifier: Apache-2.0
// Finds the call of a message that was too long to be kept, from its first or its last bytes.
// Servers write the id before the result or after it.
#pragma once

#include "enfold/mcp/wire/message.h"

#include <optional>
#include <string_view>

namespace enfold::mcp {

struct CutMessage {
  enum class Kind {
    no_message,  ///< does not begin like JSON-RPC
    unclear,
    answer,
    no_answer,  ///< a request or a notification; its id was chosen by the sender
  };
  Kind kind = Kind::unclear;
  std::optional<Id> id;
};

/// Reads the members up to the first incomplete one.
[[nodiscard]] CutMessage look_at_beginning(std::string_view beginning);
/// Reads the members after the last one that is an object or an array.
[[nodiscard]] CutMessage look_at_end(std::string_view end);

}  // namespace enfold::mcp
