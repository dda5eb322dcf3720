// SPDX-License-Identifier: Apache-2.0
// The configuration of a gateway: a TOML file, read into the structs below, which declare every key
// once. Schema (schema/settings/gateway-config.json), reference page (docs/configuration.md),
// checks and reading come from these declarations.
#pragma once

#include "enfold/gateway/settings.h"
#include "enfold/gateway/toml.h"
#include "enfold/pipeline/shape.h"
#include "enfold/server/config.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::gateway {

/// Which protocol to speak with an upstream.
enum class EraChoice : std::uint8_t { automatic, modern, legacy };

enum class LogFormat : std::uint8_t { text, json };

}  // namespace enfold::gateway

template <>
struct enfold::model::Names<enfold::gateway::EraChoice> {
  static constexpr std::array<std::string_view, 3> values{"auto", "modern", "legacy"};
};
template <>
struct enfold::model::Names<enfold::gateway::OutputCheck> {
  static constexpr std::array<std::string_view, 3> values{"warn", "strict", "off"};
};
template <>
struct enfold::model::Names<enfold::gateway::LogFormat> {
  static constexpr std::array<std::string_view, 2> values{"text", "json"};
};
template <>
struct enfold::model::Names<enfold::pipeline::Channels> {
  static constexpr std::array<std::string_view, 3> values{"both", "structured", "text"};
};

namespace enfold::gateway {

/// `format` of keys that hold text, or a table that says where a secret text comes from.
inline constexpr std::string_view kTextOrSecret = "text-or-secret";
inline constexpr std::string_view kDurationPattern = "^[1-9][0-9]{0,8}(ms|s|m|h)$";

/// Where a secret comes from: exactly one of `env` and `file`.
struct SecretConfig {
  std::optional<std::string> env;
  std::optional<std::string> file;
  std::string prefix;

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(
        argument("env", &SecretConfig::env).describe("Name of a variable of the environment"),
        argument("file", &SecretConfig::file)
            .describe("A file that holds nothing else; the line end behind it does not count"),
        argument("prefix", &SecretConfig::prefix)
            .describe("Text in front of the secret, such as \"Bearer \"")
            .defaulted());
  }
};

struct ListenConfig {
  std::string address = "127.0.0.1:8080";
  std::vector<std::string> hosts;
  std::vector<std::string> origins;
  std::optional<std::string> certificate;
  std::optional<std::string> private_key;
  std::size_t max_sessions = 10'000;
  std::string session_idle = "30m";
  std::string drain = "10s";

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(
        argument("address", &ListenConfig::address)
            .describe("HOST:PORT to listen on; the path is /mcp, port 0 lets the system choose")
            .defaulted(),
        argument("hosts", &ListenConfig::hosts)
            .describe("Names that clients use for this machine, beside localhost")
            .defaulted(),
        argument("origins", &ListenConfig::origins)
            .describe("Origins of web pages that may call, such as https://app.example")
            .defaulted(),
        argument("certificate", &ListenConfig::certificate)
            .describe("A PEM file, the server's own certificate first; serves https"),
        argument("private_key", &ListenConfig::private_key)
            .describe("The PEM file with the key of the certificate"),
        argument("max_sessions", &ListenConfig::max_sessions)
            .at_least(1)
            .describe("Sessions that may be open at once")
            .defaulted(),
        argument("session_idle", &ListenConfig::session_idle)
            .pattern(kDurationPattern)
            .describe("A session without a call ends after this time, such as \"30m\"")
            .defaulted(),
        argument("drain", &ListenConfig::drain)
            .pattern(kDurationPattern)
            .describe("Time for open calls after SIGTERM, such as \"10s\"")
            .defaulted());
  }
};

struct RedactionConfig {
  bool enabled = true;
  bool personal_data = false;
  std::vector<std::string> keys;
  std::vector<std::string> allow;

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(
        argument("enabled", &RedactionConfig::enabled)
            .describe("Take credentials out of answers")
            .defaulted(),
        argument("personal_data", &RedactionConfig::personal_data)
            .describe("Also e-mail addresses, phone, card and social security numbers")
            .defaulted(),
        argument("keys", &RedactionConfig::keys)
            .describe("Further names of keys whose values are secrets")
            .defaulted(),
        argument("allow", &RedactionConfig::allow)
            .describe("JSON Pointers of what stays as it is; * stands for any one step")
            .defaulted());
  }
};

struct ObserveConfig {
  std::optional<bool> metrics;
  std::optional<bool> health;

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(
        argument("metrics", &ObserveConfig::metrics)
            .describe("Serve /metrics (Prometheus); else only on a loopback address"),
        argument("health", &ObserveConfig::health)
            .describe("Serve /healthz; else only on a loopback address"));
  }
};

struct RateLimitConfig {
  std::uint32_t per_minute = 60;
  std::uint32_t burst = 10;

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(argument("per_minute", &RateLimitConfig::per_minute)
                                 .at_least(1)
                                 .describe("Calls of one tool in a minute"),
                             argument("burst", &RateLimitConfig::burst)
                                 .at_least(1)
                                 .at_most(1'000'000)
                                 .describe("Calls that may come at once")
                                 .defaulted());
  }
};

struct PrincipalConfig {
  std::string key_sha256;
  std::optional<RateLimitConfig> rate_limit;

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(
        argument("key_sha256", &PrincipalConfig::key_sha256)
            .pattern("^[0-9a-f]{64}$")
            .describe("SHA-256 of the key, as `enfold serve --hash-key` says it"),
        argument("rate_limit", &PrincipalConfig::rate_limit)
            .describe("Limit for each tool that this principal calls, before any other"));
  }
};

struct BreakerConfig {
  std::string first_wait = "250ms";
  std::string longest_wait = "30s";
  std::size_t failures = 5;

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(
        argument("first_wait", &BreakerConfig::first_wait)
            .pattern(kDurationPattern)
            .describe("Wait after the second failure in a row, such as \"250ms\"; doubles")
            .defaulted(),
        argument("longest_wait", &BreakerConfig::longest_wait)
            .pattern(kDurationPattern)
            .describe("No wait is longer, such as \"30s\"")
            .defaulted(),
        argument("failures", &BreakerConfig::failures)
            .at_least(1)
            .at_most(1000)
            .describe("After so many failures in a row calls are refused until the wait is over")
            .defaulted());
  }
};

struct ToolConfig {
  std::optional<model::Level> level;
  std::optional<OutputCheck> output_schema;
  std::optional<RateLimitConfig> rate_limit;
  std::optional<std::string> cache;
  std::optional<std::string> stale;
  std::optional<std::string> fallback;

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(
        argument("level", &ToolConfig::level)
            .describe("Detail of its answers: minimal, standard or full"),
        argument("output_schema", &ToolConfig::output_schema)
            .describe("As output_schema at the top, for this tool"),
        argument("rate_limit", &ToolConfig::rate_limit)
            .describe("Limit for each principal, before that at the top"),
        argument("cache", &ToolConfig::cache)
            .pattern(kDurationPattern)
            .describe("An answer serves the same call of the same principal for so long, such as "
                      "\"30s\"; also when the tool does not say that it only reads"),
        argument("stale", &ToolConfig::stale)
            .pattern(kDurationPattern)
            .describe("While its upstream is down an answer may be so old, such as \"10m\""),
        argument("fallback", &ToolConfig::fallback)
            .describe("Another upstream that is asked when its own is down"));
  }
};

struct UpstreamConfig {
  std::optional<std::string> command;
  std::vector<json::Value> args;
  std::map<std::string, json::Value> env;
  std::optional<std::string> folder;
  std::optional<json::Value> url;
  std::map<std::string, json::Value> headers;
  std::optional<std::string> authorities;
  EraChoice era = EraChoice::automatic;
  std::string greeting = "10s";
  std::string deadline = "60s";
  std::string longest = "30m";
  BreakerConfig breaker;
  std::vector<std::string> tools_allow;
  std::vector<std::string> tools_deny;
  std::optional<std::string> cache;
  std::optional<std::string> stale;
  std::optional<std::string> fallback;
  std::map<std::string, ToolConfig> tools;

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(
        argument("command", &UpstreamConfig::command)
            .at_least(1)
            .describe("A program that speaks MCP on its standard input and output"),
        argument("args", &UpstreamConfig::args)
            .format(kTextOrSecret)
            .describe("Its arguments")
            .defaulted(),
        argument("env", &UpstreamConfig::env)
            .format(kTextOrSecret)
            .describe("Variables of its environment, beside those of the gateway")
            .defaulted(),
        argument("folder", &UpstreamConfig::folder).describe("The folder to start it in"),
        argument("url", &UpstreamConfig::url)
            .format(kTextOrSecret)
            .describe("Instead of a command: a server that is running, http://HOST:PORT/mcp"),
        argument("headers", &UpstreamConfig::headers)
            .format(kTextOrSecret)
            .describe("Headers of every request to the url")
            .defaulted(),
        argument("authorities", &UpstreamConfig::authorities)
            .describe("A PEM file of who may vouch for an https url; else those of the system"),
        argument("era", &UpstreamConfig::era)
            .describe("Protocol to speak with it: auto, modern (2026-07-28) or legacy (sessions)")
            .defaulted(),
        argument("greeting", &UpstreamConfig::greeting)
            .pattern(kDurationPattern)
            .describe("Time for each step of the greeting, such as \"10s\"")
            .defaulted(),
        argument("deadline", &UpstreamConfig::deadline)
            .pattern(kDurationPattern)
            .describe("Time that it may be silent over a call, such as \"60s\"")
            .defaulted(),
        argument("longest", &UpstreamConfig::longest)
            .pattern(kDurationPattern)
            .describe("Time for a call, whatever progress it reports, such as \"30m\"")
            .defaulted(),
        argument("tools_allow", &UpstreamConfig::tools_allow)
            .describe("Its tools that clients see and may call, such as \"read_*\"; else all")
            .defaulted(),
        argument("tools_deny", &UpstreamConfig::tools_deny)
            .describe("Its tools that nobody sees or may call, such as \"delete_*\"")
            .defaulted(),
        argument("cache", &UpstreamConfig::cache)
            .pattern(kDurationPattern)
            .describe("An answer of a tool that says it only reads serves the same call of the "
                      "same principal for so long, such as \"30s\""),
        argument("stale", &UpstreamConfig::stale)
            .pattern(kDurationPattern)
            .describe("While it is down such an answer may be so old, such as \"10m\""),
        argument("fallback", &UpstreamConfig::fallback)
            .describe("Another upstream, asked when this is down, for tools that only read"),
        argument("tools", &UpstreamConfig::tools)
            .describe("Settings of its tools, before those of tools at the top")
            .defaulted(),
        argument("breaker", &UpstreamConfig::breaker)
            .describe("When it is tried again after it failed")
            .defaulted());
  }
};

struct Config {
  std::map<std::string, UpstreamConfig> upstreams;
  std::string contract = "response-v2";
  std::map<std::string, std::string> client_contracts;
  std::optional<std::size_t> budget;
  std::optional<std::string> client;
  std::optional<model::Level> level;
  std::map<std::string, ToolConfig> tools;
  std::map<std::string, std::string> client_profiles;
  std::optional<std::size_t> max_tools;
  std::size_t max_description = 4'096;
  std::optional<std::size_t> session_budget;
  bool archive_resources = false;
  bool handles_as_arguments = false;
  OutputCheck output_schema = OutputCheck::warn;
  pipeline::Channels channels = pipeline::Channels::both;
  std::optional<json::Value> archive;
  std::optional<RateLimitConfig> rate_limit;
  std::map<std::string, PrincipalConfig> principals;
  std::size_t workers = 4;
  LogFormat log = LogFormat::text;
  std::optional<bool> log_calls;
  ListenConfig listen;
  ObserveConfig observe;
  RedactionConfig redaction;

  static constexpr auto arguments() {
    using server::argument;
    return server::arguments(
        argument("contract", &Config::contract)
            .describe("Contract of the answers; none passes every answer as it is")
            .defaulted(),
        argument("client_contracts", &Config::client_contracts)
            .describe("Contracts of single clients, by the name that a client gives itself")
            .defaulted(),
        argument("budget", &Config::budget)
            .at_least(128)
            .describe("Tokens that an answer may cost; else the client's limit"),
        argument("client", &Config::client)
            .describe("Count and limit as for this client, whoever the client says it is: openai, "
                      "claude, claude-code, opencode, gemini, codex, copilot, vscode, cursor, sdk "
                      "or generic"),
        argument("level", &Config::level)
            .describe("Detail of answers where a call does not say: minimal, standard or full"),
        argument("tools", &Config::tools)
            .describe("Settings of single tools, by the name that their upstream gives them")
            .defaulted(),
        argument("client_profiles", &Config::client_profiles)
            .describe("Profiles of single clients, by the name that a client gives itself, or by "
                      "NAME/VERSION, where 1.2 stands for 1.2.3 too")
            .defaulted(),
        argument("max_tools", &Config::max_tools)
            .at_least(3)
            .describe("Tools in a list, those of the gateway included; else as many as the "
                      "client takes"),
        argument("max_description", &Config::max_description)
            .at_least(64)
            .describe("Characters of a tool's description")
            .defaulted(),
        argument("session_budget", &Config::session_budget)
            .at_least(1'000)
            .describe("Tokens that all answers of a session may cost together; near the end they "
                      "get smaller, beyond it they are references"),
        argument("archive_resources", &Config::archive_resources)
            .describe("Archived answers can be read as resources, enfold://archive/HANDLE")
            .defaulted(),
        argument("handles_as_arguments", &Config::handles_as_arguments)
            .describe("{\"$enfold\": HANDLE} in the arguments of a call is replaced by what was "
                      "archived under the handle")
            .defaulted(),
        argument("output_schema", &Config::output_schema)
            .describe("An answer that breaks the output schema of its tool: warn mends it or adds "
                      "a warning, strict makes it a failure, off leaves it")
            .defaulted(),
        argument("channels", &Config::channels)
            .describe("Where an answer stands in a result: both, structured or text")
            .defaulted(),
        argument("archive", &Config::archive)
            .format(kTextOrSecret)
            .describe("Where the whole of a fitted answer is kept: a file, redis://…, memory or "
                      "none; else that of the command line"),
        argument("rate_limit", &Config::rate_limit).describe("Limit for each principal and tool"),
        argument("principals", &Config::principals)
            .describe("Who may call, by name; without any there is no login and one local user")
            .defaulted(),
        argument("workers", &Config::workers)
            .at_least(1)
            .at_most(256)
            .describe("Threads that fit and archive large answers")
            .defaulted(),
        argument("log", &Config::log)
            .describe("Form of the log on standard error: text, or json, one object a line")
            .defaulted(),
        argument("log_calls", &Config::log_calls)
            .describe("A line for every call, not only for what goes wrong; else only with json"),
        argument("listen", &Config::listen).describe("Where clients connect").defaulted(),
        argument("observe", &Config::observe)
            .describe("Pages for those who watch, beside /mcp and without a key")
            .defaulted(),
        argument("redaction", &Config::redaction)
            .describe("What is taken out of answers")
            .defaulted(),
        argument("upstreams", &Config::upstreams)
            .describe("The servers behind the gateway, by name: a command or a url each"));
  }
};

struct ReadConfig {
  Config config;
  Toml text;  ///< for the places of what is found wrong later
};

/// Everything that is wrong with a text at once, each with its line and column.
[[nodiscard]] server::ConfigResult<ReadConfig> read_config(std::string_view text, std::string name);

/// For editors and the reference page: what `read_config` accepts.
[[nodiscard]] json::Value config_schema();

/// What is wrong with `value`, which stands at `pointer` in `text`, by a schema of declared keys.
[[nodiscard]] std::vector<Error> check_against(const json::Value& schema, json::View value,
                                               const std::string& pointer, const Toml& text);

}  // namespace enfold::gateway
