// SPDX-License-Identifier: Apache-2.0
// Feature flags from a configuration object, and their dates.
#include "enfold/base/text.h"
#include "enfold/contract/legacy/flags.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <chrono>
#include <fmt/core.h>
#include <set>

namespace enfold::contract {
namespace {

// `where`, here and below: JSON Pointer to the value in the configuration.
tl::unexpected<Error> wrong(std::string_view expected, json::View found, std::string where) {
  constexpr std::size_t longest_shown = 80;  // bytes
  std::string shown = json::to_text(found);
  if (shown.size() > longest_shown) shown = std::string(json::name(found.kind()));
  return fail(ErrorCode::invalid_input, fmt::format("expected {}, found {}", expected, shown),
              std::move(where));
}

Result<bool> read_boolean(json::View value, const std::string& where) {
  if (!value.is_boolean()) return wrong("true or false", value, where);
  return value.boolean();
}

Result<std::string> read_text(json::View value, const std::string& where) {
  if (!value.is_string()) return wrong("a string", value, where);
  return value.string();
}

Result<std::vector<std::string>> read_texts(json::View value, const std::string& where) {
  std::vector<std::string> out;
  if (!value.is_array()) return wrong("an array of strings", value, where);
  for (const json::View item : value.items()) {
    if (!item.is_string()) return wrong("an array of strings", value, where);
    out.push_back(item.string());
  }
  return out;
}

Result<std::int64_t> read_time(json::View value, const std::string& where) {
  const auto time = value.is_string() ? parse_time(value.string()) : std::nullopt;
  if (!time) return wrong("an ISO-8601 date such as \"2026-01-31T12:00:00Z\"", value, where);
  return *time;
}

Result<double> read_percentage(json::View value, const std::string& where) {
  const auto number = value.is_number() ? value.real() : std::nullopt;
  if (!number || *number < 0 || *number > 100) {
    return wrong("a number from 0 to 100", value, where);
  }
  return *number;
}

Result<FlagState> read_state(json::View value, const std::string& where) {
  for (const FlagState state :
       {FlagState::experimental, FlagState::beta, FlagState::stable, FlagState::deprecated}) {
    if (value.equals(name(state))) return state;
  }
  return wrong("experimental, beta, stable or deprecated", value, where);
}

// Stores what was read in the field, or returns its error.
template <class T, class Field>
Status store(Result<T> read, Field& field) {
  if (!read) return tl::unexpected(std::move(read).error());
  field = *std::move(read);
  return {};
}

// Reads the field of Flag that has this key; nullopt: no field has it.
std::optional<Status> read_field(Flag& flag, const std::string& key, json::View value,
                                 const std::string& where) {
  if (key == "description") return store(read_text(value, where), flag.description);
  if (key == "state") return store(read_state(value, where), flag.state);
  if (key == "default_enabled") return store(read_boolean(value, where), flag.default_enabled);
  if (key == "created_at") return store(read_time(value, where), flag.created_at);
  if (key == "expires_at") return store(read_time(value, where), flag.expires_at);
  if (key == "owner") return store(read_text(value, where), flag.owner);
  if (key == "percentage_rollout") {
    return store(read_percentage(value, where), flag.percentage_rollout);
  }
  if (key == "allowed_clients") return store(read_texts(value, where), flag.allowed_clients);
  if (key == "blocked_clients") return store(read_texts(value, where), flag.blocked_clients);
  if (key == "dependencies") return store(read_texts(value, where), flag.dependencies);
  if (key == "metadata") {
    if (!value.is_object()) return wrong("an object", value, where);
    flag.metadata = json::Value(value);
    return Status{};
  }
  return std::nullopt;
}

/// Consumes a date from the front; after the first mismatch every call fails and `ok` is false.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}

  // The number of exactly `digits` digits.
  int number(std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (i >= rest_.size() || !is_digit(rest_[i])) return miss();
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  // Consumes `c` if it is next; else returns false, which is no mismatch.
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Consumes `c`; anything else is a mismatch.
  void must(char c) {
    if (!take(c)) miss();
  }
  // Consumes one digit or more; no digit is a mismatch.
  void skip_digits() {
    if (rest_.empty() || !is_digit(rest_.front())) miss();
    while (!rest_.empty() && is_digit(rest_.front())) rest_.remove_prefix(1);
  }
  void fail() { miss(); }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  // Notes a mismatch; returns the value of a failed read.
  int miss() {
    ok_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool ok_ = true;
};

// Seconds to subtract for the time zone; no zone means UTC.
int zone_offset(Scan& scan) {
  if (scan.at_end() || scan.take('Z') || scan.take('z')) return 0;
  const bool west = scan.take('-');
  if (!west) scan.must('+');
  const int hours = scan.number(2);
  scan.take(':');
  const int minutes = scan.at_end() ? 0 : scan.number(2);
  if (hours > 23 || minutes > 59) scan.fail();
  return (west ? -1 : 1) * (hours * 3600 + minutes * 60);
}

}  // namespace

Result<Flags> Flags::load(json::View config) {
  if (!config.is_object()) return wrong("an object of feature flags", config, "/");
  Flags flags = standard();
  std::set<std::string> seen;
  for (const json::Member& member : config.members()) {
    const std::string key = member.key.string();
    const std::string where = json::below("", key);
    if (!seen.insert(key).second) {
      return fail(ErrorCode::conflict, fmt::format("flag '{}' is configured twice", key), where,
                  "keep one of the two");
    }
    ENFOLD_TRY(flags.apply(key, member.value, where));
  }
  ENFOLD_TRY(flags.check_dependencies());
  return flags;
}

Status Flags::apply(std::string_view key, json::View setting, const std::string& where) {
  const Flag* const known = find(key);
  if (setting.is_boolean()) {
    // A setting for an unknown flag defines that flag.
    if (known == nullptr) {
      Status added = add({.name = std::string(key), .default_enabled = setting.boolean()});
      if (!added) added.error().where = where;
      return added;
    }
    set_override(key, setting.boolean());
    return {};
  }
  if (!setting.is_object()) return wrong("true, false or an object", setting, where);
  Flag flag = known != nullptr ? *known : Flag{.name = std::string(key)};
  for (const json::Member& member : setting.members()) {
    const std::string field = member.key.string();
    const std::string place = json::below(where, field);
    if (const auto status = read_field(flag, field, member.value, place)) {
      if (!*status) return *status;
    } else if (field == "enabled") {
      ENFOLD_TRY(const bool enabled, read_boolean(member.value, place));
      set_override(key, enabled);
    } else if (field == "clients") {
      if (!member.value.is_object()) {
        return wrong("an object of client names and booleans", member.value, place);
      }
      for (const json::Member& client : member.value.members()) {
        const std::string id = client.key.string();
        ENFOLD_TRY(const bool enabled, read_boolean(client.value, json::below(place, id)));
        set_override(key, id, enabled);
      }
    } else {
      return fail(ErrorCode::invalid_input, fmt::format("'{}' is not a field of a flag", field),
                  place,
                  "fields are description, state, default_enabled, created_at, expires_at, owner, "
                  "percentage_rollout, allowed_clients, blocked_clients, dependencies, metadata, "
                  "enabled, clients");
    }
  }
  flags_.erase(flag.name);
  Status added = add(std::move(flag));
  if (!added) added.error().where = where;
  return added;
}

Status Flags::check_dependencies() const {
  std::set<std::string_view> sound;    // flags whose dependencies were checked
  std::vector<std::string_view> path;  // from the flag where the walk began to the current one
  const std::function<Status(const Flag&)> visit = [&](const Flag& flag) -> Status {
    if (sound.contains(flag.name)) return {};
    const std::string where = json::below("", flag.name) + "/dependencies";
    if (const auto at = std::find(path.begin(), path.end(), flag.name); at != path.end()) {
      std::string cycle;
      for (auto step = at; step != path.end(); ++step) cycle += fmt::format("{} → ", *step);
      return fail(ErrorCode::invalid_input,
                  fmt::format("flags depend on each other in a cycle: {}{}", cycle, flag.name),
                  where, "remove one of these dependencies");
    }
    if (path.size() > kDeepestDependency) {
      return fail(ErrorCode::limit_exceeded,
                  fmt::format("flag '{}' stands at the end of more than {} dependencies", flag.name,
                              kDeepestDependency),
                  where, "shorten the chain");
    }
    path.push_back(flag.name);
    for (const std::string& name : flag.dependencies) {
      const Flag* const dependency = find(name);
      if (dependency == nullptr) {
        return fail(ErrorCode::not_found,
                    fmt::format("flag '{}' depends on '{}', which is not a flag", flag.name, name),
                    where, "correct the name, or configure that flag as well");
      }
      ENFOLD_TRY(visit(*dependency));
    }
    path.pop_back();
    sound.insert(flag.name);
    return {};
  };
  for (const auto& [key, flag] : flags_) {
    ENFOLD_TRY(visit(flag));
  }
  return {};
}

std::optional<std::int64_t> parse_time(std::string_view iso) {
  Scan scan(iso);
  const int year = scan.number(4);
  scan.must('-');
  const int month = scan.number(2);
  scan.must('-');
  const int day = scan.number(2);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!scan.ok() || !date.ok()) return std::nullopt;
  std::int64_t seconds =
      std::int64_t{std::chrono::sys_days(date).time_since_epoch().count()} * 86'400;
  if (scan.at_end()) return seconds;
  if (!scan.take('T') && !scan.take('t')) scan.must(' ');
  const int hour = scan.number(2);
  scan.must(':');
  const int minute = scan.number(2);
  const int second = scan.take(':') ? scan.number(2) : 0;
  if (scan.take('.')) scan.skip_digits();
  const int offset = zone_offset(scan);
  if (!scan.ok() || !scan.at_end() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return seconds + std::int64_t{hour} * 3600 + std::int64_t{minute} * 60 + second - offset;
}

std::string format_time(std::int64_t seconds) {
  using namespace std::chrono;
  const sys_seconds time{std::chrono::seconds(seconds)};
  const sys_days day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace enfold::contract
