// SPDX-License-Identifier: Apache-2.0
// What a gateway stands in front of, and how its answers are written.
#pragma once

#include "enfold/client/options.h"
#include "enfold/gateway/policy/breaker.h"
#include "enfold/store/archive.h"
#include "enfold/tools/settings.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace enfold::gateway {

/// What becomes of an answer that breaks the output schema of its tool.
using answer::OutputCheck;

/// What is set for one tool, by the name that its upstream gives it.
struct ToolRules {
  std::optional<OutputCheck> output_schema;
  std::optional<model::Level> level;
  std::optional<store::RateLimit> rate_limit;
  std::optional<std::chrono::milliseconds> cache;  ///< answers younger than this serve again
  std::optional<std::chrono::milliseconds> stale;  ///< and so old while the upstream is down
  std::optional<std::string> fallback;             ///< an upstream with a tool of the same name
  /// The tool was named for it: nobody asks whether it says that it only reads.
  bool is_safe = false;

  /// What is said here, and for the rest what is said there.
  [[nodiscard]] ToolRules over(const ToolRules& other) const {
    const auto first = [](const auto& here, const auto& there) { return here ? here : there; };
    return {first(output_schema, other.output_schema),
            first(level, other.level),
            first(rate_limit, other.rate_limit),
            first(cache, other.cache),
            first(stale, other.stale),
            first(fallback, other.fallback),
            is_safe || other.is_safe};
  }
};

/// Somebody who may call, known by a key. Only its hash is kept.
struct Principal {
  std::string name;
  std::string key_sha256;  ///< 64 lower-case hex digits
  friend bool operator==(const Principal&, const Principal&) = default;
};

struct UpstreamSettings {
  std::string name;  ///< unique; the prefix of its tools where there are several
  client::Target target;
  client::ClientOptions::Eras eras = client::ClientOptions::Eras::both;
  std::optional<net::Duration> greeting_patience;     ///< nullopt: as ClientOptions has it
  net::Duration deadline = std::chrono::seconds(60);  ///< for a call without a sign of life
  net::Duration longest = std::chrono::minutes(30);   ///< for a call, whatever progress it reports
  BreakerPolicy breaker;
  std::vector<std::string> tools_allow;  ///< patterns; none: every tool that is not denied
  std::vector<std::string> tools_deny;
  ToolRules all_tools;  ///< of which only cache, stale and fallback can be set
  std::map<std::string, ToolRules, std::less<>> tools;
};

/// Pages beside the endpoint, for whoever watches.
struct Observed {
  bool metrics = false;
  bool health = false;
  friend bool operator==(const Observed&, const Observed&) = default;
};

inline constexpr std::size_t kMostDescription = 4'096;

struct Settings {
  std::vector<UpstreamSettings> upstreams;  ///< at least one
  Observed observed;                        ///< over HTTP only
  bool weighs = false;                      ///< what answers cost is found out for metrics and log
  bool log_json = false;  ///< what upstreams say on their standard error is an event of the log
  tools::ServiceSettings answers;
  /// One client and nobody else, over stdio: one connection to each upstream serves all it asks,
  /// and the client is known before the first is made.
  bool one_client = false;
  std::string version;                   ///< of this program
  std::vector<Principal> principals;     ///< none: there is no login, and one local user
  std::optional<std::size_t> max_tools;  ///< in a list; nullopt: as many as the client takes
  /// Characters of a tool's description; nullopt: kMostDescription, and none where a list passes.
  std::optional<std::size_t> max_description;
  store::Durability durability = store::Durability::process;  ///< of the archive, once opened
  bool archive_resources = false;     ///< archived answers are resources too
  bool handles_as_arguments = false;  ///< {"$enfold": HANDLE} in a call's arguments is replaced
  std::optional<std::size_t> session_budget;  ///< tokens of all answers of a session
  OutputCheck output_schema = OutputCheck::warn;
  std::map<std::string, ToolRules, std::less<>> tools;

  /// Whether anybody counts calls.
  [[nodiscard]] bool has_limits() const {
    const auto limits = [](const auto& all) {
      return std::any_of(all.begin(), all.end(),
                         [](const auto& one) { return one.second.rate_limit.has_value(); });
    };
    return answers.rate_limit || !answers.principal_limits.empty() || limits(tools) ||
           std::any_of(upstreams.begin(), upstreams.end(),
                       [&](const UpstreamSettings& one) { return limits(one.tools); });
  }
  /// The nearest to the tool wins: of its upstream, of its name, of all tools of the upstream.
  [[nodiscard]] ToolRules rules_of(const UpstreamSettings& upstream, std::string_view tool) const {
    const auto of = [&](const auto& all) {
      const auto found = all.find(tool);
      return found != all.end() ? found->second : ToolRules{};
    };
    return of(upstream.tools).over(of(tools)).over(upstream.all_tools);
  }
  [[nodiscard]] OutputCheck check_of(const UpstreamSettings& upstream,
                                     std::string_view tool) const {
    return rules_of(upstream, tool).output_schema.value_or(output_schema);
  }
};

}  // namespace enfold::gateway
