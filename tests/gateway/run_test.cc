// SPDX-License-Identifier: Apache-2.0
// A gateway over HTTP as its process runs it, with signals.
#include "enfold/gateway/run.h"

#include "enfold/net/endpoint.h"
#include "enfold/net/tls.h"
#include "tests/gateway/meeting.h"
#include "tests/store/temporary_folder.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <poll.h>
#include <thread>

namespace enfold::gateway {
namespace {

TEST(RunHttp, reports_an_address_in_use_before_it_starts_any_server) {
  const store::testing::TemporaryFolder folder;
  const auto taken = net::listen_at(net::resolve("127.0.0.1", 0)->front());
  ASSERT_TRUE(taken);
  UpstreamSettings one = upstream("sessions", "one");
  std::get<client::StdioTarget>(one.target).command = {"touch", folder.file("started")};
  Settings settings = in_front_of(std::move(one));
  settings.one_client = false;
  serve::HttpOptions http;
  http.port = net::local_endpoint(taken->get())->port();
  const Status status = run_http(std::move(settings), std::move(http),
                                 {.on_listening = [](const std::string& /*url*/) {}});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, ::testing::HasSubstr("in use"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("started")));
}

TEST(RunHttp, listens_with_tls_after_a_reload_at_startup_that_leaves_tls_unchanged) {
  const store::testing::TemporaryFolder folder;
  const std::string file = folder.file("while");
  std::ofstream(file) << "x";
  Settings settings =
      in_front_of(with_environment(upstream("sessions", "slow"), "ENFOLD_TEST_SLOW", file));
  settings.upstreams.push_back(
      with_environment(upstream("sessions", "down"), "ENFOLD_TEST_DOWN", file));
  settings.one_client = false;
  settings.answers.log = [&](const serve::LogLine& line) {
    if (line.event == "upstream_broke") std::raise(SIGHUP);  // the other has not answered yet
    if (line.event == "reloaded") std::filesystem::remove(file);
  };
  serve::HttpOptions http;
  http.tls = net::TlsContext::client({.ca_file = {}, .verify = false}).value();  // nobody connects
  std::string listening;
  const Status status = run_http(settings, std::move(http),
                                 {.on_listening =
                                      [&](const std::string& url) {
                                        listening = url;
                                        std::raise(SIGTERM);
                                      },
                                  .load = [&] { return ReloadedSettings{settings, nullptr}; }});
  for (const int signal : {SIGTERM, SIGINT}) std::signal(signal, SIG_DFL);
  EXPECT_TRUE(status) << status.error().message;
  EXPECT_FALSE(std::filesystem::exists(file)) << "it was reloaded";
  EXPECT_THAT(listening, ::testing::StartsWith("https://"));
}

// 10 MB of members kept all others waiting for 340 ms.
TEST(RunHttp, refuses_a_body_of_more_than_four_mebibytes) {
  Settings settings = in_front_of(upstream());
  settings.one_client = false;
  std::string answer;
  std::thread client;
  const Status status = run_http(
      std::move(settings), {}, {.on_listening = [&](const std::string& url) {
        const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
        client = std::thread([&answer, port] {
          net::RawPeer peer = net::RawPeer::to_port(port);
          peer.send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194305\r\n\r\n");
          pollfd waiting{peer.descriptor(), POLLIN, 0};
          ::poll(&waiting, 1, 10'000);
          answer = peer.received();
          std::raise(SIGTERM);
        });
      }});
  client.join();
  for (const int signal : {SIGTERM, SIGINT}) std::signal(signal, SIG_DFL);
  EXPECT_TRUE(status) << status.error().message;
  EXPECT_THAT(answer, ::testing::StartsWith("HTTP/1.1 413"));
}

}  // namespace
}  // namespace enfold::gateway
