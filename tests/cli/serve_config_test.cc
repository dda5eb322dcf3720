// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ServeConfig : public ProgramTest {
 protected:
  ServeConfig() {
    write("enfold.toml",
          "archive = \"memory\"\n"
          "budget = 4000\n"
          "rate_limit.per_minute = 30\n"
          "[upstreams.files]\n"
          "command = \"server-files\"\n"
          "env = { API_KEY = { file = \"key.txt\" }, MODE = \"fast\" }\n"
          "[upstreams.web]\n"
          "url = \"http://127.0.0.1:7000/mcp?q=1\"\n"
          "headers.Authorization = { file = \"key.txt\", prefix = \"Bearer \" }\n");
    write("key.txt", "hush-hush-12345\n");
  }
};

TEST_F(ServeConfig, says_what_it_would_do_and_shows_no_secret) {
  EXPECT_THAT(enfold({"serve", "--config", "enfold.toml", "--check"}),
              ends(0,
                   "enfold.toml: valid, 2 upstreams\n"
                   "  listens on http://127.0.0.1:8080/mcp\n"
                   "  contract response-v2, budget 4000 tokens\n"
                   "  redaction credentials\n"
                   "  archive memory\n"
                   "  rate limit 30 calls of a tool a minute, 10 at once\n"
                   "  upstream files: server-files, environment API_KEY, MODE, idle_timeout 60 s\n"
                   "  upstream web: http://127.0.0.1:7000/mcp, headers Authorization, "
                   "idle_timeout 60 s\n",
                   ""));
}

// Rate limits are counted in the archive even if no answer is archived.
TEST_F(ServeConfig, names_and_checks_the_archive_that_rate_limits_use) {
  const std::string upstream = "contract = \"none\"\n[upstreams.files]\ncommand = \"files\"\n";
  write("plain.toml", "archive = \"limits.db\"\n" + upstream);
  write("limits.toml", "archive = \"limits.db\"\nrate_limit.per_minute = 30\n" + upstream);
  const auto check = [&](const char* file) {
    return enfold({"serve", "--config", file, "--check"});
  };
  EXPECT_THAT(check("plain.toml"), ends(0, HasSubstr("\n  archive none\n"), ""));
  EXPECT_THAT(check("limits.toml"), ends(0, HasSubstr("limits.db\n"), ""));
}

TEST_F(ServeConfig, says_the_same_to_programs) {
  EXPECT_THAT(enfold({"serve", "--config", "enfold.toml", "--check", "--json"}),
              ends(0,
                   R"({"file":"enfold.toml","valid":true,"url":"http://127.0.0.1:8080/mcp",)"
                   R"("contract":"response-v2","budget":"4000 tokens","redaction":"credentials",)"
                   R"("archive":"memory","upstreams":[)"
                   R"({"name":"files","target":"server-files","environment":["API_KEY","MODE"],)"
                   R"("idle_timeout_ms":60000},{"name":"web","target":"http://127.0.0.1:7000/mcp",)"
                   R"("headers":["Authorization"],"idle_timeout_ms":60000}]})"
                   "\n",
                   ""));
}

TEST_F(ServeConfig, says_what_becomes_of_calls_while_an_upstream_is_down) {
  write("down.toml",
        "archive = \"memory\"\n"
        "tools.look.cache_ttl = \"1500ms\"\n"
        "[upstreams.files]\n"
        "command = \"server-files\"\n"
        "cache_ttl = \"30s\"\nstale_if_error = \"10m\"\nfallback = \"web\"\n"
        "tools.search = { cache_ttl = \"1h\", fallback = \"web\" }\n"
        "tools.write.level = \"full\"\n"
        "[upstreams.web]\n"
        "url = \"http://127.0.0.1:7000/mcp\"\n");
  EXPECT_THAT(enfold({"serve", "--config", "down.toml", "--check"}),
              ends(0,
                   HasSubstr("\n  tool look: cache_ttl 1500 ms\n"
                             "  upstream files: server-files, idle_timeout 60 s, cache_ttl 30 s, "
                             "stale_if_error 600 "
                             "s, fallback web\n"
                             "    tool search: cache_ttl 3600 s, fallback web\n"
                             "  upstream web: http://127.0.0.1:7000/mcp, idle_timeout 60 s\n"),
                   ""));
  EXPECT_THAT(
      enfold({"serve", "--config", "down.toml", "--check", "--json"}),
      ends(0,
           AllOf(HasSubstr(R"("tools":{"look":{"cache_ttl_ms":1500}},"upstreams":[)"),
                 HasSubstr(
                     R"("idle_timeout_ms":60000,"cache_ttl_ms":30000,"stale_if_error_ms":600000,)"
                     R"("fallback":"web","tools":{"search":{"cache_ttl_ms":3600000,)"
                     R"("fallback":"web"}}})"),
                 HasSubstr(R"("headers":[],"idle_timeout_ms":60000}]})")),
           ""));
}

TEST_F(ServeConfig, finds_what_is_wrong_with_caches_and_fallbacks) {
  write("bad.toml",
        "[upstreams.files]\n"
        "command = \"server-files\"\n"
        "cache_ttl = 30\n"
        "stale_if_error = \"soon\"\n");
  EXPECT_THAT(
      enfold({"serve", "--config", "bad.toml", "--check"}),
      ends(2, "bad.toml: not valid, 2 problems\n",
           AllOf(HasSubstr("cache_ttl: expected string, found number 30\n  at bad.toml, line 3, "),
                 HasSubstr("  at bad.toml, line 4, column 18\n"))));
  write("bad.toml", "[upstreams.files]\ncommand = \"x\"\nfallback = \"wbe\"\n");
  EXPECT_THAT(enfold({"serve", "--config", "bad.toml", "--check"}),
              ends(2, "bad.toml: not valid, 1 problem\n",
                   AllOf(HasSubstr("\"wbe\""), HasSubstr("  at bad.toml, line 3, column 12\n"))));
}

TEST_F(ServeConfig, tells_every_problem_with_its_place) {
  write("bad.toml", "budgt = 1\nworkers = 0\n[upstreams.a]\ncommand = \"x\"\n");
  const std::string problems =
      "error: expected a known key, found \"budgt\"\n"
      "  at bad.toml, line 1, column 1\n"
      "hint: did you mean budget?\n"
      "error: workers: expected at least 1, found number 0\n"
      "  at bad.toml, line 2, column 11\n"
      "hint: workers: Number of threads that cut large answers to their budget and archive the "
      "originals\n";
  EXPECT_THAT(enfold({"serve", "--config", "bad.toml", "--check"}),
              ends(2, "bad.toml: not valid, 2 problems\n", problems));
  EXPECT_THAT(enfold({"serve", "--config", "bad.toml"}), ends(4, "", problems));
  EXPECT_THAT(enfold({"serve", "--config", "bad.toml", "--check", "--json"}),
              ends(2,
                   AllOf(HasSubstr(R"("valid":false,"problems":[{"message":"expected a known)"),
                         HasSubstr(R"("where":"bad.toml, line 2, column 11")")),
                   ""));
}

TEST_F(ServeConfig, needs_a_file_that_can_be_read) {
  EXPECT_THAT(enfold({"serve", "--config", "none.toml", "--check"}),
              ends(4, "",
                   "error: expected a file that can be read: No such file or directory\n"
                   "  at none.toml\n"
                   "hint: check its name and its mode\n"));
  EXPECT_THAT(enfold({"serve", "--config", "."}),
              ends(4, "", HasSubstr("expected a file that can be read: Is a directory\n")));
}

TEST_F(ServeConfig, lets_nothing_be_said_twice) {
  const std::string expected = "error: expected only --check, --links and --json with --config, ";
  const std::string hint =
      "hint: set it in enfold.toml: docs/reference/configuration.md lists the keys\n";
  EXPECT_THAT(enfold({"serve", "--budget", "500", "--config", "enfold.toml", "--observe"}),
              ends(5, "", expected + "found --observe, --budget\n" + hint));
  EXPECT_THAT(enfold({"serve", "--config", "enfold.toml", "--listen", "127.0.0.1:8080"}),
              ends(5, "", expected + "found --listen\n" + hint));
  EXPECT_THAT(enfold({"serve", "--config", "enfold.toml", "--json", "--", "server"}),
              ends(5, "", expected + "found a command after --\n" + hint));
  EXPECT_THAT(enfold({"serve", "--check"}),
              ends(5, "", HasSubstr("expected --config with --check")));
}

TEST_F(ServeConfig, is_suggested_without_arguments) {
  EXPECT_THAT(enfold({"serve"}),
              ends(5, "",
                   "error: expected servers: --config FILE, --upstream URL, or a command after --\n"
                   "hint: for example `enfold serve -- npx -y some-server`; for several, create "
                   "the file for --config with `enfold import`\n"));
}

class Import : public ProgramTest {};

TEST_F(Import, prints_a_configuration_that_is_valid) {
  write("mcp.json", R"({ // of an editor
    "servers": {"notes": {"command": "notes", "env": {"API_KEY": "hush-hush-12345"}},}})");
  const Ended imported = enfold({"import", "mcp.json"});
  EXPECT_THAT(imported, ends(0,
                             "[upstreams.notes]\n"
                             "command = \"notes\"\n"
                             "env.API_KEY = { env = \"API_KEY\" }\n",
                             "warning: notes: env API_KEY is a secret and was not copied: set "
                             "the variable API_KEY\n"));
  write("enfold.toml", imported.out);
  EXPECT_THAT(enfold({"serve", "--config", "enfold.toml", "--check"}),
              ends(2, "enfold.toml: not valid, 1 problem\n",
                   HasSubstr("expected the environment variable API_KEY, found none\n"
                             "  at enfold.toml, line 3, column 15\n")));
  EXPECT_THAT(enfold_with({.arguments = {"serve", "--config", "enfold.toml", "--check"},
                           .environment = {"API_KEY=hush-hush-12345"}}),
              ends(0, AllOf(HasSubstr("valid, 1 upstream\n"), Not(HasSubstr("hush"))), ""));
}

TEST_F(Import, says_the_same_to_programs) {
  EXPECT_THAT(enfold({"import", "--json", "-"}, R"({"mcpServers": {"a b": {"command": "x"}}})"),
              ends(0,
                   R"({"toml":"\n[upstreams.a-b]\ncommand = \"x\"\n",)"
                   R"("notes":["a b: renamed to a-b"]})"
                   "\n",
                   ""));
}

TEST_F(Import, wants_the_settings_of_a_client) {
  write("other.json", "{}");
  EXPECT_THAT(enfold({"import", "other.json"}),
              ends(4, "",
                   "error: expected a list of MCP servers, found none\n"
                   "  at other.json\n"
                   "hint: pass the settings file of an MCP client; `enfold import --list` shows "
                   "those of this user\n"));
  EXPECT_THAT(enfold({"import"}), ends(4, "", HasSubstr("pass the file: enfold import FILE")));
}

}  // namespace
}  // namespace enfold::cli
