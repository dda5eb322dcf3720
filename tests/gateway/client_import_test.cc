// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/import.h"
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

ImportOptions test_options() {
  ImportOptions options;
  options.variable = [](const std::string& name) -> std::optional<std::string> {
    if (name == "HOME") return "/home/ada";
    if (name == "API_HOST") return "https://api.example";
    return std::nullopt;
  };
  options.folder = "/home/ada/work";
  return options;
}

Result<ImportResult> try_import(const std::string& text, const std::string& name) {
  const auto settings = ClientSettings::read(text, name);
  if (!settings) return tl::unexpected(settings.error());
  return import_servers(std::span(&*settings, 1), test_options());
}

ImportResult import(const std::string& text, const std::string& name = "client.json") {
  Result<ImportResult> imported = try_import(text, name);
  EXPECT_TRUE(imported) << imported.error().message << '\n' << text;
  return imported.value_or(ImportResult{});
}

// Whatever is written is a configuration, once its variables are set.
tools::ConfigResult<ServeSettings> serve(const ImportResult& imported) {
  ConfigSources sources;
  sources.variable = [](const std::string& name) { return "value of " + name; };
  sources.file = [](const std::filesystem::path& file) -> Result<std::string> {
    return "content of " + file.string();
  };
  const auto read = read_config(imported.toml, "enfold.toml");
  if (!read) return tl::unexpected(read.error());
  return settings_from_config(*read, sources);
}

TEST(Import, writes_toml_of_texts_that_toml_cannot_hold) {
  const ImportResult imported =
      import(R"({"mcpServers":{"s":{"command":"x\ud800","env":{"A\udfff":"\u0000\u007f"}}}})");
  EXPECT_TRUE(read_config(imported.toml, "enfold.toml")) << imported.toml;
  const ImportResult repeated =
      import(R"({"mcpServers":{"s":{"command":"x","env":{"A":"first","A":"last"}}}})");
  EXPECT_TRUE(read_config(repeated.toml, "enfold.toml"));
  EXPECT_THAT(repeated.toml, HasSubstr("env.A = \"last\""));
  const ImportResult empty =
      import(R"({"mcpServers":{"s":{"command":"x"},"t":{"command":""},"u":{"url":""}}})");
  EXPECT_EQ(empty.servers, 1U);
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
      "args": ["--dir=${env:DIR}", "${config:x}/x"]}}})");
  EXPECT_EQ(imported.toml,
            "\n[upstreams.a]\n"
            "command = \"x\"\n"
            "args = [{ env = \"DIR\", prefix = \"--dir=\" }, \"${config:x}/x\"]\n"
            "env.ONE = { env = \"ONE_VALUE\" }\n"
            "env.TWO = { env = \"TWO_VALUE\" }\n"
            "env.THREE = { env = \"API_KEY\" }\n");
  EXPECT_THAT(
      imported.notes,
      ::testing::Contains("a: args[1] holds a variable that only the client can resolve: edit it"));
  EXPECT_TRUE(serve(imported).has_value());
}

TEST(Import, keeps_the_default_of_a_variable_that_is_not_set) {
  const ImportResult imported = import(R"({"mcpServers": {"a": {"command": "x", "env": {
      "PORT": "${PORT:-8080}", "HOST": "${API_HOST:-http://localhost}", "NONE": "${NONE:-}",
      "API_KEY": "${API_KEY:-hush-hush-12345}"},
      "args": ["--port=${PORT:-8080}", "${A:-b}/${C:-)" +
                                           kToken + R"(}"]}}})",
                                       "/h/.claude.json");
  EXPECT_EQ(imported.toml,
            "\n[upstreams.a]\n"
            "command = \"x\"\n"
            "args = [\"--port=8080\", { env = \"A_ARGS_1\" }]\n"
            "env.PORT = \"8080\"\n"
            "env.HOST = { env = \"API_HOST\" }\n"
            "env.NONE = \"\"\n"
            "env.API_KEY = { env = \"API_KEY\" }\n");
  EXPECT_THAT(
      imported.notes,
      ::testing::Contains("a: env PORT holds variables; imported with their present values"));
  EXPECT_TRUE(serve(imported).has_value());
}

TEST(Import, says_what_it_leaves_out) {
  const ImportResult imported = import(R"({"mcp": {"servers": {
      "off": {"command": "x", "disabled": true},
      "old": {"type": "sse", "url": "http://a/sse"},
      "odd": {"command": [3]},
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
    const Result<ImportResult> imported = try_import(text, "client.json");
    ASSERT_FALSE(imported) << text;
    EXPECT_EQ(imported.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(imported.error().where, "client.json");
    EXPECT_FALSE(imported.error().hint.empty());
  }
}

TEST(Import, reads_the_forms_of_every_client) {
  const struct {
    const char* name;
    const char* text;
    const char* toml;
  } cases[] = {
      {"/h/.claude.json",
       R"({"projects": {"/p": {"mcpServers": {"a": {"command": "x", "timeout": 600000}}}},
           "mcpServers": {"b": {"type": "http", "url": "https://b.example/mcp"}}})",
       "\n[upstreams.b]\nurl = \"https://b.example/mcp\"\n"
       "\n[upstreams.a]\ncommand = \"x\"\nidle_timeout = \"600s\"\n"},
      {"/h/.gemini/settings.json",
       R"({"mcpServers": {"a": {"command": "x", "args": ["$HOME/x"], "env": {"K": "$MY_KEY"},
           "timeout": 1500, "includeTools": ["read"], "excludeTools": ["write"]},
           "b": {"httpUrl": "https://b.example/mcp"}}})",
       "\n[upstreams.a]\ncommand = \"x\"\nargs = [\"/home/ada/x\"]\nenv.K = { env = \"MY_KEY\" }\n"
       "idle_timeout = \"1500ms\"\ntools_allow = [\"read\"]\ntools_deny = [\"write\"]\n"
       "\n[upstreams.b]\nurl = \"https://b.example/mcp\"\n"},
      {"/h/.config/opencode/opencode.jsonc",
       R"({"mcp": {"a": {"type": "local", "command": ["x", "-y"], "timeout": 9000,
           "environment": {"K": "{env:MY_KEY}", "F": "{file:~/key}"},},
           "b": {"type": "remote", "url": "https://b.example/mcp", "enabled": false}}})",
       "\n[upstreams.a]\ncommand = \"x\"\nargs = [\"-y\"]\nenv.K = { env = \"MY_KEY\" }\n"
       "env.F = { file = \"/home/ada/key\" }\nstartup_timeout = \"9s\"\n"},
      {"/h/.codex/config.toml",
       "[mcp_servers.a]\ncommand = 'x'\nenv_vars = [\"A\", { name = \"B\" }]\n"
       "startup_timeout_sec = 20\ntool_timeout_sec = 0.5\n[mcp_servers.b]\n"
       "url = \"https://b.example/mcp\"\nbearer_token_env_var = \"T\"\n"
       "env_http_headers = { H = \"V\" }\n",
       "\n[upstreams.a]\ncommand = \"x\"\nenv_passthrough = [\"A\", \"B\"]\n"
       "startup_timeout = \"20s\"\nidle_timeout = \"500ms\"\n"
       "\n[upstreams.b]\nurl = \"https://b.example/mcp\"\n"
       "headers.Authorization = { env = \"T\", prefix = \"Bearer \" }\n"
       "headers.H = { env = \"V\" }\n"},
      {"/h/.config/zed/settings.json",
       R"({"context_servers": {"a": {"command": {"path": "x", "args": ["1"], "env": {"E": "2"}}},
           "b": {"url": "https://b.example/mcp", "timeout": 3600},}})",
       "\n[upstreams.a]\ncommand = \"x\"\nargs = [\"1\"]\nenv.E = \"2\"\n"
       "\n[upstreams.b]\nurl = \"https://b.example/mcp\"\nidle_timeout = \"3600s\"\n"
       "call_timeout = \"3600s\"\n"},
      {"/h/.codeium/windsurf/mcp_config.json",
       R"({"mcpServers": {"a": {"serverUrl": "https://a.example/mcp",
           "headers": {"K": "${env:MY_KEY}"}}}})",
       "\n[upstreams.a]\nurl = \"https://a.example/mcp\"\nheaders.K = { env = \"MY_KEY\" }\n"},
      {".vscode/mcp.json",
       R"({"servers": {"a": {"command": "${workspaceFolder}/bin", "env": {"K": "${input:my-key}"}}}})",
       "\n[upstreams.a]\ncommand = \"/home/ada/work/bin\"\nenv.K = { env = \"MY_KEY\" }\n"},
      {"/home/ada/.cursor/mcp.json",
       R"({"mcpServers": {"a": {"command": "x", "args": ["$HOME", "${userHome}/y", "${workspaceFolder}"],
           "url2": "${env:API_HOST}"}, "b": {"url": "${env:API_HOST}/mcp"}}})",
       "\n[upstreams.a]\ncommand = \"x\"\nargs = [\"$HOME\", \"/home/ada/y\", \"/home/ada/work\"]\n"
       "\n[upstreams.b]\nurl = \"https://api.example/mcp\"\n"},
  };
  for (const auto& [name, text, toml] : cases) {
    SCOPED_TRACE(name);
    const ImportResult imported = import(text, name);
    // TOML tables are sorted, and Claude Code lists its own servers before those of projects.
    EXPECT_EQ(imported.toml, toml);
    EXPECT_TRUE(serve(imported).has_value());
  }
}

TEST(Import, imports_a_server_of_several_clients_once) {
  const char* const text = R"({"mcpServers": {"a": {"command": "x"}}})";
  const std::vector<ClientSettings> files{*ClientSettings::read(text, "one.json"),
                                          *ClientSettings::read(text, "two.json")};
  const auto imported = import_servers(files);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->toml, "\n[upstreams.a]\ncommand = \"x\"\n");
  EXPECT_THAT(imported->notes, ElementsAre("a: is in two.json too; imported once"));
}

TEST(Import, leaves_the_servers_of_other_projects_out) {
  const std::vector<ClientSettings> files{*ClientSettings::read(
      R"({"projects": {"/p": {"mcpServers": {"a": {"command": "x"}}},
                       "/q": {"mcpServers": {"b": {"command": "y"}}}}})",
      "/h/.claude.json")};
  ImportOptions options;
  options.project = "/q";
  const auto imported = import_servers(files, options);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->toml, "\n[upstreams.b]\ncommand = \"y\"\n");
  EXPECT_THAT(imported->notes, ElementsAre(HasSubstr("left out 1 of other projects")));
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
