// SPDX-License-Identifier: Apache-2.0
// One principal cannot take all places for open requests, and what is refused has not run.
#include "enfold/gateway/policy/client_share.h"
#include "enfold/net/endpoint.h"
#include "tests/gateway/front.h"
#include "tests/store/temporary_folder.h"

#include <filesystem>
#include <fstream>

namespace enfold::gateway {
namespace {

TEST(ClientShare, is_free_only_for_clients_that_are_known_to_be_local) {
  struct Case {
    std::optional<std::string> network;
    std::string owner;
    bool is_free;
  };
  const std::vector<Case> cases{
      {std::nullopt, "", true},
      {"unix", "", true},
      {"127.0.0.1", "", true},
      {"127.3.2.1", "", true},
      {"::1", "", true},
      {"192.0.2.7", "192.0.2.7", false},
      {net::network_of("fe80::1%eth0"), "fe80::/64", false},
      {net::network_of("2001:db8:0:1::9"), "2001:db8:0:1::/64", false},
      {"(unknown)", "(unknown)", false},
      {"", "", false},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.network.value_or("stdio"));
    serve::ConnectionState client;
    client.principal = "local";
    client.client_network = each.network;
    Settings settings;
    const ClientShare share = share_of(settings, client);
    EXPECT_EQ(share.owner, each.owner);
    EXPECT_EQ(share.limit == Shares::Limit::any_free, each.is_free);
    settings.principals = {principal("ada", "key of ada")};
    client.principal = "ada";
    EXPECT_EQ(share_of(settings, client).owner, "ada");
    EXPECT_EQ(share_of(settings, client).limit, Shares::Limit::fair_share);
  }
}

TEST(FairShare, leaves_room_for_other_principals_and_runs_nothing_that_is_refused) {
  const store::testing::TemporaryFolder folder;
  Settings settings = for_many(upstream("both"), "none");
  settings.principals = {principal("ada", "key of ada"), principal("bob", "key of bob")};
  serve::HttpOptions options;
  options.limits.max_streams = 12;
  Front front(std::move(settings), std::move(options));
  const auto ada = front.voice("key of ada");
  std::vector<std::unique_ptr<Voice::Sent>> open;
  for (int i = 0; i < 12; ++i) {
    open.push_back(ada->send_call(
        "wait_for_file",
        fmt::format(R"({{"file":"{}"}})", folder.file(i == 0 ? "go" : fmt::format("go{}", i)))));
  }
  std::size_t refused = 0;
  ASSERT_TRUE(front.loop.until([&] {
    refused = 0;
    for (const auto& one : open) refused += one->heard ? 1 : 0;
    return refused >= 7;
  }));
  EXPECT_EQ(refused, 7U) << "five of twelve places are half of what is free, and one more";
  for (std::size_t i = 5; i < open.size(); ++i) {
    ASSERT_TRUE(open[i]->heard);
    EXPECT_EQ(open[i]->heard->status, 503);
    EXPECT_FALSE(std::filesystem::exists(folder.file(fmt::format("go{}.waits", i)))) << "it ran";
  }
  const auto line = std::ranges::find(front.lines, "http_refused", &serve::LogLine::event);
  ASSERT_NE(line, front.lines.end());
  EXPECT_EQ(line->principal, "ada");
  EXPECT_EQ(front.voice("key of bob")->request("POST", "{}").status, 400) << "bob is heard";
  for (int i = 0; i < 12; ++i) {
    std::ofstream(folder.file(i == 0 ? "go" : fmt::format("go{}", i))) << "now";
  }
  EXPECT_EQ(ada->wait(*open[0]).status, 200);
}

}  // namespace
}  // namespace enfold::gateway
