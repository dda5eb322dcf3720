// SPDX-License-Identifier: Apache-2.0
// server::Tester, and what it shows of deadlines, workers, resources, prompts and forms.
#include "enfold/server/testing.h"
#include "tests/server/book.h"

#include <gtest/gtest.h>

namespace enfold::server {
namespace {

using std::chrono::milliseconds;

struct Told {
  std::string text;
  static constexpr auto fields() { return server::fields<&Told::text>(); }
};

struct Imported {
  int books = 0;
  static constexpr auto fields() { return server::fields<&Imported::books>(); }
};

Imported import_books(Context& context) {
  Imported done;
  while (done.books < 5 && !context.should_stop()) {
    ++done.books;
    context.progress(done.books, 5);
    context.keep(done);
  }
  return done;
}

TEST(Tester, calls_as_any_client_at_any_level_and_budget) {
  Tester books(book_server());
  const TestAnswer found = books.call("look_up", R"({"title":"Dune"})");
  EXPECT_TRUE(found.ok());
  EXPECT_EQ(found.at("/id"), R"("b-1")");
  EXPECT_EQ(found.schema_problem, "");
  EXPECT_EQ(books.level(Level::full).call("look_up", R"({"title":"Dune"})").at("/title"),
            R"("Dune")");
  const TestAnswer page =
      books.as("claude-code").budget(600).call("browse", R"({"count":900,"limit":900})");
  ASSERT_TRUE(page.cursor().has_value());
  EXPECT_EQ(page.schema_problem, "");
  for (const char* contract : {"response-v1", "generic", "scalpel-v1", "memory"}) {
    EXPECT_TRUE(books.contract(contract).call("look_up", R"({"title":"Dune"})").ok()) << contract;
    // The announced schema is that of the contract of the server.
    Server server = book_server();
    server.settings().contract = contract;
    const TestAnswer answer = Tester(std::move(server)).call("look_up", R"({"title":"Dune"})");
    EXPECT_TRUE(answer.ok()) << contract;
    EXPECT_EQ(answer.schema_problem, "") << contract;
  }
}

TEST(Tester, shows_every_problem_of_a_call_in_error_and_advice) {
  Tester books(book_server());
  const TestAnswer bad = books.call("look_up", R"({"title":"","copies":10,"titel":"x"})");
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.code(), "VALIDATION_ERROR");
  for (const char* field : {"title: expected", "copies: expected at most 9", "titel: expected"}) {
    EXPECT_NE(bad.message().find(field), std::string::npos) << bad.message();
  }
  EXPECT_EQ(bad.at("/problems/2/field"), R"("titel")");
}

struct Report {
  std::vector<std::string> lines;
  static constexpr auto fields() { return server::fields<&Report::lines>(); }
};

// The answer at the deadline is decided once, even if its original must be stored first.
TEST(Tester, drops_what_a_handler_returns_after_the_deadline_and_shows_its_warnings) {
  Tester* clock = nullptr;
  Server server("shop", "1");
  server
      .tool("report", "Makes a report",
            [&](Context& context) {
              context.warn("EARLY", "before keep");
              context.keep(Report{std::vector<std::string>(900, "a line of the report")});
              context.warn("LATE", "after keep");
              EXPECT_FALSE(context.should_stop());
              clock->advance(milliseconds(300));
              EXPECT_TRUE(context.should_stop());
              context.warn("TOO_LATE", "after the answer");
              context.keep(Report{{"too late"}});
              return Report{{"returned"}};
            })
      .slow(milliseconds(250));
  Tester shop(std::move(server));
  clock = &shop;
  const TestAnswer answer = shop.budget(2'000).call("report");
  EXPECT_EQ(answer.outcome(), model::Outcome::partial);
  EXPECT_EQ(answer.at("/lines/0"), R"("a line of the report")");
  EXPECT_TRUE(answer.has_warning("EARLY"));
  EXPECT_TRUE(answer.has_warning("LATE"));
  EXPECT_FALSE(answer.has_warning("TOO_LATE"));
  EXPECT_NE(answer.handle(), "");
}

TEST(Tester, takes_no_answer_for_no_success) {
  Server server("shop", "1");
  server.tool("wait", "Waits", [](Context& /*context*/) { return Told{"done"}; })
      .slow(milliseconds(1'000));
  Tester shop(std::move(server));
  const std::int64_t call = shop.start("wait");
  shop.cancel(call);
  const TestAnswer cancelled = shop.finish(call);
  EXPECT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.outcome(), model::Outcome::failed);
  EXPECT_EQ(cancelled.message(), "the server has not answered");
  EXPECT_FALSE(shop.call("wait", "{bad").ok()) << "arguments that are no JSON";
}

TEST(Tester, gives_handlers_the_headers_that_the_settings_name) {
  Settings settings;
  settings.headers = {"X-Tenant"};
  Server server("shop", "1", settings);
  server.tool("tenant", "Names the tenant", [](Context& context) {
    return Told{context.header("x-tenant").value_or("none") + " " +
                context.header("Authorization").value_or("none")};
  });
  Tester shop(std::move(server));
  EXPECT_EQ(shop.call("tenant").at("/text"), R"("none none")");
  shop.header("x-tenant", "acme").header("authorization", "Bearer k");
  EXPECT_EQ(shop.call("tenant").at("/text"), R"("acme none")");
  EXPECT_EQ(shop.stateless().call("tenant").at("/text"), R"("acme none")");
}

TEST(Tester, counts_the_deadline_from_the_moment_in_which_a_call_may_run) {
  Tester* clock = nullptr;
  Server server("shop", "1");
  server
      .tool("import", "Imports books",
            [&](Context& context) {
              context.set_telemetry(true, 2);
              clock->advance(milliseconds(800));
              return Imported{context.deadline_passed() ? 0 : 1};
            })
      .slow(milliseconds(1'000))
      .max_concurrent(1);
  Tester shop(std::move(server));
  clock = &shop;
  shop.level(Level::full);
  const std::int64_t first = shop.start("import");
  const std::int64_t second = shop.start("import");
  for (const std::int64_t call : {first, second}) {
    const TestAnswer answer = shop.finish(call);
    EXPECT_EQ(answer.at("/books"), "1") << answer.message();
    EXPECT_EQ(answer.cache_hit(), true);
    EXPECT_EQ(answer.downstream_calls(), 2);
  }
  // One that waits for a place as long as it may run is refused.
  const std::int64_t waiting = shop.start("import");
  const std::int64_t behind = shop.start("import");
  shop.advance(milliseconds(1'000));
  EXPECT_EQ(shop.finish(waiting).code(), "TIMEOUT");
  const TestAnswer refused = shop.finish(behind);
  EXPECT_EQ(refused.code(), "UNAVAILABLE");
  EXPECT_EQ(refused.message(), "import is busy: the call has waited 1000 ms for its turn");
}

TEST(Tester, counts_and_keeps_warnings_that_do_not_fit) {
  Server server("shop", "1");
  server.tool("import", "Imports books", [](Context& context) {
    for (int i = 0; i < 500; ++i) context.warn("BAD_ROW", "Row " + std::to_string(i) + " is bad");
    return Imported{1};
  });
  Tester shop(std::move(server));
  const TestAnswer answer = shop.budget(3'000).call("import");
  std::size_t shown = 0;
  std::string report;
  for (const model::Warning& warning : answer.warnings()) {
    if (warning.code == "BAD_ROW") ++shown;
    if (warning.code == "CONTENT_TRUNCATED") report = json::to_text(warning.context->view());
  }
  EXPECT_GE(shown, 8U);
  EXPECT_NE(report.find("\"dropped_count\":" + std::to_string(500 - shown)), std::string::npos)
      << report;
  ASSERT_EQ(answer.response.reduction->dropped_ids.size(), 1U);
  const TestAnswer rest =
      shop.call("enfold_fetch", R"({"handle":")" + answer.handle() + R"(","pointer":")" +
                                    answer.response.reduction->dropped_ids.front() + "/499\"}");
  EXPECT_EQ(rest.at("/message"), R"("Row 499 is bad")") << rest.message();
}

TEST(Tester, answers_with_what_was_kept_when_the_deadline_passes) {
  Server server("shop", "1");
  Tester* running = nullptr;
  server
      .tool("import", "Imports books",
            [&running](Context& context) {
              EXPECT_EQ(context.time_left(), milliseconds(300));
              context.keep(Imported{3});
              running->advance(milliseconds(300));
              EXPECT_TRUE(context.deadline_passed());
              EXPECT_FALSE(context.is_cancelled());
              return Imported{5};
            })
      .slow(milliseconds(300));
  server.tool("slow", "Never ready", [](Context&) { return Imported{}; }).slow(milliseconds(300));
  Tester shop(std::move(server));
  const std::int64_t late = shop.start("slow");
  shop.advance(milliseconds(300));
  const TestAnswer missed = shop.finish(late);
  EXPECT_EQ(missed.code(), "TIMEOUT");
  EXPECT_NE(missed.message().find("300 ms"), std::string::npos) << missed.message();
  running = &shop;
  const TestAnswer partial = shop.call("import");
  EXPECT_EQ(partial.at("/books"), "3");
  EXPECT_EQ(partial.response.outcome, model::Outcome::partial);
}

TEST(Tester, logs_a_cancelled_call_as_cancelled) {
  Server server("shop", "1");
  server.tool("import", "Imports books", import_books).slow(milliseconds(300));
  Tester shop(std::move(server));
  const std::int64_t call = shop.start("import");
  shop.cancel(call);
  shop.advance(milliseconds(300));
  EXPECT_TRUE(shop.finish(call).result->is_null());
  ASSERT_EQ(shop.log().size(), 1U);
  EXPECT_NE(shop.log()[0].find("outcome=cancelled"), std::string::npos) << shop.log()[0];
  const TestAnswer whole = shop.call("import");
  EXPECT_EQ(whole.progress, (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST(Tester, lets_calls_of_one_tool_wait_for_each_other_and_for_no_other_tool) {
  Server server("shop", "1");
  int imports = 0;
  server.tool("import", "Imports", [&imports] { return Imported{++imports}; })
      .slow()
      .max_concurrent(1);
  server.tool("get", "Finds", [] { return Imported{7}; }).slow();
  Tester shop(std::move(server));
  std::vector<std::int64_t> started;
  for (int i = 0; i < 8; ++i) started.push_back(shop.start("import"));
  EXPECT_EQ(shop.call("get").at("/books"), "7");
  EXPECT_EQ(shop.finish(started.back()).at("/books"), "8");
}

TEST(Tester, shows_messages_in_every_contract) {
  Server server("shop", "1");
  server.settings().contract = "response-v2";
  server.tool("greet", "Greets", [](Context& context) {
    context.say("Good morning");
    return Imported{1};
  });
  Tester shop(std::move(server));
  for (const char* contract : {"response-v2", "response-v1", "generic", "scalpel-v1", "memory"}) {
    const TestAnswer answer = shop.contract(contract).call("greet");
    EXPECT_NE(json::to_text(answer.result.view()).find("Good morning"), std::string::npos)
        << contract << " " << json::to_text(answer.result.view());
  }
}

struct BookRef {
  int id = 0;
  static constexpr auto fields() {
    return server::fields(server::field<&BookRef::id>().at_least(1));
  }
};
enum class Tone { kind, harsh };
struct ReviewPrompt {
  std::string title;
  Tone tone = Tone::kind;
  static constexpr auto fields() {
    return server::fields(server::field<&ReviewPrompt::title>().describe("Of the book"),
                          server::field<&ReviewPrompt::tone>().defaulted());
  }
};

TEST(Tester, reads_resources_and_prompts_with_typed_arguments) {
  Server server("shop", "1");
  server.resource("shop://about", "About", [] { return "Books since 1998"; })
      .mime_type("text/plain");
  server.resource("shop://broken", "Broken",
                  []() -> std::string { throw std::runtime_error("disk on fire"); });
  server.resource_template("book://{id}", "A book", [](const BookRef& ref) -> Result<std::string> {
    if (ref.id > 9) return fail(ErrorCode::not_found, "no such book");
    return "Book " + std::to_string(ref.id);
  });
  server.prompt("review", "Writes a review", [](const ReviewPrompt& asked) {
    return "Review " + asked.title + (asked.tone == Tone::harsh ? " without mercy" : "");
  });
  Tester shop(std::move(server));
  EXPECT_EQ(shop.read("shop://about").text(), "Books since 1998");
  EXPECT_EQ(shop.read("book://7").text(), "Book 7");
  EXPECT_TRUE(shop.read("book://seven").error.has_value());
  EXPECT_TRUE(shop.read("book://77").error.has_value());
  EXPECT_EQ(shop.prompt("review", R"({"title":"Dune","tone":"harsh"})").text(),
            "Review Dune without mercy");
  EXPECT_TRUE(shop.prompt("review", R"({"title":"Dune","tone":"loud"})").error.has_value());
  const TestAnswer completed = shop.request(
      "completion/complete",
      R"({"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"tone","value":"h"}})");
  EXPECT_NE(json::to_text(completed.result.view()).find(R"("harsh")"), std::string::npos);

  const TestAnswer broken = shop.read("shop://broken");
  const std::string& line = shop.log().back();
  EXPECT_NE(line.find("disk on fire"), std::string::npos) << line;
  const std::size_t id = line.find("req_");
  ASSERT_NE(id, std::string::npos) << line;
  EXPECT_NE(broken.message().find(line.substr(id, 16)), std::string::npos) << broken.message();
}

struct Address {
  std::string street;
  int copies = 1;
  static constexpr auto fields() {
    return server::fields(server::field<&Address::street>(),
                          server::field<&Address::copies>().defaulted());
  }
};

TEST(Elicited, is_a_question_first_and_a_form_then) {
  const json::Value schema = tools::input_schema_of<Address>();
  const auto form_with = [&](const json::Value* answer) {
    return detail::elicited<Address>(answer, mcp::ask_form("form", "Where to?", schema.view()),
                                     schema);
  };
  const auto question = form_with(nullptr);
  EXPECT_FALSE(question.is_answered());
  EXPECT_NE(json::to_text(question.request().params.view()).find("street"), std::string::npos);
  const json::Value yes =
      json::parse_own(R"({"action":"accept","content":{"street":"Main St","copies":2}})");
  const auto accepted = form_with(&yes);
  ASSERT_TRUE(accepted.is_accepted());
  EXPECT_EQ(accepted->copies, 2);
  const json::Value no = json::parse_own(R"({"action":"decline"})");
  EXPECT_TRUE(form_with(&no).is_answered());
  EXPECT_FALSE(form_with(&no).is_accepted());
}

TEST(Tester, fills_in_forms_as_the_user_of_a_client) {
  const auto shop = [] {
    Server server("shop", "1");
    server.tool("order", "Orders", [](Context& context) -> Answer<Told> {
      const auto to = context.elicit<Address>("Where to?");
      if (!to.is_answered()) return to.question();
      context.progress(1, 1);
      return Told{to.is_accepted() ? to->street : "nowhere"};
    });
    return server;
  };
  for (const bool stateless : {false, true}) {
    SCOPED_TRACE(stateless);
    Tester tester(shop());
    if (stateless) tester.stateless();
    const TestAnswer asked = tester.call("order");
    EXPECT_FALSE(asked.ok());
    EXPECT_FALSE(asked.error.has_value());
    EXPECT_EQ(asked.outcome(), model::Outcome::failed);
    ASSERT_EQ(asked.questions.size(), 1U);
    EXPECT_EQ(asked.message(), "Where to?");
    EXPECT_TRUE(asked.questions[0].schema->find("properties")->find("street"));
    tester.as("tester").answer_forms([](const TestForm& form) -> std::optional<std::string> {
      EXPECT_EQ(form.message, "Where to?");
      return R"({"street":"Main St"})";
    });
    const TestAnswer accepted = tester.call("order");
    EXPECT_TRUE(accepted.ok()) << accepted.message();
    EXPECT_EQ(accepted.at("/text"), R"("Main St")");
    EXPECT_EQ(accepted.progress, std::vector<double>{1});
    EXPECT_EQ(accepted.schema_problem, "");
    tester.answer_forms([](const TestForm&) { return std::nullopt; });
    EXPECT_EQ(tester.call("order").at("/text"), R"("nowhere")");
    tester.answer_forms([](const TestForm&) { return R"({"street":7})"; });
    EXPECT_EQ(tester.call("order").code(), "VALIDATION_ERROR");
  }
}

struct Note {
  std::string text;
  static constexpr auto fields() { return level::fields(level::preview("text", &Note::text, 40)); }
};

// Half of a secret is not recognized as one, so a preview is cut after redaction.
TEST(Tester, shows_no_part_of_a_secret_in_a_preview) {
  Server server("notes", "1", Settings{});
  server.tool("note", "A note", [](const NoArguments&) {
    return Note{"the token is gh" + std::string("p_abcdEFGH1234ijklMNOP5678qrstUVWX9012 and more")};
  });
  const std::string shown = Tester(std::move(server)).call("note").at("/text");
  EXPECT_EQ(shown.find("abcd"), std::string::npos) << shown;
  EXPECT_NE(shown.find("[REDACTED"), std::string::npos) << shown;
}

}  // namespace
}  // namespace enfold::server
