// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/http.h"

#include "enfold/mcp/era_2025/event_log.h"
#include "tests/mcp/transcript.h"

#include <gtest/gtest.h>

namespace enfold::mcp {
namespace {

constexpr HeaderField kType{"Content-Type", "application/json; charset=utf-8"};
constexpr HeaderField kAccept{"Accept", "application/json, text/event-stream"};
constexpr HeaderField kSession{"MCP-Session-Id", "s"};
constexpr HeaderField kModern{"MCP-Protocol-Version", "2026-07-28"};
constexpr const char* kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
constexpr const char* kStatelessPing =
    R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":)"
    R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})";

std::string said(const Route& route) {
  if (const auto* rejection = std::get_if<Rejection>(&route)) {
    const json::Value body = json::parse_own(rejection->body.str());
    return std::to_string(rejection->status) + " " +
           std::to_string(read_error(*body->find("error")).code) +
           (rejection->allow.empty() ? "" : " " + std::string(rejection->allow));
  }
  if (std::holds_alternative<StatelessPost>(route)) return "stateless";
  if (const auto* post = std::get_if<SessionPost>(&route)) {
    return "session " + std::string(post->session.value_or("none")) + " " +
           std::to_string(post->messages.size());
  }
  if (const auto* stream = std::get_if<SessionStream>(&route)) {
    return "stream " + stream->session + " " + stream->last_event_id.value_or("none");
  }
  return "end " + std::get<SessionEnd>(route).session;
}

struct Case {
  const char* name;
  const char* method;
  std::vector<HeaderField> fields;
  const char* body;
  const char* want;
};

void expect(const ServerConfig& config, const std::vector<Case>& table) {
  for (const Case& row : table) {
    EXPECT_EQ(said(route(row.method, row.fields, json::Buffer(row.body), config)), row.want)
        << row.name;
  }
}

TEST(Route, both_eras_live_on_one_path) {
  expect(testing::fixture_config(),
         {
             {"initialize opens", "POST", {kType, kAccept}, kInitialize, "session none 1"},
             {"session", "POST", {kType, kAccept, kSession}, kPing, "session s 1"},
             {"no session", "POST", {kType, kAccept}, kPing, "400 -32000"},
             {"broken session id",
              "POST",
              {kType, kAccept, {"mcp-session-id", "a b"}},
              kPing,
              "404 -32001"},
             {"any Accept", "POST", {kType, {"Accept", "*/*"}, kSession}, kPing, "session s 1"},
             {"families",
              "POST",
              {kType, {"Accept", "text/*;q=1, application/*"}, kSession},
              kPing,
              "session s 1"},
             {"no Accept", "POST", {kType, kSession}, kPing, "406 -32000"},
             {"only json",
              "POST",
              {kType, {"Accept", "application/json"}, kSession},
              kPing,
              "406 -32000"},
             {"no content type", "POST", {kAccept, kSession}, kPing, "415 -32000"},
             {"old version header",
              "POST",
              {kType, kAccept, kSession, {"MCP-Protocol-Version", "2024-11-05"}},
              kPing,
              "session s 1"},
             {"unknown version header",
              "POST",
              {kType, kAccept, kSession, {"MCP-Protocol-Version", "1999-01-01"}},
              kPing,
              "400 -32000"},
             {"batch",
              "POST",
              {kType, kAccept, kSession},
              R"([{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}])",
              "session s 2"},
             {"initialize in a batch",
              "POST",
              {kType, kAccept},
              R"([{"jsonrpc":"2.0","id":1,"method":"initialize"},{"jsonrpc":"2.0","method":"b"}])",
              "400 -32600"},
             {"response",
              "POST",
              {kType, kAccept, kSession},
              R"({"jsonrpc":"2.0","id":1,"result":{}})",
              "session s 1"},
             {"response with a stateless header",
              "POST",
              {kType, kAccept, kModern},
              R"({"jsonrpc":"2.0","id":1,"result":{}})",
              "400 -32000"},
             {"no json", "POST", {kType, kAccept}, "{", "400 -32700"},
             {"empty", "POST", {kType, kAccept}, "", "400 -32700"},
             {"no message", "POST", {kType, kAccept}, "{}", "400 -32600"},
             {"says stateless", "POST", {kType}, kStatelessPing, "stateless"},
             {"stateless header only", "POST", {kType, kModern}, kPing, "stateless"},
             {"initialize with stateless header",
              "POST",
              {kType, kAccept, kModern},
              kInitialize,
              "400 -32020"},
             {"stateless notification",
              "POST",
              {kType, kModern, {"Mcp-Method", "notifications/cancelled"}},
              R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
              "stateless"},
             {"its header is checked",
              "POST",
              {kType, kModern, {"Mcp-Method", "other"}},
              R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
              "400 -32020"},
             {"stream", "GET", {kAccept, kSession}, "", "stream s none"},
             {"resumed", "GET", {kAccept, kSession, {"Last-Event-ID", "0-5"}}, "", "stream s 0-5"},
             {"stream without session", "GET", {kAccept}, "", "400 -32000"},
             {"stream without Accept", "GET", {kSession}, "", "406 -32000"},
             {"end", "DELETE", {kSession}, "", "end s"},
             {"other method", "PUT", {}, "", "405 -32000 GET, POST, DELETE"},
         });
}

TEST(Route, a_server_without_sessions_takes_posts_only) {
  ServerConfig config = testing::fixture_config();
  config.versions = {"2026-07-28"};
  expect(
      config,
      {
          {"get", "GET", {kAccept, kSession}, "", "405 -32000 POST"},
          {"initialize", "POST", {kType, kAccept}, kInitialize, "400 -32022"},
          {"without _meta", "POST", {kType, kAccept}, kPing, "stateless"},
          {"batch", "POST", {kType, kAccept}, R"([{"jsonrpc":"2.0","method":"b"}])", "400 -32600"},
      });
}

TEST(Route, a_server_with_sessions_only_knows_no_other_era) {
  ServerConfig config = testing::fixture_config();
  config.versions = {"2025-11-25"};
  expect(config, {
                     {"discover", "POST", {kType, kAccept, kModern}, kStatelessPing, "400 -32000"},
                     {"header", "POST", {kType, kAccept, kModern, kSession}, kPing, "400 -32000"},
                     {"session", "POST", {kType, kAccept, kSession}, kStatelessPing, "session s 1"},
                 });
}

TEST(EventLog, replays_only_the_same_stream_and_only_what_came_after) {
  using era_2025::StreamKey;
  era_2025::EventLog log;
  const auto stream = static_cast<StreamKey>(7);
  const std::string first = log.append(stream, "");
  static_cast<void>(log.append(StreamKey::standalone, "other"));
  const std::string second = log.append(stream, "a");
  static_cast<void>(log.append(stream, "b"));
  const auto replay = log.replay_after(first);
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->stream, stream);
  ASSERT_EQ(replay->events.size(), 2U);
  EXPECT_EQ(replay->events[0].id, second);
  EXPECT_EQ(replay->events[1].message, "b");
  for (const char* foreign : {"", "7", "7-", "x-1", "7-99", "0-1", "7-1x", "-1"}) {
    EXPECT_FALSE(log.replay_after(foreign)) << foreign;
  }
  log.forget(stream);
  EXPECT_FALSE(log.replay_after(first));
  EXPECT_EQ(log.size(), 1U);
}

TEST(EventLog, is_bounded_in_events_and_bytes) {
  using era_2025::StreamKey;
  era_2025::EventLog log({.events = 3, .bytes = 10});
  std::string first;
  for (int i = 0; i < 10; ++i) {
    const std::string id = log.append(StreamKey::standalone, "1");
    if (i == 0) first = id;
  }
  EXPECT_EQ(log.size(), 3U);
  EXPECT_FALSE(log.replay_after(first));
  static_cast<void>(log.append(StreamKey::standalone, std::string(100, 'x')));
  EXPECT_EQ(log.size(), 1U);
}

TEST(EventLog, the_standalone_stream_can_be_resumed_after_many_calls) {
  using era_2025::StreamKey;
  era_2025::EventLog log({.events = 3, .bytes = 1000});
  const std::string seen = log.append(StreamKey::standalone, "seen");
  for (std::uint64_t call = 1; call < 20; ++call) {
    static_cast<void>(log.append(static_cast<StreamKey>(call), "a"));
  }
  static_cast<void>(log.append(StreamKey::standalone, "new"));
  const auto replay = log.replay_after(seen);
  ASSERT_TRUE(replay);
  ASSERT_EQ(replay->events.size(), 1U);
  EXPECT_EQ(replay->events[0].message, "new");
}

TEST(EventLog, gives_a_large_answer_to_who_saw_what_made_room_for_it) {
  using era_2025::StreamKey;
  era_2025::EventLog log({.events = 8, .bytes = 10});
  const auto stream = static_cast<StreamKey>(7);
  const std::string first = log.append(stream, "");
  static_cast<void>(log.append(static_cast<StreamKey>(8), ""));
  static_cast<void>(log.append(stream, std::string(100, 'x')));
  const auto replay = log.replay_after(first);
  ASSERT_TRUE(replay);
  ASSERT_EQ(replay->events.size(), 1U);
  EXPECT_EQ(replay->events[0].message.size(), 100U);
  static_cast<void>(log.append(stream, "y"));
  EXPECT_FALSE(log.replay_after(first)) << "something between is missing";
  log.forget(stream);
  EXPECT_FALSE(log.replay_after(first));
}

}  // namespace
}  // namespace enfold::mcp
