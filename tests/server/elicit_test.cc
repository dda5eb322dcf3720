// SPDX-License-Identifier: Apache-2.0
// Forms that users fill in: the answer of the client against the declared form.
#include "enfold/server/fields.h"
#include "enfold/server/testing.h"
#include "tests/server/talk.h"

namespace enfold::server {
namespace {

enum class Genre { crime, classic, comedy };

struct Order {
  std::string street;
  int copies = 1;
  std::optional<Genre> genre;
  static constexpr auto fields() {
    return server::fields(server::field<&Order::street>().at_least(3),
                          server::field<&Order::copies>().at_least(1).at_most(9).defaulted(),
                          server::field<&Order::genre>());
  }
  void check(Problems& problems) const {
    if (copies > 5 && street == "Main St") problems.add("copies", "at most 5 there", copies);
  }
};

TEST(Elicited, refuses_an_answer_that_breaks_the_form) {
  const struct {
    const char* content;
    const char* problem;  // nullptr: the answer fits
  } table[] = {
      {R"({"street":"Main St"})", nullptr},
      {R"({"street":"Main St","copies":3,"genre":"crime"})", nullptr},
      {R"({"street":"Main St","copies":null,"genre":null})", nullptr},
      {R"({"street":"Main St","note":"of the client"})", nullptr},
      {R"({"copies":3})", "street is missing"},
      {R"({"street":7})", "street: expected string, found number 7"},
      {R"({"street":"M"})", "street: expected"},
      {R"({"street":"Main St","copies":10})", "copies: expected at most 9, found number 10"},
      {R"({"street":"Main St","copies":"3"})", "copies: expected"},
      {R"({"street":"Main St","genre":"horror"})", "genre: expected"},
      {R"({"street":"Main St","copies":6})", "copies: expected at most 5 there, found 6"},
      {R"({"street":7,"copies":10})", "; copies: expected at most 9"},
  };
  for (const auto& row : table) {
    SCOPED_TRACE(row.content);
    const json::Value answer =
        json::parse_own(std::string(R"({"action":"accept","content":)") + row.content + "}");
    const json::Value schema = tools::input_schema_of<Order>();
    const auto form =
        detail::elicited<Order>(&answer, mcp::ask_form("form", "Where to?", schema.view()), schema);
    EXPECT_EQ(form.is_answered(), row.problem == nullptr);
    EXPECT_EQ(form.is_accepted(), row.problem == nullptr);
    if (row.problem == nullptr) continue;
    const Trouble trouble = form.question().trouble;
    const auto* failed = std::get_if<model::Response>(&trouble);
    ASSERT_NE(failed, nullptr);
    EXPECT_EQ(failed->failure->message.find("The answer does not fit the form: "), 0U);
    EXPECT_NE(failed->failure->message.find(row.problem), std::string::npos)
        << failed->failure->message;
  }
}

TEST(Elicited, fails_the_call_whose_form_was_filled_in_wrongly) {
  Server server("shop", "1");
  server.tool("order", "Orders", [](Context& context) -> Answer<Text> {
    const auto order = context.elicit<Order>("Where to?");
    if (!order.is_answered()) return order.question();
    return Text{order.is_accepted() ? order->street : "nowhere"};
  });
  Talk talk(server);
  const std::string meta = stateless_meta("", R"({"elicitation":{}})");
  const std::string state = at(talk.call("order", "{}", meta), "/requestState");
  const auto answer_with = [&](const char* content) {
    return talk.call("order", "{}",
                     meta + R"(,"requestState":)" + state +
                         R"(,"inputResponses":{"form":{"action":"accept","content":)" + content +
                         "}}");
  };
  EXPECT_EQ(at(answer_with(R"({"street":"Main St"})"), "/data/text"), R"("Main St")");
  const json::Value wrong = answer_with(R"({"street":"Main St","copies":10})");
  EXPECT_EQ(at(wrong, "/data/error_code"), R"("VALIDATION_ERROR")");
  EXPECT_EQ(at(wrong, "/data/details"),
            R"({"field":"copies","constraint":"maximum","expected":"at most 9","received":10})");
  const json::Value two = answer_with(R"({"street":"M","copies":[]})");
  EXPECT_EQ(at(two, "/data/details/problems/0/field"), R"("street")");
  EXPECT_EQ(at(two, "/data/details/problems/0/constraint"), R"("minLength")");
  EXPECT_EQ(at(two, "/data/details/problems/1"),
            R"({"field":"copies","constraint":"type","expected":"integer","received":[]})");
}

struct Name {
  std::string name;
  static constexpr auto fields() { return server::fields<&Name::name>(); }
};

struct Copies {
  int copies = 1;
  static constexpr auto fields() { return server::fields<&Copies::copies>(); }
};

// Asks three questions, one after the other; the last two have the same key.
Answer<Text> three_questions(const Copies& asked, Context& context) {
  const auto first = context.elicit<Name>("first", "first");
  if (!first.is_answered()) return first.question();
  if (!first.is_accepted()) return Text{"declined"};
  const auto second = context.elicit<Name>("second, after " + first->name);
  if (!second.is_answered()) return second.question();
  const auto third = context.elicit<Name>("third");
  if (!third.is_answered()) return third.question();
  return Text{fmt::format("{} x {}/{}/{}", asked.copies, first->name, second->name, third->name)};
}

Server three_questions_server() {
  Server server("wizard", "1");
  server.tool("wizard", "Asks three times", three_questions);
  server.prompt("prompt", "Asks twice", [](Context& context) -> Answer<std::string> {
    const auto first = context.elicit<Name>("first", "first");
    if (!first.is_answered()) return first.question();
    const auto second = context.elicit<Name>("second", "second");
    if (!second.is_answered()) return second.question();
    return first->name + "/" + second->name;
  });
  return server;
}

TEST(Elicited, keeps_the_answers_to_earlier_questions_in_both_eras) {
  for (const bool stateless : {false, true}) {
    SCOPED_TRACE(stateless ? "stateless" : "session");
    Tester tester(three_questions_server());
    if (stateless) tester.stateless();
    std::vector<std::string> asked;
    tester.answer_forms([&](const TestForm& form) {
      asked.push_back(form.message);
      return fmt::format(R"({{"name":"{}"}})", std::string(asked.size(), 'A'));
    });
    EXPECT_EQ(tester.call("wizard", R"({"copies":2})").at("/text"), R"("2 x A/AA/AAA")");
    EXPECT_EQ(asked, (std::vector<std::string>{"first", "second, after A", "third"}));
    EXPECT_EQ(tester.prompt("prompt").text(), "AAAA/AAAAA");
  }
}

// One call of the tool wizard by a stateless client.
json::Value call_wizard(Talk& talk, const std::string& arguments, const std::string& more = "") {
  return talk.ask("tools/call", R"({"name":"wizard","arguments":)" + arguments + R"(,"_meta":)" +
                                    stateless_meta("", R"({"elicitation":{}})") + more + "}");
}

TEST(Elicited, counts_only_answers_to_what_was_asked_in_the_same_call) {
  Server server = three_questions_server();
  Talk talk(server);
  const auto answer = [](const char* key) {
    return fmt::format(
        R"(,"inputResponses":{{"{}":{{"action":"accept","content":{{"name":"Ada"}}}}}})", key);
  };
  const json::Value unasked = call_wizard(talk, R"({"copies":1})", answer("first"));
  EXPECT_EQ(at(unasked, "/inputRequests/first/params/message"), R"("first")");
  const std::string state = R"(,"requestState":)" + at(unasked, "/requestState");
  // The question of another key was not asked yet.
  const json::Value other = call_wizard(talk, R"({"copies":1})", state + answer("form"));
  EXPECT_EQ(at(other, "/inputRequests/first/params/message"), R"("first")");
  const json::Value second = call_wizard(talk, R"({"copies":1})", state + answer("first"));
  EXPECT_EQ(at(second, "/inputRequests/form/params/message"), R"("second, after Ada")");
  // Another call, and another tool.
  const json::Value more = call_wizard(talk, R"({"copies":9})", state + answer("first"));
  EXPECT_EQ(at(more, "/code"), "-32602");
  EXPECT_EQ(
      at(more, "/message"),
      R"("Invalid params: requestState: expected the arguments that the question was about")");
  const std::string same = R"({ "copies" : 1 })";
  EXPECT_EQ(at(call_wizard(talk, same, state + answer("first")), "/resultType"),
            R"("input_required")");
  talk.host.time += std::chrono::hours(2);
  EXPECT_EQ(at(call_wizard(talk, R"({"copies":1})", state + answer("first")), "/code"), "-32602");
}

}  // namespace
}  // namespace enfold::server
