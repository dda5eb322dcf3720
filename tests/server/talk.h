// SPDX-License-Identifier: Apache-2.0
// A server in memory and somebody who talks to it, in either era.
#pragma once

#include "enfold/serve/connection.h"
#include "enfold/server/detail/dispatch.h"
#include "enfold/server/testing/manual_host.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace enfold::server {

class Talk : private serve::Sink {
 public:
  explicit Talk(Server& server) {
    server.settings().log = [this](const serve::LogLine& line) { lines.push_back(line); };
    auto made = Dispatcher::create(server, host);
    EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
    dispatcher = std::move(*made);
    connection = serve::Connection::open(*dispatcher, *this);
  }
  ~Talk() { connection->detach(); }
  Talk(const Talk&) = delete;
  Talk& operator=(const Talk&) = delete;

  void open_session(const std::string& capabilities = "{}") {
    say(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("clientInfo":{"name":")" +
        client + R"(","version":"1"},"capabilities":)" + capabilities + "}}");
    say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    heard.clear();
  }
  /// Closes the connection and opens another one.
  void reconnect(const std::string& principal = {}) {
    connection->detach();
    connection = serve::Connection::open(*dispatcher, *this, principal);
  }
  void say(const std::string& message) { connection->receive_bytes(json::Buffer(message)); }

  /// Sends a request and does all work; the result, or the error, of the answer.
  json::Value ask(const std::string& method, const std::string& params) {
    const std::int64_t id = start(method, params);
    host.run();
    return answer_to(id);
  }
  std::int64_t start(const std::string& method, const std::string& params) {
    const std::int64_t id = ++last_id;
    say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{}}})", id, method,
                    params));
    return id;
  }
  json::Value answer_to(std::int64_t id) {
    for (const json::Value& message : heard) {
      const auto named = message->find("id");
      if (!named || named->integer() != id || message->find("method")) continue;
      if (const auto result = message->find("result")) return json::Value(*result);
      return json::Value(*message->find("error"));
    }
    return {};
  }
  /// The structured content of a tool's answer.
  json::Value call(const std::string& tool, const std::string& arguments,
                   const std::string& meta = "{}") {
    const json::Value result =
        ask("tools/call",
            fmt::format(R"({{"name":"{}","arguments":{},"_meta":{}}})", tool, arguments, meta));
    const auto structured = result->find("structuredContent");
    return structured ? json::Value(*structured) : result;
  }

  ManualHost host;
  std::unique_ptr<Dispatcher> dispatcher;
  std::shared_ptr<serve::Connection> connection;
  std::vector<json::Value> heard;
  std::vector<serve::LogLine> lines;
  std::int64_t last_id = 0;
  std::string client = "tester";

 private:
  void send(mcp::Send send) override { heard.push_back(json::parse_own(send.message.str())); }
  void close_stream(mcp::CallKey /*call*/) override {}
};

/// What stands at a pointer, as JSON; "(none)" when nothing does.
inline std::string at(const json::Value& value, const std::string& pointer) {
  const auto found = json::Pointer::parse(pointer)->resolve(value.view());
  return found ? json::to_text(*found) : "(none)";
}

/// `_meta` of a stateless request, with more members.
inline std::string stateless_meta(const std::string& more = "",
                                  const std::string& capabilities = "{}") {
  return R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":)" +
         capabilities + (more.empty() ? "" : ",") + more + "}";
}

}  // namespace enfold::server
