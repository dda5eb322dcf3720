// SPDX-License-Identifier: Apache-2.0
// The part of a gateway's configuration that is about one server behind it: [upstreams.NAME] with
// its tools. config.h has the rest and says what the declarations are for.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/tools/declare/config.h"

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

}  // namespace enfold::gateway

template <>
struct enfold::model::Names<enfold::gateway::EraChoice> {
  static constexpr std::array<std::string_view, 3> values{"auto", "modern", "legacy"};
};
template <>
struct enfold::model::Names<enfold::gateway::OutputCheck> {
  static constexpr std::array<std::string_view, 3> values{"warn", "strict", "off"};
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
    using tools::argument;
    return tools::arguments(
        argument("env", &SecretConfig::env).describe("Name of a variable of the environment"),
        argument("file", &SecretConfig::file)
            .describe("A file that holds nothing else; the line end behind it does not count"),
        argument("prefix", &SecretConfig::prefix)
            .describe("Text in front of the secret, such as \"Bearer \"")
            .defaulted());
  }
};

struct RateLimitConfig {
  std::uint32_t per_minute = 60;
  std::uint32_t burst = 10;

  static constexpr auto arguments() {
    using tools::argument;
    return tools::arguments(argument("per_minute", &RateLimitConfig::per_minute)
                                .at_least(1)
                                .describe("Calls of one tool in a minute"),
                            argument("burst", &RateLimitConfig::burst)
                                .at_least(1)
                                .at_most(1'000'000)
                                .describe("Calls that may come at once")
                                .defaulted());
  }
};

struct BreakerConfig {
  std::string first_wait = "250ms";
  std::string longest_wait = "30s";
  std::size_t failures = 5;

  static constexpr auto arguments() {
    using tools::argument;
    return tools::arguments(
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
    using tools::argument;
    return tools::arguments(
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
  std::optional<std::string> greeting;
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
    using tools::argument;
    return tools::arguments(
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
            .describe("Time to start and greet, such as \"90s\"; else 60s, for a url 10s"),
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

}  // namespace enfold::gateway
