// SPDX-License-Identifier: Apache-2.0
// The configuration of a gateway: a TOML file, read into the structs below and those of
// config_upstream.h, which declare every key once. Schema (schema/settings/gateway-config.json),
// reference page (docs/configuration.md), checks and reading come from these declarations.
#pragma once

#include "enfold/answer/shape.h"
#include "enfold/gateway/config/config_upstream.h"
#include "enfold/gateway/config/toml.h"
#include "enfold/store/archive.h"
#include "enfold/tools/declare/config.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::gateway {

enum class LogFormat : std::uint8_t { text, json };

}  // namespace enfold::gateway

template <>
struct enfold::model::Names<enfold::gateway::LogFormat> {
  static constexpr std::array<std::string_view, 2> values{"text", "json"};
};
template <>
struct enfold::model::Names<enfold::store::Durability> {
  static constexpr std::array<std::string_view, 2> values{"process", "disk"};
};
template <>
struct enfold::model::Names<enfold::answer::Channels> {
  static constexpr std::array<std::string_view, 3> values{"both", "structured", "text"};
};

namespace enfold::gateway {

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
    using tools::argument;
    return tools::arguments(
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
    using tools::argument;
    return tools::arguments(
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
    using tools::argument;
    return tools::arguments(
        argument("metrics", &ObserveConfig::metrics)
            .describe("Serve /metrics (Prometheus); else only on a loopback address"),
        argument("health", &ObserveConfig::health)
            .describe("Serve /healthz; else only on a loopback address"));
  }
};

struct PrincipalConfig {
  std::string key_sha256;
  std::optional<RateLimitConfig> rate_limit;

  static constexpr auto arguments() {
    using tools::argument;
    return tools::arguments(
        argument("key_sha256", &PrincipalConfig::key_sha256)
            .pattern("^[0-9a-f]{64}$")
            .describe("SHA-256 of the key, as `enfold serve --hash-key` says it"),
        argument("rate_limit", &PrincipalConfig::rate_limit)
            .describe("Limit for each tool that this principal calls, before any other"));
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
  std::optional<std::size_t> max_description;
  std::optional<std::size_t> session_budget;
  bool archive_resources = false;
  bool handles_as_arguments = false;
  OutputCheck output_schema = OutputCheck::warn;
  answer::Channels channels = answer::Channels::both;
  std::optional<json::Value> archive;
  store::Durability durability = store::Durability::process;
  std::optional<RateLimitConfig> rate_limit;
  std::map<std::string, PrincipalConfig> principals;
  std::size_t workers = 4;
  LogFormat log = LogFormat::text;
  std::optional<bool> log_calls;
  ListenConfig listen;
  ObserveConfig observe;
  RedactionConfig redaction;

  static constexpr auto arguments() {
    using tools::argument;
    return tools::arguments(
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
            .describe("Characters of a tool's description; else 4096, and as many as there are "
                      "in a list that passes as it is"),
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
        argument("durability", &Config::durability)
            .describe("What archived answers survive: process, the death of the program; disk, "
                      "also a power failure, with an fsync for each")
            .defaulted(),
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
[[nodiscard]] tools::ConfigResult<ReadConfig> read_config(std::string_view text, std::string name);

/// For editors and the reference page: what `read_config` accepts.
[[nodiscard]] json::Value config_schema();

/// What is wrong with `value`, which stands at `pointer` in `text`, by a schema of declared keys.
[[nodiscard]] std::vector<Error> check_against(const json::Value& schema, json::View value,
                                               const std::string& pointer, const Toml& text);

}  // namespace enfold::gateway
