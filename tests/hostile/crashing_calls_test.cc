// SPDX-License-Identifier: Apache-2.0
// A principal whose calls crash a server does not stop the calls of others.
#include "tests/gateway/front.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

Settings with_a_sensitive_breaker(const std::string& era) {
  UpstreamSettings one = upstream(era);
  one.circuit_breaker = {std::chrono::minutes(10), std::chrono::minutes(10), 2};
  Settings settings = for_many(std::move(one));
  settings.principals = {principal("mallory", "key of mallory"), principal("ann", "key of ann")};
  return settings;
}

TEST(CrashingCalls, open_the_breaker_only_for_whom_they_are) {
  for (const std::string era : {"sessions", "stateless"}) {
    SCOPED_TRACE(era);
    Front front(with_a_sensitive_breaker(era));
    const auto mallory = front.voice("key of mallory");
    const auto ann = front.voice("key of ann");
    for (int i = 0; i < 5; ++i) {
      mallory->call("crash");
      EXPECT_EQ(ann->call("echo").at("/isError"), "false") << i;
    }
    EXPECT_THAT(mallory->call("crash").body, HasSubstr("times in a row"));
    EXPECT_THAT(mallory->call("echo").body, HasSubstr("times in a row"));
    EXPECT_NE(front.gateway->report().upstreams.front().state, UpstreamState::open);
    const std::string session = ann->open_session();
    EXPECT_EQ(ann->call_in(session, "echo").at("/isError"), "false");
    front.loop->advance(std::chrono::minutes(11));
    EXPECT_EQ(front.voice("key of mallory")->call("echo").at("/isError"), "false")
        << "it gets another chance";
  }
}

TEST(ServersThatDoNotStart, are_left_alone_for_all) {
  Breakers breakers({std::chrono::milliseconds(100), std::chrono::seconds(1), 2});
  const Breaker::Time now{};
  breakers.record_failure({"mallory"}, now);
  breakers.record_failure({}, now);
  EXPECT_TRUE(breakers.of("mallory").is_open(now)) << "both count for mallory";
  EXPECT_FALSE(breakers.of("ann").is_open(now));
  breakers.record_failure({}, now);
  EXPECT_TRUE(breakers.of("ann").is_open(now));
  breakers.record_success("ann");
  EXPECT_FALSE(breakers.of("ann").is_open(now));
  EXPECT_TRUE(breakers.of("mallory").is_open(now));
  EXPECT_EQ(&breakers.worst(), &breakers.of("mallory"));
}

}  // namespace
}  // namespace enfold::gateway
