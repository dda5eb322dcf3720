// SPDX-License-Identifier: Apache-2.0
// What is said about a configuration that is wrong: everything, with its place and a way out.
#include "tests/gateway/config_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

TEST(GatewayConfig, says_what_is_wrong_where_and_what_to_do) {
  const std::string good = "[upstreams.a]\ncommand = \"x\"\n";
  const struct {
    const char* name;
    std::string text;
    Error want;
  } cases[] = {
      {"a mistyped key",
       "contract = \"v2\"\n buget = 1000\n" + good,
       {ErrorCode::invalid_input, "expected a known key, found \"buget\"",
        "enfold.toml, line 2, column 2", "did you mean budget?"}},
      {"a mistyped key of an upstream",
       good + "comand = \"y\"\n",
       {ErrorCode::invalid_input, "expected a known key, found \"comand\"",
        "enfold.toml, line 3, column 1", "did you mean command?"}},
      {"a mistyped table",
       good + "[redactoin]\nenabled = false\n",
       {ErrorCode::invalid_input, "expected a known key, found \"redactoin\"",
        "enfold.toml, line 3, column 2", "did you mean redaction?"}},
      {"a wrong kind",
       "budget = \"many\"\n" + good,
       {ErrorCode::invalid_input, "budget: expected integer, found string \"many\"",
        "enfold.toml, line 1, column 10",
        "budget: Maximum tokens of an answer. Default: the limit of the client"}},
      {"a table that is none",
       "listen = \"127.0.0.1:80\"\n" + good,
       {ErrorCode::invalid_input, "listen: expected a table, found string \"127.0.0.1:80\"",
        "enfold.toml, line 1, column 10", "listen: Where clients connect"}},
      {"a duration without its unit",
       good + "idle_timeout = \"60\"\n",
       {ErrorCode::invalid_input,
        "upstreams.a.idle_timeout: expected a duration: a number and ms, s, m or h, found string "
        "\"60\"",
        "enfold.toml, line 3, column 16",
        "idle_timeout: Time without an answer or progress after which a call fails, such as "
        "\"60s\""}},
      {"a duration that never ends",
       good + "idle_timeout = \"721h\"\n",
       {ErrorCode::invalid_input, "upstreams.a.idle_timeout: expected at most 720h, found 721h",
        "enfold.toml, line 3, column 16", "choose a shorter time"}},
      {"a budget that nothing fits",
       "budget = 5\n" + good,
       {ErrorCode::invalid_input, "budget: expected at least 128, found number 5",
        "enfold.toml, line 1, column 10",
        "budget: Maximum tokens of an answer. Default: the limit of the client"}},
      {"a pointer that points nowhere",
       "[redaction]\nallow_pointers = [\"/a\", \"items/0\"]\n" + good,
       {ErrorCode::invalid_input,
        "redaction.allow_pointers.1: expected a JSON Pointer, found \"items/0\"",
        "enfold.toml, line 2, column 25", "begin with a slash, such as \"/items/*/id\""}},
      {"an unknown contract",
       "contract = \"responsev2\"\n" + good,
       {ErrorCode::invalid_input, "contract: expected the name of a contract, found \"responsev2\"",
        "enfold.toml, line 1, column 12", "did you mean response-v2?"}},
      {"no upstream",
       "upstreams = {}\n",
       {ErrorCode::invalid_input, "upstreams: expected at least one upstream, found none",
        "enfold.toml, line 1, column 13", "add [upstreams.NAME] with a command or a url"}},
      {"nothing at all",
       "",
       {ErrorCode::invalid_input, "expected member \"upstreams\", found missing",
        "enfold.toml, line 1, column 1", "docs/reference/configuration.md lists the keys"}},
      {"an upstream without a server",
       "[upstreams.a]\nprotocol = \"auto\"\n",
       {ErrorCode::invalid_input,
        "upstreams.a: expected one of command and url, found none of them",
        "enfold.toml, line 1, column 1",
        "use command and args to start a program, url for a running server"}},
      {"headers of a program",
       good + "headers = { A = \"b\" }\n",
       {ErrorCode::invalid_input, "expected headers only with url", "enfold.toml, line 3, column 1",
        "remove it"}},
      {"a url that is none",
       "[upstreams.a]\nurl = \"ftp://x\"\n",
       {ErrorCode::invalid_input, "", "enfold.toml, line 2, column 7", ""}},
      {"a header that every request has",
       "[upstreams.a]\nurl = \"http://x\"\nheaders = { Host = \"y\" }\n",
       {ErrorCode::invalid_input, "expected a header of your own, found Host, which is always sent",
        "enfold.toml, line 3, column 13", "leave it out"}},
      {"a name that cannot be a prefix",
       "[upstreams.a__b]\ncommand = \"x\"\n",
       {ErrorCode::invalid_input, "expected the name of an upstream, found \"a__b\"",
        "enfold.toml, line 1, column 12",
        "at most 32 letters, digits, - and single _ between them"}},
      {"an upstream that stands in for itself",
       good + "fallback = \"a\"\n",
       {ErrorCode::invalid_input,
        "upstreams.a.fallback: expected the name of another upstream, found \"a\"",
        "enfold.toml, line 3, column 12", "write the name of another upstream"}},
      {"an address without a port",
       "listen.address = \"localhost\"\n" + good,
       {ErrorCode::invalid_input,
        "listen.address: expected HOST:PORT or unix:PATH to listen on, found \"localhost\"",
        "enfold.toml, line 1, column 18",
        "for example 127.0.0.1:8080, where port 0 lets the system choose, or "
        "unix:/run/enfold/enfold.sock"}},
      {"a socket without a folder",
       "listen.address = \"unix:enfold.sock\"\n" + good,
       {ErrorCode::invalid_input,
        "listen.address: expected unix: and an absolute path of at most 107 bytes, found "
        "\"unix:enfold.sock\"",
        "enfold.toml, line 1, column 18", "for example unix:/run/enfold/enfold.sock"}},
      {"a date",
       "archive = 2026-11-15\n" + good,
       {ErrorCode::invalid_input,
        "archive: expected text, a number, true, false, a list or a table, found a date or time",
        "enfold.toml, line 1, column 11", "put it into double quotes"}},
      {"half of https",
       "listen.cert_file = \"c.pem\"\n" + good,
       {ErrorCode::invalid_input, "listen: expected cert_file and key_file, found one of them",
        "enfold.toml, line 1, column 1", "https needs both; for http set neither"}},
  };
  for (const auto& [name, text, want] : cases) {
    const std::vector<Error> errors = errors_of(text);
    ASSERT_EQ(errors.size(), 1U) << name;
    if (!want.message.empty()) {
      EXPECT_EQ(errors[0].message, want.message) << name;
      EXPECT_EQ(errors[0].hint, want.hint) << name;
    }
    EXPECT_EQ(errors[0].where, want.where) << name;
  }
}

TEST(GatewayConfig, tells_everything_that_is_wrong_at_once) {
  const std::vector<Error> shape = errors_of("budget = true\nlevl = \"full\"\nworkers = 0\n");
  EXPECT_EQ(shape.size(), 4U);  // and no upstreams
  const std::vector<Error> meaning = errors_of(
      "contract = \"v9\"\nclient = \"nobody\"\n"
      "[upstreams.a]\ncommand = \"x\"\nenv = { A = { env = \"NOT_SET\" } }\n");
  EXPECT_EQ(meaning.size(), 3U);
}

TEST(GatewayConfig, shows_where_the_text_is_no_toml) {
  const std::vector<Error> errors = errors_of("contract = \"v2\"\nbudget = \n");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors[0].message, HasSubstr("expected TOML: "));
  EXPECT_THAT(errors[0].where, HasSubstr("enfold.toml, line 2, column "));
  // Texts that toml++ takes for impossible.
  for (const std::string text : {"[&a]\n", "a = \u030a\n", "\u0100 = 1\n"}) {
    EXPECT_THAT(errors_of(text).at(0).message, HasSubstr("expected TOML: ")) << text;
  }
}

TEST(GatewayConfig, is_not_led_into_tables_without_end) {
  std::string steps = "a";
  for (int i = 0; i < 200'000; ++i) steps += " . \"a\"";
  for (const std::string& text :
       {steps + " = 1\n", "[" + steps + "]\n", "x = {" + steps + " = 1}\n",
        "x = " + std::string(200'000, '[') + "\n"}) {
    const std::vector<Error> errors = errors_of("# first\n" + text);
    ASSERT_EQ(errors.size(), 1U) << text.substr(0, 20);
    EXPECT_THAT(errors[0].where, HasSubstr("enfold.toml, line 2, column ")) << text.substr(0, 20);
  }
  const std::string dots(1000, '.');
  EXPECT_THAT(errors_of("# " + dots + "\nupstreams.a = { command = \"" + dots + "\", args = ['" +
                        dots + "', \"\\\"" + dots + "\"] } # " + dots),
              ::testing::IsEmpty());
  const std::string lines = "\n" + dots + "\n\\\"\"\" " + dots + "\n";
  EXPECT_THAT(errors_of("upstreams.a = { command = \"\"\"" + lines + "\"\"\"\"\", args = ['''" +
                        lines + "''''', \"\", \"\"\"\\\n" + dots + "\"\"\"] }"),
              ::testing::IsEmpty());
  EXPECT_THAT(errors_of("x = \"\"\"\\\n\"\"\"\n" + steps + " = 1\n").at(0).where,
              HasSubstr("enfold.toml, line 3, column "));
}

}  // namespace
}  // namespace enfold::gateway
