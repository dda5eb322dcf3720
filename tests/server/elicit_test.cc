// SPDX-License-Identifier: Apache-2.0
// Forms that users fill in: the answer of the client against the declared form.
#include "enfold/server/fields.h"
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
    const auto form = detail::elicited<Order>(&answer, "Where to?", "form");
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
  const auto answer_with = [&](const char* content) {
    return talk.call("order", "{}",
                     stateless_meta("", R"({"elicitation":{}})") +
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

}  // namespace
}  // namespace enfold::server
