// SPDX-License-Identifier: Apache-2.0
// Cached answers, second tries, fallback upstreams and stale answers.
#include "enfold/gateway/policy/answer_cache.h"
#include "tests/gateway/front.h"
#include "tests/store/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAnnaKey = "anna-0123456789abcdef";
constexpr const char* kBenKey = "ben-0123456789abcdef";

UpstreamSettings counting(const std::string& era = "sessions", std::string name = {}) {
  return with_environment(upstream(era, std::move(name)), "ENFOLD_TEST_COUNTS", "1");
}

// `count` says how often it was called; `counts_alone` does too, and does not say that it only
// reads. `count_or_die` dies while the file is there.
Settings with_rules(const ToolRules& all, const ToolRules& alone = {}) {
  Settings settings = for_many(counting());
  settings.upstreams[0].all_tools = all;
  settings.upstreams[0].tools["counts_alone"] = alone;
  return settings;
}

std::string count_in(const Heard& heard) { return heard.at("/structuredContent/data/text"); }

TEST(Cache, serves_the_same_call_of_a_tool_that_only_reads) {
  Front front(with_rules({.cache_ttl = hours(1)}));
  const auto voice = front.voice();
  const Heard first = voice->call("count", R"({"a":1})");
  EXPECT_EQ(count_in(first), R"("no. 1")");
  EXPECT_EQ(first.at("/structuredContent/meta/telemetry"), "(none)");
  const Heard again = voice->call("count", R"({"a":1})");
  EXPECT_EQ(count_in(again), R"("no. 1")");
  EXPECT_EQ(again.at("/structuredContent/meta/telemetry/cache_hit"), "true");
  EXPECT_EQ(again.at("/structuredContent/meta/warnings"), "(none)");
  EXPECT_EQ(count_in(voice->call("count", R"({"a":2})")), R"("no. 2")") << "other arguments";
  const std::string session = voice->open_session();
  EXPECT_EQ(count_in(voice->call_in(session, "count", R"({"a":1})")), R"("no. 1")");
}

TEST(Cache, is_only_for_tools_that_say_they_read_unless_one_is_named) {
  Front careful(with_rules({.cache_ttl = hours(1)}));
  EXPECT_EQ(count_in(careful.voice()->call("counts_alone")), R"("no. 1")");
  EXPECT_EQ(count_in(careful.voice()->call("counts_alone")), R"("no. 2")");
  Front told(with_rules({}, {.cache_ttl = hours(1), .is_safe = true}));
  EXPECT_EQ(count_in(told.voice()->call("counts_alone")), R"("no. 1")");
  EXPECT_EQ(count_in(told.voice()->call("counts_alone")), R"("no. 1")");
  EXPECT_EQ(count_in(told.voice()->call("count")), R"("no. 2")") << "off by default";
  EXPECT_EQ(count_in(told.voice()->call("count")), R"("no. 3")");
}

// Whoever waits behind a call that hangs has done nothing wrong.
TEST(SecondTry, of_a_call_that_waited_behind_one_that_hangs) {
  Settings settings = with_rules({});
  settings.upstreams[0].idle_timeout = std::chrono::milliseconds(400);
  settings.upstreams[0].circuit_breaker.initial_backoff = std::chrono::milliseconds(1);
  Front front(std::move(settings));
  const auto voice = front.voice();
  EXPECT_EQ(voice->call("hang").at("/structuredContent/data/error_code"), R"("UPSTREAM_TIMEOUT")");
  const Heard behind = voice->call("count");
  EXPECT_EQ(count_in(behind), R"("no. 1")") << behind.body;
}

TEST(Cache, is_for_one_principal) {
  Settings settings = with_rules({.cache_ttl = hours(1)});
  settings.upstreams[0].target = counting("stateless").target;  // one process for both
  settings.principals = {principal("anna", kAnnaKey), principal("ben", kBenKey)};
  Front front(std::move(settings));
  EXPECT_EQ(count_in(front.voice(kAnnaKey)->call("count")), R"("no. 1")");
  EXPECT_EQ(count_in(front.voice(kBenKey)->call("count")), R"("no. 2")")
      << "not what anna was told";
  EXPECT_EQ(count_in(front.voice(kAnnaKey)->call("count")), R"("no. 1")");
  EXPECT_EQ(count_in(front.voice(kBenKey)->call("count")), R"("no. 2")");
}

TEST(Cache, keeps_no_failure_and_every_byte_without_a_contract) {
  Settings settings = with_rules({.cache_ttl = hours(1)});
  settings.answers.contract = "none";
  settings.upstreams[0].tools["result"] = {.cache_ttl = hours(1), .is_safe = true};
  Front front(std::move(settings));
  const auto voice = front.voice();
  const Heard first = voice->call("count");
  EXPECT_EQ(first.body, voice->call("count").body);
  const std::string failed = R"({"content":[],"isError":true})";
  EXPECT_EQ(voice->result(failed).at("/isError"), "true");
  EXPECT_EQ(front.gateway->report().open_calls, 0U);
}

class Down : public ::testing::Test {
 protected:
  [[nodiscard]] std::string dies() const { return folder.file("dies"); }
  [[nodiscard]] std::string arguments() const { return R"({"while":")" + dies() + R"("})"; }
  void go_down() const { std::ofstream(dies()) << "x"; }
  void come_back() const { std::filesystem::remove(dies()); }
  store::testing::TemporaryFolder folder;
};

TEST_F(Down, an_upstream_is_asked_once_more_for_what_is_safe_to_ask_twice) {
  Front front(for_many(counting()));
  std::ofstream(folder.file("once")) << "x";
  const std::string once = R"({"once":")" + folder.file("once") + R"("})";
  EXPECT_EQ(front.voice()->call("count_or_die", once).at("/isError"), "false");
  std::ofstream(folder.file("once")) << "x";
  const Heard alone = front.voice()->call("alone_or_die", once);
  EXPECT_EQ(alone.at("/structuredContent/data/error_code"), R"("UPSTREAM_UNAVAILABLE")");
}

TEST_F(Down, an_upstream_leaves_an_older_answer_that_says_so) {
  Settings settings = with_rules({.stale_if_error = hours(1)});
  Front front(std::move(settings));
  const auto voice = front.voice();
  EXPECT_EQ(count_in(voice->call("count_or_die", arguments())), R"("no. 1")");
  go_down();
  const Heard stale = voice->call("count_or_die", arguments());
  EXPECT_EQ(count_in(stale), R"("no. 1")") << stale.body;
  EXPECT_EQ(stale.at("/isError"), "false");
  EXPECT_EQ(stale.at("/structuredContent/meta/telemetry/cache_hit"), "true");
  const std::string warning = "/structuredContent/meta/warning_details/0";
  EXPECT_EQ(stale.at(warning + "/code"), R"("STALE_CACHE")");
  EXPECT_EQ(stale.at(warning + "/context/cache_age_seconds"), "0");
  EXPECT_EQ(stale.at(warning + "/context/max_freshness_seconds"), "0");
  EXPECT_EQ(voice->call("count_or_die", R"({"a":1,"while":")" + dies() + R"("})").at("/isError"),
            "true")
      << "never answered before";
}

TEST_F(Down, an_upstream_is_replaced_by_its_fallback) {
  Settings settings = for_many(counting("sessions", "one"));
  settings.upstreams.push_back(counting("stateless", "two"));
  settings.upstreams[0].all_tools.fallback = "two";
  Front front(std::move(settings));
  const auto voice = front.voice();
  const std::string one_only = R"({"name":"one","while":")" + dies() + R"("})";
  EXPECT_EQ(voice->call("one__count_or_die", one_only)
                .at("/structuredContent/meta/warning_details/0/code"),
            "(none)");
  go_down();
  const Heard other = voice->call("one__sessions_or_die", one_only);
  EXPECT_EQ(other.at("/isError"), "false") << other.body;
  EXPECT_EQ(other.at("/structuredContent/meta/warning_details/0/code"), R"("FALLBACK_USED")");
  EXPECT_THAT(other.at("/structuredContent/meta/warning_details/0/message"),
              HasSubstr("two answered in its place"));
  const Heard both = voice->call("one__count_or_die", one_only);
  EXPECT_EQ(both.at("/structuredContent/data/error_code"), R"("UPSTREAM_UNAVAILABLE")");
  EXPECT_THAT(both.body, Not(HasSubstr("FALLBACK_USED")));
}

TEST_F(Down, an_upstream_is_not_replaced_by_a_tool_that_its_fallback_denies) {
  Settings settings = for_many(counting("sessions", "one"));
  settings.upstreams.push_back(counting("stateless", "two"));
  settings.upstreams[0].all_tools.fallback = "two";
  settings.upstreams[1].tools_deny = {"sessions_or_die"};
  Front front(std::move(settings));
  go_down();
  const Heard heard = front.voice()->call("one__sessions_or_die", arguments());
  EXPECT_EQ(heard.at("/structuredContent/data/error_code"), R"("UPSTREAM_UNAVAILABLE")");
  EXPECT_THAT(heard.body, Not(HasSubstr("FALLBACK_USED")));
}

// The tool is in its list and yet refused, or it is not even there.
TEST_F(Down, an_upstream_whose_fallback_refuses_leaves_an_older_answer_or_its_own_failure) {
  for (const bool listed : {true, false}) {
    SCOPED_TRACE(listed);
    come_back();
    Settings settings = for_many(counting("sessions", "one"));
    settings.upstreams.push_back(listed ? counting("stateless", "two")
                                        : upstream("stateless", "two"));
    settings.upstreams[0].all_tools = {.stale_if_error = hours(1), .fallback = "two"};
    Front front(std::move(settings));
    const auto voice = front.voice();
    EXPECT_EQ(count_in(voice->call("one__sessions_only_or_die", arguments())), R"("no. 1")");
    go_down();
    const Heard stale = voice->call("one__sessions_only_or_die", arguments());
    EXPECT_EQ(count_in(stale), R"("no. 1")") << stale.body;
    EXPECT_EQ(stale.at("/structuredContent/meta/warning_details/0/code"), R"("STALE_CACHE")");
    const Heard never =
        voice->call("one__sessions_only_or_die", R"({"a":1,"while":")" + dies() + R"("})");
    EXPECT_EQ(never.at("/structuredContent/data/error_code"), R"("UPSTREAM_UNAVAILABLE")")
        << never.body;
    EXPECT_THAT(never.at("/structuredContent/error"), HasSubstr("server one"));
  }
}

// It is told of the first what the first did, whatever became of the second.
TEST_F(Down, an_upstream_is_not_blamed_for_what_its_fallback_did) {
  Settings settings = for_many(counting("sessions", "one"));
  settings.upstreams.push_back(counting("stateless", "two"));
  settings.upstreams[0].all_tools.fallback = "two";
  settings.upstreams[0].idle_timeout = std::chrono::milliseconds(200);
  settings.upstreams[0].tools["hang"] = {.fallback = "two", .is_safe = true};
  std::get<client::StdioTarget>(settings.upstreams[1].target).command = {"/bin/false"};
  Front front(std::move(settings));
  const Heard heard = front.voice()->call("one__hang", arguments());
  EXPECT_EQ(heard.at("/structuredContent/data/error_code"), R"("UPSTREAM_TIMEOUT")") << heard.body;
}

TEST(AnswerCache, forgets_what_is_old_and_what_was_used_longest_ago) {
  AnswerCache cache({.entries = 2, .bytes = 100});
  const auto value = [](const std::string& text) { return json::string_value(text); };
  const auto key = [](std::string_view principal, std::string_view arguments) {
    return CacheKey{principal, 1, "tool", arguments};
  };
  cache.put(key("a", "1"), value("one"), seconds(0));
  EXPECT_EQ(cache.find(key("a", "1"), seconds(5), seconds(5))->age, seconds(5));
  EXPECT_FALSE(cache.find(key("a", "1"), seconds(4), seconds(5)));
  EXPECT_FALSE(cache.find(key("b", "1"), seconds(5), seconds(5)));
  cache.put(key("a", "2"), value("two"), seconds(1));
  ASSERT_TRUE(cache.find(key("a", "1"), seconds(9), seconds(2)));
  cache.put(key("a", "3"), value("three"), seconds(2));
  EXPECT_FALSE(cache.find(key("a", "2"), seconds(9), seconds(2))) << "used longest ago";
  EXPECT_TRUE(cache.find(key("a", "1"), seconds(9), seconds(2)));
  cache.put(key("a", "4"), value(std::string(97, 'x')), seconds(3));
  EXPECT_EQ(cache.entries(), 1U);
  EXPECT_LE(cache.bytes(), 100U);
  cache.put(key("a", "4"), value(std::string(200, 'x')), seconds(4));
  EXPECT_EQ(cache.entries(), 0U) << "larger than all there is";
}

// The same parts, cut elsewhere, are another key.
TEST(AnswerCache, takes_no_two_keys_for_one) {
  AnswerCache cache({});
  cache.put({"ab", 1, "cd", "e"}, json::string_value("x"), seconds(0));
  EXPECT_FALSE(cache.find({"a", 1, "bcd", "e"}, hours(1), seconds(0)));
  EXPECT_FALSE(cache.find({"ab", 1, "c", "de"}, hours(1), seconds(0)));
  EXPECT_FALSE(cache.find({"ab", 12, "cd", "e"}, hours(1), seconds(0)));
  EXPECT_TRUE(cache.find({"ab", 1, "cd", "e"}, hours(1), seconds(0)));
}

// Two upstreams with a tool of the same name: each has its own settings.
TEST(ToolSettings, of_an_upstream_go_before_those_of_all) {
  Settings settings = for_many(counting("sessions", "one"));
  settings.upstreams.push_back(counting("sessions", "two"));
  settings.tools["echo"].rate_limit = store::RateLimit{1, 3};
  settings.upstreams[1].tools["echo"].rate_limit = store::RateLimit{1, 1};
  settings.upstreams[1].tools["echo"].level = model::Level::full;
  Front front(std::move(settings));
  const auto allowed = [&](const std::string& tool) {
    int count = 0;
    for (int i = 0; i < 5; ++i)
      count += front.voice()->call(tool).at("/isError") == "false" ? 1 : 0;
    return count;
  };
  EXPECT_EQ(allowed("one__echo"), 3);
  EXPECT_EQ(allowed("two__echo"), 1) << "its own limit, counted by itself";
}

}  // namespace
}  // namespace enfold::gateway
