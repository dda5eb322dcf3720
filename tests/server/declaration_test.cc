// SPDX-License-Identifier: Apache-2.0
// Declarations that contradict themselves are refused when the server starts; what a tool keeps,
// pages and adds is what it has declared.
#include "enfold/server/detail/dispatch.h"
#include "enfold/server/server.h"
#include "enfold/server/testing.h"

#include <gtest/gtest.h>

namespace enfold::server {
namespace {

struct Row {
  std::int64_t id = 0;
  static constexpr auto fields() { return server::fields<&Row::id>(); }
};

// The message with which the server refuses to start; empty: it starts.
std::string refusal(const Server& server) {
  const Result<Catalog> catalog = Catalog::create(server);
  return catalog ? "" : catalog.error().message;
}

struct Pages : PageRequest {
  static constexpr int page_size = 5'000;
  static constexpr auto fields() { return server::fields(); }
};
struct Limits {
  std::int64_t count = 4;
  static constexpr auto fields() {
    return server::fields(server::field<&Limits::count>().at_least(5).at_most(3));
  }
};
struct Default {
  std::int64_t count = 0;
  static constexpr auto fields() {
    return server::fields(server::field<&Default::count>().at_least(1).defaulted());
  }
};
struct Example {
  std::vector<Default> all;
  std::int64_t count = 0;
  static constexpr auto fields() {
    return server::fields(server::field<&Example::count>().example("abc"));
  }
};

template <class Request>
std::string refusal_of() {
  Server server("shop", "1.0.0");
  server.tool("find", "Finds", [](const Request&) { return Row{}; });
  return refusal(server);
}

TEST(ServerDeclaration, contradicting_itself_is_refused_at_the_start) {
  EXPECT_EQ(refusal_of<Pages>(),
            "tool find: argument limit: default: expected at most 1000, found number 5000");
  EXPECT_EQ(refusal_of<Limits>(),
            "tool find: argument count: expected minimum of at most maximum 3, found 5");
  EXPECT_EQ(refusal_of<Default>(),
            "tool find: argument count: default: expected at least 1, found number 0");
  EXPECT_EQ(refusal_of<Example>(),
            "tool find: argument count: example: expected integer, found string \"abc\"");
}

struct Nested {
  std::vector<Nested> inside;
  static constexpr auto fields() { return server::fields<&Nested::inside>(); }
};
Nested nested(std::size_t structs) {
  Nested made;
  for (std::size_t i = 1; i < structs; ++i) {
    Nested outer;
    outer.inside.push_back(std::move(made));
    made = std::move(outer);
  }
  return made;
}

// Two levels each: the object and its list.
TEST(ServerAnswer, that_is_nested_too_deeply_for_clients_fails) {
  for (const auto& [structs, code] : {std::pair(250U, ""), std::pair(251U, "INTERNAL_ERROR"),
                                      std::pair(5'000U, "INTERNAL_ERROR")}) {
    Server server("shop", "1.0.0");
    server.tool("find", "Finds", [count = structs] { return nested(count); });
    Tester tester(std::move(server));
    const TestAnswer answer = tester.budget(100'000).call("find");
    EXPECT_EQ(answer.code(), code) << structs;
    EXPECT_EQ(answer.schema_problem, "");
  }
}

struct Clerk {
  Row find() const& { return {7}; }
  Row next() & { return {++last}; }
  std::int64_t last = 0;
};

TEST(ServerDeclaration, with_what_cannot_apply_is_refused_at_the_start) {
  Server server("shop", "1.0.0");
  server.tool("find", "Finds", [] { return Row{}; }).max_concurrent(2);
  EXPECT_EQ(refusal(server), "tool find: max_concurrent() needs slow() or a handler with a Reply");
  Server no_flag("shop", "1.0.0");
  no_flag.tool("find", "Finds", [] { return Row{}; }).behind_flag("nosuch");
  EXPECT_EQ(refusal(no_flag), "tool find: expected a flag of Settings::flags, found \"nosuch\"");
  Server no_object("shop", "1.0.0");
  no_object.tool("find", "Finds", &Clerk::find, std::shared_ptr<Clerk>());
  EXPECT_EQ(refusal(no_object), "tool find: the object of its member function is a null pointer");
}

struct Detailed {
  std::string id;
  std::string text;
  static constexpr auto fields() {
    return server::fields(server::field<&Detailed::id>(),
                          server::field<&Detailed::text>().from_level(Level::full));
  }
};
struct OwnLevel {
  std::string response_level;
  static constexpr auto fields() { return server::fields<&OwnLevel::response_level>(); }
};

TEST(ServerDeclaration, may_name_an_argument_like_the_level_only_if_the_response_has_no_levels) {
  Server server("shop", "1.0.0");
  server.tool("row", "Finds", [](const OwnLevel&) { return Row{}; });
  EXPECT_EQ(refusal(server), "");
  server.tool("find", "Finds", [](const OwnLevel&) { return Detailed{}; });
  EXPECT_EQ(
      refusal(server),
      "tool find: its argument response_level has the name of the one that chooses the level");
}

TEST(ServerDeclaration, of_a_partial_answer_is_told_once) {
  Server server("shop", "1.0.0");
  server.tool("warned", "Stops", [](Context& context) {
    context.warn("STOPPED", "The shop closes");
    context.mark_partial();
    return Row{};
  });
  server.tool("silent", "Stops", [](Context& context) {
    context.mark_partial();
    return Row{};
  });
  Tester tester(std::move(server));
  const auto all = [&](const char* tool) { return json::to_text(tester.call(tool).result.view()); };
  EXPECT_NE(all("warned").find("Not everything was done: see the other warnings"),
            std::string::npos);
  EXPECT_EQ(all("warned").find("Some sub-operations failed"), std::string::npos);
  EXPECT_NE(all("silent").find("Some sub-operations failed"), std::string::npos);
}

TEST(ServerDeclaration, takes_member_functions_with_a_pointer_to_the_object) {
  Clerk clerk;
  const std::shared_ptr<Clerk> shared = std::make_shared<Clerk>();
  Server server("shop", "1.0.0");
  server.tool("find", "Finds", &Clerk::find, &clerk);
  server.tool("next", "Finds the next", &Clerk::next, shared);
  Tester tester(std::move(server));
  EXPECT_EQ(tester.call("find").at("/id"), "7");
  EXPECT_EQ(tester.call("next").at("/id"), "1");
  EXPECT_EQ(shared->last, 1);
}

TEST(ServerDeclaration, takes_member_functions_of_const_objects_and_with_qualifiers) {
  const Clerk clerk;
  Clerk other;
  Server server("shop", "1.0.0");
  server.tool("find", "Finds", &Clerk::find, clerk);
  server.tool("next", "Finds the next", &Clerk::next, other);
  Tester tester(std::move(server));
  EXPECT_EQ(tester.call("find").at("/id"), "7");
  EXPECT_EQ(tester.call("next").at("/id"), "1");
}

TEST(ServerDeclaration, may_not_take_the_name_of_a_tool_that_enfold_offers) {
  Server server("shop", "1.0.0");
  server.tool("server", "Finds", [] { return Row{}; });
  EXPECT_EQ(refusal(server),
            "tool server: expected another name, because Enfold offers a tool of this name");
  server.settings().server_tool = false;
  EXPECT_EQ(refusal(server), "");
  server.tool("enfold_fetch", "Finds", [] { return Row{}; });
  EXPECT_NE(refusal(server), "");
}

TEST(ServerDeclaration, says_each_hint_once) {
  Server server("shop", "1.0.0");
  server.tool("drop", "Drops", [] { return Row{}; }).destructive(true).destructive(false);
  Tester tester(std::move(server));
  EXPECT_EQ(json::to_text(*tester.tool("drop")->find("annotations")),
            R"({"destructiveHint":false})");
}

struct Wait {
  std::chrono::milliseconds pause{0};
  std::chrono::seconds timeout{0};
  std::optional<std::chrono::minutes> rest;
  static constexpr auto fields() {
    return server::fields(server::field<&Wait::pause>().describe("How long to wait"),
                          server::field<&Wait::timeout>().describe("The timeout in seconds."),
                          server::field<&Wait::rest>());
  }
};

TEST(ServerDeclaration, of_a_duration_says_its_unit) {
  const json::Value schema = tools::input_schema_of<Wait>();
  const auto description = [&](std::string_view name) {
    return schema->find("properties")->find(name)->find("description")->string();
  };
  EXPECT_EQ(description("pause"), "How long to wait. In milliseconds.");
  EXPECT_EQ(description("timeout"), "The timeout in seconds.");
  EXPECT_EQ(description("rest"), "In minutes.");
}

struct Other {
  std::string text;
  static constexpr auto fields() { return server::fields<&Other::text>(); }
};

TEST(ServerDeclaration, limits_what_a_tool_keeps_to_its_response) {
  Server server("shop", "1.0.0");
  server
      .tool("wrong", "Keeps",
            [](Context& context) {
              context.keep(Other{"x"});
              return Row{};
            })
      .slow();
  server
      .tool("right", "Keeps",
            [](Context& context) -> std::variant<Row, Other> {
              context.keep(Other{"x"});
              return Row{};
            })
      .slow();
  Tester tester(std::move(server));
  EXPECT_EQ(tester.call("wrong").code(), "INTERNAL_ERROR");
  EXPECT_TRUE(tester.call("right").ok());
}

struct Lists {
  std::vector<Row> shown;
  std::vector<Row> hidden;
  static constexpr auto fields() { return server::fields<&Lists::shown>(); }
};
// Read by arguments(), written by fields().
struct Search : PageRequest {
  std::string word;
  static constexpr auto arguments() { return server::arguments(server::argument<&Search::word>()); }
  static constexpr auto fields() { return server::fields(); }
};
struct Book : Row {
  std::string title;
  static constexpr auto fields() { return server::fields<&Book::id, &Book::title>(); }
};

std::vector<Book> books(std::int64_t after, std::size_t count) {
  std::vector<Book> out;
  for (std::int64_t id = after + 1; id <= 10 && out.size() < count; ++id) {
    out.push_back({{id}, "title"});
  }
  return out;
}

Server pages() {
  Server server("shop", "1.0.0");
  server.tool("hidden", "Lists", [](const Search& asked, Context& context) {
    return context.page(asked, [](std::size_t, std::size_t) { return Lists{}; }, &Lists::hidden);
  });
  server.tool("books", "Lists", [](const Search& asked, Context& context) {
    return context.page(
        asked, keyset(&Book::id, [](const std::optional<std::int64_t>& after, std::size_t count) {
          return books(after.value_or(0), count);
        }));
  });
  return server;
}

TEST(ServerDeclaration, has_the_member_of_the_rows_of_a_page) {
  Tester tester(pages());
  EXPECT_EQ(tester.call("hidden", R"({"word":"a"})").code(), "INTERNAL_ERROR");
}

TEST(ServerDeclaration, of_arguments_tells_lists_apart) {
  Tester tester(pages());
  const auto first = tester.call("books", R"({"word":"a","limit":4})");
  ASSERT_TRUE(first.cursor()) << first.text();
  const std::string cursor = R"(","limit":4,"cursor":")" + *first.cursor() + "\"}";
  EXPECT_EQ(tester.call("books", R"({"word":"other)" + cursor).code(), "INVALID_FORMAT");
  EXPECT_EQ(tester.call("books", R"({"word":"a)" + cursor).at("/items/0/id"), "5");
  EXPECT_EQ(tester.call("books", R"({"word":"a","cursor":""})").at("/items/0/id"), "1");
}

TEST(ServerDeclaration, of_more_meta_than_allowed_is_told) {
  Server server("shop", "1.0.0");
  server.tool("meta", "Adds", [](Context& context) {
    context.add_meta("long", json::string_value(std::string(2'000, 'x')));
    context.add_meta("short", json::string_value("y"));
    return Row{};
  });
  Tester tester(std::move(server));
  const TestAnswer answer = tester.call("meta");
  EXPECT_NE(answer.text().find(R"("short":"y")"), std::string::npos) << answer.text();
  EXPECT_NE(answer.text().find("The member long of meta was left out"), std::string::npos)
      << answer.text();
}

}  // namespace
}  // namespace enfold::server
