// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/declare/config.h"

#include "enfold/server/detail/command_line.h"
#include "enfold/server/run.h"
#include "enfold/tools/declare/problems.h"

#include <gtest/gtest.h>

namespace enfold::server {
namespace {

struct Place {
  std::string folder = "notes";
  int depth = 3;
  static constexpr auto arguments() {
    return server::arguments(
        server::argument("folder", &Place::folder).describe("Where notes are").defaulted(),
        server::argument("depth", &Place::depth).at_least(1).at_most(9).defaulted());
  }
};

struct Config {
  std::string owner;
  bool read_only = false;
  Place place;
  std::vector<Place> mirrors;
  static constexpr auto arguments() {
    return server::arguments(
        server::argument("owner", &Config::owner).describe("Whose notes they are"),
        server::argument("read_only", &Config::read_only).defaulted(),
        server::argument("place", &Config::place).defaulted(),
        server::argument("mirrors", &Config::mirrors).defaulted());
  }
};

TEST(Config, reads_declared_keys_and_keeps_defaults) {
  const auto config = read_config<Config>(
      R"({"owner": "ada", "place": {"depth": 2}, "mirrors": [{"folder": "m"}]})", "notes.json");
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->owner, "ada");
  EXPECT_FALSE(config->read_only);
  EXPECT_EQ(config->place.folder, "notes");
  EXPECT_EQ(config->place.depth, 2);
  ASSERT_EQ(config->mirrors.size(), 1U);
  EXPECT_EQ(config->mirrors[0].folder, "m");
}

TEST(Config, says_what_is_wrong_where_and_what_to_do) {
  const struct {
    const char* name;
    const char* text;
    Error want;
  } cases[] = {
      {"broken JSON",
       "{\"owner\": \n 'ada'}",
       {ErrorCode::invalid_input, "expected a JSON value, found \"'\"",
        "notes.json, line 2, column 2 (byte 12)",
        "JSON has no comments, trailing commas or single quotes"}},
      {"a wrong kind",
       "\n{\"owner\": 3}",
       {ErrorCode::invalid_input, "/owner: expected string, found number 3",
        "notes.json, line 2, column 11 (byte 11)", "owner: Whose notes they are"}},
      {"a missing key",
       "{}",
       {ErrorCode::invalid_input, "expected member \"owner\", found missing",
        "notes.json, line 1, column 1 (byte 0)", "--help lists the keys"}},
      {"a mistyped key",
       "{\"owner\": \"ada\", \"readonly\": true}",
       {ErrorCode::invalid_input, "expected a known key, found \"readonly\"",
        "notes.json, line 1, column 30 (byte 29)", "did you mean read_only?"}},
      {"a mistyped key inside",
       "{\"owner\": \"ada\", \"mirrors\": [{\"folders\": \"m\"}]}",
       {ErrorCode::invalid_input, "expected a known key, found \"folders\"",
        "notes.json, line 1, column 42 (byte 41)", "did you mean folder?"}},
      {"a key that resembles none",
       "{\"owner\": \"ada\", \"place\": {\"zzz\": 1}}",
       {ErrorCode::invalid_input, "expected a known key, found \"zzz\"",
        "notes.json, line 1, column 35 (byte 34)", "there are: folder, depth"}},
      {"a number out of bounds",
       "{\"owner\": \"ada\", \"place\": {\"depth\": 10}}",
       {ErrorCode::invalid_input, "/place/depth: expected at most 9, found number 10",
        "notes.json, line 1, column 37 (byte 36)", "--help lists the keys"}},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    const auto config = read_config<Config>(one.text, "notes.json");
    ASSERT_FALSE(config.has_value());
    ASSERT_EQ(config.error().size(), 1U);
    EXPECT_EQ(config.error()[0].message, one.want.message);
    EXPECT_EQ(config.error()[0].where, one.want.where);
    EXPECT_EQ(config.error()[0].hint, one.want.hint);
    EXPECT_EQ(config.error()[0].code, one.want.code);
  }
}

TEST(Config, explains_a_problem_of_the_whole_by_the_description_of_the_whole) {
  const json::Value schema = json::parse_own(R"({"type":"object","description":"The settings"})");
  const Error error = tools::describe_problem({"", "object", "number 3"}, schema);
  EXPECT_EQ(error.message, "expected object, found number 3");
  EXPECT_EQ(error.hint, "The settings");
}

TEST(Config, reports_every_wrong_key_at_once) {
  const auto config = read_config<Config>(R"({"owner": 1, "read_only": 2})", "notes.json");
  ASSERT_FALSE(config.has_value());
  EXPECT_EQ(config.error().size(), 2U);
}

TEST(Config, names_a_file_that_is_not_there) {
  const auto text = tools::detail::read_config_file("no/such/file.json");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().where, "no/such/file.json");
  EXPECT_NE(text.error().message.find("No such file"), std::string::npos);
}

TEST(CommandLine, reads_where_to_serve) {
  const std::vector<std::string> words{"--config", "a.json", "--http", "0", "--host", "::1"};
  const auto line = read_command_line(words, true);
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->config, "a.json");
  EXPECT_EQ(line->http_port, 0);
  EXPECT_EQ(line->host, "::1");
  EXPECT_FALSE(line->help);
}

TEST(CommandLine, refuses_what_it_does_not_know) {
  const struct {
    const char* name;
    std::vector<std::string> words;
    const char* message;
    const char* hint;
  } cases[] = {
      {"typing mistake",
       {"--htpp", "1"},
       "expected an option, found \"--htpp\"",
       "did you mean --http?"},
      {"no port",
       {"--http", "x"},
       "expected a port from 0 to 65535 after --http, found \"x\"",
       "0 lets the system choose a free one"},
      {"too large a port",
       {"--http", "65536"},
       "expected a port from 0 to 65535 after --http, found \"65536\"",
       "0 lets the system choose a free one"},
      {"nothing after it",
       {"--http"},
       "expected a value after --http, found nothing",
       "--help shows what it takes"},
      {"an address without a port",
       {"--host", "::1"},
       "expected --http with --host, found only --host",
       "stdio has no address: add --http PORT"},
      {"a configuration nobody reads",
       {"--config", "a"},
       "expected an option, found \"--config\"",
       "--help lists the options"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    const auto line = read_command_line(one.words, false);
    ASSERT_FALSE(line.has_value());
    EXPECT_EQ(line.error().message, one.message);
    EXPECT_EQ(line.error().hint, one.hint);
  }
}

TEST(CommandLine, its_help_page_lists_the_keys_of_the_configuration) {
  const std::string page = help_page("notes", input_schema_of<Config>());
  EXPECT_NE(page.find("usage: notes [--config FILE] [--http PORT [--host ADDRESS]]\n"),
            std::string::npos);
  EXPECT_NE(page.find("owner  string"), std::string::npos) << page;
  EXPECT_NE(page.find("Whose notes they are"), std::string::npos);
  EXPECT_NE(page.find("place.folder  string"), std::string::npos);
  EXPECT_NE(page.find("Where notes are (default \"notes\")"), std::string::npos);
  EXPECT_EQ(help_page("notes", {}).find("--config"), std::string::npos);
}

}  // namespace
}  // namespace enfold::server
