// SPDX-License-Identifier: Apache-2.0
// Resources, templates, prompts and completion as an author writes them; lists that change while
// the server runs, in both eras; subscriptions; lists in pages.
#include "enfold/server/offers.h"

#include "enfold/server/testing.h"
#include "tests/server/talk.h"

#include <gtest/gtest.h>
#include <thread>

namespace enfold::server {
namespace {

enum class Genre { crime, classic, comedy };

struct Shelf {
  Genre genre = Genre::crime;
  int number = 0;
  std::optional<std::string> color;
  static constexpr auto fields() {
    return server::fields(server::field<&Shelf::genre>(),
                          server::field<&Shelf::number>().at_most(9),
                          server::field<&Shelf::color>());
  }
};

struct Review {
  std::string author;
  std::string title;
  static constexpr auto fields() { return server::fields<&Review::author, &Review::title>(); }
};

class Shop {
 public:
  std::string about() const { return "Books since " + std::to_string(since); }
  Answer<std::string> shelf(const Shelf& asked, Context& context) const {
    if (asked.number == 9) return failures::NotFound{"Shelf", "9"};
    return context.client() + " " + std::to_string(asked.number) + asked.color.value_or("");
  }
  std::string review(const Review& asked) { return asked.author + ": " + asked.title; }

  int since = 1998;
};

Text hello() { return Text{"hello"}; }

Server shop_server(Shop& shop) {
  Server server("shop", "1");
  server.tool("hello", "Says hello", hello);
  server.resource("shop://about", "About", &Shop::about, shop).mime_type("text/plain");
  server.resource("shop://logo", "Logo", [] {
    return std::vector<std::byte>{std::byte{0xfb}, std::byte{0xff}, std::byte{0}, std::byte{1}};
  });
  server.resource("shop://view", "View", []() noexcept -> std::string_view { return "a view"; });
  server.resource_template("shop://{genre}/{number}{?color}", "Shelf", &Shop::shelf,
                           std::make_shared<Shop>());
  server.prompt("review", "Reviews a book", &Shop::review, shop)
      .complete("author", {"Austen", "Asimov", "Borges"})
      .complete("title", [](const std::string& typed, const Texts& others) {
        const auto author = others.find("author");
        return std::vector<std::string>{typed +
                                        (author == others.end() ? "?" : " by " + author->second)};
      });
  return server;
}

TEST(Offers, takes_functions_of_all_kinds_for_resources_and_prompts) {
  Shop shop;
  Tester tester(shop_server(shop));
  EXPECT_EQ(tester.read("shop://about").text(), "Books since 1998");
  shop.since = 2001;  // it is the same object
  EXPECT_EQ(tester.read("shop://about").text(), "Books since 2001");
  EXPECT_EQ(tester.read("shop://view").text(), "a view");
  EXPECT_EQ(at(tester.read("shop://logo").result, "/contents/0/blob"), R"("+/8AAQ==")");
  EXPECT_EQ(tester.as("claude").read("shop://crime/3?color=red").text(), "claude 3red");
  EXPECT_EQ(tester.prompt("review", R"({"author":"Austen","title":"Emma"})").text(),
            "Austen: Emma");
}

TEST(Offers, checks_the_variables_of_a_template) {
  Shop shop;
  Tester tester(shop_server(shop));
  EXPECT_NE(tester.read("shop://horror/3").message().find("genre: expected"), std::string::npos);
  EXPECT_NE(tester.read("shop://crime/10").message().find("number: expected at most 9"),
            std::string::npos);
  EXPECT_NE(tester.read("shop://crime/9").message().find("not found"), std::string::npos);
  EXPECT_NE(tester.read("shop://nothing").message().find("not found"), std::string::npos);
}

TEST(Offers, completes_by_list_by_function_and_by_enum) {
  Shop shop;
  Tester tester(shop_server(shop));
  using Names = std::vector<std::string>;
  EXPECT_EQ(tester.complete("review", "author", "A").completions, (Names{"Austen", "Asimov"}));
  EXPECT_EQ(tester.complete("review", "title", "E", R"({"author":"Austen"})").completions,
            (Names{"E by Austen"}));
  EXPECT_EQ(tester.complete("shop://{genre}/{number}{?color}", "genre", "c").completions,
            (Names{"crime", "classic", "comedy"}));
  EXPECT_EQ(tester.complete("shop://{genre}/{number}{?color}", "number", "").completions, Names());
  EXPECT_TRUE(tester.complete("reviews", "author", "A").error.has_value());
}

TEST(Offers, traces_a_handler_that_throws_or_fails_to_its_request) {
  Server server("shop", "1");
  server.resource("shop://broken", "Broken",
                  []() -> std::string { throw std::runtime_error("disk on fire"); });
  server.resource("shop://bad", "Bad", []() -> Result<std::string> {
    return fail(ErrorCode::internal, "no space on /srv");
  });
  server.prompt("torn", "Torn", [](const Review&) -> std::string { throw 7; })
      .complete("title", [](const std::string&) -> std::vector<std::string> {
        throw std::runtime_error("no index");
      });
  Tester tester(std::move(server));
  const struct {
    TestAnswer answer;
    const char* subject;
    const char* note;
  } table[] = {
      {tester.read("shop://broken"), "tool=shop://broken", "resources/read: disk on fire"},
      {tester.read("shop://bad"), "tool=shop://bad", "no space on /srv"},
      {tester.prompt("torn", R"({"author":"A","title":"B"})"), "tool=torn", "prompts/get: "},
      {tester.complete("torn", "title", ""), "tool=torn", "completion/complete: no index"},
  };
  std::size_t i = 0;
  for (const auto& row : table) {
    const std::string& line = tester.log().at(i++);
    EXPECT_NE(line.find(row.subject), std::string::npos) << line;
    EXPECT_NE(line.find(row.note), std::string::npos) << line;
    const std::string id = line.substr(line.find("req_"), 16);
    EXPECT_NE(row.answer.message().find(id), std::string::npos) << row.answer.message();
    EXPECT_EQ(row.answer.message().find("/srv"), std::string::npos) << row.answer.message();
  }
}

struct Title {
  std::string title;
  static constexpr auto fields() { return server::fields<&Title::title>(); }
};

TEST(Offers, say_what_the_author_said_about_a_resource_that_does_not_exist) {
  Server server("shop", "1");
  server.resource_template("shop://{title}", "Books", [](const Title&) -> Answer<std::string> {
    return failures::NotFound{.resource_type = "Book",
                              .resource_id = "Dnue",
                              .extra = {.remediation = {"Did you mean Dune?"}}};
  });
  server.resource("shop://old", "Old", []() -> Result<std::string> {
    return fail(ErrorCode::not_found, "It is sold out");
  });
  Talk talk(server);
  talk.open_session();
  const json::Value book = talk.ask("resources/read", R"({"uri":"shop://Dnue"})");
  EXPECT_EQ(at(book, "/code"), "-32002");
  EXPECT_EQ(at(book, "/data"), R"({"uri":"shop://Dnue","message":"Book 'Dnue' not found",)"
                               R"("remediation":["Did you mean Dune?"]})");
  EXPECT_EQ(at(talk.ask("resources/read", R"({"uri":"shop://old"})"), "/data/message"),
            R"("It is sold out")");
}

std::vector<std::string> methods(Tester& tester) {
  std::vector<std::string> out;
  for (const TestNotification& one : tester.notifications()) out.push_back(one.method);
  return out;
}

void expect_changes_to_be_told(Tester& tester) {
  using Names = std::vector<std::string>;
  Offers offers = tester.offers();
  EXPECT_EQ(methods(tester), Names());
  offers.tool("later", "Comes later", hello).read_only();
  EXPECT_EQ(methods(tester), Names{"tools/list_changed"});
  EXPECT_EQ(at(tester.tool("later"), "/annotations/readOnlyHint"), "true");
  EXPECT_TRUE(tester.call("later").ok());
  EXPECT_TRUE(offers.remove_tool("later"));
  EXPECT_FALSE(offers.remove_tool("later"));
  EXPECT_EQ(methods(tester), Names{"tools/list_changed"});
  EXPECT_TRUE(tester.tool("later")->is_null());
  EXPECT_TRUE(tester.call("later").error.has_value());

  // Several changes before the server gets to them are told once.
  offers.resource("shop://new", "New", [] { return "new"; });
  offers.resource_template("shop://new/{number}/all", "New", [] { return "newer"; });
  offers.prompt("new", "New", [] { return "new"; });
  EXPECT_EQ(methods(tester), (Names{"prompts/list_changed", "resources/list_changed"}));
  EXPECT_EQ(tester.read("shop://new").text(), "new");
  EXPECT_EQ(tester.read("shop://new/7/all").text(), "newer");
  EXPECT_EQ(tester.prompt("new").text(), "new");
  offers.resource("shop://new", "New", [] { return "replaced"; });
  EXPECT_EQ(methods(tester), Names{"resources/list_changed"});
  EXPECT_EQ(tester.read("shop://new").text(), "replaced");
  EXPECT_TRUE(offers.remove_resource("shop://new"));
  EXPECT_TRUE(offers.remove_resource("shop://new/{number}/all"));
  EXPECT_TRUE(offers.remove_prompt("new"));
  EXPECT_EQ(methods(tester).size(), 2U);
  EXPECT_TRUE(tester.read("shop://new").error.has_value());
  EXPECT_TRUE(tester.prompt("new").error.has_value());
}

TEST(Offers, tells_sessions_about_changed_lists) {
  Shop shop;
  Tester tester(shop_server(shop));
  EXPECT_TRUE(tester.call("hello").ok());  // opens the session
  expect_changes_to_be_told(tester);
}

TEST(Offers, tells_stateless_clients_that_listen_about_changed_lists) {
  Shop shop;
  Tester tester(shop_server(shop));
  tester.stateless();
  EXPECT_TRUE(tester.call("hello").ok());
  tester.offers().tool("first", "Nobody listens yet", hello);
  EXPECT_EQ(methods(tester), std::vector<std::string>());
  (void)tester.subscribe("shop://about");
  expect_changes_to_be_told(tester);
}

TEST(Offers, tells_subscribers_that_a_resource_was_updated) {
  Shop shop;
  for (const bool stateless : {false, true}) {
    Tester tester(shop_server(shop));
    if (stateless) tester.stateless();
    EXPECT_FALSE(tester.subscribe("shop://about").error.has_value());
    std::thread([offers = tester.offers()] {
      offers.resource_updated("shop://about");
      offers.resource_updated("shop://logo");
    }).join();
    const std::vector<TestNotification> told = tester.notifications();
    ASSERT_EQ(told.size(), 1U) << stateless;
    EXPECT_EQ(told[0].method, "resources/updated");
    EXPECT_EQ(told[0].uri(), "shop://about");
  }
  Tester tester(shop_server(shop));
  EXPECT_FALSE(tester.subscribe("shop://crime/3").error.has_value());
  EXPECT_TRUE(tester.subscribe("shop://nothing").error.has_value());
}

TEST(Offers, finishes_calls_of_a_tool_that_was_removed) {
  Server server("shop", "1");
  server.tool("slow", "Takes long", hello).slow().max_concurrent(1);
  Tester tester(std::move(server));
  const std::int64_t first = tester.start("slow");
  const std::int64_t waiting = tester.start("slow");
  EXPECT_TRUE(tester.offers().remove_tool("slow"));
  EXPECT_EQ(methods(tester), std::vector<std::string>{"tools/list_changed"});
  EXPECT_TRUE(tester.finish(first).ok());
  EXPECT_TRUE(tester.finish(waiting).ok());
  EXPECT_TRUE(tester.call("slow").error.has_value());
}

TEST(Offers, finishes_a_call_of_a_tool_that_removes_itself) {
  Server server("shop", "1");
  server.tool("once", "Works once", [text = std::string(100, 'x')](Context& context) {
    EXPECT_TRUE(context.offers().remove_tool("once"));
    context.offers().tool("next", "Comes next", hello);
    return Text{text};
  });
  Tester tester(std::move(server));
  EXPECT_TRUE(tester.call("once").ok());
  EXPECT_TRUE(tester.call("once").error.has_value());
  EXPECT_TRUE(tester.call("next").ok());
}

TEST(Offers, may_change_from_many_threads_while_it_is_served) {
  Shop shop;
  Tester tester(shop_server(shop));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([offers = Offers(tester.offers()), t]() mutable {
      for (int i = 0; i < 50; ++i) {
        const std::string name = "t" + std::to_string(t) + "_" + std::to_string(i);
        offers.tool(name, "Made by a thread", hello).read_only();
        if (i % 2 == 0) offers.remove_tool(name);
        offers.resource_updated("shop://about");
        (void)offers.lists()->tools.size();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(methods(tester), std::vector<std::string>());  // there was no session yet
  EXPECT_EQ(tester.offers().lists()->tools.size(), 1 + 4 * 25U);
  EXPECT_TRUE(tester.call("t3_49").ok());
}

TEST(Offers, logs_what_cannot_be_offered_while_it_runs) {
  Shop shop;
  Tester tester(shop_server(shop));
  Offers offers = tester.offers();
  offers.tool("no name", "Has a space", hello);
  offers.tool("bad", "Has a bad schema", hello).input_schema(json::parse_own(R"({"type":7})"));
  offers.resource_template("shop://{", "Broken", [] { return "x"; });
  (void)tester.notifications();
  ASSERT_EQ(tester.log().size(), 3U);
  for (const std::string& line : tester.log()) {
    EXPECT_NE(line.find("event=offer_refused"), std::string::npos) << line;
  }
  EXPECT_TRUE(tester.call("hello").ok());
}

TEST(OffersDeathTest, ends_the_program_for_mistakes_before_it_runs) {
  Server server("shop", "1");
  server.tool("hello", "Says hello", hello);
  EXPECT_DEATH(server.tool("hello", "Says hello", hello), "two of one: hello");
  EXPECT_DEATH(server.resource_template("a:{genre}", "No number", [](const Shelf&) { return "a"; }),
               "expected the required field number as a variable of the URI template: a:.genre.");
  EXPECT_DEATH(server.resource_template("a:{author}/{title}/{year}", "No year",
                                        [](const Review&) { return "a"; }),
               "expected a field for the variable year");
  EXPECT_DEATH(server.resource("a:b", "No template", [](const Shelf&) { return "a"; }),
               "a resource whose function has required fields is a resource_template: a:b");
  EXPECT_DEATH(server.prompt("p", "", [](const Review&) { return "a"; }).complete("yeer", {"1"}),
               "expected the name of an argument to complete, one of author, title: yeer");
}

struct Keeper {
  std::string text() const { return "text"; }
};

TEST(OffersDeathTest, ends_the_program_for_member_functions_of_no_object) {
  Server server("shop", "1");
  const Keeper* const none = nullptr;
  EXPECT_DEATH(server.resource("a:b", "A resource", &Keeper::text, none),
               "the object of its member function is a null pointer: a:b");
  EXPECT_DEATH(server.resource_template("a:{b}", "A template", &Keeper::text, none),
               "the object of its member function is a null pointer: a:.b.");
  EXPECT_DEATH(server.prompt("p", "A prompt", &Keeper::text, std::shared_ptr<Keeper>()),
               "the object of its member function is a null pointer: p");
}

TEST(Offers, include_what_is_still_described_when_the_server_starts) {
  Server server("shop", "1");
  Tool held = server.tool("held", "Is still described", hello);
  held.read_only();
  Talk talk(server);
  talk.open_session();
  EXPECT_EQ(at(talk.ask("tools/list", "{}"), "/tools/0/name"), R"("held")");
}

TEST(Offers, announces_only_what_there_is_or_will_be) {
  Server bare("bare", "1");
  bare.tool("hello", "Says hello", hello);
  const auto capabilities = [](Server& server) {
    Talk talk(server);
    const json::Value result = talk.ask(
        "initialize",
        R"({"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"},"capabilities":{}})");
    return at(result, "/capabilities");
  };
  EXPECT_EQ(capabilities(bare), R"({"tools":{"listChanged":true},"logging":{}})");
  bare.will_offer(mcp::ListKind::prompts);
  EXPECT_EQ(capabilities(bare),
            R"({"tools":{"listChanged":true},"prompts":{"listChanged":true},"completions":{},)"
            R"("logging":{}})");
  bare.resource("a:b", "B", [] { return "b"; });
  EXPECT_NE(capabilities(bare).find(R"("resources":{"subscribe":true,"listChanged":true})"),
            std::string::npos);
}

// Everything is listed once, also if what was listed last has been removed before the next page.
TEST(Offers, are_listed_in_pages) {
  Server server("shop", "1");
  server.list_page = 3;
  server.settings().local_tools = false;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    server.tool("tool_" + n, "A tool", hello);
    server.resource("shop://" + n, "One", [] { return "one"; });
    server.resource_template("shop://" + n + "/{x}", "Many", [] { return "many"; });
    server.prompt("prompt_" + n, "A prompt", [] { return "text"; });
  }
  const struct {
    const char* method;
    const char* list;
    const char* key;
  } table[] = {{"tools/list", "/tools", "name"},
               {"resources/list", "/resources", "uri"},
               {"resources/templates/list", "/resourceTemplates", "uriTemplate"},
               {"prompts/list", "/prompts", "name"}};
  Tester tester(std::move(server));
  for (const auto& row : table) {
    std::vector<std::string> seen;
    std::string cursor;
    for (int page = 0; page < 3; ++page) {
      const TestAnswer answer = tester.request(row.method, page == 0 ? "{}" : cursor);
      ASSERT_FALSE(answer.error.has_value()) << row.method << answer.message();
      const auto list = json::Pointer::parse(row.list)->resolve(answer.result.view());
      for (const json::View one : list->items()) seen.push_back(one.find(row.key)->string());
      cursor = R"({"cursor":)" + at(answer.result, "/nextCursor") + "}";
      if (page == 0) tester.offers().remove_tool("tool_2");
    }
    EXPECT_EQ(cursor, R"({"cursor":(none)})") << row.method;
    EXPECT_EQ(seen.size(), 8U) << row.method;
    EXPECT_EQ((std::set<std::string>(seen.begin(), seen.end())).size(), 8U) << row.method;
    EXPECT_TRUE(tester.request(row.method, R"({"cursor":"x"})").error.has_value());
  }
}

}  // namespace
}  // namespace enfold::server
