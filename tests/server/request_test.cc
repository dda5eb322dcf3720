// SPDX-License-Identifier: Apache-2.0
// How the arguments of a call become a request: all that is wrong with them is told at once.
#include "enfold/server/server.h"
#include "enfold/server/testing.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace enfold::server {
namespace {

struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
  static constexpr auto fields() { return server::fields<&Range::low, &Range::high>(); }
  void check(Problems& problems) const {
    if (low > high) problems.add("low", "at most `high`", low);
  }
};

struct Review {
  std::string book;
  std::int64_t rating = 0;
  std::string text;
  std::optional<std::chrono::year_month_day> read_on;
  std::optional<Range> pages;
  std::vector<Range> others;
  static constexpr auto fields() {
    return server::fields(server::field<&Review::book>().pattern("^b-[0-9]+$"),
                          server::field<&Review::rating>().at_least(1).at_most(5),
                          server::field<&Review::text>(), server::field<&Review::read_on>(),
                          server::field<&Review::pages>(),
                          server::field<&Review::others>().defaulted());
  }
  void check(Problems& problems) const {
    if (rating <= 2 && text.size() < 20) problems.add("text", "at least 20 characters", text);
  }
};

struct Address {
  std::string country;
  std::optional<std::string> zip;
  std::int64_t floor = 0;
  std::optional<Range> doors;
  static constexpr auto fields() {
    return server::fields(server::field<&Address::country>(), server::field<&Address::zip>(),
                          server::field<&Address::floor>().defaulted(),
                          server::field<&Address::doors>());
  }
  void check(Problems& problems) const {
    if (country == "DE" && zip.value_or("").size() != 5) problems.add("zip", "five digits");
    if (country == "FR" && !zip) problems.add("zip", "five digits", zip);
  }
};

struct Send {
  std::vector<Address> to;
  std::map<std::string, json::Value> notes;
  static constexpr auto fields() {
    return server::fields(server::field<&Send::to>(), server::field<&Send::notes>().defaulted());
  }
};

struct Scale {
  float factor = 0;
  std::optional<double> exact;
  static constexpr auto fields() { return server::fields<&Scale::factor, &Scale::exact>(); }
};

// A tree: the request contains itself.
struct Filter {
  std::string word;
  std::vector<Filter> any;
  static constexpr auto fields() {
    return server::fields(server::field<&Filter::word>().at_least(1),
                          server::field<&Filter::any>().defaulted());
  }
  void check(Problems& problems) const {
    if (word == "*") problems.add("word", "a word", word);
  }
};

Server shop() {
  Server server("shop", "1.0.0");
  server.tool("review", "Adds a review", [](const Review& asked) { return Text{asked.text}; });
  server.tool("find", "Finds books", [](const Filter& asked) {
    return Text{asked.word + " " + std::to_string(asked.any.size())};
  });
  server.tool("send", "Sends it", [](const Send& asked) {
    std::string text;
    for (const Address& one : asked.to) text += one.country + one.zip.value_or("-");
    for (const auto& [name, note] : asked.notes) text += " " + name + json::to_text(note.view());
    return Text{text};
  });
  server.tool("scale", "Scales it", [](const Scale& asked) { return asked; });
  server.prompt("pages", "Asks for pages", [](const Range&) { return "Read them"; });
  return server;
}

// The fields that a refusal names, in its order.
std::string fields_of(const TestAnswer& answer) {
  if (answer.ok()) return "";
  std::string out = answer.at("/field");
  for (int i = 1; i < 10; ++i) {
    const std::string next = answer.at("/problems/" + std::to_string(i) + "/field");
    if (!next.empty()) out += " " + next;
  }
  std::erase(out, '"');
  return out;
}

TEST(ServerRequest, is_refused_with_all_its_problems_in_the_order_of_the_declaration) {
  Tester tester(shop());
  struct Case {
    const char* name;
    const char* arguments;
    const char* fields;
  };
  const std::vector<Case> cases{
      {"good", R"({"book":"b-1","rating":4,"text":"fine"})", ""},
      {"schema and check", R"({"text":"bad","rating":1,"book":"x"})", "book text"},
      {"limit and check", R"({"text":"bad","rating":0,"book":"b-1"})", "rating text"},
      {"unknown argument and check", R"({"stars":1,"text":"bad","rating":1,"book":"b-1"})",
       "text stars"},
      {"schema and date", R"({"text":"ok","read_on":"2025-02-30","rating":9,"book":"b-1"})",
       "rating read_on"},
      {"nested check", R"({"book":"b-1","rating":4,"text":"x","pages":{"low":9,"high":2}})",
       "pages.low"},
      {"checks at all places",
       R"({"others":[{"low":1,"high":2},{"low":3,"high":2}],"pages":{"low":9,"high":2},)"
       R"("book":"x","rating":1,"text":""})",
       "book text pages.low others.1.low"},
      {"nested type and the check of its neighbour",
       R"({"book":"b-1","rating":4,"text":"x","others":[{"low":"a","high":2},{"low":3,"high":2}]})",
       "others.0.low others.1.low"},
      {"no check of what could not be read", R"({"book":"b-1","rating":"1","text":"bad"})",
       "rating"},
      {"no check without a required member", R"({"book":"b-1","rating":1})", "text"},
      {"marker and schema", R"({"book":"[REDACTED:PASSWORD]","rating":9,"text":"x"})",
       "book book rating"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const TestAnswer answer = tester.call("review", one.arguments);
    EXPECT_EQ(fields_of(answer), one.fields) << answer.text();
  }
}

TEST(ServerRequest, names_a_marker_of_a_secret_as_it_names_other_problems) {
  Tester tester(shop());
  const TestAnswer answer =
      tester.call("review", R"({"book":"b-1","rating":4,"text":"[REDACTED:PASSWORD]"})");
  EXPECT_EQ(answer.code(), "VALIDATION_ERROR");
  EXPECT_EQ(answer.at("/field"), R"("text")");
  EXPECT_EQ(answer.at("/constraint"), R"("redacted")");
  EXPECT_NE(answer.text().find("Leave text out, or ask the user for its value."), std::string::npos)
      << answer.text();
}

TEST(ServerRequest, suggests_the_name_of_a_nested_argument) {
  Tester tester(shop());
  const TestAnswer near = tester.call(
      "review", R"({"book":"b-1","rating":4,"text":"x","others":[{"low":1,"hihg":2}]})");
  EXPECT_NE(near.text().find("There is no argument others.0.hihg: did you mean high?"),
            std::string::npos)
      << near.text();
  const TestAnswer far = tester.call("review", R"({"book":"b-1","rating":4,"text":"x","z":2})");
  EXPECT_NE(far.text().find("There is no argument z: leave it out."), std::string::npos)
      << far.text();
}

TEST(ServerRequest, of_a_prompt_is_refused_with_all_its_problems) {
  Tester tester(shop());
  const TestAnswer answer = tester.prompt("pages", R"({"lo":"1","high":"x","low":"y"})");
  ASSERT_TRUE(answer.error.has_value());
  std::size_t last = 0;
  for (const char* const field : {"low", "high", "lo:"}) {
    const std::size_t place = answer.error->find(field, last);
    ASSERT_NE(place, std::string::npos) << field << " in " << *answer.error;
    last = place + 1;
  }
  EXPECT_NE(tester.prompt("pages", R"({"low":"5","high":"2"})").message().find("at most `high`"),
            std::string::npos);
}

TEST(ServerRequest, takes_null_for_what_may_be_left_out_at_every_depth) {
  Tester tester(shop());
  EXPECT_EQ(tester.call("send", R"({"to":[{"country":"NL","zip":null,"floor":null,"doors":null}]})")
                .at("/text"),
            R"("NL-")");
  // A map has no members that may be left out, and null is a value of an argument of any type.
  EXPECT_EQ(tester.call("send", R"({"to":[],"notes":{"a":null,"b":{"c":null}}})").at("/text"),
            R"(" anull b{\"c\":null}")");
  EXPECT_EQ(fields_of(tester.call("send", R"({"to":[{"country":null}]})")), "to.0.country");
  EXPECT_EQ(fields_of(tester.call("send", R"({"to":[{"country":"NL","zap":null}]})")), "to.0.zap");
}

TEST(ServerRequest, reports_what_its_check_found_or_that_nothing_was_sent) {
  Tester tester(shop());
  for (const char* const country : {"DE", "FR"}) {
    const TestAnswer missing =
        tester.call("send", fmt::format(R"({{"to":[{{"country":"{}"}}]}})", country));
    EXPECT_EQ(missing.at("/received"), "null") << missing.text();
    EXPECT_EQ(missing.message(), "to.0.zip: expected five digits, found missing");
  }
  const TestAnswer wrong = tester.call("send", R"({"to":[{"country":"DE","zip":"12"}]})");
  EXPECT_EQ(wrong.at("/received"), R"("12")");
  EXPECT_EQ(wrong.message(), R"(to.0.zip: expected five digits, found "12")");
}

TEST(ServerRequest, reads_and_writes_a_float_as_one) {
  Tester tester(shop());
  const struct {
    const char* sent;
    const char* got;  // "": refused
  } cases[] = {{"0.1", "0.1"},   {"3.4028235e38", "3.4028235e+38"},
               {"1e39", ""},     {"-1e39", ""},
               {"1e-60", "0"},   {"16777217", "16777216"},
               {"-0.5", "-0.5"}, {"1.401298e-45", "1e-45"}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.sent);
    const TestAnswer answer =
        tester.call("scale", fmt::format(R"({{"factor":{},"exact":0.1}})", one.sent));
    EXPECT_EQ(answer.at("/factor"), one.got) << answer.text();
    EXPECT_EQ(answer.ok(), *one.got != '\0');
    EXPECT_EQ(answer.at("/expected"),
              answer.ok() ? "" : R"("a number within the range of its type")");
  }
  EXPECT_EQ(fields_of(tester.call("scale", R"({"factor":1,"exact":1e999})")), "exact");
}

struct Card {
  std::string token;
  static constexpr auto fields() {
    return server::fields(server::field<&Card::token>().pattern("^t-"));
  }
};
struct Invoice {
  std::string company;
  static constexpr auto fields() { return server::fields<&Invoice::company>(); }
};
struct Isbn {
  std::string digits;
};

}  // namespace
}  // namespace enfold::server

template <>
struct enfold::As<enfold::server::Isbn> {
  using Type = std::string;
  static constexpr std::string_view description = "an ISBN of 13 digits";
  static std::optional<server::Isbn> from(const std::string& text) {
    return text.size() == 13 ? std::optional(server::Isbn{text}) : std::nullopt;
  }
};

namespace enfold::server {
namespace {

struct Payment {
  std::variant<int, double> amount;
  std::optional<std::variant<std::string, std::vector<std::string>>> payer;
  std::optional<std::variant<Card, Invoice>> by;
  std::optional<Isbn> book;
  static constexpr auto fields() {
    return server::fields<&Payment::amount, &Payment::payer, &Payment::by, &Payment::book>();
  }
};

TEST(ServerRequest, names_what_it_accepts_instead) {
  Server server("shop", "1");
  server.tool("pay", "Pays", [](const Payment& asked) {
    const auto* whole = std::get_if<int>(&asked.amount);
    return Text{whole != nullptr ? fmt::format("int {}", *whole)
                                 : fmt::format("double {}", std::get<double>(asked.amount))};
  });
  Tester tester(std::move(server));
  EXPECT_EQ(tester.call("pay", R"({"amount":4.5})").at("/text"), R"("double 4.5")");
  EXPECT_EQ(tester.call("pay", R"({"amount":4.0})").at("/text"), R"("int 4")");
  const struct {
    const char* arguments;
    const char* message;
    const char* received;
  } cases[] = {
      {R"({"amount":1,"payer":5})", "payer: expected string or array of strings, found number 5",
       "5"},
      {R"({"amount":1,"payer":{}})",
       "payer: expected string or array of strings, found empty object", "{}"},
      {R"({"amount":1,"by":{"token":"x"}})",
       R"(by.token: expected text that matches "^t-", found string "x")", R"("x")"},
      {R"({"amount":1,"by":{"tokn":"x"}})",
       R"(by: expected object with "token" or object with "company", found object with 1 member)",
       R"({"tokn":"x"})"},
      {R"({"amount":1,"book":"12"})", R"(book: expected an ISBN of 13 digits, found "12")",
       R"("12")"},
      {R"({"payer":[],"book":"12"})",
       R"(amount is missing; book: expected an ISBN of 13 digits, found "12")", "null"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.arguments);
    const TestAnswer refused = tester.call("pay", one.arguments);
    EXPECT_EQ(refused.message(), one.message);
    EXPECT_EQ(refused.at("/received"), one.received);
  }
  // What is too long to repeat is left out, never described.
  const TestAnswer longer = tester.call(
      "pay", fmt::format(R"({{"amount":1,"payer":{{"a":"{}"}}}})", std::string(300, 'x')));
  EXPECT_EQ(longer.at("/field"), R"("payer")");
  EXPECT_EQ(longer.at("/received"), "");
}

struct Shares {
  std::vector<std::optional<int>> each;
  static constexpr auto fields() { return server::fields<&Shares::each>(); }
};

TEST(ServerRequest, reads_the_null_of_a_list_that_it_writes) {
  Server server("shop", "1");
  server.tool("echo", "Echoes", [](const Shares& asked) { return asked; });
  Tester tester(std::move(server));
  EXPECT_EQ(tester.call("echo", R"({"each":[1,null,3]})").at("/each"), "[1,null,3]");
  EXPECT_EQ(tester.call("echo", R"({"each":["x"]})").message(),
            R"(each.0: expected integer or null, found string "x")");
}

TEST(ServerRequest, may_contain_itself) {
  Tester tester(shop());
  EXPECT_EQ(tester.call("find", R"({"word":"a","any":[{"word":"b"},{"word":"c"}]})").at("/text"),
            R"("a 2")");
  const TestAnswer refused =
      tester.call("find", R"({"word":"a","any":[{"word":"b","any":[{"word":""},{"word":"*"}]}]})");
  EXPECT_EQ(fields_of(refused), "any.0.any.0.word any.0.any.1.word") << refused.text();
  const TestAnswer unknown = tester.call("find", R"({"word":"a","any":[{"word":"b","ani":[]}]})");
  EXPECT_NE(unknown.text().find("There is no argument any.0.ani: did you mean any?"),
            std::string::npos)
      << unknown.text();
}

}  // namespace
}  // namespace enfold::server
