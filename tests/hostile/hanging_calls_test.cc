// SPDX-License-Identifier: Apache-2.0
// A client whose calls hang or are cancelled harms only itself.
#include "tests/gateway/front.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

TEST(Breaker, opens_for_the_principal_that_hangs_a_server_and_not_for_the_others) {
  UpstreamSettings one = upstream("stateless");
  one.idle_timeout = seconds(20);
  one.circuit_breaker = {.initial_backoff = std::chrono::minutes(10),
                         .max_backoff = std::chrono::minutes(10),
                         .failure_threshold = 2};
  Settings settings = for_many(std::move(one), "none");
  settings.principals = {principal("ada", "key of ada"), principal("bob", "key of bob")};
  Front front(std::move(settings));
  const auto ada = front.voice("key of ada");
  const auto bob = front.voice("key of bob");
  const auto pass = [&](int time) {
    for (int i = 0; i < time; ++i) {
      front.loop->advance(seconds(1));
      front.loop.settle();
    }
  };
  for (int round = 0; round < 2; ++round) {
    const auto hangs = ada->send_call("hang");
    ASSERT_TRUE(front.loop.until([&] {  // which the server has got
      const Report report = front.gateway->report();
      return report.open_calls == 1 && report.upstreams.front().connections == 1;
    }));
    pass(18);
    const auto waits = bob->send_call("echo");
    ASSERT_TRUE(front.loop.until([&] { return front.gateway->report().open_calls == 2; }));
    pass(9);
    EXPECT_THAT(ada->wait(*hangs).body, HasSubstr("in time"));
    EXPECT_THAT(bob->wait(*waits).body, HasSubstr("hangs and is restarted"));
  }
  EXPECT_THAT(ada->call("echo").body, HasSubstr("failed 2 times in a row"));
  EXPECT_EQ(bob->call("echo").at("/content/0/type"), R"("text")");
}

// An agent with a short timeout calls again and again.
TEST(CancelledCall, does_not_keep_its_process_from_the_next_call) {
  Front front(for_many(upstream("sessions"), "none"));
  const auto client = front.voice();
  const std::string may_be_asked = R"({"elicitation":{}})";
  const std::string pid = client->call("pid", "{}", "", may_be_asked).body;
  for (int i = 0; i < 3; ++i) {
    const std::size_t before = front.gateway->report().open_calls;
    const auto sent = client->send_call("silent", "{}", "", may_be_asked);
    ASSERT_TRUE(front.loop.until([&] { return front.gateway->report().open_calls > before; }));
  }  // the client closes the stream
  front.loop.settle();
  EXPECT_EQ(client->call("pid", "{}", "", may_be_asked).body, pid);
}

}  // namespace
}  // namespace enfold::gateway
