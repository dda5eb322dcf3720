// SPDX-License-Identifier: Apache-2.0
#include "tests/client/peers.h"
#include "tests/store/temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace enfold::client {
namespace {

StdioTarget answering_server() {
  return script(greeting() + reply(result(2, R"("ok":true)")) + reply(result(3, R"("ok":true)")) +
                "cat >/dev/null");
}

TEST(ClientLifetime, may_end_in_the_callback_of_connect) {
  Talk talk(answering_server());
  bool ended = false;
  talk.client().connect([&](const Result<mcp::ServerIdentity>& server) {
    EXPECT_TRUE(server.has_value());
    talk.drop();
    ended = true;
  });
  EXPECT_TRUE(talk.loop().until([&] { return ended; }));
  talk.loop().settle();
}

TEST(ClientLifetime, may_end_in_an_event_and_drops_waiting_requests) {
  bool ended = false;
  bool came = false;
  Talk* there = nullptr;
  Talk talk(answering_server(), {}, on<mcp::Ready>([&](const mcp::Ready&) {
              there->drop();
              ended = true;
            }));
  there = &talk;
  talk.client().connect([&](const Result<mcp::ServerIdentity>&) { came = true; });
  talk.client().request(talk.client().prepare("tools/list"),
                        {.done = [&](const CallResult&) { came = true; }});
  EXPECT_TRUE(talk.loop().until([&] { return ended; }));
  talk.loop().settle();
  EXPECT_FALSE(came);
}

TEST(ClientLifetime, may_end_when_the_first_of_several_requests_fails) {
  Talk talk(script(greeting() + "read -r line; read -r line; exit 3"));
  ASSERT_TRUE(talk.connect().has_value());
  int failures = 0;
  for (int i = 0; i < 2; ++i) {
    talk.client().request(talk.client().prepare("tools/list"), {.done = [&](const CallResult&) {
                            ++failures;
                            talk.drop();
                          }});
  }
  EXPECT_TRUE(talk.loop().until([&] { return failures > 0; }));
  talk.loop().settle();
  EXPECT_EQ(failures, 1);
}

TEST(Client, holds_requests_for_the_next_connection_if_it_is_told_to) {
  ClientOptions options;
  options.holds_requests = true;
  Talk talk(answering_server(), options);
  std::optional<CallResult> outcome;
  talk.client().request(talk.client().prepare("tools/list"),
                        {.done = [&](CallResult done) { outcome = std::move(done); }});
  talk.loop().settle();
  EXPECT_FALSE(outcome.has_value());
  EXPECT_EQ(talk.client().open_requests(), 1U);
  ASSERT_TRUE(talk.connect().has_value());
  EXPECT_TRUE(talk.loop().until([&] { return outcome.has_value(); }));
  EXPECT_TRUE(outcome->has_value());
  talk.close();
}

TEST(Client, waits_at_its_end_for_connections_that_it_has_given_up) {
  const store::testing::TemporaryFolder folder;
  const std::string file = folder.file("ended");
  StdioTarget target = script(greeting() + "cat >/dev/null; echo x >" + file);
  target.stdin_timeout = std::chrono::seconds(20);
  Talk talk(target);
  ASSERT_TRUE(talk.connect().has_value());
  talk.client().disconnect({ErrorCode::unavailable, "given up", {}, {}});
  talk.close();
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(Client, gives_up_an_attempt_to_connect_without_making_another) {
  ClientOptions options;
  options.known_era = mcp::Era::sessions;
  bool was_reported = false;
  Talk talk(script("cat >/dev/null"), options,
            on<mcp::Broken>([&](const mcp::Broken&) { was_reported = true; }));
  std::optional<Result<mcp::ServerIdentity>> outcome;
  talk.client().connect([&](Result<mcp::ServerIdentity> server) { outcome = std::move(server); });
  talk.client().disconnect({ErrorCode::unavailable, "given up", {}, {}});
  EXPECT_FALSE(talk.client().is_connecting());
  EXPECT_TRUE(was_reported);
  ASSERT_TRUE(outcome.has_value());
  ASSERT_FALSE(outcome->has_value());
  EXPECT_EQ(outcome->error().message, "given up");
  talk.close();
}

TEST(Client, says_what_to_do_when_too_many_requests_wait) {
  ClientOptions options;
  options.holds_requests = true;
  options.max_open_calls = 1;
  Talk talk(answering_server(), options);
  talk.client().request(talk.client().prepare("tools/list"), {});
  const CallResult refused = talk.request("tools/list");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().error.code, ErrorCode::limit_exceeded);
  EXPECT_EQ(refused.error().error.hint, "send fewer requests at the same time");
}

}  // namespace
}  // namespace enfold::client
