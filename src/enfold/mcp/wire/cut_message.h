// SPDX-License-Identifier: Apache-2.0
// What can be told of a message that was too long to be kept, by its beginning or by its end: whose
// answer it was. Servers write the id before the result or behind it.
#pragma once

#include "enfold/mcp/wire/id.h"

#include <optional>
#include <string_view>

namespace enfold::mcp {

struct CutMessage {
  enum class Kind {
    no_message,  ///< nothing that JSON-RPC begins with
    unclear,
    answer,
    no_answer,  ///< a request or a notification; its id is the sender's own
  };
  Kind kind = Kind::unclear;
  std::optional<Id> id;
};

/// As far as it goes before the first member that is cut.
[[nodiscard]] CutMessage look_at_beginning(std::string_view beginning);
/// The members behind the last one that is an object or a list.
[[nodiscard]] CutMessage look_at_end(std::string_view end);

}  // namespace enfold::mcp
