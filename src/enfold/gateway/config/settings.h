// SPDX-License-Identifier: Apache-2.0
// The settings of a gateway: its upstreams, and how answers are written.
#pragma once

#include "enfold/answer/output_check.h"
#include "enfold/client/options.h"
#include "enfold/net/loop.h"
#include "enfold/serve/host.h"
#include "enfold/store/archive.h"
#include "enfold/tools/settings.h"

#include <algorithm>

namespace enfold::gateway {

/// Where texts of upstreams can be read, besides tool answers, and are redacted.
enum class RedactionChannel : std::uint8_t {
  resources,      ///< and the results of methods that Enfold does not know
  prompts,        ///< and completions
  descriptions,   ///< the items of all lists
  instructions,   ///< and the name and capabilities of the server
  notifications,  ///< all but progress, for example log messages
  progress,
  errors,   ///< JSON-RPC errors
  metrics,  ///< the labels
  logs,     ///< lines of Enfold's log
  stderr_,  ///< standard error of child processes
};

}  // namespace enfold::gateway

template <>
struct enfold::model::Names<enfold::gateway::RedactionChannel> {
  static constexpr std::array<std::string_view, 10> values{
      "resources", "prompts", "descriptions", "instructions", "notifications",
      "progress",  "errors",  "metrics",      "logs",         "stderr"};
};

namespace enfold::gateway {

/// Every channel, in order.
[[nodiscard]] inline std::vector<RedactionChannel> all_redaction_channels() {
  std::vector<RedactionChannel> all;
  for (std::size_t i = 0; i < model::Names<RedactionChannel>::values.size(); ++i) {
    all.push_back(static_cast<RedactionChannel>(i));
  }
  return all;
}

using answer::OutputCheck;

/// Settings of one tool. For a rule that is not set here, Settings::rules_of finds the one that
/// applies.
struct ToolRules {
  std::optional<OutputCheck> output_schema;
  std::optional<model::Level> level;
  std::optional<store::RateLimit> rate_limit;
  std::optional<std::chrono::milliseconds> cache_ttl;  ///< maximum age of a cached answer
  /// Maximum age of a cached answer while the upstream is down.
  std::optional<std::chrono::milliseconds> stale_if_error;
  /// The upstream whose tool of the same name is called while the tool's own upstream is down.
  std::optional<std::string> fallback;
  /// The configuration sets caching or a fallback for this very tool: it is treated as if it
  /// declared readOnlyHint.
  bool is_safe = false;

  /// These rules; for each that is not set, the one of `defaults`.
  [[nodiscard]] ToolRules with_defaults(const ToolRules& defaults) const {
    const auto choose = [](const auto& rule, const auto& default_rule) {
      return rule ? rule : default_rule;
    };
    return {choose(output_schema, defaults.output_schema),
            choose(level, defaults.level),
            choose(rate_limit, defaults.rate_limit),
            choose(cache_ttl, defaults.cache_ttl),
            choose(stale_if_error, defaults.stale_if_error),
            choose(fallback, defaults.fallback),
            is_safe || defaults.is_safe};
  }
};

/// The owner of an API key. Only the hash of the key is stored.
struct Principal {
  std::string name;
  std::string key_sha256;    ///< 64 lower-case hex digits
  bool is_operator = false;  ///< may use the dashboard
  /// Whether both are the same principal with the same key.
  friend bool operator==(const Principal& a, const Principal& b) {
    return a.name == b.name && a.key_sha256 == b.key_sha256;
  }
};

/// When the circuit breaker of an upstream refuses calls.
struct BreakerPolicy {
  /// Time until the upstream is started or connected again after its second failure in a row;
  /// doubles with each further failure.
  std::chrono::milliseconds initial_backoff{250};
  std::chrono::milliseconds max_backoff = std::chrono::seconds(30);
  std::size_t failure_threshold = 5;  ///< failures in a row after which calls are refused
};

struct UpstreamSettings {
  std::string name;  ///< unique; the prefix of its tools if there are several upstreams
  client::Target target;
  client::ClientOptions::Eras eras = client::ClientOptions::Eras::both;
  std::optional<net::Duration> startup_timeout;           ///< nullopt: the default of ClientOptions
  net::Duration idle_timeout = std::chrono::seconds(60);  ///< of a call, without answer or progress
  /// Of a call, even while it reports progress.
  net::Duration call_timeout = std::chrono::minutes(30);
  BreakerPolicy circuit_breaker;
  bool detect_envelopes = true;          ///< false: envelopes in answers are treated as data
  std::vector<std::string> tools_allow;  ///< patterns; empty: all tools that are not denied
  std::vector<std::string> tools_deny;   ///< patterns
  bool is_shared = false;                ///< the sessions of one principal use one connection
  /// A process without a call for this time ends; the next call starts another.
  net::Duration process_idle_timeout = std::chrono::minutes(30);
  bool allow_unlisted_tools = false;  ///< forward calls of tools that the upstream does not list
  ToolRules all_tools;                ///< only cache_ttl, stale_if_error and fallback can be set
  std::map<std::string, ToolRules, std::less<>> tools;  ///< by the tool's name at the upstream
};

/// Which monitoring endpoints are served.
struct ObserveSettings {
  bool metrics = false;
  bool health = false;
  friend bool operator==(const ObserveSettings&, const ObserveSettings&) = default;
};

/// Whether the dashboard is served, and how many recent answers it can show.
struct DashboardSettings {
  bool enabled = false;
  std::size_t recording_bytes = std::size_t{32} << 20;  ///< of originals; 0: none are recorded
  friend bool operator==(const DashboardSettings&, const DashboardSettings&) = default;
};

inline constexpr std::size_t kMaxDescriptionLength = 4'096;  // characters

struct Settings {
  /// At least one. A running gateway moves them to its UpstreamSet, and this list is empty.
  std::vector<UpstreamSettings> upstreams;
  ObserveSettings observe;  ///< over HTTP only
  bool logs_calls = true;   ///< log every call, not only what went wrong
  DashboardSettings dashboard;
  bool count_tokens = false;       ///< count the tokens of answers, for metrics and log
  tools::ServiceSettings answers;  ///< how answers are written and archived; rate limits; the log
  /// The only client is the one on stdio: there is one connection to each upstream, which is made
  /// when the client's first message arrives.
  bool one_client = false;
  /// Maximum processes of upstreams at a time, besides one for each upstream. Unused with
  /// one_client.
  std::size_t max_processes = 256;
  /// Maximum calls that wait for upstreams at a time; each client has a share.
  std::size_t max_open_calls = 4'096;
  /// Where secrets are redacted besides tool answers; nowhere if `answers.redaction` is not set.
  std::vector<RedactionChannel> redaction_channels = all_redaction_channels();
  std::string version;                   ///< of this program
  std::vector<Principal> principals;     ///< empty: calls need no key
  std::optional<std::size_t> max_tools;  ///< in a list; nullopt: the limit of the client
  /// In characters; nullopt: kMaxDescriptionLength, or no limit where lists pass through.
  std::optional<std::size_t> max_description_length;
  bool archive_resources = false;                 ///< offer archived answers as resources
  bool handles_as_arguments = false;              ///< replace {"$enfold": HANDLE} in arguments
  bool request_id_in_envelope = false;            ///< of every answer, not only of failures
  std::optional<std::size_t> session_budget;      ///< tokens of all answers of a session
  OutputCheck output_schema = OutputCheck::warn;  ///< for tools whose rules set none
  std::map<std::string, ToolRules, std::less<>> tools;  ///< by the tool's name at any upstream

  /// Whether any rate limit is set. Wrong for the settings of a running gateway: their list of
  /// upstreams is empty.
  [[nodiscard]] bool has_rate_limits() const {
    const auto any_limits = [](const auto& all) {
      return std::any_of(all.begin(), all.end(),
                         [](const auto& one) { return one.second.rate_limit.has_value(); });
    };
    return answers.rate_limit || !answers.principal_limits.empty() || any_limits(tools) ||
           std::any_of(upstreams.begin(), upstreams.end(),
                       [&](const UpstreamSettings& one) { return any_limits(one.tools); });
  }
  /// The rules of one tool of an upstream. Each rule is taken from the first of these that sets it:
  /// the upstream's tool of this name, tools of this name at all upstreams, all tools of the
  /// upstream.
  [[nodiscard]] ToolRules rules_of(const UpstreamSettings& upstream, std::string_view tool) const {
    const auto find_rules = [&](const auto& all) {
      const auto found = all.find(tool);
      return found != all.end() ? found->second : ToolRules{};
    };
    return find_rules(upstream.tools)
        .with_defaults(find_rules(tools))
        .with_defaults(upstream.all_tools);
  }
  [[nodiscard]] OutputCheck output_check_of(const UpstreamSettings& upstream,
                                            std::string_view tool) const {
    return rules_of(upstream, tool).output_schema.value_or(output_schema);
  }
};

/// What all parts of a gateway share.
struct Environment {
  net::Loop& loop;
  serve::Host& host;
  const Settings& settings;  ///< a reload changes its content; `upstreams` is always empty

  void log(const serve::LogLine& line) const { settings.answers.log(line); }
};

}  // namespace enfold::gateway
