// SPDX-License-Identifier: Apache-2.0
// `shared = true`: the sessions of one principal use one process of an upstream.
#include "tests/gateway/front.h"

#include <set>

namespace enfold::gateway {
namespace {

Settings sharing(bool is_shared = true) {
  UpstreamSettings one = upstream("sessions");
  one.is_shared = is_shared;
  return for_many(std::move(one), "none");
}

std::string pid_in_session(Voice& voice) {
  return voice.call_in(voice.open_session(), "pid").at("/content/0/text");
}

TEST(SharedUpstream, has_one_process_for_many_sessions) {
  Front front(sharing());
  std::set<std::string> pids;
  for (int i = 0; i < 20; ++i) pids.insert(pid_in_session(*front.voice()));
  pids.insert(front.voice()->call("pid").at("/content/0/text"));
  EXPECT_EQ(pids.size(), 1U);
  EXPECT_EQ(front.gateway->report().upstreams.front().connections, 1U);
}

TEST(SharedUpstream, is_not_the_default) {
  Front front(sharing(false));
  EXPECT_NE(pid_in_session(*front.voice()), pid_in_session(*front.voice()));
}

TEST(SharedUpstream, has_a_process_for_each_principal) {
  Settings settings = sharing();
  settings.principals = {principal("ada", "key of ada"), principal("bob", "key of bob")};
  Front front(std::move(settings));
  const std::string ada = pid_in_session(*front.voice("key of ada"));
  const std::string bob = pid_in_session(*front.voice("key of bob"));
  EXPECT_NE(ada, bob);
  EXPECT_EQ(pid_in_session(*front.voice("key of ada")), ada);
  EXPECT_EQ(pid_in_session(*front.voice("key of bob")), bob);
  EXPECT_EQ(front.voice("key of bob")->call("pid").at("/content/0/text"), bob) << "in either era";
  EXPECT_EQ(front.gateway->report().upstreams.front().connections, 2U)
      << "the process of the start serves the first principal";
}

TEST(SharedUpstream, sees_enfold_as_a_client_that_cannot_be_asked) {
  Front front(sharing());
  const Heard heard = front.voice()->call("heard", "{}", "", R"({"roots":{},"sampling":{}})");
  EXPECT_NE(heard.body.find(R"(\"capabilities\":{},\"clientInfo\":{\"name\":\"enfold\")"),
            std::string::npos)
      << heard.body;
}

}  // namespace
}  // namespace enfold::gateway
