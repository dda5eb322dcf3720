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
  const Status status = run_http(std::move(settings), std::move(http), [](const auto&) {}, {});
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
  const Status status = run_http(
      settings, std::move(http),
      [&](const std::string& url) {
        listening = url;
        std::raise(SIGTERM);
      },
      [&] { return ReloadedSettings{settings, nullptr}; });
  for (const int signal : {SIGTERM, SIGINT}) std::signal(signal, SIG_DFL);
  EXPECT_TRUE(status) << status.error().message;
  EXPECT_FALSE(std::filesystem::exists(file)) << "it was reloaded";
  EXPECT_THAT(listening, ::testing::StartsWith("https://"));
}

}  // namespace
}  // namespace enfold::gateway
