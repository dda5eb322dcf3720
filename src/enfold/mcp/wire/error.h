// SPDX-License-Identifier: Apache-2.0
// JSON-RPC errors and what each protocol revision means by their codes. An error of ours
// (enfold::Error) becomes one of these in one place, `to_rpc_error`.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/write.h"
#include "enfold/mcp/wire/version.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace enfold::mcp {

namespace code {
inline constexpr std::int64_t parse_error = -32700;
inline constexpr std::int64_t invalid_request = -32600;
inline constexpr std::int64_t method_not_found = -32601;
inline constexpr std::int64_t invalid_params = -32602;
inline constexpr std::int64_t internal_error = -32603;
inline constexpr std::int64_t bad_request = -32000;          ///< transport errors of sessions
inline constexpr std::int64_t session_not_found = -32001;    ///< sessions over HTTP
inline constexpr std::int64_t resource_not_found = -32002;   ///< up to 2025-11-25
inline constexpr std::int64_t url_elicitation = -32042;      ///< 2025-11-25 only
inline constexpr std::int64_t header_mismatch = -32020;      ///< from 2026-07-28 on
inline constexpr std::int64_t missing_capability = -32021;   ///< from 2026-07-28 on
inline constexpr std::int64_t unsupported_version = -32022;  ///< from 2026-07-28 on
}  // namespace code

struct RpcError {
  std::int64_t code = code::internal_error;
  std::string message;
  std::optional<json::Value> data;
  friend bool operator==(const RpcError&, const RpcError&) = default;
};

/// One row for each code that a revision defines; pinned by a test.
struct ErrorRow {
  std::int64_t code;
  std::string_view name;
  int stateless_status;  ///< HTTP status from 2026-07-28 on; 0: must not be sent there
  bool sessions;         ///< may be sent up to 2025-11-25
};
[[nodiscard]] std::span<const ErrorRow> error_rows();

/// HTTP status of a reply that is this error and nothing else. In the session era a JSON-RPC error
/// is an ordinary answer: 200.
[[nodiscard]] int http_status(Era era, std::int64_t code);

/// The error as a peer of that era may be told it: codes that the stateless era has withdrawn are
/// replaced by their successors, everything else passes.
[[nodiscard]] RpcError for_era(RpcError error, Era era);

[[nodiscard]] RpcError to_rpc_error(const Error& error);

// The errors that the protocol itself calls for.
[[nodiscard]] RpcError method_not_found(std::string_view method);
[[nodiscard]] RpcError invalid_params(std::string message);
[[nodiscard]] RpcError invalid_request(std::string message);
[[nodiscard]] RpcError unsupported_version(std::string_view requested,
                                           std::span<const std::string> supported);
/// `needed` is a capabilities object, such as {"sampling":{}}.
[[nodiscard]] RpcError missing_capability(std::string message, json::Value needed);
[[nodiscard]] RpcError header_mismatch(std::string_view header, std::string message);
[[nodiscard]] RpcError resource_not_found(Era era, std::string_view uri);

[[nodiscard]] RpcError read_error(json::View error);
void write_error(json::Writer& writer, const RpcError& error);

}  // namespace enfold::mcp
