// SPDX-License-Identifier: Apache-2.0
// The HTTP headers that repeat what a message says (from 2026-07-28 on): MCP-Protocol-Version,
// Mcp-Method, Mcp-Name and one Mcp-Param-NAME for each argument whose schema says "x-mcp-header".
// Headers and body must agree; anything else is a header mismatch.
#pragma once

#include "enfold/mcp/wire/message.h"
#include "enfold/mcp/wire/method.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

/// Borrowed from whoever parsed the request.
struct HeaderField {
  std::string_view name;  ///< in any case
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

namespace detail {
[[nodiscard]] bool same_letters(const char* a, const char* b, std::size_t size);
}  // namespace detail
[[nodiscard]] inline bool same_header(std::string_view a, std::string_view b) {  ///< ignoring case
  return a.size() == b.size() && detail::same_letters(a.data(), b.data(), a.size());
}
/// Without white space around it; of several the first.
[[nodiscard]] std::optional<std::string_view> find_header(HeaderFields fields,
                                                          std::string_view name);

/// As it is when it is safe, else =?base64?…?=.
[[nodiscard]] std::string encode_header_value(std::string_view text);
/// nullopt: says that it is Base64, and is not; or holds bytes no header may hold.
[[nodiscard]] std::optional<std::string> decode_header_value(std::string_view value);

/// What Mcp-Name must say for this message; nullopt: nothing.
[[nodiscard]] std::optional<std::string> name_of(Method method, json::View params);

/// Headers for a message of the stateless era, without those of its arguments.
[[nodiscard]] std::vector<Header> standard_headers(std::string_view version,
                                                   std::string_view method, json::View params);

/// nullopt: headers and body agree.
[[nodiscard]] std::optional<RpcError> check_headers(HeaderFields fields, std::string_view version,
                                                    std::string_view method, json::View params);

/// One argument that is repeated in a header.
struct ParamHeader {
  enum class Kind { string, integer, boolean };
  std::string name;               ///< without the prefix, as the schema spells it
  std::vector<std::string> path;  ///< through `properties`
  Kind kind = Kind::string;
  friend bool operator==(const ParamHeader&, const ParamHeader&) = default;
};
using ParamHeaders = std::vector<ParamHeader>;

/// `invalid_input` when the schema breaks a rule about "x-mcp-header": a client that speaks HTTP
/// must not use such a tool.
[[nodiscard]] Result<ParamHeaders> read_param_headers(json::View input_schema);
[[nodiscard]] std::vector<Header> param_headers(const ParamHeaders& declared, json::View arguments);
[[nodiscard]] std::optional<RpcError> check_param_headers(const ParamHeaders& declared,
                                                          HeaderFields fields,
                                                          json::View arguments);

}  // namespace enfold::mcp
