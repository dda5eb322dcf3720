// SPDX-License-Identifier: Apache-2.0
// What the library puts around an answer: contracts, flags, tiers, rate limits, budgets.
#include "enfold/schema/schema.h"
#include "enfold/store/stores.h"
#include "tests/server/book.h"
#include "tests/server/talk.h"

namespace enfold::server {
namespace {

schema::Schema announced(Talk& talk, const std::string& tool, const std::string& meta = "{}") {
  const json::Value list = talk.ask("tools/list", R"({"_meta":)" + meta + "}");
  for (const json::View one : list->find("tools")->items()) {
    if (one.find("name")->equals(tool)) {
      return *schema::Schema::compile(json::Value(*one.find("outputSchema")));
    }
  }
  ADD_FAILURE() << "no tool " << tool;
  return *schema::Schema::compile(json::parse_own("{}"));
}

Settings allowing_none() {
  Settings settings;
  settings.allow_none = true;
  return settings;
}

TEST(ServerContract, answers_in_the_contract_that_the_call_names) {
  Server server = book_server(allowing_none());
  Talk talk(server);
  talk.open_session();
  struct Case {
    const char* contract;
    const char* pointer;
    const char* want;
  };
  for (const Case& one :
       {Case{"response-v1", "/id", R"("b-1")"}, Case{"memory", "/id", R"("b-1")"},
        Case{"scalpel-v1", "/tool_id", R"("look_up")"},
        Case{"generic", "/toolName", R"("look_up")"}, Case{"none", "/id", R"("b-1")"}}) {
    SCOPED_TRACE(one.contract);
    const std::string meta = fmt::format(R"({{"dev.enfold/contract":"{}"}})", one.contract);
    const json::Value answer = talk.call("look_up", R"({"title":"x"})", meta);
    EXPECT_EQ(at(answer, one.pointer), one.want);
    EXPECT_TRUE(*announced(talk, "look_up", meta).accepts(answer.view()));
  }
}

TEST(ServerContract, fails_with_a_code_in_no_contract) {
  Server server = book_server(allowing_none());
  Talk talk(server);
  talk.open_session();
  const json::Value failed =
      talk.ask("tools/call", R"({"name":"missing","_meta":{"dev.enfold/contract":"none"}})");
  EXPECT_EQ(at(failed, "/isError"), "true");
  EXPECT_EQ(at(failed, "/structuredContent"), "(none)") << "it would break the output schema";
  const json::Value said =
      json::parse_own(json::parse_own(at(failed, "/content/0/text"))->string());
  EXPECT_EQ(at(said, "/error/code"), R"("NOT_FOUND")");
  EXPECT_EQ(at(said, "/error/message"), R"("shelf 3: expected a book, found none")");
  EXPECT_EQ(at(said, "/error/remediation/0"), R"("try another")");
}

TEST(ServerContract, meets_its_announced_schema_at_every_level_and_when_it_fails) {
  Server server = book_server();
  Talk talk(server);
  talk.open_session();
  const schema::Schema schema = announced(talk, "look_up");
  for (const char* arguments : {R"({"title":"x"})", R"({"title":"x","response_level":"standard"})",
                                R"({"title":"x","response_level":"full"})",
                                R"({"title":"x","rich_response":true})", "{}"}) {
    EXPECT_TRUE(*schema.accepts(talk.call("look_up", arguments).view())) << arguments;
  }
}

TEST(ServerContract, remembers_in_a_session_what_was_negotiated) {
  Server server = book_server();
  Talk talk(server);
  talk.open_session();
  const json::Value answer =
      talk.call("server", R"({"action":"capability-negotiate","requested_version":"v1"})");
  EXPECT_EQ(at(answer, "/data/negotiated/response_version"), R"("response-v1")");
  EXPECT_EQ(at(talk.call("look_up", R"({"title":"x"})"), "/schema_version"), R"("1.0.0")");
}

TEST(ServerContract, stays_in_the_operators_contract_when_an_unknown_version_is_asked_for) {
  Settings settings;
  settings.contract = "memory";
  Server server = book_server(std::move(settings));
  Talk talk(server);
  talk.open_session();
  const json::Value answer =
      talk.call("server", R"({"action":"capability-negotiate","requested_version":"v9"})");
  EXPECT_EQ(at(answer, "/negotiated/response_version"), R"("memory")");
  EXPECT_EQ(at(talk.call("look_up", R"({"title":"x"})"), ""), R"({"success":true,"id":"b-1"})");
}

TEST(ServerContract, remembers_nothing_in_the_stateless_era) {
  Server server = book_server();
  Talk talk(server);
  (void)talk.call("server", R"({"action":"capability-negotiate","requested_version":"v1"})",
                  stateless_meta());
  EXPECT_EQ(at(talk.call("look_up", R"({"title":"x"})", stateless_meta()), "/meta/version"),
            R"("response-v2")");
}

TEST(ServerContract, honours_what_a_client_declares_when_it_opens_a_session) {
  Server server = book_server();
  Talk talk(server);
  talk.open_session(R"({"experimental":{"dev.enfold/response":{"version":"memory"}}})");
  EXPECT_EQ(at(talk.call("look_up", R"({"title":"x"})"), ""), R"({"success":true,"id":"b-1"})");
}

TEST(ServerContract, switches_to_v1_when_the_flag_is_off) {
  Settings settings;
  settings.flags.set_override(contract::kResponseContractFlag, false);
  Server server = book_server(std::move(settings));
  Talk talk(server);
  talk.open_session();
  EXPECT_EQ(at(talk.call("look_up", R"({"title":"x"})"), "/schema_version"), R"("1.0.0")");
}

TEST(ServerContract, gates_a_tool_behind_a_flag) {
  Settings settings;
  ASSERT_TRUE(
      settings.flags.add({.name = "loans", .state = contract::FlagState::beta}).has_value());
  Server server = book_server(std::move(settings));
  server.tool("lend", "Lends a book", look_up).behind_flag("loans");
  Talk talk(server);
  talk.open_session();
  const json::Value off = talk.call("lend", R"({"title":"x"})");
  EXPECT_EQ(at(off, "/data/error_code"), R"("FEATURE_DISABLED")");
  EXPECT_EQ(at(off, "/data/feature"), R"("loans")");
  server.settings().flags.set_override("loans", true);
  EXPECT_EQ(at(talk.call("lend", R"({"title":"x"})"), "/success"), "true");
}

TEST(ServerContract, keeps_a_tool_for_a_higher_tier) {
  Settings settings;
  settings.contract = "scalpel-v1";
  settings.tier = model::Tier::community;
  Server server = book_server(std::move(settings));
  server.tool("appraise", "Says what a book is worth", look_up).needs_tier(model::Tier::pro);
  Talk talk(server);
  talk.open_session();
  const json::Value answer = talk.call("appraise", R"({"title":"x"})");
  EXPECT_EQ(at(answer, "/tier"), R"("community")");
  EXPECT_EQ(at(answer, "/upgrade_hints/0/tier"), R"("pro")");
  EXPECT_EQ(at(answer, "/tool_version"), R"("2.1.0")");
}

TEST(ServerContract, limits_the_rate_of_calls) {
  Server server = book_server();
  server.tool("lend", "Lends a book", look_up).rate_limit({.per_minute = 60, .burst = 2});
  Talk talk(server);
  talk.open_session();
  EXPECT_EQ(at(talk.call("lend", R"({"title":"x"})"), "/meta/rate_limit/remaining"), "1");
  EXPECT_EQ(at(talk.call("lend", R"({"title":"x"})"), "/meta/rate_limit/remaining"), "0");
  const json::Value refused = talk.call("lend", R"({"title":"x"})");
  EXPECT_EQ(at(refused, "/data/error_code"), R"("RATE_LIMIT_EXCEEDED")");
  EXPECT_EQ(at(refused, "/data/retry_after_seconds"), "1");
  talk.host.advance(std::chrono::seconds(1));
  EXPECT_EQ(at(talk.call("lend", R"({"title":"x"})"), "/success"), "true");
}

TEST(ServerContract, asks_counters_that_others_share_on_a_worker) {
  Server server = book_server();
  server.tool("lend", "Lends a book", look_up).rate_limit({.per_minute = 60, .burst = 2});
  server.settings().counters = store::memory_counters();
  Talk talk(server);
  talk.open_session();
  const std::string lend = R"({"name":"lend","arguments":{"title":"x"}})";
  const std::int64_t limited = talk.start("tools/call", lend);
  const std::int64_t withdrawn = talk.start("tools/call", lend);
  const std::int64_t free =
      talk.start("tools/call", R"({"name":"look_up","arguments":{"title":"x"}})");
  EXPECT_EQ(at(talk.answer_to(free), "/isError"), "false") << "nobody waits for the counters";
  EXPECT_EQ(at(talk.answer_to(limited), "/isError"), "(none)");
  EXPECT_EQ(talk.host.jobs.size(), 2U);
  EXPECT_EQ(talk.dispatcher->running(), 2U);
  talk.say(fmt::format(R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":)"
                       R"({{"requestId":{}}}}})",
                       withdrawn));
  talk.host.run();
  EXPECT_EQ(at(talk.answer_to(limited), "/structuredContent/meta/rate_limit/remaining"), "1");
  EXPECT_EQ(at(talk.answer_to(withdrawn), "/isError"), "(none)");
  EXPECT_EQ(talk.lines.at(1).outcome, "cancelled");
  EXPECT_EQ(talk.dispatcher->running(), 0U);
  EXPECT_EQ(at(talk.call("lend", R"({"title":"x"})"), "/data/error_code"),
            R"("RATE_LIMIT_EXCEEDED")");
  talk.host.most_jobs = 0;
  EXPECT_EQ(at(talk.call("lend", R"({"title":"x"})"), "/data/retry_after_seconds"), "1");
  EXPECT_EQ(talk.dispatcher->running(), 0U);
}

TEST(ServerContract, cuts_to_the_budget_and_fetches_the_rest) {
  Server server = book_server();
  server.tool("shelf", "All books at once", [] {
    Shelf shelf;
    for (int i = 0; i < 900; ++i) {
      shelf.books.push_back({"b-" + std::to_string(i), "Title number " + std::to_string(i), ""});
    }
    return shelf;
  });
  Talk talk(server);
  talk.open_session();
  const json::Value cut =
      talk.call("shelf", R"({"response_level":"full"})", R"({"dev.enfold/budget":600})");
  EXPECT_TRUE(*announced(talk, "shelf").accepts(cut.view()));
  EXPECT_NE(at(cut, "/meta/content_fidelity"), "(none)");
  const auto archive = cut->find("meta")->find("content_archive_hashes");
  ASSERT_TRUE(archive.has_value());
  std::string handle;
  for (const json::Member& member : archive->members()) handle = member.key.string();
  const json::Value more =
      talk.call("enfold_fetch", R"({"handle":")" + handle + R"(","id":"b-899"})");
  EXPECT_EQ(at(more, "/data/items/0/title"), R"("Title number 899")");
}

TEST(ServerContract, lets_a_tool_answer_with_one_of_several_types) {
  using Either = std::variant<Book, Shelf>;
  Server server = book_server();
  server.tool("either", "A book or a shelf", [](const Browse& asked) -> Answer<Either> {
    if (asked.count == 0) return Shelf{};
    return Book{"b-1", "Dune", ""};
  });
  Talk talk(server);
  talk.open_session();
  const schema::Schema schema = announced(talk, "either");
  const json::Value book = talk.call("either", R"({"response_level":"standard"})");
  EXPECT_EQ(at(book, "/data"), R"({"id":"b-1","title":"Dune"})");
  EXPECT_TRUE(*schema.accepts(book.view()));
  const json::Value shelf = talk.call("either", R"({"count":0})");
  EXPECT_EQ(at(shelf, "/data"), R"({"books":[]})");
  EXPECT_TRUE(*schema.accepts(shelf.view()));
}

TEST(ServerContract, refuses_a_budget_that_nothing_fits_into) {
  Server server = book_server();
  Talk talk(server);
  talk.open_session();
  const json::Value answer =
      talk.call("look_up", R"({"title":"x"})", R"({"dev.enfold/budget":20})");
  EXPECT_EQ(at(answer, "/data/error_code"), R"("VALIDATION_ERROR")");
}

TEST(ServerContract, takes_secrets_out_of_answers) {
  Server server = book_server();
  Talk talk(server);
  talk.open_session();
  const json::Value answer = talk.call(
      "look_up", R"({"title":"ghp_0123456789abcdefghijABCDEFGHIJ012345","response_level":"full"})");
  EXPECT_EQ(at(answer, "/data/title"), R"("[REDACTED:GITHUB_TOKEN]")");
}

}  // namespace
}  // namespace enfold::server
