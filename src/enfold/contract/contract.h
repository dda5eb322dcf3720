// SPDX-License-Identifier: Apache-2.0
// The contracts: for each one a way to detect, to read and to render it, over one model.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/base/result.h"
#include "enfold/json/write.h"
#include "enfold/model/response.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace enfold::contract {

/// `mcp` is a bare tool result or JSON-RPC response, `json` and `text` anything without a contract.
enum class Id { response_v2, response_v1, generic, scalpel_v1, memory, mcp, json, text };

struct Description {
  Id id;
  std::string_view name;    ///< on the wire, in config and on the command line
  std::string_view status;  ///< "current", "deprecated", "input"
  std::string_view summary;
  std::string_view removal;  ///< version that drops it; empty: none planned
  std::string_view schema;   ///< file under schema/; empty: anything goes
};
[[nodiscard]] std::span<const Description> all();
[[nodiscard]] const Description& describe(Id id);
[[nodiscard]] std::string_view name(Id id);
[[nodiscard]] bool is_envelope(Id id);  ///< not `mcp`, `json` or `text`
[[nodiscard]] std::optional<Id> from_name(std::string_view name);

/// The JSON Schema of a contract; nullopt for `json` and `text`.
[[nodiscard]] std::optional<json::Value> schema(Id id);

/// Where a document stands: flat contracts have no marker beyond a boolean `success`, so inside
/// a tool's own data they are never guessed.
enum class Position { document, inside_result };

/// In the order response-v2, scalpel-v1, generic, mcp, response-v1, memory, json.
[[nodiscard]] Id detect(json::View document, Position position = Position::document);

/// The JSON Schema is that of an envelope: it names every member by which one is detected.
[[nodiscard]] bool describes_envelope(json::View schema);

struct ReadOptions {
  std::string tool;                  ///< the tool's name, when the caller knows it
  bool honour_root_failure = false;  ///< `read` is `read_any` (parse.h), whatever the id
  Limits limits;
};

struct Reading {
  model::Response response;
  model::Origin origin;
  std::string rule;      ///< which rule decided the outcome, in words
  json::Value envelope;  ///< the document in the origin's contract; null for raw data
};

/// Tolerant: what a contract's schema would refuse is kept in the residue, not dropped.
[[nodiscard]] Result<Reading> read(Id id, json::View document, const ReadOptions& options = {});

/// Text that is not JSON, as the answer of a tool.
[[nodiscard]] Reading read_text(std::string_view text);

/// Which envelope members an operator wants to pay for.
enum class Members { strict, minimal, standard, verbose, debug };
[[nodiscard]] std::optional<Members> members_from_name(std::string_view name);

struct RenderOptions {
  Members members = Members::strict;
  std::string fallback_request_id;       ///< for contracts that demand one
  std::optional<json::Value> extension;  ///< what goes into the contract's extension slot
};

/// Writes one value: the response in this contract.
void render(Id id, const model::Response& response, const RenderOptions& options,
            json::Writer& writer);

}  // namespace enfold::contract
