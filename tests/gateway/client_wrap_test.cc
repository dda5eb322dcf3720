// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/hide_secrets.h"
#include "enfold/gateway/clients/wrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using State = ServerChange::State;

ClientSettings read(const std::string& text, std::string_view client = "other") {
  Result<ClientSettings> settings =
      ClientSettings::read(text, "settings", find_client_format(client));
  EXPECT_TRUE(settings) << settings.error().message << " at " << settings.error().where << '\n'
                        << text;
  return *ClientSettings::read(settings ? text : "", "settings", find_client_format(client));
}

SettingsChange wrap(const std::string& text, std::string_view client = "other") {
  Result<SettingsChange> change = wrap_servers(read(text, client), {"enfold"});
  EXPECT_TRUE(change) << change.error().message << '\n' << text;
  return change.value_or(SettingsChange{});
}

std::string unwrap(const std::string& text, std::string_view client = "other",
                   const std::vector<WrappedServer>* wrapped = nullptr) {
  Result<SettingsChange> change = unwrap_servers(read(text, client), wrapped);
  EXPECT_TRUE(change) << change.error().message << '\n' << text;
  return change ? change->text : "";
}

std::string server(const std::string& inside) { return R"({"mcpServers":{"a":{)" + inside + "}}}"; }

TEST(ClientWrap, changes_only_the_bytes_of_commands_and_arguments) {
  const struct {
    const char* name;
    std::string_view client;
    std::string before;
    std::string after;
  } cases[] = {
      {"arguments in a line", "other", server(R"("command": "npx", "args": ["-y", "x"])"),
       server(R"("command": "enfold", "args": ["wrap", "--", "npx", "-y", "x"])")},
      {"minified", "other", server(R"("args":["-y","x"],"command":"npx")"),
       server(R"("args":["wrap","--","npx","-y","x"],"command":"enfold")")},
      {"one argument on a line of its own", "other",
       server("\"command\": \"npx\",\n  \"args\": [\n    \"x\"\n  ]"),
       server("\"command\": \"enfold\",\n  \"args\": [\n    \"wrap\",\n    \"--\",\n    \"npx\",\n"
              "    \"x\"\n  ]")},
      {"no arguments", "other", server("\n  \"command\": \"npx\",\n  \"env\": {}\n"),
       server("\n  \"command\": \"enfold\",\n  \"args\": [\"wrap\", \"--\", \"npx\"],\n"
              "  \"env\": {}\n")},
      {"no arguments, in a line", "other", server(R"("command":"npx")"),
       server(R"("command":"enfold", "args":["wrap", "--", "npx"])")},
      {"an empty list", "other", server(R"("command": "npx", "args": [ ])"),
       server(R"("command": "enfold", "args": ["wrap", "--", "npx" ])")},
      {"escapes stay", "other", server(R"("command": "n\u0070x", "args": ["\/x"])"),
       server(R"("command": "enfold", "args": ["wrap", "--", "n\u0070x", "\/x"])")},
      {"a command list", "opencode", R"({"mcp":{"a":{"type":"local","command":["npx","x"],}}})",
       R"({"mcp":{"a":{"type":"local","command":["enfold","wrap","--","npx","x"],}}})"},
      {"the older form of Zed", "zed",
       R"({"context_servers":{"a":{"command":{"path":"x","args":["1"]}}}})",
       R"({"context_servers":{"a":{"command":{"path":"enfold","args":["wrap", "--", "x", "1"]}}}})"},
      {"a table", "codex", "[mcp_servers.a]\ncommand = 'x' # c\n",
       "[mcp_servers.a]\ncommand = \"enfold\" # c\nargs = [\"wrap\", \"--\", 'x']\n"},
      {"the last line without an end", "codex", "[mcp_servers.a]\n  command = \"x\"",
       "[mcp_servers.a]\n  command = \"enfold\"\n  args = [\"wrap\", \"--\", \"x\"]"},
      {"dotted keys", "codex", "mcp_servers.a.command = \"x\"\r\n",
       "mcp_servers.a.command = \"enfold\"\r\nmcp_servers.a.args = [\"wrap\", \"--\", \"x\"]\r\n"},
      {"braces and a comma in a quoted key", "codex", "mcp_servers.\"a,{b=]\".command = \"x\"\n",
       "mcp_servers.\"a,{b=]\".command = \"enfold\"\n"
       "mcp_servers.\"a,{b=]\".args = [\"wrap\", \"--\", \"x\"]\n"},
      {"a date and infinity elsewhere", "codex",
       "checked = 2026-01-02T03:04:05Z\nat = 07:32:00\nlimit = inf\n[mcp_servers.a]\ncommand = "
       "\"x\"\n"
       "args = []\n",
       "checked = 2026-01-02T03:04:05Z\nat = 07:32:00\nlimit = inf\n[mcp_servers.a]\n"
       "command = \"enfold\"\nargs = [\"wrap\", \"--\", \"x\"]\n"},
      {"a comment that ends with a carriage return", "other",
       "{\"mcpServers\": // old Macintosh\r{\"a\": {\"command\": \"x\", \"args\": []}}}",
       "{\"mcpServers\": // old Macintosh\r{\"a\": {\"command\": \"enfold\", "
       "\"args\": [\"wrap\", \"--\", \"x\"]}}}"},
      {"a key that is repeated elsewhere", "other",
       R"({"theme": 1, "theme": 2, "mcpServers": {"a": {"command": "x", "args": []}}})",
       R"({"theme": 1, "theme": 2, "mcpServers": {"a": {"command": "enfold", )"
       R"("args": ["wrap", "--", "x"]}}})"},
      {"an inline table", "codex", "mcp_servers.a = { command = \"x\", env = {} }\n",
       "mcp_servers.a = { command = \"enfold\", args = [\"wrap\", \"--\", \"x\"], env = {} }\n"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    const SettingsChange change = wrap(one.before, one.client);
    const std::vector<WrappedServer> wrapped = change.wrapped();
    EXPECT_EQ(change.text, one.after);
    EXPECT_EQ(unwrap(one.after, one.client, &wrapped), one.before);
    EXPECT_EQ(wrap(one.after, one.client).text, one.after) << "twice changes nothing";
  }
}

TEST(ClientWrap, restores_entries_without_the_original) {
  const std::string wrapped =
      server(R"("command": "/opt/enfold", "args": ["wrap", "--budget", "800", "--", "npx", "x"])");
  EXPECT_EQ(unwrap(wrapped), server(R"("command": "npx", "args": ["x"])"));
  EXPECT_EQ(unwrap(server(R"("command": "npx", "args": ["-y", "enfold", "wrap", "--", "x"])")),
            server(R"("command": "x", "args": [])"));
  const std::string other =
      server(R"("command": "ssh", "args": ["h", "enfold", "wrap", "--", "x"])");
  EXPECT_EQ(unwrap(other), other);
}

TEST(ClientWrap, does_not_wrap_enfold_itself) {
  for (
      const char* arguments :
      {R"("command": "enfold", "args": ["wrap", "--contract", "none", "--upstream", "http://h/mcp"])",
       R"("command": "/opt/enfold", "args": ["serve", "--stdio"])",
       R"("command": "npx", "args": ["--package", "enfold", "enfold", "wrap", "--", "x"])",
       R"("command": "npx", "args": ["-y", "enfold@0.1", "wrap", "--", "x"])",
       R"("command": "env", "args": ["A=1", "enfold", "wrap", "--", "x"])"}) {
    EXPECT_EQ(wrap(server(arguments)).text, server(arguments));
  }
  for (const char* arguments :
       {R"("command": "enfold", "args": ["archive"])", R"("command": "npx", "args": ["enfold"])",
        R"("command": "npx", "args": ["--package"])", R"("command": "env", "args": [])",
        R"("command": "my-enfold", "args": ["wrap", "--", "x"])"}) {
    EXPECT_EQ(wrap(server(arguments)).count(State::changed), 1U) << arguments;
  }
}

TEST(ClientWrap, unwraps_what_env_and_npx_start) {
  EXPECT_EQ(
      unwrap(server(R"("command": "env", "args": ["A=1", "enfold", "wrap", "--", "x", "1"])")),
      server(R"("command": "env", "args": ["A=1", "x", "1"])"));
  const std::string no_server =
      server(R"("command": "enfold", "args": ["wrap", "--upstream", "http://h/mcp"])");
  EXPECT_EQ(unwrap(no_server), no_server);
}

TEST(ClientWrap, leaves_what_the_user_wrapped) {
  const std::string by_hand =
      R"("a": {"command": "enfold", "args": ["wrap", "--budget", "800", "--", "npx"]})";
  const std::string text = R"({"mcpServers": {)" + by_hand + R"(, "b": {"command": "x"}}})";
  const SettingsChange change = wrap(text);
  const std::vector<WrappedServer> wrapped = change.wrapped();
  EXPECT_THAT(wrapped, ElementsAre(WrappedServer{"b", "", false}));
  const auto unwrapped = unwrap_servers(read(change.text), &wrapped);
  ASSERT_TRUE(unwrapped);
  EXPECT_EQ(unwrapped->text, text);
  EXPECT_EQ(unwrapped->servers[0].state, State::left_out);
  EXPECT_THAT(unwrapped->servers[0].why, HasSubstr("edit it by hand"));
}

TEST(ClientWrap, writes_a_program_of_several_words) {
  const struct {
    std::string_view client;
    std::string before;
    std::string after;
  } cases[] = {
      {"other", server(R"("command": "x")"),
       server(R"("command": "npx", "args": ["-y", "enfold", "wrap", "--", "x"])")},
      {"other", server(R"("command": "x", "args": ["1"])"),
       server(R"("command": "npx", "args": ["-y", "enfold", "wrap", "--", "x", "1"])")},
      {"opencode", R"({"mcp":{"a":{"type":"local","command":["x"]}}})",
       R"({"mcp":{"a":{"type":"local","command":["npx", "-y", "enfold", "wrap", "--", "x"]}}})"},
  };
  for (const auto& one : cases) {
    const auto change = wrap_servers(read(one.before, one.client), {"npx", "-y", "enfold"});
    ASSERT_TRUE(change) << change.error().message;
    EXPECT_EQ(change->text, one.after);
    const std::vector<WrappedServer> wrapped = change->wrapped();
    EXPECT_EQ(unwrap(one.after, one.client, &wrapped), one.before);
  }
}

// A program that sorts the members puts args before command.
TEST(ClientWrap, removes_a_list_that_stands_before_the_program) {
  const std::vector<WrappedServer> wrapped{{"a", "", false}};
  const struct {
    const char* name;
    std::string_view client;
    std::string before;
    std::string after;
  } cases[] = {
      {"in a line", "other", server(R"("args": ["wrap", "--", "x"], "command": "enfold")"),
       server(R"("command": "x")")},
      {"in lines", "other",
       server("\n  \"args\": [\n    \"wrap\",\n    \"--\",\n    \"x\"\n  ],\n"
              "  \"command\": \"enfold\"\n"),
       server("\n  \"command\": \"x\"\n")},
      {"a comment between them", "other",
       server("\"args\": [\"wrap\", \"--\", \"x\"], /* c */ \"command\": \"enfold\""),
       server("\"args\": [], /* c */ \"command\": \"x\"")},
      {"a table that ends with the program", "codex",
       "[mcp_servers.a]\nargs = [\"wrap\", \"--\", \"x\"]\ncommand = \"enfold\"",
       "[mcp_servers.a]\ncommand = \"x\""},
      {"a list in lines", "codex",
       "[mcp_servers.a]\r\nargs = [\r\n  \"wrap\",\r\n  \"--\", \"x\"]\r\ncommand = \"enfold\"\r\n",
       "[mcp_servers.a]\r\ncommand = \"x\"\r\n"},
      {"a comment behind the list", "codex",
       "[mcp_servers.a]\nargs = [\"wrap\", \"--\", \"x\"] # c\ncommand = \"enfold\"\n",
       "[mcp_servers.a]\nargs = [] # c\ncommand = \"x\"\n"},
      {"an inline table", "codex",
       "mcp_servers.a = { args = [\"wrap\", \"--\", \"x\"], command = \"enfold\" }\n",
       "mcp_servers.a = { command = \"x\" }\n"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(unwrap(one.before, one.client, &wrapped), one.after);
  }
}

// A file that the user names has no format of its own.
TEST(ClientWrap, keeps_the_language_of_the_file) {
  for (const auto& [name, text] :
       {std::pair{"mine.toml", "[mcpServers.x]\ncommand = \"y\"\nargs = []\n"},
        std::pair{"mine.json", R"({"mcp_servers": {"x": {"command": "y", "args": []}}})"}}) {
    const auto settings = ClientSettings::read(text, name);
    ASSERT_TRUE(settings) << settings.error().message;
    const auto change = wrap_servers(*settings, {"enfold"});
    ASSERT_TRUE(change) << change.error().message;
    EXPECT_EQ(change->count(State::changed), 1U);
  }
}

TEST(ClientWrap, hides_secrets_in_commands) {
  const std::string text = server(
      R"("command": "x", "args": ["--api-key", "hunter2-hunter3", "--token=0f9a8b7c6d5e", "-v", "in"])");
  const std::string shown = without_secret_words(read(text));
  EXPECT_EQ(shown, server(R"("command": "x", "args": ["--api-key", "[REDACTED:argument]", )"
                          R"("--token=[REDACTED:argument]", "-v", "in"])"));
}

TEST(ClientWrap, says_which_servers_it_leaves_out) {
  const SettingsChange change = wrap(R"({"mcpServers": {
      "url": {"url": "https://a.example/mcp"}, "home": {"command": "~/bin/x"},
      "shell": {"command": "npx -y x"}, "odd": {"command": "x", "args": "y"}, "no": 3,
      "done": {"command": "enfold", "args": ["wrap", "--", "x"]}, "good": {"command": "x"}}})");
  std::vector<std::string> lines;
  for (const ServerChange& one : change.servers) {
    lines.push_back(one.name + (one.state == State::changed     ? " changed"
                                : one.state == State::unchanged ? " unchanged"
                                                                : ": " + one.why));
  }
  EXPECT_THAT(lines, ElementsAre("url: it runs at a URL; import it for enfold serve",
                                 HasSubstr("home: its command begins with ~"),
                                 HasSubstr("shell: its command holds white space"),
                                 "odd: args is not a list but string", "no: not an object",
                                 "done unchanged", "good changed"));
}

TEST(ClientWrap, refuses_what_it_does_not_understand) {
  const struct {
    std::string_view client;
    std::string text;
    std::string_view message;
    std::string_view where;
  } cases[] = {
      {"cursor", "{mcpServers: {}}", "expected", "settings, line 1, column 2"},
      {"cursor", server(R"("command": "x", "command": "y")"), "found \"command\" again",
       "settings, line 1, column"},
      {"cursor", "[]", "expected an object, found array", "settings"},
      {"codex", "[mcp_servers.a]\ncommand = x", "expected TOML", "settings, line 2"},
  };
  for (const auto& one : cases) {
    const auto settings =
        ClientSettings::read(one.text, "settings", find_client_format(one.client));
    ASSERT_FALSE(settings) << one.text;
    EXPECT_THAT(settings.error().message, HasSubstr(one.message));
    EXPECT_THAT(settings.error().where, HasSubstr(one.where));
  }
}

}  // namespace
}  // namespace enfold::gateway
