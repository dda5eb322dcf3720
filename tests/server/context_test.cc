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
  Server server("numbers", "1.0.0", {.contract = "memory"});
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

}  // namespace
}  // namespace enfold::server
