// SPDX-License-Identifier: Apache-2.0
// What a handler adds to its answer, and how much of it each level and contract shows.
#include "enfold/server/context.h"

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

struct Page : PageArguments {
  std::string of;
  static constexpr auto arguments() {
    return server::arguments(argument("of", &Page::of), cursor_argument(&Page::cursor),
                             limit_argument(&Page::limit));
  }
};
struct Letters {
  std::string letters;
  static constexpr auto fields() {
    return level::fields(level::field("letters", &Letters::letters, level::Level::minimal));
  }
};

Answer<Letters> spell(const Page& asked, Context& context) {
  const auto offset = context.signed_offset(asked, asked.of);
  if (!offset) return offset.error();
  const std::string page = asked.of.substr(std::min(*offset, asked.of.size()), asked.size());
  context.set_signed_page(asked, *offset, page.size(), asked.of.size(), asked.of);
  return Letters{page};
}

TEST(Context, signs_the_cursors_of_a_list) {
  Server server("letters", "1.0.0");
  server.tool("spell", "Spells a word", spell);
  server.tool("spell_too", "Another tool", spell);
  Talk talk(server);
  talk.open_session();
  const json::Value first = talk.call("spell", R"({"of":"word","limit":3})");
  EXPECT_EQ(at(first, "/data/letters"), R"("wor")");
  EXPECT_EQ(at(first, "/meta/pagination/has_more"), "true");
  const std::string cursor = at(first, "/meta/pagination/cursor");
  const json::Value second =
      talk.call("spell", R"({"of":"word","limit":3,"cursor":)" + cursor + "}");
  EXPECT_EQ(at(second, "/data/letters"), R"("d")");
  EXPECT_EQ(at(second, "/meta/pagination/has_more"), "false");
  EXPECT_EQ(at(second, "/meta/pagination/cursor"), "null");

  const struct {
    const char* name;
    const char* tool;
    std::string arguments;
    const char* reason;
  } refused[] = {
      {"of another list", "spell", R"({"of":"sword","cursor":)" + cursor + "}", "bad_signature"},
      {"of another tool", "spell_too", R"({"of":"word","cursor":)" + cursor + "}", "bad_signature"},
      {"that somebody made up", "spell",
       R"({"of":"word","cursor":"eyJvZmZzZXQiOjIwLCJ2ZXJzaW9uIjoxfQ=="})", "not_signed"},
      {"that is none", "spell", R"({"of":"word","cursor":"?"})", "decode_failed"},
  };
  for (const auto& one : refused) {
    SCOPED_TRACE(one.name);
    const json::Value answer = talk.call(one.tool, one.arguments);
    EXPECT_EQ(at(answer, "/data/error_code"), R"("INVALID_FORMAT")");
    EXPECT_NE(json::to_text(answer.view()).find(one.reason), std::string::npos)
        << json::to_text(answer.view());
  }
}

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
}

}  // namespace
}  // namespace enfold::server
