// SPDX-License-Identifier: Apache-2.0
// The code that docs/internals/protocol.md shows.
#include "enfold/mcp/peer/client_peer.h"
#include "enfold/mcp/peer/server_peer.h"
#include "tests/mcp/transcript.h"

#include <gtest/gtest.h>

namespace enfold::mcp {
namespace {

class EchoServer {
 public:
  explicit EchoServer(std::shared_ptr<const ServerConfig> config) : peer_(std::move(config)) {}

  void on_line(std::string_view line) { carry_out(peer_.receive_bytes(json::Buffer(line))); }

  void carry_out(ServerActions actions) {
    for (ServerAction& action : actions) {
      if (auto* send = std::get_if<Send>(&action)) {
        write_line(send->message);
      } else if (auto* call = std::get_if<Call>(&action)) {
        carry_out(peer_.reply(call->key, answer(*call), now()));
      }
    }
  }

  Reply answer(const Call& call) {
    const auto* tool = std::get_if<ToolCall>(&call.params);
    if (tool == nullptr) return method_not_found(call.method_name);
    if (!call.inputs.find("name")) {
      InputRequired required;
      required.requests.push_back(ask_form("name", "Who are you?", schema_.view()));
      return required;
    }
    return complete(text_result("Hello"), call.caller->era);
  }

  std::vector<std::string> lines;

 private:
  void write_line(const json::Output& message) { lines.push_back(message.str()); }
  static Time now() { return Time(0); }

  ServerPeer peer_;
  json::Value schema_ = json::parse_own(R"({"type":"object"})");
};

TEST(Example, one_application_serves_both_eras) {
  auto config = std::make_shared<const ServerConfig>(testing::fixture_config());
  EchoServer sessions(config);
  sessions.on_line(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{"elicitation":{}}}})");
  sessions.on_line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  sessions.on_line(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hello"}})");
  ASSERT_EQ(sessions.lines.size(), 2U);
  EXPECT_NE(sessions.lines.back().find("elicitation/create"), std::string::npos);
  sessions.on_line(R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}})");
  ASSERT_EQ(sessions.lines.size(), 3U);
  EXPECT_NE(sessions.lines.back().find("Hello"), std::string::npos);

  EchoServer stateless(config);
  stateless.on_line(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}})");
  ASSERT_EQ(stateless.lines.size(), 1U);
  EXPECT_NE(stateless.lines.back().find("input_required"), std::string::npos);
}

}  // namespace
}  // namespace enfold::mcp
