// SPDX-License-Identifier: Apache-2.0
// The one in-memory response. Every contract is a way to read it and a way to render it; nothing
// outside module `contract` knows a contract's field names. Plain values with ==.
#pragma once

#include "enfold/json/diff.h"
#include "enfold/json/document.h"
#include "enfold/model/names.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace enfold::model {

/// A number kept by its text, so that 1.0 stays 1.0 and 2^70 stays exact.
struct Number {
  std::string text;
  [[nodiscard]] static Number of(std::int64_t value) { return {std::to_string(value)}; }
  friend bool operator==(const Number&, const Number&) = default;
};

struct Failure {
  ErrorKind kind = ErrorKind::bug;
  std::string code;  ///< as the source spelled it; empty: the contract's own code for the kind
  std::optional<ErrorType> type;  ///< when the source named one
  std::string message;
  std::vector<std::string> remediation;
  std::optional<json::Value> details;
  std::optional<Number> retry_after;  ///< seconds
  friend bool operator==(const Failure&, const Failure&) = default;
};

struct Warning {
  std::string code;  ///< empty: a bare sentence
  std::optional<Severity> severity;
  std::string message;
  std::optional<json::Value> context;
  friend bool operator==(const Warning&, const Warning&) = default;
};

struct Page {
  std::optional<std::string> cursor;  ///< opaque, when it is not just `next_offset` encoded
  std::optional<bool> has_more;
  std::optional<Number> total;
  std::optional<Number> page_size;
  std::optional<Number> offset;
  std::optional<Number> next_offset;
  std::optional<std::string> before;
  std::optional<std::string> after;
  std::optional<Number> returned;
  friend bool operator==(const Page&, const Page&) = default;
};

struct RateLimit {
  std::optional<Number> limit;
  std::optional<Number> remaining;
  std::optional<std::string> reset_at;
  std::optional<std::string> period;
  std::optional<Number> retry_after;
  friend bool operator==(const RateLimit&, const RateLimit&) = default;
};

struct Telemetry {
  std::optional<Number> duration_ms;
  std::optional<bool> cache_hit;
  std::optional<Number> downstream_calls;
  friend bool operator==(const Telemetry&, const Telemetry&) = default;
};

struct ArchiveEntry {
  std::string handle;
  std::string hash;
  friend bool operator==(const ArchiveEntry&, const ArchiveEntry&) = default;
};

/// Present exactly when something was reduced.
struct Reduction {
  Fidelity level = Fidelity::partial;
  std::vector<std::string> dropped_ids;
  std::vector<ArchiveEntry> archive;
  std::vector<std::string> briefed;   ///< places of items without some of their members or text
  std::vector<std::string> clipped;   ///< places of strings that end in a marker
  std::vector<std::string> columnar;  ///< places of lists that are shown as a table
  std::optional<json::Value> facts;   ///< counts, values and ranges of the whole payload
  std::optional<json::Value> index;   ///< one row for every item
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
  std::string tier;
  std::string reason;
  friend bool operator==(const UpgradeHint&, const UpgradeHint&) = default;
};

struct Response {
  Outcome outcome = Outcome::ok;
  std::optional<json::Value> payload;  ///< bare; wrapping is the renderer's business
  Wrapping wrapping = Wrapping::none;  ///< what an object-only contract makes of the payload
  std::optional<Shape> shape;          ///< when the source said so
  std::optional<Failure> failure;      ///< exactly when the outcome is `failed`
  std::vector<Warning> warnings;
  std::optional<Page> page;
  std::optional<RateLimit> rate_limit;
  std::optional<Telemetry> telemetry;
  std::optional<Reduction> reduction;
  Tool tool;
  std::vector<UpgradeHint> upgrade_hints;
  std::string request_id;
  std::string message;  ///< human text of a success
  std::optional<Level> level;
  std::vector<json::Value> blocks;      ///< MCP content that travels beside the envelope
  std::optional<json::Value> metadata;  ///< tool-specific members without a place of their own
  friend bool operator==(const Response&, const Response&) = default;
};

[[nodiscard]] inline bool succeeded(const Response& response) {
  return response.outcome != Outcome::failed;
}

/// Where a response was read from, and what its contract's rendering of it would not show again:
/// unknown members, explicit nulls, unusual spellings. Applied when it returns to that contract.
struct Origin {
  std::string contract;
  std::vector<json::Change> residue;
  bool altered = false;  ///< after it was read: of the residue only what is beside the rest applies
  bool concise = false;  ///< no room for an extension, even where there is a slot
};

}  // namespace enfold::model
