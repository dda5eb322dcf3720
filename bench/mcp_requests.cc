// SPDX-License-Identifier: Apache-2.0
#include "bench/mcp_requests.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/core.h>

namespace enfold::bench {

const std::string kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"load","version":"1.0.0"}}})";
const std::string kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string session_fields(const std::string& session) {
  const std::string version = "MCP-Protocol-Version: 2025-11-25\r\n";
  return session.empty() ? version : version + "MCP-Session-Id: " + session + "\r\n";
}

std::string open_session(const Connection& connection, std::uint16_t port,
                         const std::string& fields) {
  const Answer answer = connection.exchange(post(port, fields, kInitialize));
  const std::string name = "mcp-session-id: ";
  const auto found = std::search(answer.head.begin(), answer.head.end(), name.begin(), name.end(),
                                 [](char a, char b) { return std::tolower(a) == b; });
  std::string id;
  if (found != answer.head.end()) {
    const auto begin = found + static_cast<std::ptrdiff_t>(name.size());
    id.assign(begin, std::find(begin, answer.head.end(), '\r'));
  }
  const Answer accepted =
      connection.exchange(post(port, session_fields(id) + fields, kInitialized));
  if (answer.status != 200 || accepted.status != 202) {
    fmt::print(stderr, "error: no session: {}{}\n", answer.head, answer.body);
    std::exit(1);
  }
  return id;
}

std::string call_message(std::size_t id, const std::string& tool, const std::string& arguments) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":)"
                     R"({{"name":"{}","arguments":{}}}}})",
                     id, tool, arguments);
}

std::string session_call(std::uint16_t port, const std::string& session, std::size_t id,
                         const std::string& tool, const std::string& arguments) {
  return post(port, session_fields(session), call_message(id, tool, arguments));
}

}  // namespace enfold::bench
