// SPDX-License-Identifier: Apache-2.0
// What a handler adds to its answer, and how much of it each level and contract shows.
#include "enfold/server/context.h"

#include "enfold/contract/contract.h"
#include "enfold/server/testing.h"
#include "tests/server/talk.h"

namespace enfold::server {
namespace {

struct Counted {
  std::int64_t count = 5;
  static constexpr auto fields() {
    return level::fields(level::field("count", &Counted::count, level::Level::minimal));
  }
};

Counted count(const NoArguments& /*asked*/, Context& context) {
  context.say("Counted", model::Level::standard);
  return {};
}

TEST(Context, says_its_words_from_their_level_on) {
  Server server("numbers", "1.0.0");
  server.settings().contract = "memory";
  server.tool("count", "Counts", count);
  Talk talk(server);
  talk.open_session();
  const auto said = [&](const std::string& level) {
    return json::to_text(
        talk.call("count", "{}", R"({"dev.enfold/level":")" + level + "\"}").view());
  };
  EXPECT_EQ(said("minimal"), R"({"success":true,"count":5})");
  EXPECT_EQ(said("standard"), R"({"success":true,"count":5,"message":"Counted"})");
  EXPECT_EQ(said("full"), said("standard"));
}

struct Letters {
  std::string letters;
  static constexpr auto fields() { return server::fields<&Letters::letters>(); }
};

TEST(Context, keeps_the_words_of_an_internal_error_for_the_log) {
  Server server("letters", "1.0.0");
  server.tool("fail", "Fails", [](const NoArguments&) -> Result<Letters> {
    return enfold::fail(ErrorCode::internal, "disk on fire", "/srv/db");
  });
  Talk talk(server);
  talk.open_session();
  const json::Value answer = talk.call("fail", "{}");
  EXPECT_EQ(at(answer, "/data/error_code"), R"("INTERNAL_ERROR")");
  EXPECT_EQ(json::to_text(answer.view()).find("fire"), std::string::npos);
  ASSERT_FALSE(talk.lines.empty());
  EXPECT_EQ(talk.lines[0].event, "handler_failed");
  EXPECT_EQ(talk.lines[0].note, "/srv/db: disk on fire");
  EXPECT_EQ('"' + talk.lines[0].request_id + '"', at(answer, "/meta/request_id"));
}

TEST(Context, has_a_time_left_that_can_be_added_to_a_clock_also_without_a_deadline) {
  Server server("letters", "1.0.0");
  server.tool("look", "Looks", [](Context& context) {
    const auto now = std::chrono::system_clock::now();
    EXPECT_GT(now + context.time_left(), now);
    EXPECT_GT(context.time_left(), std::chrono::hours(24 * 365));
    return Letters{};
  });
  EXPECT_TRUE(Tester(std::move(server)).call("look").ok());
}

TEST(Context, redacts_the_words_of_an_author_for_the_log) {
  const std::string secret = "password=" + std::string("hunter2-and-more");
  Server server("letters", "1.0.0");
  server.tool("throw", "Throws",
              [&]() -> Letters { throw std::runtime_error("no login: " + secret); });
  server.tool("fail", "Fails",
              [&]() -> Result<Letters> { return enfold::fail(ErrorCode::internal, secret); });
  server.resource("a:b", "Throws", [&]() -> std::string { throw std::runtime_error(secret); });
  Tester tester(std::move(server));
  (void)tester.call("throw");
  (void)tester.call("fail");
  (void)tester.read("a:b");
  std::string log;
  for (const std::string& line : tester.log()) log += line + "\n";
  EXPECT_EQ(log.find("hunter2"), std::string::npos) << log;
  EXPECT_NE(log.find("note=\"no login: "), std::string::npos) << log;
  EXPECT_EQ(log.find("note=\": "), std::string::npos) << log;
}

TEST(Context, is_warned_before_the_rate_limit_is_reached) {
  Server server("numbers", "1.0.0");
  server.tool("count", "Counts", count).rate_limit({.per_minute = 60, .burst = 5});
  Talk talk(server);
  talk.open_session();
  for (const char* remaining : {"4", "3", "2"}) {
    const json::Value answer = talk.call("count", "{}");
    EXPECT_EQ(at(answer, "/meta/rate_limit/remaining"), remaining);
    EXPECT_EQ(at(answer, "/meta/warnings"), "(none)");
  }
  const json::Value answer = talk.call("count", "{}");
  EXPECT_EQ(at(answer, "/meta/rate_limit/remaining"), "1");
  EXPECT_EQ(at(answer, "/meta/warning_details/0/code"), R"("RATE_LIMIT_APPROACHING")");
  EXPECT_EQ(at(answer, "/meta/warning_details/0/context"), R"({"limit":5,"remaining":1})");
}

std::int64_t number_at(const json::Value& answer, const std::string& pointer) {
  return std::stoll(at(answer, pointer));
}

// What an answer says about the rate limit is what then happens, whatever the limit is.
TEST(RateLimit, numbers_are_those_of_what_happens) {
  for (const std::uint32_t per_minute : {1U, 7U, 60U, 600U}) {
    for (const std::uint32_t burst : {1U, 3U, 60U}) {
      SCOPED_TRACE(fmt::format("{} per minute, burst {}", per_minute, burst));
      Server server("numbers", "1.0.0");
      server.tool("count", "Counts", count).rate_limit({.per_minute = per_minute, .burst = burst});
      Talk talk(server);
      talk.open_session();
      json::Value answer;
      for (std::uint32_t i = 0; i < burst; ++i) {
        answer = talk.call("count", "{}");
        ASSERT_EQ(at(answer, "/success"), "true");
        EXPECT_EQ(number_at(answer, "/meta/rate_limit/limit"), burst);
        EXPECT_EQ(number_at(answer, "/meta/rate_limit/remaining"), burst - 1 - i);
      }
      const json::Value refused = talk.call("count", "{}");
      ASSERT_EQ(at(refused, "/data/error_code"), R"("RATE_LIMIT_EXCEEDED")");
      EXPECT_EQ(at(refused, "/meta/rate_limit/remaining"), "0");
      const std::int64_t wait = number_at(refused, "/data/retry_after_seconds");
      talk.host.advance(std::chrono::seconds(wait));
      EXPECT_EQ(at(talk.call("count", "{}"), "/success"), "true") << "after the time to wait";
      // From reset_at on the whole limit is there again: as many calls as it says, and no more.
      const json::Value last = talk.call("count", "{}");
      const std::string reset_at = at(last, "/meta/rate_limit/reset_at");
      for (int step = 0; step < 100'000; ++step) {
        const std::int64_t now = std::chrono::floor<std::chrono::seconds>(talk.host.calendar())
                                     .time_since_epoch()
                                     .count();
        if ('"' + contract::format_time(now) + '"' >= reset_at) break;
        talk.host.advance(std::chrono::seconds(1));
      }
      for (std::uint32_t i = 0; i < burst; ++i) {
        EXPECT_EQ(at(talk.call("count", "{}"), "/success"), "true") << i;
      }
      EXPECT_EQ(at(talk.call("count", "{}"), "/success"), "false");
    }
  }
}

Counted measured(const NoArguments& /*asked*/, Context& context) {
  answer::ToolContext& more = context.additions();
  more.warnings.push_back({.code = "DISK_FAILING",
                           .severity = model::Severity::error,
                           .message = "The disk is failing",
                           .context = std::nullopt});
  more.telemetry = model::Telemetry{.downstream_calls = model::Number::of(2)};
  more.rate_limit =
      model::RateLimit{.limit = model::Number::of(5000), .remaining = model::Number::of(4999)};
  more.meta.emplace_back("trace", json::parse_own(R"({"id":"t-1"})"));
  more.meta.emplace_back("version", json::parse_own(R"("response-v9")"));
  more.meta.emplace_back("token", json::parse_own(R"("ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")"));
  return {};
}

TEST(Context, adds_warnings_measurements_and_members_to_meta) {
  Server server("numbers", "1.0.0");
  server.tool("measured", "Counts", measured);
  Talk talk(server);
  talk.open_session();
  const json::Value answer = talk.call("measured", "{}", R"({"dev.enfold/level":"full"})");
  EXPECT_EQ(at(answer, "/meta/warning_details/0/severity"), R"("error")");
  EXPECT_EQ(at(answer, "/meta/telemetry/downstream_calls"), "2");
  EXPECT_EQ(at(answer, "/meta/telemetry/duration_ms"), "0");
  EXPECT_EQ(at(answer, "/meta/rate_limit"), R"({"limit":5000,"remaining":4999})");
  EXPECT_EQ(at(answer, "/meta/trace/id"), R"("t-1")");
  EXPECT_EQ(at(answer, "/meta/version"), R"("response-v2")");
  EXPECT_EQ(json::to_text(answer.view()).find("ghp_"), std::string::npos);
}

TEST(RequestId, of_the_caller_is_kept_up_to_128_characters) {
  Server server("numbers", "1.0.0");
  server.tool("count", "Counts", count);
  Talk talk(server);
  talk.open_session();
  const auto ask = [&](const std::string& id) {
    return talk.call("count", "{}", R"({"dev.enfold/request_id":")" + id + "\"}");
  };
  EXPECT_EQ(at(ask("trace-9"), "/meta/request_id"), R"("trace-9")");
  const std::string longest(128, 'x');
  EXPECT_EQ(at(ask(longest), "/meta/request_id"), '"' + longest + '"');
  const json::Value replaced = ask(longest + "x");
  EXPECT_EQ(at(replaced, "/meta/request_id").substr(0, 5), R"("req_)");
  EXPECT_EQ(at(replaced, "/meta/warning_details/0/code"), R"("REQUEST_ID_REPLACED")");
  EXPECT_EQ(at(replaced, "/meta/content_fidelity"), "(none)");
  EXPECT_EQ(at(ask(std::string(100'000, 'x')), "/meta/content_fidelity"), "(none)");
}

}  // namespace
}  // namespace enfold::server
