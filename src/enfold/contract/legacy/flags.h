// SPDX-License-Identifier: Apache-2.0
// Feature flags: a registry, their evaluation, and the failure of a tool whose flag is off. The
// caller passes the time (seconds since 1970-01-01 UTC), so evaluation is deterministic. Flags is
// not synchronized: callers that share it between threads lock it.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/model/response.h"

#include <functional>
#include <map>

namespace enfold::contract {

/// experimental and beta are off by default, stable and deprecated are on. A deprecated flag warns
/// and will be removed.
enum class FlagState { experimental, beta, stable, deprecated };

[[nodiscard]] std::string_view name(FlagState state);

struct Flag {
  std::string name;  ///< letters, digits, `_`, `-` and `.`
  std::string description;
  FlagState state = FlagState::beta;
  std::optional<bool> default_enabled;     ///< nullopt: on for stable and deprecated
  std::optional<std::int64_t> created_at;  ///< seconds since 1970; nullopt: not known
  std::optional<std::int64_t> expires_at;  ///< seconds since 1970; nullopt: never
  std::string owner;
  double percentage_rollout = 100;           ///< percent of clients, if the flag is on by default
  std::vector<std::string> allowed_clients;  ///< empty: all clients
  std::vector<std::string> blocked_clients;
  std::vector<std::string> dependencies;  ///< names of flags that must be on
  std::optional<json::Value> metadata;

  [[nodiscard]] bool is_default_enabled() const {
    return default_enabled.value_or(state == FlagState::stable || state == FlagState::deprecated);
  }
  /// Whether the flag has its default value for every client at any time, unless it is overridden.
  [[nodiscard]] bool is_unconditional() const {
    return !expires_at && blocked_clients.empty() && allowed_clients.empty() &&
           dependencies.empty() && percentage_rollout >= 100;
  }
};

struct FlagDecision {
  bool enabled = false;
  std::string rule;  ///< the rule that decided, for `explain`
  std::vector<model::Warning> warnings;
};

struct FlagListing {
  std::string name;
  bool enabled = false;
  FlagState state = FlagState::beta;
  std::string description;
  std::string deprecation;  ///< a notice, with the expiry date if set; empty: not deprecated
};

/// A flag that `audit` reports.
struct FlagFinding {
  std::string flag;
  std::string rule;  ///< "expired", "stable_too_long" or "experimental_too_long"
  std::string message;
};

/// The client id of calls that have none.
inline constexpr std::string_view kAnonymousClient = "anonymous";

/// The flag that chooses between response-v2 (on) and response-v1 (off).
inline constexpr std::string_view kResponseContractFlag = "response_contract_v2";

class Flags {
 public:
  /// The built-in registry: response_contract_v2, stable and on.
  [[nodiscard]] static Flags standard();

  /// The built-in registry changed by a configuration object: name → boolean, or name → object
  /// with the fields of Flag plus `enabled` (override for all) and `clients` (client → override).
  [[nodiscard]] static Result<Flags> load(json::View config);

  /// Refuses duplicate and invalid names and invalid percentages.
  [[nodiscard]] Status add(Flag flag);
  /// nullptr: there is no such flag.
  [[nodiscard]] const Flag* find(std::string_view name) const {
    const auto at = flags_.find(name);
    return at == flags_.end() ? nullptr : &at->second;
  }

  /// Without the argument `client`: for all clients; with an empty one: for kAnonymousClient. The
  /// flag need not exist.
  void set_override(std::string_view name, bool enabled);
  void set_override(std::string_view name, std::string_view client, bool enabled);
  void clear_override(std::string_view name);
  void clear_override(std::string_view name, std::string_view client);

  /// The first of these rules that applies decides: override for the client, override for all,
  /// unknown flag (`fallback`), expired flag (`fallback`), block list, allow list, dependencies,
  /// percentage, default. A deprecated flag adds a warning, unless an override decides.
  [[nodiscard]] FlagDecision evaluate(std::string_view name, std::string_view client,
                                      std::int64_t now, bool fallback = false) const;

  /// evaluate() without the texts, for the hot path.
  [[nodiscard]] bool is_enabled(std::string_view name, std::string_view client, std::int64_t now,
                                bool fallback = false) const {
    if (overrides_.empty()) {
      const Flag* const flag = find(name);
      if (flag == nullptr) return fallback;
      if (flag->is_unconditional()) return flag->is_default_enabled();
    }
    return decide(name, client, now, fallback);
  }

  /// The failure FEATURE_DISABLED if the flag is off, else nullopt.
  [[nodiscard]] std::optional<model::Response> gate(std::string_view name, std::string_view client,
                                                    std::int64_t now) const;

  /// Calls `action` if the flag is on, and adds the warnings of the decision to its response. If
  /// the flag is off, calls `otherwise`, or returns gate() if `otherwise` is empty.
  [[nodiscard]] model::Response run(std::string_view name, std::string_view client,
                                    std::int64_t now,
                                    const std::function<model::Response()>& action,
                                    const std::function<model::Response()>& otherwise = {}) const;

  /// Sorted by name.
  [[nodiscard]] std::vector<FlagListing> list(std::string_view client, std::int64_t now) const;
  /// Expired flags, stable flags older than 90 days, experimental flags older than 30 days.
  [[nodiscard]] std::vector<FlagFinding> audit(std::int64_t now) const;

 private:
  // is_enabled() with all rules.
  [[nodiscard]] bool decide(std::string_view name, std::string_view client, std::int64_t now,
                            bool fallback) const;

  friend class ScopedFlagOverride;
  friend class FlagEvaluation;
  using OverrideKey = std::pair<std::string, std::string>;  // flag, client (empty: all clients)
  // Flags in a chain: check_dependencies() refuses longer ones; in decide() flags beyond are off.
  static constexpr std::size_t kDeepestDependency = 100;

  // Applies one entry of the configuration. `where`: JSON Pointer to the entry, for errors.
  [[nodiscard]] Status apply(std::string_view name, json::View setting, const std::string& where);
  // Refuses dependencies on unknown flags, cycles, and chains that are too long.
  [[nodiscard]] Status check_dependencies() const;

  std::map<std::string, Flag, std::less<>> flags_;
  std::map<OverrideKey, bool> overrides_;
};

/// Overrides a flag for its lifetime, then restores the previous override; can be nested. The Flags
/// object must not move.
class ScopedFlagOverride {
 public:
  ScopedFlagOverride(Flags& flags, std::string_view name, bool enabled);
  ScopedFlagOverride(Flags& flags, std::string_view name, std::string_view client, bool enabled);
  ScopedFlagOverride(const ScopedFlagOverride&) = delete;
  ScopedFlagOverride& operator=(const ScopedFlagOverride&) = delete;
  ~ScopedFlagOverride();

 private:
  ScopedFlagOverride(Flags& flags, Flags::OverrideKey key, bool enabled);
  Flags& flags_;
  Flags::OverrideKey key_;
  std::optional<bool> before_;  // the previous override; nullopt: there was none
};

/// 1…100, always the same for a flag and client: MD5 of "name:client" modulo 100, plus 1.
[[nodiscard]] int rollout_bucket(std::string_view name, std::string_view client);

/// {"name": {"enabled", "state", "description", "deprecation"?}, …}
[[nodiscard]] json::Value to_json(const std::vector<FlagListing>& listing);

/// Seconds since 1970 of an ISO-8601 text: a date, or date and time with an optional fraction
/// (ignored) and an optional zone (by default UTC). nullopt: the text is something else.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view iso);
/// "2026-01-31T12:00:00Z"; `seconds` since 1970.
[[nodiscard]] std::string format_time(std::int64_t seconds);

}  // namespace enfold::contract
