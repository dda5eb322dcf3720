// SPDX-License-Identifier: Apache-2.0
// The code of docs/guide/client.md.
#include "enfold/client/blocking.h"
#include "tests/client/peers.h"

#include <gmock/gmock.h>

namespace enfold {
namespace {

std::string server_command() {
  return client::greeting() +
         client::reply(client::result(
             2, R"("resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[)"
                R"({"name":"greet","inputSchema":{"type":"object"}}])")) +
         client::reply(client::result(
             3, R"("resultType":"complete","content":[{"type":"text","text":"Hello, Ada!"}])")) +
         "cat >/dev/null";
}

// clang-format off
Result<std::string> greet(std::vector<std::string> command) {
  auto opened = client::BlockingClient::open(client::StdioTarget{.command = std::move(command)}, {});
  if (!opened) return tl::unexpected(opened.error());
  client::BlockingClient& server = **opened;
  if (auto greeted = server.connect(); !greeted) return tl::unexpected(greeted.error());
  const auto tools = server.tools();
  if (!tools) return tl::unexpected(tools.error().error);
  const auto tool = client::choose(*tools, "greet");
  if (!tool) return tl::unexpected(tool.error());
  const json::Value arguments = json::parse_own(R"({"name": "Ada"})");
  if (auto suits = client::check_arguments(**tool, arguments.view()); !suits)
    return tl::unexpected(suits.error());
  const auto answer = server.call(client::request_for(**tool, arguments));
  if (!answer) return tl::unexpected(answer.error().error);
  server.close();
  return json::to_text(answer->result.view());
}
// clang-format on

TEST(ClientDocumentation, greets) {
  const auto answer = greet({"bash", "-c", server_command()});
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_THAT(*answer, ::testing::HasSubstr("Hello, Ada!"));
}

}  // namespace
}  // namespace enfold
