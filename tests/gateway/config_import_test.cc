// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/config/import.h"
#include "enfold/gateway/config/settings_from_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Not in one piece, so that nobody takes it for one that was lost.
const std::string kToken =
    "ghp_"
    "abcdefghijklmnopqrstuvwxyzABCDEF0123";

ImportResult import(const std::string& text) {
  const Result<json::Document> document = json::parse(text);
  EXPECT_TRUE(document) << text;
  Result<ImportResult> imported = import_servers(document->root(), "client.json");
  EXPECT_TRUE(imported) << imported.error().message;
  return imported.value_or(ImportResult{});
}

// Whatever is written is a configuration, once its variables are set.
tools::ConfigResult<ServeSettings> serve(const ImportResult& imported) {
  ConfigSources sources;
  sources.variable = [](const std::string& name) { return "value of " + name; };
  sources.file = read_small_file;
  const auto read = read_config(imported.toml, "enfold.toml");
  if (!read) return tl::unexpected(read.error());
  return settings_from_config(*read, sources);
}

TEST(Import, takes_over_programs_and_addresses) {
  const ImportResult imported = import(R"({"mcpServers": {
      "files": {"command": "npx", "args": ["-y", "server-files", "/data"],
                "env": {"MODE": "fast"}, "cwd": "/srv"},
      "docs": {"type": "http", "url": "https://docs.example/mcp", "headers": {"X-Team": "blue"}}}})");
  EXPECT_EQ(imported.toml,
            "\n[upstreams.files]\n"
            "command = \"npx\"\n"
            "args = [\"-y\", \"server-files\", \"/data\"]\n"
            "env.MODE = \"fast\"\n"
            "cwd = \"/srv\"\n"
            "\n[upstreams.docs]\n"
            "url = \"https://docs.example/mcp\"\n"
            "headers.X-Team = \"blue\"\n");
  EXPECT_THAT(imported.notes, IsEmpty());
  EXPECT_EQ(imported.servers, 2U);
  EXPECT_TRUE(serve(imported).has_value());
}

TEST(Import, says_that_a_server_is_wrapped_already) {
  const ImportResult imported = import(R"({"mcpServers": {
      "a": {"command": "/usr/bin/enfold", "args": ["wrap", "--", "npx", "server-files"]},
      "b": {"command": "enfold", "args": ["serve"]}}})");
  EXPECT_THAT(imported.notes, ElementsAre(HasSubstr("a: runs behind enfold wrap")));
}

TEST(Import, turns_secrets_into_variables) {
  const ImportResult imported = import(R"({"mcpServers": {
      "github": {"command": "gh-mcp", "env": {"GITHUB_TOKEN": ")" +
                                       kToken + R"("}},
      "hub two": {"command": "gh-mcp", "env": {"GITHUB_TOKEN": ")" +
                                       kToken + R"(9"}},
      "web": {"url": "https://web.example/mcp",
              "headers": {"Authorization": "Bearer )" +
                                       kToken + R"("}},
      "flags": {"command": "x", "args": ["--api-key", "hush-hush-12345",
                                         "--password=correct-horse-77"]}}})");
  EXPECT_THAT(imported.toml, Not(HasSubstr(kToken)));
  EXPECT_THAT(imported.toml, Not(HasSubstr("hush-hush")));
  EXPECT_THAT(imported.toml, Not(HasSubstr("correct-horse")));
  EXPECT_THAT(imported.toml, HasSubstr("env.GITHUB_TOKEN = { env = \"GITHUB_TOKEN\" }\n"));
  EXPECT_THAT(imported.toml, HasSubstr("env.GITHUB_TOKEN = { env = \"HUB_TWO_GITHUB_TOKEN\" }\n"));
  EXPECT_THAT(imported.toml, HasSubstr("headers.Authorization = { env = \"WEB_AUTHORIZATION\", "
                                       "prefix = \"Bearer \" }\n"));
  EXPECT_THAT(imported.toml, HasSubstr("args = [\"--api-key\", { env = \"FLAGS_API_KEY\" }, "
                                       "{ env = \"FLAGS_PASSWORD\", prefix = \"--password=\" }]"));
  EXPECT_THAT(imported.notes,
              ElementsAre("github: env GITHUB_TOKEN is a secret and was not copied: set the "
                          "variable GITHUB_TOKEN",
                          "hub two: renamed to hub-two",
                          "hub two: env GITHUB_TOKEN is a secret and was not copied: set the "
                          "variable HUB_TWO_GITHUB_TOKEN",
                          "web: headers Authorization is a secret and was not copied: set the "
                          "variable WEB_AUTHORIZATION",
                          "flags: args[1] is a secret and was not copied: set the variable "
                          "FLAGS_API_KEY",
                          "flags: args[2] is a secret and was not copied: set the variable "
                          "FLAGS_PASSWORD"));
  const auto serving = serve(imported);
  ASSERT_TRUE(serving) << serving.error().front().message;
  const auto& flags = std::get<client::StdioTarget>(serving->settings.upstreams.back().target);
  EXPECT_THAT(flags.command, ElementsAre("x", "--api-key", "value of FLAGS_API_KEY",
                                         "--password=value of FLAGS_PASSWORD"));
}

TEST(Import, gives_every_secret_a_variable_of_its_own) {
  const ImportResult imported = import(R"({"mcpServers": {
      "one": {"command": "x", "env": {"TOKEN": ")" +
                                       kToken + R"(1"}},
      "two": {"command": "x", "env": {"TWO_TOKEN": ")" +
                                       kToken + R"(2", "TOKEN": ")" + kToken + R"(3"}}}})");
  EXPECT_THAT(imported.notes, ElementsAre(::testing::EndsWith("set the variable TOKEN"),
                                          ::testing::EndsWith("set the variable TWO_TOKEN"),
                                          ::testing::EndsWith("set the variable TWO_TOKEN_2")));
}

TEST(Import, gives_no_secret_the_variable_of_a_placeholder) {
  const ImportResult imported = import(R"({"mcpServers": {
      "one": {"command": "x", "env": {"TOKEN": ")" +
                                       kToken + R"("}},
      "two": {"command": "x", "args": ["--token=${env:ONE_TOKEN}"],
              "env": {"TOKEN": "${env:TOKEN}"}}}})");
  EXPECT_THAT(imported.notes, ElementsAre(::testing::EndsWith("set the variable ONE_TOKEN_2"),
                                          ::testing::EndsWith("from the variable ONE_TOKEN"),
                                          ::testing::EndsWith("from the variable TOKEN")));
}

TEST(Import, takes_no_command_behind_the_end_of_options_for_a_secret) {
  const ImportResult imported = import(R"({"mcpServers": {"files": {"command": "run",
      "args": ["it", "--", "npx", "-y", "@modelcontextprotocol/server-filesystem", "/tmp"]}}})");
  EXPECT_THAT(imported.toml, HasSubstr(R"(args = ["it", "--", "npx", "-y", )"));
  EXPECT_THAT(imported.notes, ElementsAre());
}

TEST(Import, keeps_the_variables_that_a_client_fills_in) {
  const ImportResult imported = import(R"({"servers": {"a": {"command": "x", "env": {
      "ONE": "${env:ONE_VALUE}", "TWO": "${TWO_VALUE}", "THREE": "${input:api-key}"},
      "args": ["--dir=${env:DIR}", "${workspaceFolder}/x"]}}})");
  EXPECT_EQ(imported.toml,
            "\n[upstreams.a]\n"
            "command = \"x\"\n"
            "args = [{ env = \"DIR\", prefix = \"--dir=\" }, \"${workspaceFolder}/x\"]\n"
            "env.ONE = { env = \"ONE_VALUE\" }\n"
            "env.TWO = { env = \"TWO_VALUE\" }\n"
            "env.THREE = { env = \"API_KEY\" }\n");
  EXPECT_THAT(
      imported.notes,
      ::testing::Contains("a: args[1] holds a variable that only the client can resolve: edit it"));
  EXPECT_TRUE(serve(imported).has_value());
}

TEST(Import, says_what_it_leaves_out) {
  const ImportResult imported = import(R"({"mcp": {"servers": {
      "off": {"command": "x", "disabled": true},
      "old": {"type": "sse", "url": "http://a/sse"},
      "odd": {"command": ["x"]},
      "none": 3,
      "good": {"command": "x", "autoApprove": ["y"]}}}})");
  EXPECT_EQ(imported.toml, "\n[upstreams.good]\ncommand = \"x\"\n");
  EXPECT_THAT(
      imported.notes,
      ElementsAre("off: left out: disabled",
                  "old: left out: HTTP+SSE is not supported; use its Streamable HTTP address",
                  "odd: left out: it has neither a command nor a url",
                  "none: left out: not an object", "good: autoApprove was not imported"));
}

TEST(Import, gives_every_server_a_name_that_it_may_have) {
  const ImportResult imported = import(R"({"mcpServers": {
      "My Server!": {"command": "a"}, "my__server": {"command": "b"}, "my_server": {"command": "c"},
      "…": {"command": "d"}, "a-name-that-is-longer-than-any-prefix-should-be": {"command": "e"}}})");
  const auto serving = serve(imported);
  ASSERT_TRUE(serving) << serving.error().front().message;
  std::vector<std::string> names;
  for (const UpstreamSettings& one : serving->settings.upstreams) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("My-Server", "my_server", "my_server-2", "server",
                                 "a-name-that-is-longer-than-any-p"));
}

TEST(Import, wants_a_list_of_servers) {
  for (const char* const text : {"{}", "[]", R"({"mcpServers": []})", R"({"mcpServers": {}})"}) {
    const Result<json::Document> document = json::parse(std::string_view(text));
    const Result<ImportResult> imported = import_servers(document->root(), "client.json");
    ASSERT_FALSE(imported) << text;
    EXPECT_EQ(imported.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(imported.error().where, "client.json");
    EXPECT_FALSE(imported.error().hint.empty());
  }
}

TEST(Import, looks_past_comments_and_last_commas) {
  const struct {
    const char* text;
    const char* want;
  } cases[] = {
      {"{\"a\": 1, // one\n\"b\": [2, /* two */],}", "{\"a\": 1,       \n\"b\": [2           ] }"},
      {R"({"a": "// no /* comment */ ,]", "b": "\","})",
       R"({"a": "// no /* comment */ ,]", "b": "\","})"},
      {"{\"a\": 1 /* without an end", "{\"a\": 1                  "},
      {"\"without an end\\", "\"without an end\\"},
  };
  for (const auto& [text, want] : cases) EXPECT_EQ(without_comments(text), want);
}

}  // namespace
}  // namespace enfold::gateway
