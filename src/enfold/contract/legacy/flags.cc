// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/legacy/flags.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract {
namespace {

constexpr std::int64_t kDay = 86'400;  // seconds
// `audit` reports a flag of this state if it is older.
constexpr std::int64_t kStableDays = 90;
constexpr std::int64_t kExperimentalDays = 30;

constexpr std::array<std::string_view, 4> kStates{"experimental", "beta", "stable", "deprecated"};

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

bool is_flag_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return is_alphanumeric(c) || c == '_' || c == '-' || c == '.';
  });
}

bool is_expired(const Flag& flag, std::int64_t now) {
  return flag.expires_at && *flag.expires_at <= now;
}

std::string deprecation_notice(const Flag& flag) {
  if (flag.state != FlagState::deprecated) return {};
  if (!flag.expires_at) return fmt::format("'{}' is deprecated and will be removed", flag.name);
  return fmt::format("'{}' is deprecated and will be removed on {}", flag.name,
                     format_time(*flag.expires_at));
}

std::string_view client_or_anonymous(std::string_view client) {
  return client.empty() ? kAnonymousClient : client;
}

const char* on_off(bool enabled) { return enabled ? "on" : "off"; }

}  // namespace

std::string_view name(FlagState state) { return kStates.at(static_cast<std::size_t>(state)); }

int rollout_bucket(std::string_view name, std::string_view client) {
  unsigned remainder = 0;
  for (const std::uint8_t byte : md5(fmt::format("{}:{}", name, client))) {
    remainder = (remainder * 256U + byte) % 100U;
  }
  return static_cast<int>(remainder) + 1;
}

/// Evaluates one flag and its dependencies for one client. Each dependency is decided once; a
/// dependency cycle counts as off.
class FlagEvaluation {
 public:
  // `fallback`: the result for unknown and expired flags. `explains`: also write the rule and the
  // warnings of the decision.
  FlagEvaluation(const Flags& flags, std::string_view client, std::int64_t now, bool fallback,
                 bool explains)
      : flags_(flags), client_(client), now_(now), fallback_(fallback), explains_(explains) {}

  FlagDecision decide(std::string_view name) {
    if (auto overridden = from_override(name)) return std::move(*overridden);
    const Flag* const flag = flags_.find(name);
    if (flag == nullptr) return {fallback_, say("unknown flag '{}'", name), {}};
    FlagDecision decision = from_fields(*flag);
    if (explains_ && flag->state == FlagState::deprecated) {
      decision.warnings.push_back(make_warning("FEATURE_DEPRECATED", deprecation_notice(*flag)));
    }
    return decision;
  }

 private:
  [[nodiscard]] std::optional<FlagDecision> from_override(std::string_view name) const {
    const auto& overrides = flags_.overrides_;
    if (overrides.empty()) return std::nullopt;
    const auto of_client = overrides.find({std::string(name), std::string(client_)});
    if (of_client != overrides.end()) {
      return FlagDecision{of_client->second, say("override for client '{}'", client_), {}};
    }
    const auto of_all = overrides.find({std::string(name), {}});
    if (of_all == overrides.end()) return std::nullopt;
    return FlagDecision{of_all->second, say("override for all clients"), {}};
  }

  FlagDecision from_fields(const Flag& flag) {
    if (is_expired(flag, now_)) {
      const std::string day = explains_ ? format_time(*flag.expires_at) : std::string();
      return {fallback_, say("expired on {}", day), {}};
    }
    if (contains(flag.blocked_clients, client_)) {
      return {false, say("client '{}' is on the block list", client_), {}};
    }
    if (!flag.allowed_clients.empty() && !contains(flag.allowed_clients, client_)) {
      return {false, say("client '{}' is not on the allow list", client_), {}};
    }
    if (const std::string* const off = first_dependency_off(flag)) {
      return {false, say("dependency '{}' is off", *off), {}};
    }
    if (flag.percentage_rollout < 100) {
      const int bucket = rollout_bucket(flag.name, client_);
      if (flag.percentage_rollout <= 0 || bucket > flag.percentage_rollout) {
        return {false,
                say("rollout of {} %: client '{}' is in bucket {}", flag.percentage_rollout,
                    client_, bucket),
                {}};
      }
    }
    const bool enabled = flag.is_default_enabled();
    return {enabled, say("{} by default ({})", on_off(enabled), contract::name(flag.state)), {}};
  }

  // The text of a rule; empty without `explains_`.
  template <class... Words>
  [[nodiscard]] std::string say(fmt::format_string<Words...> text, Words&&... words) const {
    return explains_ ? fmt::format(text, std::forward<Words>(words)...) : std::string();
  }

  // The name of the first dependency that is off; nullptr: all are on.
  const std::string* first_dependency_off(const Flag& flag) {
    if (flag.dependencies.empty()) return nullptr;
    known_[flag.name] = false;  // if a dependency leads back here, it is off
    const auto off = std::ranges::find_if(
        flag.dependencies, [&](const std::string& dependency) { return !is_on(dependency); });
    return off == flag.dependencies.end() ? nullptr : &*off;
  }

  // Dependencies have no fallback: unknown, expired and too deeply nested ones are off.
  bool is_on(const std::string& name) {
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    if (depth_ == Flags::kDeepestDependency) return false;
    ++depth_;
    const bool outer = std::exchange(fallback_, false);
    const bool enabled = decide(name).enabled;
    fallback_ = outer;
    --depth_;
    known_[name] = enabled;
    return enabled;
  }

  const Flags& flags_;
  std::string_view client_;
  std::int64_t now_;
  bool fallback_;
  bool explains_;
  std::size_t depth_ = 0;                           // of dependencies
  std::map<std::string, bool, std::less<>> known_;  // dependency → whether it is on
};

Flags Flags::standard() {
  Flags flags;
  flags.flags_.emplace(kResponseContractFlag,
                       Flag{.name = std::string(kResponseContractFlag),
                            .description = "Answer in response-v2; off: in response-v1",
                            .state = FlagState::stable,
                            .default_enabled = true});
  return flags;
}

Status Flags::add(Flag flag) {
  if (!is_flag_name(flag.name)) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a flag name of letters, digits, '_', '-' and '.', found {}",
                            json::quote(flag.name)));
  }
  // Written so that NaN is refused too.
  if (!(flag.percentage_rollout >= 0 && flag.percentage_rollout <= 100)) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a percentage_rollout from 0 to 100 for flag '{}', found {}",
                            flag.name, flag.percentage_rollout));
  }
  if (flags_.contains(flag.name)) {
    return fail(ErrorCode::conflict, fmt::format("flag '{}' is already registered", flag.name), {},
                "give the flag another name, or change the registered one");
  }
  std::string key = flag.name;
  flags_.emplace(std::move(key), std::move(flag));
  return {};
}

void Flags::set_override(std::string_view name, bool enabled) {
  overrides_[{std::string(name), {}}] = enabled;
}

void Flags::set_override(std::string_view name, std::string_view client, bool enabled) {
  overrides_[{std::string(name), std::string(client_or_anonymous(client))}] = enabled;
}

void Flags::clear_override(std::string_view name) { overrides_.erase({std::string(name), {}}); }

void Flags::clear_override(std::string_view name, std::string_view client) {
  overrides_.erase({std::string(name), std::string(client_or_anonymous(client))});
}

FlagDecision Flags::evaluate(std::string_view name, std::string_view client, std::int64_t now,
                             bool fallback) const {
  return FlagEvaluation(*this, client_or_anonymous(client), now, fallback, /*explains=*/true)
      .decide(name);
}

bool Flags::decide(std::string_view name, std::string_view client, std::int64_t now,
                   bool fallback) const {
  return FlagEvaluation(*this, client_or_anonymous(client), now, fallback, /*explains=*/false)
      .decide(name)
      .enabled;
}

std::optional<model::Response> Flags::gate(std::string_view name, std::string_view client,
                                           std::int64_t now) const {
  if (is_enabled(name, client, now)) return std::nullopt;
  return make_failure(failures::FeatureDisabled{.feature = std::string(name)});
}

model::Response Flags::run(std::string_view name, std::string_view client, std::int64_t now,
                           const std::function<model::Response()>& action,
                           const std::function<model::Response()>& otherwise) const {
  FlagDecision decision = evaluate(name, client, now);
  if (!decision.enabled) {
    return otherwise ? otherwise()
                     : make_failure(failures::FeatureDisabled{.feature = std::string(name)});
  }
  model::Response response = action();
  for (model::Warning& warning : decision.warnings) {
    if (std::ranges::find(response.warnings, warning) == response.warnings.end()) {
      response.warnings.push_back(std::move(warning));
    }
  }
  return response;
}

std::vector<FlagListing> Flags::list(std::string_view client, std::int64_t now) const {
  std::vector<FlagListing> out;
  out.reserve(flags_.size());
  for (const auto& [key, flag] : flags_) {
    out.push_back({.name = key,
                   .enabled = is_enabled(key, client, now),
                   .state = flag.state,
                   .description = flag.description,
                   .deprecation = deprecation_notice(flag)});
  }
  return out;
}

std::vector<FlagFinding> Flags::audit(std::int64_t now) const {
  std::vector<FlagFinding> out;
  for (const auto& [key, flag] : flags_) {
    if (is_expired(flag, now)) {
      out.push_back({key, "expired",
                     fmt::format("expired on {}: remove it, or set a later expires_at",
                                 format_time(*flag.expires_at))});
    }
    if (!flag.created_at) continue;
    const std::int64_t age = now - *flag.created_at;
    if (flag.state == FlagState::stable && age > kStableDays * kDay) {
      out.push_back({key, "stable_too_long",
                     fmt::format("stable for more than {} days: remove the flag, keep the feature",
                                 kStableDays)});
    }
    if (flag.state == FlagState::experimental && age > kExperimentalDays * kDay) {
      out.push_back({key, "experimental_too_long",
                     fmt::format("experimental for more than {} days: promote it or remove it",
                                 kExperimentalDays)});
    }
  }
  return out;
}

ScopedFlagOverride::ScopedFlagOverride(Flags& flags, std::string_view name, bool enabled)
    : ScopedFlagOverride(flags, Flags::OverrideKey(name, std::string()), enabled) {}

ScopedFlagOverride::ScopedFlagOverride(Flags& flags, std::string_view name, std::string_view client,
                                       bool enabled)
    : ScopedFlagOverride(flags, Flags::OverrideKey(name, client_or_anonymous(client)), enabled) {}

ScopedFlagOverride::ScopedFlagOverride(Flags& flags, Flags::OverrideKey key, bool enabled)
    : flags_(flags), key_(std::move(key)) {
  const auto [at, is_new] = flags.overrides_.try_emplace(key_, enabled);
  if (!is_new) before_ = std::exchange(at->second, enabled);
}

ScopedFlagOverride::~ScopedFlagOverride() {
  if (before_) {
    flags_.overrides_[key_] = *before_;
  } else {
    flags_.overrides_.erase(key_);
  }
}

json::Value to_json(const std::vector<FlagListing>& listing) {
  json::Writer writer;
  writer.begin_object();
  for (const FlagListing& flag : listing) {
    writer.key(flag.name).begin_object().member("enabled", flag.enabled);
    writer.member("state", name(flag.state)).member("description", flag.description);
    if (!flag.deprecation.empty()) writer.member("deprecation", flag.deprecation);
    writer.end_object();
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::contract
