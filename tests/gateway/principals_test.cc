// SPDX-License-Identifier: Apache-2.0
// Who may call a gateway, how often, and what is theirs alone.
#include "tests/gateway/front.h"

#include <condition_variable>
#include <gmock/gmock.h>
#include <mutex>

namespace enfold::gateway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAnnaKey = "anna-0123456789abcdef";
constexpr const char* kBenKey = "ben-0123456789abcdef";

Settings two_people(const std::string& era = "sessions",
                    const std::string& contract = "response-v2") {
  Settings settings = for_many(upstream(era), contract);
  settings.principals = {principal("anna", kAnnaKey), principal("ben", kBenKey)};
  return settings;
}

Settings with_three_sessions() {
  Settings settings = two_people();
  settings.answers.max_sessions = 3;
  return settings;
}

/// Ids of sessions, opened one second after the other.
std::vector<std::string> open_sessions(Front& front, Voice& voice, std::size_t count) {
  std::vector<std::string> ids;
  while (ids.size() < count) {
    ids.push_back(voice.open_session());
    front.loop->advance(std::chrono::seconds(1));
  }
  return ids;
}

TEST(Principals, make_room_for_a_session_among_their_own) {
  Front front(with_three_sessions());
  const auto anna = front.voice(kAnnaKey);
  const auto ben = front.voice(kBenKey);
  const std::string first = open_sessions(front, *anna, 1).front();
  const std::vector<std::string> bens = open_sessions(front, *ben, 5);
  EXPECT_EQ(anna->call_in(first, "echo").status, 200) << "the oldest, and not ben's to end";
  EXPECT_EQ(ben->call_in(bens[2], "echo").status, 404);
  EXPECT_EQ(ben->call_in(bens[3], "echo").status, 200);
  EXPECT_EQ(ben->call_in(bens[4], "echo").status, 200);
}

TEST(Principals, without_a_session_take_it_from_whoever_has_most) {
  Front front(with_three_sessions());
  const auto anna = front.voice(kAnnaKey);
  const auto ben = front.voice(kBenKey);
  const std::vector<std::string> bens = open_sessions(front, *ben, 3);
  const std::string session = anna->open_session();
  EXPECT_EQ(anna->call_in(session, "echo").status, 200);
  EXPECT_EQ(ben->call_in(bens[0], "echo").status, 404);
  EXPECT_EQ(ben->call_in(bens[1], "echo").status, 200);
}

TEST(Principals, are_known_by_their_keys) {
  Front front(two_people());
  struct Case {
    const char* name;
    std::string header;
    std::string key;
    int status;
    std::string challenge;
  };
  const std::string invalid = R"(Bearer realm="enfold", error="invalid_token")";
  const Case cases[] = {
      {"a key", "Authorization: Bearer ", kAnnaKey, 200, ""},
      {"another's", "Authorization: Bearer ", kBenKey, 200, ""},
      {"in any case", "authorization: bEARER   ", kAnnaKey, 200, ""},
      {"in its own header", "X-API-Key: ", kAnnaKey, 200, ""},
      {"a wrong one", "Authorization: Bearer ", "anna-0123456789abcdeg", 401, invalid},
      {"a part", "Authorization: Bearer ", "anna-0123456789abcde", 401, invalid},
      {"more", "Authorization: Bearer ", std::string(kAnnaKey) + "0", 401, invalid},
      {"wrong, in its own header", "X-API-Key: ", "nobody", 401, invalid},
      {"the hash itself", "X-API-Key: ", to_hex(sha256(kAnnaKey)), 401, invalid},
      {"another scheme", "Authorization: Basic ", kAnnaKey, 401, R"(Bearer realm="enfold")"},
      {"nothing behind the scheme", "Authorization: Bearer", " ", 401, R"(Bearer realm="enfold")"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const auto voice = front.voice(one.key);
    voice->key_header = one.header;
    const Heard heard = voice->call("echo");
    EXPECT_EQ(heard.status, one.status);
    EXPECT_EQ(heard.challenge, one.challenge);
    EXPECT_THAT(heard.body, HasSubstr(one.status == 401 ? "Unauthorized: " : "success"));
  }
  const Heard nothing = front.voice()->call("echo");
  EXPECT_EQ(nothing.status, 401);
  EXPECT_EQ(nothing.challenge, R"(Bearer realm="enfold")");
  EXPECT_THAT(nothing.at("/message"), HasSubstr("Authorization: Bearer KEY"));
  for (const char* const method : {"GET", "DELETE"}) {
    EXPECT_EQ(front.voice()->request(method, "").status, 401) << method;
  }
}

TEST(Principals, keep_their_keys_out_of_logs_and_upstreams) {
  Front front(two_people());
  const auto anna = front.voice(kAnnaKey);
  const Heard echoed = anna->call("echo", R"({"a":1})");
  EXPECT_THAT(echoed.body, Not(HasSubstr(kAnnaKey)));
  EXPECT_THAT(anna->call("heard").body, Not(HasSubstr("anna-")));
  EXPECT_EQ(anna->call("crash").at("/isError"), "true");
  EXPECT_EQ(front.voice("wrong-0123456789abcdef")->call("echo").status, 401);
  for (const serve::LogLine& line : front.lines) {
    EXPECT_THAT(serve::to_text(line), AllOf(Not(HasSubstr(kAnnaKey)), Not(HasSubstr("wrong-"))));
  }
}

TEST(Principals, are_one_local_user_where_there_are_none) {
  Front front(for_many(upstream()));
  EXPECT_EQ(front.voice()->call("echo").status, 200);
  EXPECT_EQ(front.voice("any key at all")->call("echo").status, 200);
  const std::string handle =
      front.voice()->result(large_answer()).at("/structuredContent/meta/content_archive_hashes");
  const std::string digits = handle.substr(2, 12);
  const Heard fetched =
      front.voice("another")->call("enfold_fetch", R"({"handle":")" + digits + R"("})");
  EXPECT_EQ(fetched.at("/isError"), "false");
}

TEST(RateLimit, is_counted_for_each_principal_and_tool) {
  Settings settings = two_people();
  settings.answers.rate_limit = store::RateLimit{60, 2};
  settings.answers.principal_limits["ben"] = store::RateLimit{60, 5};
  Front front(std::move(settings));
  const auto anna = front.voice(kAnnaKey);
  const auto ben = front.voice(kBenKey);
  const Heard first = anna->call("echo");
  EXPECT_EQ(first.at("/structuredContent/meta/rate_limit/limit"), "2");
  EXPECT_EQ(first.at("/structuredContent/meta/rate_limit/remaining"), "1");
  EXPECT_EQ(first.at("/structuredContent/meta/warnings"), "(none)");
  const Heard second = anna->call("echo");
  EXPECT_EQ(second.at("/structuredContent/meta/rate_limit/remaining"), "0");
  EXPECT_THAT(second.at("/structuredContent/meta/warning_details/0/code"),
              HasSubstr("RATE_LIMIT_APPROACHING"));
  const Heard third = anna->call("echo");
  EXPECT_EQ(third.status, 200);
  EXPECT_EQ(third.at("/isError"), "true");
  EXPECT_EQ(third.at("/structuredContent/data/error_code"), R"("RATE_LIMIT_EXCEEDED")");
  EXPECT_EQ(third.at("/structuredContent/data/error_type"), R"("rate_limit")");
  EXPECT_EQ(third.at("/structuredContent/data/retry_after_seconds"), "1");
  EXPECT_EQ(anna->call("listed", R"({"raw":"{\"content\":[]}"})").at("/isError"), "false")
      << "another tool";
  int answered = 0;
  for (int i = 0; i < 8; ++i) answered += ben->call("echo").at("/isError") == "false" ? 1 : 0;
  EXPECT_EQ(answered, 5) << "a limit of his own, and none of it used by anybody else";
}

/// Counters that are far away from one tool's buckets, until somebody brings them near.
class FarCounters final : public store::Counters {
 public:
  Result<store::RateDecision> take(const store::BucketKey& key, store::RateLimit /*limit*/,
                                   store::Instant /*now*/) override {
    std::unique_lock lock(mutex_);
    asked_ = true;
    const bool came = key.tool != "enfold_fetch" ||
                      near_.wait_for(lock, std::chrono::seconds(10), [this] { return is_near_; });
    return store::RateDecision{.allowed = came, .remaining = 1};
  }
  void come_near() {
    const std::scoped_lock lock(mutex_);
    is_near_ = true;
    near_.notify_all();
  }
  [[nodiscard]] bool was_asked() {
    const std::scoped_lock lock(mutex_);
    return asked_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable near_;
  bool is_near_ = false;
  bool asked_ = false;
};

TEST(RateLimit, whose_counters_are_far_away_delays_no_other_call) {
  Settings settings = two_people();
  settings.answers.rate_limit = store::RateLimit{60, 2};
  const auto counters = std::make_shared<FarCounters>();
  settings.answers.counters = counters;
  Front front(std::move(settings));
  const auto anna = front.voice(kAnnaKey);
  const auto ben = front.voice(kBenKey);
  const auto fetch = anna->send_call("enfold_fetch", R"({"handle":"123456789012"})");
  EXPECT_TRUE(front.loop.until([&] { return counters->was_asked(); }));
  EXPECT_EQ(ben->call("echo").at("/isError"), "false");
  EXPECT_FALSE(fetch->heard.has_value());
  counters->come_near();
  EXPECT_EQ(anna->wait(*fetch).at("/structuredContent/data/error_type"), R"("not_found")");
}

TEST(RateLimit, holds_in_sessions_and_without_a_contract) {
  Settings settings = two_people("sessions", "none");
  settings.answers.rate_limit = store::RateLimit{60, 1};
  Front front(std::move(settings));
  const auto anna = front.voice(kAnnaKey);
  const std::string session = anna->open_session();
  EXPECT_EQ(anna->call_in(session, "echo").at("/isError"), "(none)");
  const Heard refused = anna->call_in(session, "echo");
  EXPECT_EQ(refused.at("/isError"), "true");
  EXPECT_THAT(refused.at("/content/0/text"), HasSubstr("Rate limit exceeded"));
  EXPECT_EQ(anna->call("echo").at("/isError"), "true") << "the same principal without a session";
}

}  // namespace
}  // namespace enfold::gateway
