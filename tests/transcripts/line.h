// SPDX-License-Identifier: Apache-2.0
// What the members of a transcript's line mean.
#pragma once

#include "enfold/mcp/peer/client_peer.h"
#include "enfold/mcp/peer/server_peer.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::transcripts {

[[nodiscard]] json::Value value_at(json::View line, std::string_view key);
[[nodiscard]] std::int64_t number_at(json::View line, std::string_view key);
[[nodiscard]] bool flag_at(json::View line, std::string_view key);
[[nodiscard]] std::string text_at(json::View line, std::string_view key);

[[nodiscard]] mcp::CallKey call_at(json::View line);
[[nodiscard]] std::optional<mcp::CallKey> maybe_call(json::View line);
/// `message`, or `bytes` for what is no message.
[[nodiscard]] std::string message_at(json::View line);
[[nodiscard]] mcp::ResultOrError outcome_at(json::View line);
[[nodiscard]] mcp::Reply reply_at(json::View line);
[[nodiscard]] mcp::ListKind list_at(json::View line);

/// The server that the first line asks for.
[[nodiscard]] mcp::ServerConfig server_config(json::View setup);

/// A deed that is refused at once is seen as {"see":"complaint"}.
[[nodiscard]] std::string complaint(const Error& error);

/// Equal but for where they are played and the members that are left out.
[[nodiscard]] bool same(json::View line, json::View found,
                        std::initializer_list<std::string_view> left_out = {});

}  // namespace enfold::transcripts
