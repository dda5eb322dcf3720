// SPDX-License-Identifier: Apache-2.0
// Children that are no good servers: each ends in a typed error, in time, that says what to do.
#include "tests/client/peers.h"

#include <csignal>
#include <gmock/gmock.h>

namespace enfold::client {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Eras = ClientOptions::Eras;

ClientOptions impatient(Eras eras = Eras::stateless) {
  ClientOptions options;
  options.eras = eras;
  options.startup_timeout = std::chrono::milliseconds(300);
  options.idle_timeout = std::chrono::milliseconds(500);
  return options;
}

TEST(BadChild, that_cannot_be_started_is_named) {
  Talk talk(program("/no/such/program"));
  const auto server = talk.connect();
  ASSERT_FALSE(server.has_value());
  EXPECT_EQ(server.error().code, ErrorCode::not_found);
  EXPECT_EQ(server.error().where, "/no/such/program");
  EXPECT_THAT(server.error().hint, HasSubstr("PATH"));
}

TEST(BadChild, that_ends_at_once_is_quoted) {
  Talk talk(script("echo 'no token set' >&2; exit 3"));
  const auto server = talk.connect();
  ASSERT_FALSE(server.has_value());
  EXPECT_EQ(server.error().code, ErrorCode::unavailable);
  EXPECT_THAT(server.error().message, HasSubstr("exit code 3"));
  EXPECT_THAT(server.error().hint, HasSubstr("no token set"));
}

TEST(BadChild, that_says_nothing_is_given_up_in_time) {
  Talk talk(script("sleep 100"), impatient(Eras::both));
  const auto server = talk.connect();
  ASSERT_FALSE(server.has_value());
  EXPECT_EQ(server.error().code, ErrorCode::timed_out);
  EXPECT_FALSE(server.error().hint.empty());
}

TEST(BadChild, that_is_slow_to_greet_has_a_minute_and_is_not_started_again) {
  int starts = 0;
  ClientOptions options;
  options.known_era = mcp::Era::sessions;
  Talk talk(script("echo started >&2; exec sleep 100"), options,
            on<ErrorLine>([&](const ErrorLine&) { ++starts; }));
  std::optional<Result<mcp::ServerIdentity>> server;
  talk.client().connect([&](Result<mcp::ServerIdentity> came) { server = std::move(came); });
  ASSERT_TRUE(talk.loop().until([&] { return starts == 1; }));
  talk.loop()->advance(std::chrono::seconds(55));
  talk.loop().settle();
  EXPECT_FALSE(server.has_value()) << "it may be installing something";
  talk.loop()->advance(std::chrono::seconds(6));
  ASSERT_TRUE(talk.loop().until([&] { return server.has_value(); }));
  EXPECT_EQ(server->error().code, ErrorCode::timed_out);
  EXPECT_EQ(starts, 1);
}

TEST(BadChild, that_ignores_what_it_does_not_know_is_asked_in_the_older_way_in_one_life) {
  ClientOptions options = impatient(Eras::both);
  options.known_era = mcp::Era::stateless;
  Talk talk(script("read -r ignored; " + reply(initialized(2)) + "cat >/dev/null"), options);
  const auto server = talk.connect();
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_EQ(server->era, mcp::Era::sessions);
  talk.close();
}

TEST(BadChild, that_is_slow_and_knows_no_sessions_is_met_without_them) {
  Talk talk(script(fmt::format("read -r one; read -r two; printf '%s\\n%s\\n' '{}' '{}'; "
                               "cat >/dev/null",
                               discovered(1), refuses(2))),
            impatient(Eras::both));
  const auto server = talk.connect();
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_EQ(server->era, mcp::Era::stateless);
  talk.close();
}

TEST(BadChild, that_prints_noise_first_is_understood) {
  Talk talk(script("echo 'Starting…'; echo '{broken'; " + greeting() +
                   reply(result(2, R"("resultType":"complete","ok":true)")) + "cat >/dev/null"),
            impatient());
  ASSERT_TRUE(talk.connect().has_value());
  EXPECT_TRUE(talk.request("tools/list").has_value());
  talk.close();
}

TEST(BadChild, that_prints_nothing_but_noise_is_quoted) {
  Talk talk(script("while read -r line; do echo 'what is this?'; done"), impatient());
  const auto server = talk.connect();
  ASSERT_FALSE(server.has_value());
  EXPECT_EQ(server.error().code, ErrorCode::timed_out);
  EXPECT_THAT(server.error().hint, HasSubstr("what is this?"));
}

TEST(BadChild, that_answers_with_another_id_is_not_believed) {
  Talk talk(script(greeting() + reply(result(99, R"("resultType":"complete")")) + "cat >/dev/null"),
            impatient());
  ASSERT_TRUE(talk.connect().has_value());
  const CallResult outcome = talk.request("tools/list");
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::timed_out);
  EXPECT_THAT(outcome.error().error.hint, AllOf(HasSubstr("could not be used"), HasSubstr("99")));
  EXPECT_THAT(outcome.error().error.where, HasSubstr("tools/list"));
}

TEST(BadChild, that_sends_half_a_line_and_ends_fails_the_call) {
  Talk talk(script(greeting() + R"(read -r line; printf '{"jsonrpc":"2.0","id":2,'; exit 0)"),
            impatient());
  ASSERT_TRUE(talk.connect().has_value());
  const CallResult outcome = talk.request("tools/list");
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::unavailable);
  EXPECT_THAT(outcome.error().error.message, HasSubstr("exit code 0"));
  EXPECT_FALSE(talk.client().is_ready());
}

TEST(BadChild, that_dies_fails_its_calls_and_may_be_started_again) {
  std::vector<std::string> broken;
  Talk talk(script(greeting() + "read -r line; kill -9 $$"), impatient(),
            on<mcp::Broken>([&](const mcp::Broken& one) { broken.push_back(one.error.message); }));
  for (std::size_t life = 1; life <= 2; ++life) {
    ASSERT_TRUE(talk.connect().has_value());
    const CallResult outcome = talk.request("tools/list");
    ASSERT_FALSE(outcome.has_value());
    EXPECT_THAT(outcome.error().error.message, HasSubstr("signal 9"));
    EXPECT_TRUE(talk.loop().until([&] { return broken.size() == life; }));
  }
}

TEST(BadChild, that_hangs_in_a_call_leaves_others_alone) {
  Talk talk(script(greeting() + "read -r first; " +
                   reply(result(3, R"("resultType":"complete","ok":true)")) + "cat >/dev/null"),
            impatient());
  ASSERT_TRUE(talk.connect().has_value());
  std::optional<CallResult> first;
  talk.client().request(talk.client().prepare("prompts/list"),
                        {.done = [&](CallResult done) { first = std::move(done); }});
  EXPECT_TRUE(talk.request("tools/list").has_value());
  ASSERT_TRUE(talk.loop().until([&] { return first.has_value(); }));
  EXPECT_EQ(first->error().error.code, ErrorCode::timed_out);
  EXPECT_TRUE(talk.client().is_ready());
}

TEST(BadChild, whose_answer_is_too_long_fails_the_one_call_that_waits) {
  ClientOptions options = impatient();
  options.idle_timeout = std::chrono::seconds(60);
  options.limits.max_bytes = 1000;
  Talk talk(script(greeting() + "read -r line; head -c 5000 /dev/zero | tr '\\0' 'x'; echo; " +
                   "cat >/dev/null"),
            options);
  ASSERT_TRUE(talk.connect().has_value());
  const CallResult outcome = talk.request("tools/list");
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::limit_exceeded);
}

TEST(BadChild, whose_answer_is_too_long_fails_the_call_it_was_for) {
  const std::string much = "head -c 5000 /dev/zero | tr '\\0' 'x'; ";
  const auto say = [](const std::string& text) { return "printf '%s' '" + text + "'; "; };
  const struct {
    const char* name;
    std::string line;
    bool first, second;  // whether they fail
  } cases[] = {
      {"by its beginning", say(R"({"jsonrpc":"2.0","id":3,"result":{"t":")") + much + say(R"("}})"),
       false, true},
      {"by its end", say(R"({"result":{"t":")") + much + say(R"("},"jsonrpc":"2.0","id":2})"), true,
       false},
      {"of nobody who waits", say(R"({"id":99,"result":{"t":")") + much + say(R"("}})"), false,
       false},
      {"a notification",
       say(R"({"method":"notifications/x","params":{"t":")") + much + say(R"("}})"), false, false},
      {"noise", say("log: ") + much, false, false},
      {"nobody can tell whose", say(R"({"result":{"t":")") + much + say(R"("}})"), true, true},
  };
  for (const auto& each : cases) {
    SCOPED_TRACE(each.name);
    ClientOptions options = impatient();
    options.idle_timeout = std::chrono::seconds(60);
    options.limits.max_bytes = 1000;
    Talk talk(
        script(greeting() + "read -r one; read -r two; " + each.line + "echo; read -r more; " +
               say(result(2, R"("resultType":"complete")")) + "echo; " +
               say(result(3, R"("resultType":"complete")")) + "echo; cat >/dev/null"),
        options);
    ASSERT_TRUE(talk.connect().has_value());
    std::optional<CallResult> first;
    std::optional<CallResult> second;
    const auto keep = [](std::optional<CallResult>& to) {
      return CallEvents{.done = [&to](CallResult done) { to = std::move(done); }};
    };
    talk.client().request(talk.client().prepare("tools/list"), keep(first));
    talk.client().request(talk.client().prepare("prompts/list"), keep(second));
    const auto failed = [](const std::optional<CallResult>& one) {
      return one && !*one && one->error().error.code == ErrorCode::limit_exceeded;
    };
    if (each.first || each.second) {
      ASSERT_TRUE(talk.loop().until([&] { return first || second; }));
    }
    talk.client().request(talk.client().prepare("resources/list"), {});
    ASSERT_TRUE(talk.loop().until([&] { return first && second; }));
    EXPECT_EQ(failed(first), each.first);
    EXPECT_EQ(failed(second), each.second);
    EXPECT_EQ(first->has_value(), !each.first);
    EXPECT_EQ(second->has_value(), !each.second);
  }
}

TEST(BadChild, that_answers_with_a_broken_message_fails_the_call) {
  Talk talk(script(greeting() + reply(R"({"jsonrpc":"2.0","id":2,"result":7})") + "cat >/dev/null"),
            impatient());
  ASSERT_TRUE(talk.connect().has_value());
  const CallResult outcome = talk.request("tools/list");
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::protocol_violation);
}

TEST(BadChild, that_answers_with_what_is_no_json_fails_that_call_at_once) {
  const std::string deep = std::string(2000, '[') + std::string(2000, ']');
  for (const std::string& answer :
       {std::string(R"({"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","a":NaN}})"),
        std::string(R"({"result":{"a":[-Infinity],"id":7},"id" : 2 ,"jsonrpc":"2.0"})"),
        std::string(R"({"jsonrpc":"2.0","result":{"a":NaN}})"),
        std::string(R"({"jsonrpc":"2.0","id":2,"result":{"a":"never ends)"),
        R"({"jsonrpc":"2.0","id":2,"result":{"a":)" + deep + "}}"}) {
    SCOPED_TRACE(answer.substr(0, 80));
    ClientOptions options = impatient();
    options.idle_timeout = std::chrono::seconds(60);
    Talk talk(script(greeting() + reply(answer) + "cat >/dev/null"), options);
    ASSERT_TRUE(talk.connect().has_value());
    const CallResult outcome = talk.request("tools/list");
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().error.code, ErrorCode::protocol_violation);
  }
}

TEST(BadChild, that_says_what_is_no_json_beside_its_answers_harms_no_call) {
  const std::string noise =
      R"({"jsonrpc":"2.0","id":99,"result":{"a":NaN}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":NaN}})"
      "\n"
      R"({"level":"info","took":NaN})"
      "\n";
  Talk talk(script(greeting() + reply(noise + result(2, R"("resultType":"complete","ok":true)")) +
                   "cat >/dev/null"),
            impatient());
  ASSERT_TRUE(talk.connect().has_value());
  EXPECT_TRUE(talk.request("tools/list").has_value());
}

// It knows nothing of discovery and ends when it hears of it; in a second life it gets what it
// knows.
TEST(BadChild, that_ends_at_a_question_it_does_not_know_is_asked_in_the_older_way) {
  Talk talk(script(fmt::format("read -r line; case $line in *initialize*) printf '%s\\n' '{}';; "
                               "*) exit 1;; esac; cat >/dev/null",
                               initialized(1))),
            impatient(Eras::both));
  const auto server = talk.connect();
  ASSERT_TRUE(server.has_value()) << server.error().message;
  EXPECT_EQ(server->era, mcp::Era::sessions);
  talk.close();
}

TEST(BadChild, that_ignores_the_end_of_its_input_is_terminated) {
  Talk talk(script("trap '' TERM; " + greeting() + "while true; do sleep 0.05; done"), impatient());
  ASSERT_TRUE(talk.connect().has_value());
  talk.close();  // the end of input, SIGTERM, SIGKILL; bounded by the graces
}

TEST(BadChild, is_gone_when_its_client_is) {
  Talk talk(script(greeting() + "sleep 100"), impatient());
  ASSERT_TRUE(talk.connect().has_value());
  std::optional<CallResult> outcome;
  talk.client().request(talk.client().prepare("tools/list"),
                        {.done = [&](CallResult done) { outcome = std::move(done); }});
  talk.drop();
  talk.loop().settle();
  EXPECT_FALSE(outcome.has_value());
}

TEST(GoodChild, that_knows_only_sessions_is_met_there_and_remembered) {
  Talk talk(script(fmt::format("read -r line; case $line in *discover*) printf '%s\\n' '{}';"
                               " read -r line; printf '%s\\n' '{}';; *) printf '%s\\n' '{}';; esac;"
                               " read -r line; exit 0",
                               refuses(1), initialized(2), initialized(1))),
            impatient(Eras::both));
  for (int life = 0; life < 2; ++life) {  // the second one is not asked twice
    const auto server = talk.connect();
    ASSERT_TRUE(server.has_value()) << server.error().message << server.error().hint;
    EXPECT_EQ(server->version, "2025-11-25");
    EXPECT_TRUE(talk.loop().until([&] { return !talk.client().is_ready(); }));
  }
}

TEST(GoodChild, may_ask_what_nobody_here_answers) {
  const std::string question =
      R"({"jsonrpc":"2.0","id":"q","method":"roots/list"})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/unheard_of","params":{"x":1}})";
  std::vector<std::string> heard;
  Talk talk(script(reply(initialized(1)) + reply(question) +
                   // the answer to the question comes back as an error, then the call
                   "read -r refused; case $refused in *-32601*) ;; *) exit 9;; esac; " +
                   reply(result(2, R"("ok":true)")) + "cat >/dev/null"),
            impatient(Eras::sessions), on<mcp::Notification>([&](const mcp::Notification& one) {
              heard.push_back(one.method);
            }));
  ASSERT_TRUE(talk.connect().has_value());
  ASSERT_TRUE(talk.loop().until([&] { return !heard.empty(); }));
  EXPECT_EQ(heard.front(), "notifications/unheard_of");
  EXPECT_TRUE(talk.request("tools/list").has_value());
  talk.close();
}

TEST(GoodChild, tells_what_it_logs_line_by_line) {
  std::vector<std::string> lines;
  Talk talk(script("echo one >&2; echo two >&2; " + greeting() + "cat >/dev/null"), impatient(),
            on<ErrorLine>([&](const ErrorLine& line) { lines.push_back(line.text); }));
  ASSERT_TRUE(talk.connect().has_value());
  EXPECT_TRUE(talk.loop().until([&] { return lines.size() == 2; }));
  talk.close();
}

TEST(Client, refuses_requests_without_a_connection_and_after_its_end) {
  Talk talk(script(greeting() + "cat >/dev/null"), impatient());
  EXPECT_EQ(talk.request("tools/list").error().error.code, ErrorCode::unavailable);
  ASSERT_TRUE(talk.connect().has_value());
  talk.close();
  EXPECT_EQ(talk.request("tools/list").error().error.code, ErrorCode::unavailable);
  EXPECT_FALSE(talk.connect().has_value());
}

TEST(Client, lets_requests_wait_for_the_connection_and_fails_them_with_it) {
  Talk good(script(greeting() + reply(result(2, R"("resultType":"complete","ok":true)")) +
                   "cat >/dev/null"),
            impatient());
  bool connected = false;
  good.client().connect(
      [&](const Result<mcp::ServerIdentity>& server) { connected = server.has_value(); });
  EXPECT_TRUE(good.request("tools/list").has_value());
  EXPECT_TRUE(connected);
  good.close();

  Talk bad(script("exit 4"), impatient());
  bad.client().connect([](const Result<mcp::ServerIdentity>&) {});
  EXPECT_THAT(bad.request("tools/list").error().error.message, HasSubstr("exit code 4"));
}

}  // namespace
}  // namespace enfold::client
