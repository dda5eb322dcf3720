// SPDX-License-Identifier: Apache-2.0
// What a client of 2025-11-25 sends: over HTTP ready for the wire, over stdio as lines.
#pragma once

#include "bench/load.h"

namespace enfold::bench {

extern const std::string kInitialize;   ///< with the id 0
extern const std::string kInitialized;  ///< the notification after it

/// Header fields of a request in a session; `session` may be empty where there is none.
[[nodiscard]] std::string session_fields(const std::string& session);
/// The handshake, with `fields` as further header fields; the id of the session.
[[nodiscard]] std::string open_session(const Connection& connection, std::uint16_t port,
                                       const std::string& fields = {});
/// A message of one call.
[[nodiscard]] std::string call_message(std::size_t id, const std::string& tool,
                                       const std::string& arguments);
[[nodiscard]] std::string session_call(std::uint16_t port, const std::string& session,
                                       std::size_t id, const std::string& tool,
                                       const std::string& arguments);

}  // namespace enfold::bench
