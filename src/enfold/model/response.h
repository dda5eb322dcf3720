// SPDX-License-Identifier: Apache-2.0
// A tool's response in memory, independent of any contract. Module `contract` reads and renders it
// in each contract; no other module knows a contract's field names. Plain values with ==.
#pragma once

#include "enfold/json/document.h"
#include "enfold/json/pointer.h"

#include <array>

namespace enfold::model {

/// The names of an enumeration; an enumerator is spelled the same in C++ and on the wire.
/// Specialized for each enumeration of the model: `values` holds the names in the order of the
/// enumerators. level/types.h defines it for other enumerations.
template <class Enum>
struct Names;

namespace detail {

[[nodiscard]] constexpr std::size_t count_names(std::string_view list) {
  std::size_t count = 1;
  for (const char c : list) count += c == ',' ? 1 : 0;
  return count;
}

/// "ok, partial, failed" as an array of names.
template <std::size_t count>
constexpr std::array<std::string_view, count> split_names(std::string_view list) {
  std::array<std::string_view, count> names;
  for (std::string_view& name : names) {
    const std::size_t end = list.find(',');
    name = list.substr(0, end);
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 2);
  }
  return names;
}

}  // namespace detail

// Declares an enumeration and its names.
#define ENFOLD_MODEL_ENUM(Enum, ...)                                          \
  enum class Enum { __VA_ARGS__ };                                            \
  template <>                                                                 \
  struct Names<Enum> {                                                        \
    static constexpr auto values =                                            \
        detail::split_names<detail::count_names(#__VA_ARGS__)>(#__VA_ARGS__); \
  }

template <class Enum>
[[nodiscard]] constexpr std::string_view name(Enum value) {
  return Names<Enum>::values[static_cast<std::size_t>(value)];
}

template <class Enum>
[[nodiscard]] constexpr std::optional<Enum> from_name(std::string_view text) {
  for (std::size_t i = 0; i < Names<Enum>::values.size(); ++i) {
    if (Names<Enum>::values[i] == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

ENFOLD_MODEL_ENUM(Outcome, ok, partial, failed);  ///< partial: some of the work failed
ENFOLD_MODEL_ENUM(Shape, list, single, action, tool_catalog, error);  ///< of an answer in `generic`
ENFOLD_MODEL_ENUM(Severity, info, warning, error);
ENFOLD_MODEL_ENUM(Tier, community, pro, enterprise);  ///< service tier of a call

/// The requested level of detail.
ENFOLD_MODEL_ENUM(Level, minimal, standard, full);

/// How much of the requested content the response holds.
ENFOLD_MODEL_ENUM(Fidelity, full, partial, summary, reference_only);

/// The member that holds a non-object payload in a contract that requires an object. `none`: the
/// payload is an object, or the contract chooses `items` for a list and `result` for other values.
ENFOLD_MODEL_ENUM(Wrapping, none, items, result, text, content);

/// `error_type` of response-v2; a closed set.
ENFOLD_MODEL_ENUM(ErrorType, validation, authentication, authorization, not_found, conflict,
                  rate_limit, feature_flag, internal, unavailable);

/// What went wrong. The error codes of all contracts are translated through these kinds, which
/// contract/errors/error_codes.cc explains by their codes. `tool_error`: the cause is not known.
ENFOLD_MODEL_ENUM(ErrorKind, bad_input, bad_path, unauthenticated, not_allowed, missing, conflict,
                  throttled, flag_off, tier_too_low, not_built, timeout, dependency_down, too_large,
                  exhausted, correctable, bug, tool_error);

#undef ENFOLD_MODEL_ENUM

/// A number stored as its JSON text, so that 1.0 stays 1.0 and 2^70 stays exact.
struct Number {
  std::string text;
  [[nodiscard]] static Number of(std::int64_t value) { return {std::to_string(value)}; }
  friend bool operator==(const Number&, const Number&) = default;
};

struct Failure {
  ErrorKind kind = ErrorKind::bug;
  std::string code;  ///< as in the source; empty: each contract uses its code for `kind`
  std::optional<ErrorType> type;  ///< if the source named one
  std::string message;
  std::vector<std::string> remediation;  ///< what the caller can do, one step per item
  std::optional<json::Value> details;
  std::optional<Number> retry_after;  ///< seconds
  /// The failure was read from members of the tool's data; the payload holds the other members.
  bool read_from_data = false;
  friend bool operator==(const Failure&, const Failure&) = default;
};

struct Warning {
  std::string code;  ///< empty: the warning has only a message
  std::optional<Severity> severity;
  std::string message;
  std::optional<json::Value> context;
  friend bool operator==(const Warning&, const Warning&) = default;
};

struct Page {
  std::optional<std::string> cursor;  ///< opaque; unset if it only encodes `next_offset`
  std::optional<bool> has_more;
  std::optional<Number> total;        ///< items of all pages
  std::optional<Number> page_size;    ///< most items of a page
  std::optional<Number> offset;       ///< of the first item of this page, from 0
  std::optional<Number> next_offset;  ///< of the first item of the next page
  std::optional<std::string> before;  ///< cursor of the page before this one
  std::optional<std::string> after;   ///< cursor of the page after this one
  std::optional<Number> returned;     ///< number of items in this page
  friend bool operator==(const Page&, const Page&) = default;
};

struct RateLimit {
  std::optional<Number> limit;          ///< calls per period
  std::optional<Number> remaining;      ///< calls left in this period
  std::optional<std::string> reset_at;  ///< time, as the source writes it
  std::optional<std::string> period;    ///< of the limit, such as "minute"
  std::optional<Number> retry_after;    ///< seconds
  friend bool operator==(const RateLimit&, const RateLimit&) = default;
};

struct Telemetry {
  std::optional<Number> duration_ms;
  std::optional<bool> cache_hit;
  std::optional<Number> downstream_calls;  ///< requests that the tool itself made
  friend bool operator==(const Telemetry&, const Telemetry&) = default;
};

struct ArchiveEntry {
  std::string handle;  ///< argument of `enfold_fetch` that opens the stored answer
  std::string hash;    ///< of the stored bytes, "sha256:…"; shortened in a small budget
  friend bool operator==(const ArchiveEntry&, const ArchiveEntry&) = default;
};

/// What was cut from the payload; present only if something was. Pointers lead into the payload
/// before the cut, or name a range of items: "/items/18..499", both ends included.
struct Reduction {
  Fidelity level = Fidelity::partial;    ///< how much is shown; not the requested Level
  std::vector<std::string> dropped_ids;  ///< ids of items, or pointers, that are not shown
  std::vector<ArchiveEntry> archive;     ///< the original; empty: not stored, or no room to say
  std::string way_back;               ///< for the reader: a call that opens the rest; empty: none
  std::vector<std::string> briefed;   ///< pointers to items shown without some members or text
  std::vector<std::string> clipped;   ///< pointers to strings that were shortened
  std::vector<std::string> columnar;  ///< pointers to lists shown as a table
  std::optional<json::Value> facts;   ///< by pointer: counts, value counts, ranges
  std::optional<json::Value> index;   ///< by pointer: rows for items and lines that are not shown
  friend bool operator==(const Reduction&, const Reduction&) = default;
};

struct Tool {
  std::string id;
  std::string version;
  std::optional<Tier> tier;
  std::vector<std::string> capabilities;
  friend bool operator==(const Tool&, const Tool&) = default;
};

struct UpgradeHint {
  std::string feature;
  std::string tier;  ///< that has the feature: a name of Tier, or another from the source
  std::string reason;
  friend bool operator==(const UpgradeHint&, const UpgradeHint&) = default;
};

struct Response {
  Outcome outcome = Outcome::ok;
  std::optional<json::Value> payload;  ///< the tool's data, not wrapped
  Wrapping wrapping = Wrapping::none;  ///< how contracts that require an object wrap the payload
  std::optional<Shape> shape;          ///< if the source named it
  std::optional<Failure> failure;      ///< set if and only if the outcome is `failed`
  std::vector<Warning> warnings;
  std::optional<Page> page;
  std::optional<RateLimit> rate_limit;
  std::optional<Telemetry> telemetry;
  std::optional<Reduction> reduction;
  Tool tool;
  std::vector<UpgradeHint> upgrade_hints;
  std::string request_id;
  std::string message;  ///< text for users about a success; Failure::message describes a failure
  std::optional<Level> level;  ///< at which Enfold or the tool rendered the payload, if known
  /// MCP content blocks beside the payload, or the binary ones that the payload only describes.
  std::vector<json::Value> blocks;
  std::optional<json::Value> metadata;  ///< members of the source that no other field holds
  friend bool operator==(const Response&, const Response&) = default;
};

[[nodiscard]] inline bool succeeded(const Response& response) {
  return response.outcome != Outcome::failed;
}

/// The contract a response was read from, and the residue: what rendering it in that contract again
/// would not reproduce (unknown members, explicit nulls, other spellings). Enfold applies the
/// residue when it renders the response in the same contract.
struct Origin {
  std::string contract;
  std::vector<json::Change> residue;
  bool altered = false;  ///< the response changed since: only residue that adds members is applied
  bool concise = false;  ///< write no extension, even if the contract has a slot for one
};

}  // namespace enfold::model
