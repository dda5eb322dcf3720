// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/config/config.h"

#include "enfold/schema/schema.h"
#include "enfold/token/profile.h"
#include "tests/gateway/config_text.h"

#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace enfold::gateway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const client::StdioTarget& program(const ServeSettings& serving, std::size_t index) {
  return std::get<client::StdioTarget>(serving.settings.upstreams.at(index).target);
}

TEST(GatewayConfig, reads_everything_that_it_declares) {
  const auto serving = serve(R"(
contract = "v1"
client_contracts = { claude-code = "generic" }
budget = 4000
client = "claude-code"
level = "standard"
channels = "text"
archive = "state/archive.db"
workers = 2
tools.search.level = "full"
rate_limit = { per_minute = 30, burst = 3 }

[listen]
address = "[::1]:9000"
allowed_hosts = ["mcp.example.org"]
allowed_origins = ["https://app.example"]
max_sessions = 7
session_idle_timeout = "2m"
drain_timeout = "1500ms"

[redaction]
personal_data = true
extra_keys = ["badge"]
allow_pointers = ["/rows/*/id"]

[upstreams.files]
command = "server-files"
args = ["--root", { file = "token.txt" }]
env = { MODE = "fast", API_TOKEN = { env = "TOKEN" } }
cwd = "work"
protocol = "sessions"
startup_timeout = "5s"
idle_timeout = "90s"
call_timeout = "1h"
circuit_breaker = { initial_backoff = "1s", max_backoff = "1m", failure_threshold = 2 }

[upstreams.web]
url = "http://127.0.0.1:7000/mcp"
headers = { Authorization = { env = "TOKEN", prefix = "Bearer " }, X-Team = "blue" }
protocol = "stateless"
)");
  ASSERT_TRUE(serving) << serving.error().front().message;
  const tools::ServiceSettings& answers = serving->settings.answers;
  EXPECT_EQ(answers.contract, "response-v1");
  EXPECT_THAT(answers.client_contracts, ElementsAre(Pair("claude-code", "generic")));
  ASSERT_TRUE(answers.budget);
  EXPECT_EQ(answers.budget->tokens, 4000U);
  ASSERT_NE(answers.profile, nullptr);
  EXPECT_EQ(answers.profile->name, "claude-code");
  EXPECT_EQ(answers.levels.default_level, model::Level::standard);
  EXPECT_THAT(answers.levels.per_tool, ElementsAre(Pair("search", model::Level::full)));
  EXPECT_EQ(answers.channels, answer::Channels::text);
  EXPECT_EQ(answers.workers, 2U);
  ASSERT_TRUE(answers.rate_limit);
  EXPECT_EQ(answers.rate_limit->per_minute, 30U);
  EXPECT_EQ(answers.rate_limit->burst, 3U);
  EXPECT_EQ(serving->archive, "state/archive.db");

  EXPECT_EQ(serving->http.host, "::1");
  EXPECT_EQ(serving->http.port, 9000);
  EXPECT_THAT(serving->http.policy.hosts, ElementsAre("mcp.example.org"));
  EXPECT_THAT(serving->http.policy.origins, ElementsAre("https://app.example"));
  EXPECT_EQ(answers.max_sessions, 7U);
  EXPECT_EQ(answers.session_idle_timeout, std::chrono::minutes(2));
  EXPECT_EQ(answers.drain, std::chrono::seconds(2));

  ASSERT_TRUE(answers.redaction);
  EXPECT_TRUE(answers.redaction->personal_data);
  EXPECT_THAT(answers.redaction->extra_keys, ElementsAre("badge"));
  EXPECT_THAT(answers.redaction->allow_pointers, ElementsAre("/rows/*/id"));

  ASSERT_EQ(serving->settings.upstreams.size(), 2U);
  const UpstreamSettings& files = serving->settings.upstreams[0];
  EXPECT_EQ(files.name, "files");
  EXPECT_THAT(program(*serving, 0).command, ElementsAre("server-files", "--root", "from a file"));
  EXPECT_THAT(program(*serving, 0).environment,
              ElementsAre(Pair("API_TOKEN", "s3cret"), Pair("MODE", "fast")));
  EXPECT_EQ(program(*serving, 0).folder, "etc/work");
  EXPECT_EQ(files.eras, client::ClientOptions::Eras::sessions);
  EXPECT_EQ(files.startup_timeout, std::chrono::seconds(5));
  EXPECT_EQ(files.idle_timeout, std::chrono::seconds(90));
  EXPECT_EQ(files.call_timeout, std::chrono::hours(1));
  EXPECT_EQ(files.circuit_breaker.initial_backoff, std::chrono::seconds(1));
  EXPECT_EQ(files.circuit_breaker.max_backoff, std::chrono::minutes(1));
  EXPECT_EQ(files.circuit_breaker.failure_threshold, 2U);

  const UpstreamSettings& web = serving->settings.upstreams[1];
  EXPECT_EQ(web.eras, client::ClientOptions::Eras::stateless);
  const auto& target = std::get<client::HttpTarget>(web.target);
  EXPECT_EQ(target.url.port, 7000);
  ASSERT_EQ(target.headers.size(), 2U);
  EXPECT_EQ(target.headers[0].name, "Authorization");
  EXPECT_EQ(target.headers[0].value, "Bearer s3cret");
  EXPECT_EQ(target.headers[1].value, "blue");
}

TEST(GatewayConfig, leaves_what_is_not_said_as_the_gateway_has_it) {
  const auto serving = serve("[upstreams.a]\ncommand = \"x\"\n");
  ASSERT_TRUE(serving) << serving.error().front().message;
  const Settings usual;
  const UpstreamSettings usual_upstream;
  const tools::ServiceSettings& answers = serving->settings.answers;
  EXPECT_EQ(answers.contract, usual.answers.contract);
  EXPECT_FALSE(answers.budget);
  EXPECT_EQ(answers.profile, nullptr);
  EXPECT_FALSE(answers.levels.default_level);
  EXPECT_FALSE(answers.rate_limit);
  EXPECT_EQ(answers.workers, usual.answers.workers);
  EXPECT_EQ(answers.max_sessions, usual.answers.max_sessions);
  EXPECT_EQ(answers.session_idle_timeout, usual.answers.session_idle_timeout);
  EXPECT_EQ(answers.drain, usual.answers.drain);
  ASSERT_TRUE(answers.redaction);
  EXPECT_TRUE(answers.redaction->credentials);
  EXPECT_FALSE(answers.redaction->personal_data);
  EXPECT_EQ(serving->http.port, 8080);
  EXPECT_EQ(serving->archive, "");
  const UpstreamSettings& upstream = serving->settings.upstreams.at(0);
  EXPECT_EQ(upstream.eras, usual_upstream.eras);
  EXPECT_EQ(upstream.startup_timeout, usual_upstream.startup_timeout);
  EXPECT_EQ(upstream.idle_timeout, usual_upstream.idle_timeout);
  EXPECT_EQ(upstream.call_timeout, usual_upstream.call_timeout);
  EXPECT_EQ(upstream.circuit_breaker.initial_backoff,
            usual_upstream.circuit_breaker.initial_backoff);
  EXPECT_EQ(upstream.circuit_breaker.max_backoff, usual_upstream.circuit_breaker.max_backoff);
  EXPECT_EQ(upstream.circuit_breaker.failure_threshold,
            usual_upstream.circuit_breaker.failure_threshold);
}

TEST(GatewayConfig, keeps_the_order_in_which_upstreams_are_written) {
  const auto serving = serve(
      "[upstreams.zebra]\ncommand = \"z\"\n[upstreams.ant]\ncommand = \"a\"\n"
      "[upstreams.mouse]\ncommand = \"m\"\n");
  ASSERT_TRUE(serving);
  std::vector<std::string> names;
  for (const UpstreamSettings& one : serving->settings.upstreams) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"zebra", "ant", "mouse"}));
}

TEST(GatewayConfig, switches_redaction_off_only_when_told_so) {
  const auto serving = serve("redaction.enabled = false\nupstreams.a.command = \"x\"\n");
  ASSERT_TRUE(serving);
  EXPECT_FALSE(serving->settings.answers.redaction);
}

TEST(GatewayConfig, takes_secrets_from_the_environment_and_from_files_only) {
  const std::string key =
      "ghp_"
      "abcdefghijklmnopqrstuvwxyzABCDEF0123";
  const struct {
    const char* name;
    std::string text;
    const char* want;
  } cases[] = {
      {"a secret by its look", "args = [\"" + key + "\"]",
       "upstreams.a.args.0: expected a reference to the secret, found the secret itself"},
      {"a secret by its name", "env = { API_KEY = \"hush-hush-12345\" }",
       "upstreams.a.env.API_KEY: expected a reference to the secret, found the secret itself"},
      {"a secret behind its flag", "args = [\"--api-key\", \"hush-hush-12345\"]",
       "upstreams.a.args.1: expected a reference to the secret, found the secret itself"},
      {"a variable that is not set", "env = { A = { env = \"NOT_SET\" } }",
       "upstreams.a.env.A: expected the environment variable NOT_SET, found none"},
      {"a file that is not there", "env = { A = { file = \"none\" } }",
       "upstreams.a.env.A: expected a file that can be read (etc/none)"},
      {"two sources", "env = { A = { env = \"TOKEN\", file = \"token.txt\" } }",
       "upstreams.a.env.A: expected one of env and file, found both"},
      {"no source", "env = { A = { prefix = \"x\" } }",
       "upstreams.a.env.A: expected one of env and file, found none of them"},
      {"a mistyped source", "env = { A = { enw = \"TOKEN\" } }",
       "expected a known key, found \"enw\""},
      {"a number", "env = { A = 3 }", "upstreams.a.env.A: expected text or a table, found number"},
  };
  for (const auto& [name, text, want] : cases) {
    const std::vector<Error> errors = errors_of("[upstreams.a]\ncommand = \"x\"\n" + text + "\n");
    ASSERT_EQ(errors.size(), 1U) << name;
    EXPECT_EQ(errors[0].message, want) << name;
    EXPECT_THAT(errors[0].where, HasSubstr("enfold.toml, line 3, column ")) << name;
    EXPECT_FALSE(errors[0].hint.empty()) << name;
    EXPECT_THAT(errors[0].message + errors[0].hint, ::testing::Not(HasSubstr(key))) << name;
  }
}

std::string schema_file() {
  return std::string(ENFOLD_SOURCE_DIR) + "/schema/settings/gateway-config.json";
}

// The file is written anew with ENFOLD_UPDATE_GOLDEN=1.
TEST(GatewayConfig, has_the_schema_that_is_published) {
  const std::string schema = json::pretty(config_schema().view()) + "\n";
  if (std::getenv("ENFOLD_UPDATE_GOLDEN") != nullptr) std::ofstream(schema_file()) << schema;
  std::stringstream published;
  published << std::ifstream(schema_file()).rdbuf();
  EXPECT_EQ(published.str(), schema);
}

TEST(GatewayConfig, reads_every_example_of_its_page) {
  std::stringstream page;
  page
      << std::ifstream(std::string(ENFOLD_SOURCE_DIR) + "/docs/reference/configuration.md").rdbuf();
  const std::string text = page.str();
  const std::string fence = "```toml\n";
  std::size_t count = 0;
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    const auto read = read_config(text.substr(at, text.find("```", at) - at), "configuration.md");
    EXPECT_TRUE(read) << read.error().front().message;
    ++count;
  }
  EXPECT_GE(count, 1U);
}

TEST(GatewayConfig, is_accepted_by_the_schema_when_it_is_accepted_by_the_reader) {
  const Result<schema::Schema> schema = schema::Schema::compile(config_schema());
  ASSERT_TRUE(schema) << schema.error().message;
  const struct {
    const char* text;
    bool want;
  } cases[] = {
      {"upstreams.a.command = \"x\"", true},
      {"upstreams.a = { command = \"x\", args = [\"y\", { env = \"TOKEN\" }] }", true},
      {"upstreams.a = { command = \"x\", env = { A = { file = \"token.txt\" } } }", true},
      {"upstreams.a = { url = { env = \"U\" }, headers = { A = 1 } }", false},
      {"upstreams.a = { command = \"x\", args = [1] }", false},
      {"upstreams.a = { command = \"x\", env = { A = { env = \"T\", file = \"f\" } } }", false},
      {"upstreams.a = { command = \"x\", env = { A = { prefix = \"p\" } } }", false},
      {"upstreams.a.command = \"x\"\narchive = { env = \"TOKEN\" }", true},
      {"upstreams.a.command = \"x\"\narchive = 3", false},
      {"upstreams.a.command = \"x\"\nlevel = \"most\"", false},
      {"upstreams.a.command = \"x\"\nrate_limit = { burst = 1 }", false},
  };
  for (const auto& [text, want] : cases) {
    EXPECT_EQ(serve(text).has_value(), want) << text;
    const Result<Toml> toml = read_toml(text, "enfold.toml");
    ASSERT_TRUE(toml) << text;
    const Result<bool> accepted = schema->accepts(toml->value.view());
    ASSERT_TRUE(accepted) << text;
    EXPECT_EQ(*accepted, want) << text;
  }
}

}  // namespace
}  // namespace enfold::gateway
