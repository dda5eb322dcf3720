// SPDX-License-Identifier: Apache-2.0
// The HTTP headers that repeat parts of a message (from 2026-07-28 on): MCP-Protocol-Version,
// Mcp-Method, Mcp-Name and one Mcp-Param-NAME for each argument whose schema says "x-mcp-header".
// Headers and body must agree; anything else is a header mismatch.
#pragma once

#include "enfold/mcp/wire/message.h"
#include "enfold/mcp/wire/protocol.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

/// Points into the request that the HTTP parser holds.
struct HeaderField {
  std::string_view name;  ///< upper and lower case mean the same
  std::string_view value;
};
using HeaderFields = std::span<const HeaderField>;

struct Header {
  std::string name;
  std::string value;
  friend bool operator==(const Header&, const Header&) = default;
};

namespace header {
inline constexpr std::string_view version = "MCP-Protocol-Version";
inline constexpr std::string_view method = "Mcp-Method";
inline constexpr std::string_view name = "Mcp-Name";
inline constexpr std::string_view param_prefix = "Mcp-Param-";
inline constexpr std::string_view session = "MCP-Session-Id";
inline constexpr std::string_view last_event_id = "Last-Event-ID";
inline constexpr std::string_view traceparent = "traceparent";  // W3C trace context
inline constexpr std::string_view tracestate = "tracestate";
}  // namespace header

/// The value without white space around it; of several headers with this name the first. nullopt:
/// there is none.
[[nodiscard]] std::optional<std::string_view> find_header(HeaderFields fields,
                                                          std::string_view name);

/// The text itself if a header may hold it, else the text in Base64: =?base64?…?=.
[[nodiscard]] std::string encode_header_value(std::string_view text);
/// The text that encode_header_value() has encoded. nullopt: the value is marked as Base64 but
/// malformed, or has bytes that no header may hold.
[[nodiscard]] std::optional<std::string> decode_header_value(std::string_view value);

/// The value of the header Mcp-Name for a message; nullopt: the message has no such header.
[[nodiscard]] std::optional<std::string> mcp_name_of(Method method, json::View params);

/// Headers for a message of the stateless era, without the Mcp-Param headers.
[[nodiscard]] std::vector<Header> standard_headers(std::string_view version,
                                                   std::string_view method, json::View params);

/// Compares the headers with the version, method and params of the body. nullopt: they agree.
[[nodiscard]] std::optional<RpcError> check_headers(HeaderFields fields, std::string_view version,
                                                    std::string_view method, json::View params);

/// One argument that is repeated in a header.
struct ParamHeader {
  enum class Kind { string, integer, boolean };
  std::string name;               ///< as the schema spells it, without Mcp-Param-
  std::vector<std::string> path;  ///< keys that lead from the arguments object to the argument
  Kind kind = Kind::string;
  friend bool operator==(const ParamHeader&, const ParamHeader&) = default;
};
using ParamHeaders = std::vector<ParamHeader>;

/// `invalid_input` if the schema breaks a rule about "x-mcp-header": a client must not use such a
/// tool over HTTP.
[[nodiscard]] Result<ParamHeaders> read_param_headers(json::View input_schema);
/// Headers for a call; none for an argument that is absent, null or not of its declared kind.
[[nodiscard]] std::vector<Header> param_headers(const ParamHeaders& declared, json::View arguments);
/// Compares the headers of a call with its arguments of the declared kind. nullopt: they agree.
[[nodiscard]] std::optional<RpcError> check_param_headers(const ParamHeaders& declared,
                                                          HeaderFields fields,
                                                          json::View arguments);

}  // namespace enfold::mcp
