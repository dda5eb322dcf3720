// SPDX-License-Identifier: Apache-2.0
// `enfold serve` at a Unix socket, as behind nginx.
#include "tests/serve_command/serving.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

TEST(ServeUnixSocket, answers_a_call_and_leaves_no_file_behind) {
  const store::testing::TemporaryFolder folder;
  const std::string path = folder.file("enfold.sock");
  Serving serving("archive = \"memory\"\n[listen]\naddress = \"unix:" + path +
                  "\"\nsocket_mode = \"600\"\n" + upstream_table("one", "stateless"));
  EXPECT_EQ(serving.url(), "http://unix:" + path + ":/mcp");
  struct stat file{};
  ASSERT_EQ(::stat(path.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777U, 0600U);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  net::RawPeer peer(socket);
  const std::string body =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"test","version":"1"}}})";
  peer.send(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body);
  net::RunningLoop loop;
  ASSERT_TRUE(loop.until([&] { return peer.has("serverInfo"); })) << peer.received();
  peer.close();
  serving.signal(SIGTERM);
  EXPECT_TRUE(loop.until([&] { return ::stat(path.c_str(), &file) != 0; }));
}

TEST(ServeUnixSocket, is_free_again_after_its_program_was_killed) {
  const store::testing::TemporaryFolder folder;
  Serving serving("archive = \"memory\"\n[listen]\naddress = \"unix:" + folder.file("enfold.sock") +
                  "\"\n" + upstream_table("one", "stateless"));
  serving.kill();
  serving.start();
  EXPECT_THAT(serving.url(), HasSubstr("enfold.sock"));
}

}  // namespace
}  // namespace enfold::gateway
