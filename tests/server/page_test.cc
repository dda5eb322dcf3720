// SPDX-License-Identifier: Apache-2.0
// Following the cursors of a list yields each row exactly once, whatever an answer may cost.
#include "enfold/server/page.h"

#include "enfold/contract/contract.h"
#include "tests/server/talk.h"
#include "tests/support/cases.h"

#include <set>

namespace enfold::server {
namespace {

constexpr std::size_t kRows = 2'000;

struct Row {
  std::int64_t id = 0;
  std::string title;
  std::string blurb;
  static constexpr auto fields() {
    return server::fields(server::field<&Row::id>(), server::field<&Row::title>(),
                          server::field<&Row::blurb>().from_level(Level::full));
  }
};

std::vector<Row> rows_from(std::size_t from, std::size_t count) {
  std::vector<Row> rows;
  for (std::size_t i = from; i < std::min(from + count, kRows); ++i) {
    rows.push_back({static_cast<std::int64_t>(i), "Title number " + std::to_string(i * 7919),
                    std::string(20 + i % 150, 'x')});
  }
  return rows;
}

struct Browse : PageRequest {
  std::string shelf = "all";
  static constexpr auto fields() {
    return server::fields(server::field<&Browse::shelf>().defaulted());
  }
};

Answer<Page<Row>> by_offset(const Browse& asked, Context& context) {
  return context.page(asked, [](std::size_t from, std::size_t count) {
    return Page<Row>{rows_from(from, count), kRows};
  });
}

Answer<Page<Row>> by_key(const Browse& asked, Context& context) {
  return context.page(
      asked, keyset(&Row::id, [](const std::optional<std::int64_t>& after, std::size_t count) {
        return rows_from(after ? static_cast<std::size_t>(*after) + 1 : 0, count);
      }));
}

Server paged_server() {
  Settings settings;
  settings.cursor_key = "0123456789abcdef0123456789abcdef";
  Server server("pages", "1.0.0", std::move(settings));
  server.tool("by_offset", "Lists rows", by_offset);
  server.tool("by_key", "Lists rows", by_key);
  return server;
}

// The cursor of an answer, wherever its contract has a place for it; "": the list ends here.
std::string cursor_in(const json::Value& answer) {
  for (const char* place :
       {"/meta/pagination/cursor", "/enfold/pagination/cursor", "/pagination/nextOffset",
        "/data/_envelope/pagination/cursor", "/_envelope/pagination/cursor", "/next_cursor"}) {
    const std::string found = at(answer, place);
    if (found.starts_with('"')) return found;
  }
  return {};
}

void collect(json::View value, std::vector<std::int64_t>& ids) {
  if (value.is_object()) {
    if (const auto id = value.find("id"); id && id->is_number()) ids.push_back(*id->integer());
    for (const json::Member& member : value.members()) collect(member.value, ids);
  } else if (value.is_array()) {
    for (const json::View item : value.items()) collect(item, ids);
  }
}

struct Case {
  std::string tool;
  std::string contract;
  std::string level;
  std::string client;
  std::int64_t budget;
  std::int64_t limit;
};

void follow(const Case& one) {
  SCOPED_TRACE(fmt::format("{} {} {} {} budget {} limit {}", one.tool, one.contract, one.level,
                           one.client, one.budget, one.limit));
  Server server = paged_server();
  Talk talk(server);
  talk.client = one.client;
  talk.open_session();
  const std::string meta = fmt::format(
      R"({{"dev.enfold/contract":"{}","dev.enfold/level":"{}","dev.enfold/budget":{}}})",
      one.contract, one.level, one.budget);
  std::vector<std::int64_t> ids;
  std::string cursor;
  for (std::size_t page = 0; page <= kRows; ++page) {
    const json::Value answer = talk.call(one.tool,
                                         fmt::format(R"({{"limit":{}{}{}}})", one.limit,
                                                     cursor.empty() ? "" : ",\"cursor\":", cursor),
                                         meta);
    const std::size_t before = ids.size();
    collect(answer.view(), ids);
    ASSERT_GT(ids.size(), before) << json::to_text(answer.view());
    cursor = cursor_in(answer);
    if (cursor.empty()) break;
  }
  ASSERT_EQ(ids.size(), kRows);
  for (std::size_t i = 0; i < kRows; ++i) ASSERT_EQ(ids[i], static_cast<std::int64_t>(i));
}

TEST(Pages, hold_each_row_once_at_every_budget_level_contract_and_client) {
  const std::vector<std::string> contracts{"response-v2", "response-v1", "generic", "scalpel-v1",
                                           "memory"};
  const std::vector<std::string> levels{"minimal", "standard", "full"};
  const std::vector<std::string> clients{"tester", "claude-code", "opencode-mcp"};
  std::size_t turn = 0;
  for (const std::string& contract : contracts) {
    for (const std::string& level : levels) {
      // Sampled, so that each budget, limit, source and client meets several contracts.
      const std::array<std::int64_t, 5> budgets{500, 900, 2'500, 8'000, 20'000};
      const std::array<std::int64_t, 3> limits{1000, 100, 333};
      follow({turn % 2 == 0 ? "by_offset" : "by_key", contract, level, clients[turn % 3],
              budgets[turn % 5], limits[turn % 3]});
      ++turn;
    }
  }
}

TEST(Pages, continue_after_a_restart_and_for_their_owner_alone) {
  std::string cursor;
  {
    Server server = paged_server();
    Talk talk(server);
    talk.open_session();
    cursor = at(talk.call("by_offset", R"({"limit":10})"), "/meta/pagination/cursor");
  }
  Server server = paged_server();
  Talk talk(server);
  talk.open_session();
  const json::Value second = talk.call("by_offset", R"({"limit":10,"cursor":)" + cursor + "}");
  EXPECT_EQ(at(second, "/data/items/0/id"), "10");
  EXPECT_EQ(at(second, "/meta/pagination/total_count"), "2000");

  const struct {
    const char* name;
    const char* tool;
    std::string arguments;
    const char* reason;
  } refused[] = {
      {"of another list", "by_offset", R"({"shelf":"new","cursor":)" + cursor + "}",
       "bad_signature"},
      {"of another tool", "by_key", R"({"cursor":)" + cursor + "}", "bad_signature"},
      {"that nobody signed", "by_offset", R"({"cursor":"eyJvZmZzZXQiOjIwLCJ2ZXJzaW9uIjoxfQ=="})",
       "not_signed"},
      {"that is none", "by_offset", R"({"cursor":"?"})", "decode_failed"},
  };
  for (const auto& one : refused) {
    SCOPED_TRACE(one.name);
    const json::Value answer = talk.call(one.tool, one.arguments);
    EXPECT_EQ(at(answer, "/data/error_code"), R"("INVALID_FORMAT")");
    EXPECT_NE(json::to_text(answer.view()).find(one.reason), std::string::npos)
        << json::to_text(answer.view());
  }
  Settings settings;
  settings.cursor_key = "0123456789abcdef0123456789abcdef";
  settings.principal = "another";
  Server foreign("pages", "1.0.0", std::move(settings));
  foreign.tool("by_offset", "Lists rows", by_offset);
  Talk other(foreign);
  other.open_session();
  EXPECT_EQ(
      at(other.call("by_offset", R"({"limit":10,"cursor":)" + cursor + "}"), "/data/error_code"),
      R"("INVALID_FORMAT")");
}

TEST(Pages, of_the_same_request_are_the_same_list_whatever_is_written_out) {
  Server server = paged_server();
  Talk talk(server);
  talk.open_session();
  const std::string cursor = at(talk.call("by_key", R"({"limit":5})"), "/meta/pagination/cursor");
  const json::Value next =
      talk.call("by_key", R"({"shelf":"all","limit":7,"cursor":)" + cursor + "}");
  EXPECT_EQ(at(next, "/data/items/0/id"), "5");
  EXPECT_EQ(at(next, "/data/items/6/id"), "11");
}

}  // namespace
}  // namespace enfold::server
