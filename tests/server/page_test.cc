// SPDX-License-Identifier: Apache-2.0
// Following the cursors of a list yields each row exactly once, whatever an answer may cost.
#include "enfold/server/page.h"

#include "enfold/contract/contract.h"
#include "enfold/server/testing.h"
#include "tests/server/talk.h"
#include "tests/support/cases.h"

#include <cstdlib>
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

void collect(json::View value, std::vector<std::int64_t>& ids) {
  if (value.is_object()) {
    if (const auto id = value.find("id"); id && id->is_number()) ids.push_back(*id->integer());
    for (const json::Member& member : value.members()) collect(member.value, ids);
  } else if (value.is_array()) {
    for (const json::View item : value.items()) collect(item, ids);
  }
}

std::vector<std::string> contracts() {
  return {"response-v2", "response-v1", "generic", "scalpel-v1", "memory"};
}

struct Case {
  std::string tool;
  std::string contract;
  Level level;
  std::string client;
  std::size_t budget;
  std::int64_t limit;
};

// Each row comes once, or the first call is refused: then with a budget that is enough.
void follow(const Case& one) {
  SCOPED_TRACE(fmt::format("{} {} {} {} budget {} limit {}", one.tool, one.contract,
                           model::name(one.level), one.client, one.budget, one.limit));
  Tester tester(paged_server());
  tester.as(one.client).level(one.level).budget(one.budget).contract(one.contract);
  std::vector<std::int64_t> ids;
  std::optional<std::string> cursor;
  for (std::size_t page = 0; page <= kRows; ++page) {
    const std::string position = cursor ? ",\"cursor\":" + json::quote(*cursor) : "";
    const TestAnswer answer = tester.finish(
        tester.start(one.tool, fmt::format(R"({{"limit":{}{}}})", one.limit, position)));
    const std::size_t before = ids.size();
    collect(answer.envelope.view(), ids);
    ASSERT_GT(ids.size(), before) << answer.text() << answer.message();
    cursor = answer.cursor();
    if (!cursor) break;
  }
  ASSERT_EQ(ids.size(), kRows);
  for (std::size_t i = 0; i < kRows; ++i) ASSERT_EQ(ids[i], static_cast<std::int64_t>(i));
}

// All combinations at night, else every n-th, so that each value meets several of the others.
TEST(Pages, hold_each_row_once_at_every_budget_level_contract_and_client) {
  const bool nightly = std::getenv("ENFOLD_NIGHTLY") != nullptr;
  constexpr std::size_t rarely = 7;  // of the combinations
  std::size_t turn = 0;
  for (const std::string& contract : contracts()) {
    for (const Level level : {Level::minimal, Level::standard, Level::full}) {
      for (const char* client : {"tester", "claude-code", "opencode-mcp", "cursor", "gemini-cli"}) {
        for (const std::size_t budget : {500U, 700U, 1'100U, 1'900U, 3'500U, 8'000U, 20'000U}) {
          for (const char* tool : {"by_offset", "by_key"}) {
            if (!nightly && ++turn % rarely != 0) continue;
            follow({tool, contract, level, client, budget, turn % 2 == 0 ? 1000 : 333});
          }
        }
      }
    }
  }
}

struct Long {
  std::int64_t id = 0;
  std::string text;
  static constexpr auto fields() { return server::fields<&Long::id, &Long::text>(); }
};

// At any budget a call is refused before its handler runs, or each row comes once: in brief if it
// is longer than the budget, with the tool's own cursor.
TEST(Pages, are_refused_before_the_handler_runs_or_hold_each_row_once_at_small_budgets) {
  std::size_t runs = 0;
  Server server = paged_server();
  server.tool("long_rows", "Lists rows", [&](const Browse& asked, Context& context) {
    ++runs;
    return context.page(asked, [](std::size_t from, std::size_t count) {
      std::vector<Long> rows;
      for (std::size_t i = from; i < std::min<std::size_t>(from + count, 4); ++i) {
        rows.push_back(
            {static_cast<std::int64_t>(i), i % 2 == 0 ? std::string(9'000, 'y') : "short"});
      }
      return rows;
    });
  });
  Tester tester(std::move(server));
  const auto follow_from = [&](std::size_t budget) {
    SCOPED_TRACE(budget);
    tester.budget(budget);
    std::vector<std::int64_t> ids;
    std::string cursor;
    for (int page = 0; page < 5; ++page) {
      runs = 0;
      const TestAnswer answer = tester.call("long_rows", R"({"limit":3)" + cursor + "}");
      if (!answer.ok()) {
        EXPECT_EQ(page, 0) << answer.message();
        EXPECT_EQ(runs, 0U) << answer.message();
        return answer.message();
      }
      collect(answer.envelope.view(), ids);
      if (!answer.cursor()) break;
      cursor = R"(,"cursor":)" + json::quote(*answer.cursor());
    }
    EXPECT_EQ(ids, (std::vector<std::int64_t>{0, 1, 2, 3}));
    return std::string();
  };
  for (const char* client : {"tester", "claude-code"}) {
    for (const std::string& contract : contracts()) {
      SCOPED_TRACE(fmt::format("{} {}", client, contract));
      tester.as(client).contract(contract);
      const std::string refusal = follow_from(128);
      std::size_t least = 0;
      ASSERT_EQ(std::sscanf(refusal.c_str(), "budget: expected a budget of at least %zu", &least),
                1)
          << refusal;
      EXPECT_EQ(follow_from(least - 1),
                fmt::format("budget: expected a budget of at least {} tokens "
                            "for a page of long_rows, found {}",
                            least, least - 1));
      for (const std::size_t budget : {least, least + 1, least + 20, least + 100}) {
        EXPECT_EQ(follow_from(budget), "");
      }
    }
  }
}

template <class Key>
struct KeyedRow {
  Key key{};
  std::string name;
  static constexpr auto fields() { return server::fields<&KeyedRow::key, &KeyedRow::name>(); }
};

// Follows the cursors at each budget: the first page is refused, or each key comes once.
// `warnings`: of each page.
template <class Key>
void follow_keys(const std::vector<KeyedRow<Key>>& rows, int warnings = 0) {
  Server server("keys", "1.0.0");
  server.tool("by_key", "Lists rows", [&](const Browse& asked, Context& context) {
    for (int i = 0; i < warnings; ++i) {
      context.warn(fmt::format("W{}", i), fmt::format("A warning of some length number {}", i));
    }
    const auto find = [&](const std::optional<Key>& after, std::size_t count) {
      std::vector<KeyedRow<Key>> found;
      for (const KeyedRow<Key>& row : rows) {
        if ((!after || row.key > *after) && found.size() < count) found.push_back(row);
      }
      return found;
    };
    return context.page(asked, keyset(&KeyedRow<Key>::key, find));
  });
  Tester tester(std::move(server));
  for (const char* client : {"tester", "claude-code"}) {
    for (std::size_t budget = 200; budget < 620; budget += budget < 420 ? 7 : 100) {
      SCOPED_TRACE(fmt::format("{} {}", client, budget));
      tester.as(client).budget(budget);
      std::vector<std::string> keys;
      std::string cursor;
      for (std::size_t page = 0; page <= rows.size(); ++page) {
        const TestAnswer answer = tester.call("by_key", R"({"limit":1000)" + cursor + "}");
        if (!answer.ok() && page == 0) {
          EXPECT_NE(answer.message().find("for a page of by_key"), std::string::npos)
              << answer.message();
        }
        if (!answer.ok() && page == 0) break;
        ASSERT_TRUE(answer.ok()) << "page " << page << ": " << answer.message();
        for (std::size_t row = 0;; ++row) {
          const std::string key = answer.at(fmt::format("/items/{}/key", row));
          if (key.empty()) break;
          keys.push_back(key);
        }
        if (!answer.cursor()) {
          ASSERT_EQ(keys.size(), rows.size());
          break;
        }
        cursor = R"(,"cursor":)" + json::quote(*answer.cursor());
      }
      EXPECT_EQ(std::set(keys.begin(), keys.end()).size(), keys.size());
    }
  }
}

TEST(Pages, by_keys_of_growing_length_hold_each_row_once_at_every_budget_of_the_first_page) {
  std::vector<KeyedRow<std::uint64_t>> numbers;
  std::vector<KeyedRow<double>> reals;
  std::vector<KeyedRow<std::string>> texts;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const std::uint64_t large = i < 40 ? (1ULL << 53U) - 10 + i : UINT64_MAX - 59 + i;
    const std::string name = fmt::format("row {}", i);
    numbers.push_back({i < 20 ? i : large, name});
    reals.push_back({0.1 + static_cast<double>(i) * 0.001, name});
    texts.push_back({std::string(1 + i, 'a'), name});
  }
  follow_keys(numbers);
  follow_keys(reals);
  follow_keys(texts);
}

TEST(Pages, with_many_warnings_hold_each_row_once) {
  std::vector<KeyedRow<std::uint64_t>> rows;
  for (std::uint64_t i = 0; i < 30; ++i) rows.push_back({i, fmt::format("row {}", i)});
  follow_keys(rows, 60);
}

enum class Shade { light = 3, dark = 9 };

// An order by two members.
struct TitleAndId {
  std::string title;
  std::int64_t id = 0;
  friend auto operator<=>(const TitleAndId&, const TitleAndId&) = default;
};

}  // namespace
}  // namespace enfold::server

template <>
struct enfold::As<enfold::server::TitleAndId> {
  using Type = std::string;
  static std::string to(const server::TitleAndId& key) {
    return fmt::format("{}/{}", key.id, key.title);
  }
  static server::TitleAndId from(const std::string& text) {
    const std::size_t end = text.find('/');
    return {text.substr(end + 1), std::stoll(text.substr(0, end))};
  }
};

namespace enfold::server {
namespace {

template <class Key>
struct Keyed {
  Key key{};
  std::string title = "t";
  static constexpr auto fields() { return server::fields<&Keyed::title>(); }
};

struct Plain : PageRequest {
  static constexpr auto fields() { return server::fields(); }
};

// What the log says about a call that failed in the server.
std::string note_of(const Tester& tester) {
  for (const std::string& line : tester.log()) {
    const auto note = line.find("note=");
    if (note != std::string::npos) return json::parse_own(line.substr(note + 5))->string();
  }
  return "";
}

// The titles of the pages of `limit` rows, in order, or what the log says.
template <class Key>
std::string titles_by_key(const std::vector<Key>& keys, int limit) {
  Server server("keys", "1.0.0");
  server.tool("by_key", "Lists rows", [&](const Plain& asked, Context& context) {
    return context.page(
        asked, keyset(&Keyed<Key>::key, [&](const std::optional<Key>& after, std::size_t count) {
          std::vector<Keyed<Key>> rows;
          for (std::size_t i = 0; i < keys.size() && rows.size() < count; ++i) {
            if (!after || keys[i] > *after) rows.push_back({keys[i], std::to_string(i)});
          }
          return rows;
        }));
  });
  Tester tester(std::move(server));
  std::string titles;
  std::string cursor;
  for (std::size_t page = 0; page <= keys.size(); ++page) {
    const TestAnswer answer =
        tester.call("by_key", fmt::format(R"({{"limit":{}{}}})", limit, cursor));
    if (!answer.ok()) return titles + note_of(tester);
    for (int row = 0; row < limit; ++row) titles += answer.at(fmt::format("/items/{}/title", row));
    if (!answer.cursor()) break;
    cursor = R"(,"cursor":)" + json::quote(*answer.cursor());
  }
  return titles;
}

TEST(Pages, by_key_keep_every_key_exactly) {
  using Nanoseconds = std::chrono::sys_time<std::chrono::nanoseconds>;
  const auto instant = [](std::int64_t count) {
    return Nanoseconds(std::chrono::nanoseconds(count));
  };
  const std::string all = R"("0""1""2")";
  EXPECT_EQ(titles_by_key<std::uint64_t>({1, 1ULL << 63U, UINT64_MAX}, 1), all);
  EXPECT_EQ(titles_by_key<std::int8_t>({-128, 0, 127}, 1), all);
  EXPECT_EQ(titles_by_key<double>({0.1, 0.30000000000000004, 1e300}, 1), all);
  EXPECT_EQ(
      titles_by_key<Nanoseconds>({instant(1), instant(2), instant(1'700'000'000'000'000'001)}, 1),
      all);
  EXPECT_EQ(
      titles_by_key<std::chrono::nanoseconds>(
          {std::chrono::nanoseconds(1), std::chrono::nanoseconds(2), std::chrono::hours(9)}, 1),
      all);
  EXPECT_EQ(titles_by_key<std::string>({"", "a\n\"\\", "\u00e9"}, 1), all);
  EXPECT_EQ(titles_by_key<TitleAndId>({{"Dune", 7}, {"Dune", 9}, {"Emma", 1}}, 1), all);
  EXPECT_EQ(titles_by_key<Shade>({Shade::light, Shade::dark}, 1), R"("0""1")");
  EXPECT_EQ(titles_by_key<std::chrono::year_month_day>(
                {std::chrono::year(1999) / 12 / 31, std::chrono::year(2000) / 1 / 1,
                 std::chrono::year(2000) / 2 / 29},
                1),
            all);
}

TEST(Pages, by_key_report_keys_that_lose_rows) {
  const std::string twice = R"(key "7": two rows have it; the key of a keyset must be unique)";
  EXPECT_EQ(titles_by_key<int>({5, 7, 7, 8}, 10), twice);
  // The second is the first row of the next page.
  EXPECT_EQ(titles_by_key<int>({7, 7, 8}, 1), twice);
  EXPECT_EQ(titles_by_key<std::string>({"a", "\xff"}, 1),
            "key \"\xef\xbf\xbd\": a cursor cannot hold it exactly");
}

// The source has rows and forgets to begin after the key.
template <class Key>
std::string second_page_of_forgetful_source(std::vector<Key> keys, int limit) {
  Server server("keys", "1.0.0");
  server.tool("by_key", "Lists rows", [&](const Plain& asked, Context& context) {
    return context.page(asked, keyset(&Keyed<Key>::key,
                                      [&](const std::optional<Key>& /*after*/, std::size_t count) {
                                        std::vector<Keyed<Key>> rows;
                                        for (const Key& key : keys) rows.push_back({key});
                                        rows.resize(std::min(count, rows.size()));
                                        return rows;
                                      }));
  });
  Tester tester(std::move(server));
  const TestAnswer first = tester.call("by_key", R"({"limit":3})");
  const TestAnswer second =
      tester.call("by_key", fmt::format(R"({{"limit":{},"cursor":{}}})", limit,
                                        json::quote(first.cursor().value_or(""))));
  EXPECT_EQ(second.message(), "The tool failed");
  return note_of(tester);
}

TEST(Pages, by_key_report_a_source_that_does_not_begin_after_the_key) {
  const auto fault = [](const char* key) {
    return fmt::format(
        "key {}: the source did not begin after it; `find` of a keyset must return only rows after "
        "`after`",
        json::quote(key));
  };
  EXPECT_EQ(second_page_of_forgetful_source<std::string>({"a", "b", "c", "d"}, 3), fault("c"));
  EXPECT_EQ(second_page_of_forgetful_source<int>({1, 2, 3, 4, 5}, 3), fault("3"));
  // The page is too short to hold the key of the cursor: the order tells.
  EXPECT_EQ(second_page_of_forgetful_source<int>({1, 2, 3, 4, 5}, 1), fault("3"));
  EXPECT_EQ(second_page_of_forgetful_source<double>({5, 4, 3, 2, 1}, 1), fault("3"));
}

struct Stored {
  std::int64_t id = 0;
};
struct Listed : Stored {
  static constexpr auto fields() { return server::fields<&Listed::id>(); }
};

TEST(Pages, take_the_key_of_a_base) {
  Server server("keys", "1.0.0");
  server.tool("by_key", "Lists rows", [](const Plain& asked, Context& context) {
    return context.page(asked, keyset(&Listed::id, [](const std::optional<std::int64_t>& after,
                                                      std::size_t /*count*/) {
                          std::vector<Listed> rows(1);
                          rows.front().id = after.value_or(0) + 1;
                          return rows;
                        }));
  });
  EXPECT_EQ(Tester(std::move(server)).call("by_key").at("/items/0/id"), "1");
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
