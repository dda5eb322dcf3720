// SPDX-License-Identifier: Apache-2.0
// Of a message that is longer than the limit only the first and the last bytes are kept. These
// functions read from either part which request the message answers: some servers write the id
// before the result, others after it.
#pragma once

#include "enfold/mcp/wire/message.h"

#include <optional>
#include <string_view>

namespace enfold::mcp {

struct CutMessage {
  enum class Kind {
    not_json_rpc,  ///< does not begin with { or [; only of read_cut_beginning
    unclear,       ///< these bytes do not show it, or they are a batch
    response,
    request_or_notification,  ///< the id, if there is one, was chosen by the sender
  };
  Kind kind = Kind::unclear;
  std::optional<Id> id;  ///< nullopt: not in these bytes
};

/// Reads the members up to the first incomplete one.
[[nodiscard]] CutMessage read_cut_beginning(std::string_view beginning);
/// Reads the members after the last one that is an object or an array.
[[nodiscard]] CutMessage read_cut_end(std::string_view end);

}  // namespace enfold::mcp
