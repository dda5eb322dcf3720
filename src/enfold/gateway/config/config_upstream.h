// SPDX-License-Identifier: Apache-2.0
// The configuration of one upstream and its tools: [upstreams.NAME]. config.h has the rest and
// explains what the declarations are used for.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/tools/declare/config.h"

namespace enfold::gateway {

/// Which revisions of MCP to use with an upstream.
enum class ProtocolChoice : std::uint8_t { automatic, stateless, sessions };

/// What to do if an upstream's answer has an envelope of a response contract: read it, or treat it
/// as data.
enum class EnvelopeChoice : std::uint8_t { read, data };

}  // namespace enfold::gateway

template <>
struct enfold::model::Names<enfold::gateway::ProtocolChoice> {
  static constexpr std::array<std::string_view, 3> values{"auto", "stateless", "sessions"};
};
template <>
struct enfold::model::Names<enfold::gateway::EnvelopeChoice> {
  static constexpr std::array<std::string_view, 2> values{"read", "data"};
};
template <>
struct enfold::model::Names<enfold::gateway::OutputCheck> {
  static constexpr std::array<std::string_view, 3> values{"warn", "strict", "off"};
};

namespace enfold::gateway {

/// `format` in the schema of keys whose value is a text, or a table that names the source of a
/// secret.
inline constexpr std::string_view kTextOrSecret = "text-or-secret";
inline constexpr std::string_view kDurationPattern = "^[1-9][0-9]{0,8}(ms|s|m|h)$";

/// The source of a secret: exactly one of `env` and `file`.
struct SecretConfig {
  std::optional<std::string> env;
  std::optional<std::string> file;
  std::string prefix;

  static constexpr auto arguments() {
    using tools::setting;
    return tools::arguments(
        setting("env", &SecretConfig::env,
                "Name of the environment variable that contains the secret"),
        setting("file", &SecretConfig::file,
                "File that contains only the secret. A line end after the secret is ignored"),
        setting("prefix", &SecretConfig::prefix,
                "Text in front of the secret, such as \"Bearer \""));
  }
};

struct RateLimitConfig {
  std::uint32_t per_minute = 60;
  std::uint32_t burst = 10;

  static constexpr auto arguments() {
    using tools::argument;
    using tools::setting;
    return tools::arguments(
        argument("per_minute", &RateLimitConfig::per_minute)
            .at_least(1)
            .describe("Number of calls of one tool per minute"),
        setting("burst", &RateLimitConfig::burst, "Number of calls that may come at the same time")
            .at_least(1)
            .at_most(1'000'000));
  }
};

struct CircuitBreakerConfig {
  std::string initial_backoff = "250ms";
  std::string max_backoff = "30s";
  std::size_t failure_threshold = 5;

  static constexpr auto arguments() {
    using tools::setting;
    return tools::arguments(
        setting("initial_backoff", &CircuitBreakerConfig::initial_backoff,
                "After the second failure in a row, Enfold waits for this time before it connects "
                "again, such as \"250ms\". The wait doubles with each further failure")
            .pattern(kDurationPattern),
        setting("max_backoff", &CircuitBreakerConfig::max_backoff, "Longest wait, such as \"30s\"")
            .pattern(kDurationPattern),
        setting("failure_threshold", &CircuitBreakerConfig::failure_threshold,
                "From this number of failures in a row on, calls during a wait are refused at "
                "once. After fewer failures, calls are held until the wait is over")
            .at_least(1)
            .at_most(1000));
  }
};

struct ToolConfig {
  std::optional<model::Level> level;
  std::optional<OutputCheck> output_schema;
  std::optional<RateLimitConfig> rate_limit;
  std::optional<std::string> cache_ttl;
  std::optional<std::string> stale_if_error;
  std::optional<std::string> fallback;

  static constexpr auto arguments() {
    using tools::setting;
    return tools::arguments(
        setting("level", &ToolConfig::level,
                "Level of detail of this tool's answers: minimal, standard or full. A call can "
                "request another level"),
        setting("output_schema", &ToolConfig::output_schema,
                "Like the top-level output_schema, for this tool"),
        setting("rate_limit", &ToolConfig::rate_limit,
                "Rate limit of each principal for this tool. It overrides the top-level "
                "rate_limit"),
        setting("cache_ttl", &ToolConfig::cache_ttl,
                "How long the same call of the same principal is answered from the cache, such as "
                "\"30s\". The key applies even if the tool does not declare readOnlyHint")
            .pattern(kDurationPattern),
        setting("stale_if_error", &ToolConfig::stale_if_error,
                "Maximum age at which a cached answer is used while the upstream is down, such as "
                "\"10m\". The key applies even if the tool does not declare readOnlyHint")
            .pattern(kDurationPattern),
        setting("fallback", &ToolConfig::fallback,
                "Name of another upstream. While the tool's own upstream is down, Enfold calls "
                "the tool of the same name on that other upstream, even if the tool declares "
                "neither readOnlyHint nor idempotentHint"));
  }
};

struct UpstreamConfig {
  std::optional<std::string> command;
  std::vector<json::Value> args;
  std::map<std::string, json::Value> env;
  std::vector<std::string> env_passthrough;
  std::optional<std::string> cwd;
  bool no_new_privs = true;
  std::optional<std::size_t> max_open_files;
  std::optional<std::size_t> max_memory_bytes;
  std::optional<json::Value> url;
  std::map<std::string, json::Value> headers;
  std::optional<std::string> ca_file;
  std::optional<std::size_t> max_connections;
  ProtocolChoice protocol = ProtocolChoice::automatic;
  EnvelopeChoice envelope = EnvelopeChoice::read;
  std::optional<std::string> startup_timeout;
  std::string idle_timeout = "60s";
  std::string call_timeout = "30m";
  CircuitBreakerConfig circuit_breaker;
  std::vector<std::string> tools_allow;
  std::vector<std::string> tools_deny;
  bool allow_unlisted_tools = false;
  bool shared = false;
  std::string process_idle_timeout = "30m";
  std::optional<std::string> cache_ttl;
  std::optional<std::string> stale_if_error;
  std::optional<std::string> fallback;
  std::map<std::string, ToolConfig> tools;

  static constexpr auto arguments() {
    using tools::setting;
    return tools::arguments(
        setting("command", &UpstreamConfig::command, "Program of an MCP server that uses stdio")
            .at_least(1),
        setting("args", &UpstreamConfig::args, "Arguments of the program").format(kTextOrSecret),
        setting("env", &UpstreamConfig::env,
                "Environment variables to set for the program. Of the gateway's own variables, "
                "the program gets only a few that programs need, such as PATH, HOME, LANG and "
                "proxies")
            .format(kTextOrSecret),
        setting("env_passthrough", &UpstreamConfig::env_passthrough,
                "Names of further variables of the gateway that the program gets. \"AWS_*\": all "
                "variables whose name begins with AWS_. \"*\": all variables"),
        setting("cwd", &UpstreamConfig::cwd, "Working directory of the program"),
        setting("no_new_privs", &UpstreamConfig::no_new_privs,
                "true: the program cannot gain privileges, so sudo and other set-user-ID programs "
                "do not work in it"),
        setting("max_open_files", &UpstreamConfig::max_open_files,
                "Maximum open files of each process of the program. Default: as for the gateway")
            .at_least(16),
        setting("max_memory_bytes", &UpstreamConfig::max_memory_bytes,
                "Maximum address space of each process of the program. (Node.js reserves "
                "several GiB.) Default: as for the gateway")
            .at_least(1'000'000),
        setting("url", &UpstreamConfig::url,
                "URL of a running server: http://HOST:PORT/mcp. Set either url or command")
            .format(kTextOrSecret),
        setting("headers", &UpstreamConfig::headers, "HTTP headers to send with every request")
            .format(kTextOrSecret),
        setting("ca_file", &UpstreamConfig::ca_file,
                "PEM file of the certificate authorities that are trusted for https. Default: "
                "those of the system"),
        setting("max_connections", &UpstreamConfig::max_connections,
                "Maximum connections to the URL for each principal and each session. Further "
                "requests wait. Default: 64")
            .at_least(2),  // an event stream takes one
        setting("protocol", &UpstreamConfig::protocol,
                "MCP revisions to use: stateless (from 2026-07-28), sessions (up to "
                "2025-11-25) or auto"),
        setting("envelope", &UpstreamConfig::envelope,
                "What to do if an answer of this upstream has an envelope of a response "
                "contract. read: read it as an envelope. data: treat it as data"),
        setting("startup_timeout", &UpstreamConfig::startup_timeout,
                "How long the server may take to start and answer initialize, such as \"90s\". "
                "Default: 60s; with url 10s")
            .pattern(kDurationPattern),
        setting("idle_timeout", &UpstreamConfig::idle_timeout,
                "Time without an answer or progress after which a call fails, such as \"60s\"")
            .pattern(kDurationPattern),
        setting("call_timeout", &UpstreamConfig::call_timeout,
                "Maximum time of a call, even if it reports progress, such as \"30m\"")
            .pattern(kDurationPattern),
        setting("tools_allow", &UpstreamConfig::tools_allow,
                "Patterns of the tools that are offered, such as \"read_*\". Default: all tools"),
        setting("tools_deny", &UpstreamConfig::tools_deny,
                "Patterns of tools that are hidden and refused, such as \"delete_*\""),
        setting("allow_unlisted_tools", &UpstreamConfig::allow_unlisted_tools,
                "Forward calls of tools that the server does not list, unless tools_allow or "
                "tools_deny refuses them"),
        setting("shared", &UpstreamConfig::shared,
                "true: all sessions of one principal use the same process or connection. Use it "
                "only for servers that keep no data for a session. A shared server cannot request "
                "roots, sampling or elicitation"),
        setting("process_idle_timeout", &UpstreamConfig::process_idle_timeout,
                "End a process that had no call for this time, such as \"30m\". The next call "
                "starts another one. Open calls, subscriptions and tasks keep a process "
                "running. Use a longer time for servers that keep state between calls")
            .pattern(kDurationPattern),
        setting("cache_ttl", &UpstreamConfig::cache_ttl,
                "How long the same call of the same principal is answered from the cache, such as "
                "\"30s\". The key applies only to tools that declare readOnlyHint")
            .pattern(kDurationPattern),
        setting("stale_if_error", &UpstreamConfig::stale_if_error,
                "Maximum age at which a cached answer is used while the upstream is down, such as "
                "\"10m\". The key applies only to tools that declare readOnlyHint")
            .pattern(kDurationPattern),
        setting("fallback", &UpstreamConfig::fallback,
                "Name of another upstream. While this upstream is down, Enfold calls the tool of "
                "the same name on that other upstream. This applies only to tools that declare "
                "readOnlyHint or idempotentHint"),
        setting("tools", &UpstreamConfig::tools,
                "Settings for single tools of this upstream. They override the settings in the "
                "top-level tools. Each key is the name of a tool as the upstream sends it"),
        setting("circuit_breaker", &UpstreamConfig::circuit_breaker,
                "How long Enfold waits after failures before it tries the upstream again"));
  }
};

}  // namespace enfold::gateway
