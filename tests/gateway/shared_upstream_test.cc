// SPDX-License-Identifier: Apache-2.0
// `shared = true`: the sessions of one principal use one process of an upstream.
#include "enfold/gateway/lists/list_cache.h"
#include "tests/gateway/front.h"

#include <fstream>
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

// A server of the session era keeps things for its connection, such as resources of one client.
TEST(Upstream, has_a_process_for_each_principal_without_a_session) {
  Settings settings = sharing(false);
  settings.principals = {principal("ada", "key of ada"), principal("bob", "key of bob")};
  Front front(std::move(settings));
  const std::string asking = R"({"elicitation":{}})";
  const auto pid = [&](const char* key, const std::string& capabilities) {
    return front.voice(key)->call("pid", "{}", "", capabilities).at("/content/0/text");
  };
  const std::set<std::string> ada{pid("key of ada", "{}"), pid("key of ada", asking)};
  const std::set<std::string> bob{pid("key of bob", "{}"), pid("key of bob", asking)};
  for (const std::string& one : ada) EXPECT_FALSE(bob.contains(one));
  EXPECT_TRUE(ada.contains(pid("key of ada", "{}")));
  EXPECT_TRUE(bob.contains(pid("key of bob", "{}")));
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

// A list that is late is taken from what the server said before; a new session does not wait.
TEST(SharedUpstream, that_is_busy_does_not_keep_new_sessions_from_the_list_it_gave_before) {
  const std::string file = ::testing::TempDir() + "enfold-shared-upstream-slow";
  std::remove(file.c_str());
  UpstreamSettings one = with_environment(upstream("sessions"), "ENFOLD_TEST_SLOW", file);
  one.is_shared = true;
  Front front(for_many(std::move(one)));
  const auto list = [&front] {
    const auto voice = front.voice();
    return voice
        ->request("POST", R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})",
                  Voice::in(voice->open_session()))
        .body;
  };
  const std::string before = list();
  std::ofstream(file) << "";
  const auto began = std::chrono::steady_clock::now();
  const std::string meanwhile = list();
  const auto took = std::chrono::steady_clock::now() - began;
  std::remove(file.c_str());
  EXPECT_NE(before.find("echo"), std::string::npos);
  EXPECT_NE(meanwhile.find("echo"), std::string::npos);
  EXPECT_LT(took, kListTimeout);
}

}  // namespace
}  // namespace enfold::gateway
