// SPDX-License-Identifier: Apache-2.0
// What a client makes a server keep has a bound: the description of itself, and its subscriptions.
#include "enfold/mcp/peer/server_peer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace enfold::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ClientLimits : public testing::Test {
 protected:
  ClientLimits() {
    auto config = std::make_shared<ServerConfig>();
    config->capabilities =
        Capabilities(json::parse_own(R"({"tools":{},"resources":{"subscribe":true}})"));
    peer = std::make_unique<ServerPeer>(std::move(config));
  }

  /// What the peer sends back; "(call)": it accepts the request as a call.
  std::string receive(const std::string& message) {
    std::string out;
    for (ServerAction& action : peer->receive_bytes(json::Buffer(message))) {
      if (const auto* send = std::get_if<Send>(&action)) out += send->message.str();
      if (const auto* call = std::get_if<Call>(&action)) {
        last = call->key;
        out += "(call)";
      }
    }
    return out;
  }
  std::string initialize(const std::string& capabilities, const std::string& info) {
    return receive(fmt::format(
        R"({{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":)"
        R"("2025-11-25","capabilities":{},"clientInfo":{}}}}})",
        capabilities, info));
  }
  std::string stateless(const std::string& method, const std::string& params,
                        const std::string& info = "{}") {
    return receive(fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{{{},"_meta":)"
                               R"({{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                               R"("io.modelcontextprotocol/clientInfo":{},)"
                               R"("io.modelcontextprotocol/clientCapabilities":{{}}}}}}}})",
                               ++id, method, params, info));
  }
  std::string subscribe(const std::string& uri) {
    return receive(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"resources/subscribe","params":{{"uri":"{}"}}}})",
        ++id, uri));
  }
  std::string listen(const std::string& uris) {
    return stateless("subscriptions/listen",
                     fmt::format(R"("notifications":{{"resourceSubscriptions":[{}]}})", uris));
  }

  std::unique_ptr<ServerPeer> peer;
  CallKey last{};
  int id = 0;
};

// {"name":"AAA…"} with this number of bytes.
std::string info_of(std::size_t bytes) {
  return fmt::format(R"({{"name":"{}"}})", std::string(bytes - 11, 'A'));
}

TEST_F(ClientLimits, a_client_may_declare_some_kilobytes_about_itself_and_not_more) {
  const std::string capabilities = R"({"roots":{}})";
  const std::size_t most = kMaxDeclaredBytes - capabilities.size();
  EXPECT_THAT(
      initialize(capabilities, info_of(most + 1)),
      HasSubstr("expected at most 32768 bytes of client info and capabilities, found 32769"));
  EXPECT_FALSE(peer->has_session());
  EXPECT_THAT(initialize(info_of(4'000'000), "{}"), HasSubstr("found 4000002"));
  EXPECT_THAT(initialize(capabilities, info_of(most)), HasSubstr(R"("result")"));
  EXPECT_TRUE(peer->has_session());
}

TEST_F(ClientLimits, of_what_a_client_declares_hold_for_each_stateless_request) {
  const std::string call = R"("name":"a","arguments":{})";
  EXPECT_EQ(stateless("tools/call", call, info_of(32766)), "(call)");
  EXPECT_THAT(stateless("tools/call", call, info_of(32767)), HasSubstr("found 32769"));
}

TEST_F(ClientLimits, a_session_subscribes_to_a_number_of_resources) {
  (void)initialize("{}", "{}");
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(subscribe(fmt::format("a:{}", i)), "(call)");
    (void)peer->reply(last, CompleteResult{}, Time(0));
  }
  for (int i = 1000; i < 1024; ++i) ASSERT_EQ(subscribe(fmt::format("a:{}", i)), "(call)");
  EXPECT_THAT(subscribe("a:1024"), HasSubstr("expected at most 1024 resources, found 1025"))
      << "calls without an answer count too";
  EXPECT_EQ(subscribe("a:0"), "(call)") << "it is subscribed already";
  EXPECT_FALSE(peer->resource_updated("a:0").empty()) << "none was dropped";
}

TEST_F(ClientLimits, the_uris_of_a_session_have_a_length_each_and_together) {
  (void)initialize("{}", "{}");
  EXPECT_THAT(subscribe(std::string(4097, 'u')),
              HasSubstr("expected names of resources with at most 4096 bytes, found 4097"));
  for (int i = 0; i < 32; ++i) {
    ASSERT_EQ(subscribe(fmt::format("{:04}", i) + std::string(4092, 'u')), "(call)");
  }
  EXPECT_THAT(subscribe("a"), HasSubstr("with at most 131072 bytes together, found 131073"));
}

TEST_F(ClientLimits, the_uris_of_a_listen_have_a_length_each_and_together) {
  EXPECT_THAT(listen(fmt::format(R"("{}")", std::string(4097, 'u'))), HasSubstr("found 4097"));
  std::string uris = R"("a")";
  for (int i = 0; i < 32; ++i) uris += fmt::format(R"(,"{}")", std::string(4096, 'u'));
  EXPECT_THAT(listen(uris), HasSubstr("found 131073"));
  EXPECT_THAT(listen(R"("a")"), Not(HasSubstr("error")));
}

}  // namespace
}  // namespace enfold::mcp
