// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/listener.h"

#include "enfold/net/http/server.h"
#include "tests/net/running_loop.h"
#include "tests/store/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace enfold::net {
namespace {

using ::testing::HasSubstr;

int connect_to(const std::string& path) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return socket;
}

struct UnixSocket : ::testing::Test {
  store::testing::TemporaryFolder folder;
  std::string path = folder.file("x.sock");
  std::string address = "unix:" + path;
};

TEST_F(UnixSocket, serves_requests_and_removes_its_file_at_the_end) {
  RunningLoop loop;
  std::string seen;
  HttpServerOptions options;
  options.host = address;
  auto server =
      HttpServer::listen(*loop, std::move(options), [&](HttpRequest& request, Responder responder) {
        seen = responder.peer().address;
        responder.respond({200, {}, "you sent " + request.body});
      }).value();
  RawPeer peer(connect_to(path));
  peer.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi");
  ASSERT_TRUE(loop.until([&] { return peer.has("you sent hi"); }));
  EXPECT_EQ(seen, "unix:");
  RawPeer stranger(connect_to(path));
  stranger.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  ASSERT_TRUE(loop.until([&] { return stranger.has("\r\n\r\n"); }));
  EXPECT_THAT(stranger.received(), ::testing::StartsWith("HTTP/1.1 403"));
  server.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(UnixSocket, has_exactly_the_rights_that_are_asked_for) {
  for (const mode_t umask_of_program : {0U, 077U}) {
    const mode_t before = ::umask(umask_of_program);
    for (const mode_t mode : {0600U, 0660U, 0666U}) {
      const Listener listener = Listener::open(address, 0, mode).value();
      struct stat file{};
      ASSERT_EQ(::stat(path.c_str(), &file), 0);
      EXPECT_EQ(file.st_mode & 0777U, mode);
    }
    ::umask(before);
  }
}

TEST_F(UnixSocket, replaces_the_file_of_a_program_that_was_killed) {
  {
    Listener killed = Listener::open(address, 0).value();
    std::filesystem::rename(path, path + ".left");  // its file stays
  }
  std::filesystem::rename(path + ".left", path);
  const Result<Listener> next = Listener::open(address, 0);
  ASSERT_TRUE(next) << next.error().message;
  const RawPeer peer(connect_to(path));
}

TEST_F(UnixSocket, leaves_a_program_that_listens_and_a_file_that_is_no_socket_alone) {
  const Listener first = Listener::open(address, 0).value();
  const Result<Listener> second = Listener::open(address, 0);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("in use"));
  EXPECT_EQ(second.error().where, address);
  EXPECT_THAT(second.error().hint, HasSubstr("another path"));
  const RawPeer peer(connect_to(path));
  const std::string notes = folder.file("notes");
  std::ofstream(notes) << "mine";
  EXPECT_FALSE(Listener::open("unix:" + notes, 0));
  EXPECT_EQ(std::filesystem::file_size(notes), 4);
}

TEST_F(UnixSocket, does_not_remove_the_file_of_its_successor) {
  Listener old = Listener::open(address, 0).value();
  std::filesystem::remove(path);
  const Listener next = Listener::open(address, 0).value();
  old.reset();
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(UnixSocket, says_which_folder_is_missing_and_which_paths_cannot_be) {
  const Result<Listener> missing = Listener::open("unix:" + folder.file("no/x.sock"), 0);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().hint, HasSubstr("create its folder"));
  for (const std::string bad : {"unix:", "unix:x.sock", "unix:/run/", "unix:./x"}) {
    EXPECT_FALSE(check_unix_address(bad)) << bad;
  }
  EXPECT_TRUE(check_unix_address("unix:/" + std::string(106, 'x')));
  EXPECT_FALSE(check_unix_address("unix:/" + std::string(107, 'x')));
}

TEST(OriginText, is_a_url_that_nginx_and_curl_read) {
  EXPECT_EQ(origin_text("127.0.0.1", 80, false), "http://127.0.0.1:80");
  EXPECT_EQ(origin_text("::1", 443, true), "https://[::1]:443");
  EXPECT_EQ(origin_text("unix:/run/x.sock", 0, false), "http://unix:/run/x.sock:");
}

}  // namespace
}  // namespace enfold::net
