// SPDX-License-Identifier: Apache-2.0
// Everything that is no tool answer passes as it is, in both directions and between both eras.
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>
#include <random>

namespace enfold::gateway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAskable = R"({"elicitation":{}})";

/// Client and upstream, each in either era.
struct Eras {
  const char* name;
  bool stateless_client;
  const char* upstream;
};
class Relays : public ::testing::TestWithParam<Eras> {};

INSTANTIATE_TEST_SUITE_P(BetweenEras, Relays,
                         ::testing::Values(Eras{"sessions_sessions", false, "sessions"},
                                           Eras{"sessions_stateless", false, "stateless"},
                                           Eras{"stateless_sessions", true, "sessions"},
                                           Eras{"stateless_stateless", true, "stateless"}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(Relays, the_identity_of_its_only_upstream) {
  Meeting meeting(in_front_of(upstream(GetParam().upstream)), "{}", GetParam().stateless_client);
  ASSERT_FALSE(meeting.refusal);
  EXPECT_EQ(at(meeting.greeting, "/capabilities/experimental"), R"({"com.example/odd":{"a":[1]}})");
  EXPECT_THAT(at(meeting.greeting, "/instructions"),
              ::testing::StartsWith(R"("Be kind.\n\nLong answers are cut)"));
  const std::string info = GetParam().stateless_client
                               ? "/_meta/io.modelcontextprotocol~1serverInfo/name"
                               : "/serverInfo/name";
  EXPECT_EQ(at(meeting.greeting, info), R"("upstream")");
}

TEST_P(Relays, unknown_methods_and_json_rpc_errors) {
  Meeting meeting(in_front_of(upstream(GetParam().upstream)), "{}", GetParam().stateless_client);
  EXPECT_EQ(at(meeting.ask("com.example/odd", R"({"a":1.0})"), "/params/a"), "1.0");
  const json::Value error = meeting.call("no_such_tool");
  EXPECT_EQ(at(error, "/code"), "-32602");
  EXPECT_EQ(at(error, "/message"), R"("Unknown tool: no_such_tool")");
  EXPECT_EQ(at(error, "/data"), R"({"x":1})");
}

TEST_P(Relays, progress_under_the_token_of_the_client) {
  Meeting meeting(in_front_of(upstream(GetParam().upstream)), "{}", GetParam().stateless_client);
  meeting.call("progress", "{}", R"({"progressToken":"mine"})");
  const json::Value notice = meeting.wait_for_method("notifications/progress");
  EXPECT_EQ(at(notice, "/params"), R"({"progressToken":"mine","progress":1.50,"odd":[1]})");
}

TEST_P(Relays, questions_and_their_answers) {
  const Eras eras = GetParam();
  Meeting meeting(in_front_of(upstream(eras.upstream)), kAskable, eras.stateless_client);
  const bool session_upstream = std::string_view(eras.upstream) == "sessions";
  const std::string tool = session_upstream ? "elicit" : "ask";
  const std::string params = fmt::format(R"({{"name":"{}","arguments":{{}}}})", tool);
  const std::string said = R"({"action":"accept","content":{"name":"Ada"}})";
  json::Value result;
  if (eras.stateless_client) {
    const json::Value asked = meeting.ask("tools/call", params);
    ASSERT_EQ(at(asked, "/resultType"), R"("input_required")");
    const json::View requests = *asked->find("inputRequests");
    const json::Member first = *requests.members().begin();
    EXPECT_TRUE(first.value.find("method")->equals("elicitation/create"));
    EXPECT_TRUE(first.value.find("params")->find("message")->equals("Who?"));
    result = meeting.ask(
        "tools/call",
        fmt::format(
            R"({{"name":"{}","arguments":{{}},"requestState":{},"inputResponses":{{{}:{}}}}})",
            tool, at(asked, "/requestState"), first.key.raw(), said));
  } else {
    const int id = meeting.start("tools/call", params);
    const json::Value asked = meeting.wait_for_method("elicitation/create");
    EXPECT_EQ(at(asked, "/params/message"), R"("Who?")");
    meeting.say(fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", at(asked, "/id"), said));
    result = meeting.wait_for(id);
  }
  EXPECT_THAT(json::to_text(result.view()), HasSubstr("Ada"));
  EXPECT_EQ(at(result, "/isError"), "false");
}

TEST_P(Relays, results_that_are_no_answers_yet) {
  Meeting meeting(in_front_of(upstream(GetParam().upstream)), "{}", GetParam().stateless_client);
  EXPECT_THAT(json::to_text(meeting.call("task").view()), HasSubstr(R"("taskId":"t1")"));
}

TEST(RelaysToSessions, log_messages_notifications_and_changed_lists) {
  Meeting meeting(in_front_of(upstream()));
  meeting.call("log");
  EXPECT_EQ(at(meeting.wait_for_method("notifications/message"), "/params"),
            R"({"level":"warning","data":{"a":1},"odd":true})");
  meeting.call("change");
  meeting.wait_for_method("notifications/tools/list_changed");
  EXPECT_EQ(at(meeting.wait_for_method("notifications/com.example/odd"), "/params/a"), "1");
}

TEST(RelaysToUpstreams, levels_subscriptions_and_notifications_of_the_client) {
  Meeting meeting(in_front_of(upstream()));
  meeting.ask("logging/setLevel", R"({"level":"error"})");
  meeting.ask("resources/subscribe", R"({"uri":"a://b"})");
  meeting.say(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
  meeting.say(R"({"jsonrpc":"2.0","method":"notifications/com.example/note","params":{"n":1.0}})");
  const std::string heard = json::to_text(meeting.call("heard").view());
  EXPECT_THAT(heard, HasSubstr("logging/setLevel"));
  EXPECT_THAT(heard, HasSubstr("a://b"));
  EXPECT_THAT(heard, HasSubstr("notifications/roots/list_changed"));
  EXPECT_THAT(heard, HasSubstr("1.0"));
}

/// As over HTTP: a client with a session has connections of its own.
Settings for_many_clients(const std::string& era) {
  Settings settings = in_front_of(upstream(era));
  settings.one_client = false;
  return settings;
}

TEST(SubscribesForASession, on_its_own_connection_to_a_stateless_server) {
  Meeting meeting(for_many_clients("stateless"));
  meeting.call("echo");
  EXPECT_THAT(json::to_text(meeting.call("heard").view()), HasSubstr("toolsListChanged"));
  meeting.ask("resources/subscribe", R"({"uri":"a://b"})");
  meeting.call("crash");
  meeting.call("echo");
  EXPECT_THAT(json::to_text(meeting.call("heard").view()), HasSubstr("a://b")) << "a new process";
}

TEST(SubscribesForASession, again_with_growing_pauses_when_the_stream_ends) {
  Settings settings = for_many_clients("stateless");
  settings.upstreams = {
      with_environment(settings.upstreams.front(), "ENFOLD_TEST_ENDS_STREAMS", "1")};
  Meeting meeting(std::move(settings));
  const auto streams_after = [&](std::chrono::milliseconds time) {
    meeting.loop->advance(time);
    meeting.loop.settle();
    const json::Value answer = meeting.call("heard");
    const std::string heard = at(answer, "/structuredContent");
    std::size_t count = 0;
    for (std::size_t at = 0; (at = heard.find("subscriptions/listen", at)) != std::string::npos;) {
      ++at;
      ++count;
    }
    return count;
  };
  meeting.call("echo");
  EXPECT_EQ(streams_after(std::chrono::milliseconds(0)), 1U);
  EXPECT_EQ(streams_after(std::chrono::milliseconds(1'000)), 2U);
  EXPECT_EQ(streams_after(std::chrono::milliseconds(1'000)), 2U);
  EXPECT_EQ(streams_after(std::chrono::milliseconds(1'000)), 3U);
}

TEST(SubscribesForASession, before_its_connection_to_a_stateless_server_is_made) {
  Meeting meeting(for_many_clients("stateless"));
  EXPECT_EQ(at(meeting.ask("resources/subscribe", R"({"uri":"a://b"})"), ""), "{}");
  EXPECT_THAT(json::to_text(meeting.call("heard").view()),
              AllOf(HasSubstr("a://b"), Not(HasSubstr("resources/subscribe"))));
}

TEST(RelaysToUpstreams, a_cancelled_call) {
  Meeting meeting(in_front_of(upstream()));
  const int id = meeting.start("tools/call", R"({"name":"silent","arguments":{}})");
  meeting.say(fmt::format(
      R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}})", id));
  EXPECT_THAT(json::to_text(meeting.call("heard").view()), HasSubstr("notifications/cancelled"));
  EXPECT_FALSE(meeting.answer_to(id));
}

TEST(RelaysToUpstreams, only_what_the_client_declares) {
  {
    Meeting meeting(in_front_of(upstream()), R"({"roots":{"listChanged":true}})");
    const std::string heard = json::to_text(meeting.call("heard").view());
    EXPECT_THAT(heard, HasSubstr("roots"));
    EXPECT_THAT(heard, ::testing::Not(HasSubstr("elicitation")));
    EXPECT_THAT(heard, HasSubstr("tester")) << "the client under its own name";
  }
  Meeting meeting(in_front_of(upstream()));
  EXPECT_THAT(json::to_text(meeting.call("elicit").view()), HasSubstr("refused"))
      << "a client that cannot be asked is not asked";
}

// Any JSON object, with everything in it that readers and writers like to change.
std::string strange_json(std::mt19937& chance, int depth) {
  const auto one_of = [&](int n) { return static_cast<int>(chance() % static_cast<unsigned>(n)); };
  const std::string space(static_cast<std::size_t>(one_of(3)), one_of(2) == 0 ? ' ' : '\t');
  switch (depth > 3 ? one_of(5) : one_of(7)) {
    case 0: return space + "null";
    case 1: return fmt::format("{}{}.{}0e+0{}", space, one_of(9), one_of(999), one_of(9));
    case 2: return fmt::format("{}-{}{}{}", space, one_of(9) + 1, chance(), chance());
    case 3: return space + R"("\u00e9\/\ud83d\ude00 é 😀 \" \\ \b")";
    case 4: return one_of(2) == 0 ? "true" : "false";
    case 5: {
      std::string out = space + "[";
      for (int i = one_of(4); i > 0; --i) {
        out += strange_json(chance, depth + 1) + (i > 1 ? "," : "");
      }
      return out + space + "]";
    }
    default: {
      std::string out = space + "{";
      for (int i = one_of(5); i > 0; --i) {
        // Some names twice, some with escapes.
        out +=
            fmt::format(R"("k{}\u002f"{}:{})", one_of(3), space, strange_json(chance, depth + 1));
        if (i > 1) out += ",";
      }
      return out + "}";
    }
  }
}

TEST(ContractNone, passes_a_thousand_strange_results_byte_for_byte) {
  Meeting meeting(in_front_of(upstream(), "none"));
  std::mt19937 chance(20261115);  // NOLINT: the same every time, so that a failure comes again
  for (int i = 0; i < 1000; ++i) {
    const std::string raw =
        fmt::format(R"({{"content":[{{"type":"text","text":"{}","x":{}}}],"_meta":{{"a":{}}}, )"
                    R"("unknown":{},"isError":{}}})",
                    i, strange_json(chance, 0), strange_json(chance, 0), strange_json(chance, 0),
                    i % 2 == 0 ? "true" : "false");
    meeting.heard.clear();
    meeting.bytes.clear();
    meeting.result(raw);
    ASSERT_EQ(meeting.last_bytes(),
              fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", meeting.last_id, raw));
  }
}

TEST(ContractNone, leaves_lists_and_their_pages_alone) {
  Meeting meeting(in_front_of(upstream(), "none"));
  const json::Value first = meeting.ask("tools/list", "{}");
  EXPECT_EQ(at(first, "/nextCursor"), R"("2")");
  EXPECT_EQ(at(first, "/com.example~1page"), "1");
  EXPECT_EQ(at(meeting.ask("tools/list", R"({"cursor":"2"})"), "/tools/0/name"), R"("last")");
  EXPECT_EQ(at(meeting.call("enfold_fetch"), "/code"), "-32602") << "no tools of our own";
}

}  // namespace
}  // namespace enfold::gateway
