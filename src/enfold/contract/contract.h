// SPDX-License-Identifier: Apache-2.0
// The response contracts: detecting, reading and rendering each of them, and converting between
// them with a list of what the target contract cannot express.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/json/write.h"
#include "enfold/model/response.h"

#include <array>
#include <span>

namespace enfold::schema {
class Schema;
struct Validation;
}  // namespace enfold::schema

namespace enfold::contract {

/// `mcp` is an MCP tool result or JSON-RPC response; `json` and `text` are data without a contract.
/// `response_v1` and `memory` are flat: the payload's members stand beside those of the envelope.
enum class Id { response_v2, response_v1, generic, scalpel_v1, memory, mcp, json, text };

struct Description {
  Id id;
  std::string_view name;    ///< on the wire, in config and on the command line
  std::string_view status;  ///< "current", "deprecated", or "input": only read, no envelope
  std::string_view summary;
  std::string_view removal;  ///< version of Enfold that removes the contract; empty: none planned
  std::string_view schema;   ///< file under schema/; empty: none
};
inline constexpr std::array<Description, 8> kDescriptions{{
    {Id::response_v2, "response-v2", "current", "success, data, error, meta: the default envelope",
     "", "response-v2"},
    {Id::response_v1, "response-v1", "deprecated",
     "flat envelope, written in place of response-v2 if the flag response_contract_v2 is off",
     "2.0.0", "response-v1"},
    {Id::generic, "generic", "current",
     "toolName, responseType and what belongs to it: for workflow programs", "", "generic"},
    {Id::scalpel_v1, "scalpel-v1", "current",
     "tier, tool, capabilities, upgrade hints around an unchanged payload", "", "scalpel-v1"},
    {Id::memory, "memory", "current", "success and the payload's members at the root", "",
     "memory"},
    {Id::mcp, "mcp", "input", "an MCP tool result or JSON-RPC response without an envelope", "",
     "mcp-result"},
    {Id::json, "json", "input", "any other JSON", "", ""},
    {Id::text, "text", "input", "text that is not JSON", "", ""},
}};

[[nodiscard]] constexpr std::span<const Description> all() { return kDescriptions; }
[[nodiscard]] constexpr const Description& describe(Id id) {
  return kDescriptions.at(static_cast<std::size_t>(id));
}
[[nodiscard]] constexpr std::string_view name(Id id) { return describe(id).name; }
/// Not `mcp`, `json` or `text`.
[[nodiscard]] constexpr bool is_envelope(Id id) { return id < Id::mcp; }
/// nullopt: no contract has this name.
[[nodiscard]] std::optional<Id> from_name(std::string_view name);

/// The JSON Schema of a contract; nullopt for `json` and `text`.
[[nodiscard]] std::optional<json::Value> schema(Id id);
/// The same, compiled once per process; nullptr for `json` and `text`.
[[nodiscard]] const schema::Schema* validator(Id id);

/// Where a document breaks the contract: at most `max_violations` of its schema, and members of the
/// envelope that occur twice. `id` must have a schema: not `json` or `text`.
[[nodiscard]] Result<schema::Validation> validate(Id id, json::View document,
                                                  const Limits& limits = {},
                                                  std::size_t max_violations = 50);

/// Where a document was found, which decides the contracts that `detect` tries. `memory` is
/// recognized only by a boolean `success`, which other data have too, so `detect` tries `memory`
/// only for a whole document.
enum class Position {
  document,       ///< the whole answer: every contract is tried
  wrapped,        ///< in a text, or in a member that only wraps it ({"output": …}): not `memory`
  inside_result,  ///< the data of an MCP result: neither `memory` nor `mcp`
};

/// The contract of a document. Tries response-v2, scalpel-v1, generic, mcp, response-v1, memory, in
/// this order; else `json`.
[[nodiscard]] Id detect(json::View document, Position position = Position::document);

/// Whether a JSON Schema describes an envelope: it names the members by which a contract is
/// recognized. The schema of `memory` has no such members, so for it the result is false.
[[nodiscard]] bool describes_envelope(json::View schema);

struct ReadOptions {
  bool detect_envelopes = true;  ///< false: an envelope inside an MCP result is read as data
  /// true: a text block that holds another MCP result is read as that result. Callers that give out
  /// JSON Pointers into the answer leave it off, because the pointers would no longer fit.
  bool unwrap_results = false;
  std::string tool;  ///< the tool's name, for answers that do not state it; empty: not known
  Limits limits;
};

struct Reading {
  model::Response response;
  model::Origin origin;
  std::string rule;      ///< the rule that decided the outcome, for `explain`
  json::Value envelope;  ///< the envelope, payload included, also from inside a result; null: none
  /// How many of `response.warnings`, from the first on, are stated in the envelope. The reader
  /// added the warnings after these.
  std::size_t stated_warnings = 0;
};

/// Reads a document as contract `id`. An envelope that breaks the contract is read too, with the
/// warning CONTRACT_VIOLATION for the first places that break it. Members that the schema does not
/// allow are kept in the residue.
[[nodiscard]] Result<Reading> read(Id id, json::View document, const ReadOptions& options = {});

/// For files, which have no content blocks beside the envelope: moves the blocks into the payload
/// if the payload is the list of blocks (Wrapping::content), else into `content` of the metadata.
void move_blocks_to_metadata(model::Response& response);

/// Reads text that is not JSON.
[[nodiscard]] Reading read_text(std::string_view text);

/// The shape and the page that `generic` states for a response, and the evidence for them.
struct ShapeStatement {
  model::Shape shape = model::Shape::single;
  std::string shape_reason;  ///< for people; empty: a failure
  std::optional<model::Page> page;
  std::string page_reason;  ///< why there is a next page or none; empty: not known
};
[[nodiscard]] ShapeStatement shape_of(const model::Response& response);

/// The shape of an answer as a whole. A part of the answer, read alone, may have another shape.
struct WholeForm {
  model::Shape shape = model::Shape::single;
  /// JSON Pointer to the answer's list in the payload ("": the payload itself); nullopt: the answer
  /// has no list, or the list was read from a text in the payload.
  std::optional<std::string> list;
};

/// The list that an answer is about, and what the tool says about its pages.
struct ListReading {
  json::Value items;
  model::Page page;
  bool has_paging = false;  ///< the tool says something about pages
};

/// What is read from an answer before it is cut, for rendering parts of it later.
struct WholeReading {
  WholeForm form;
  std::optional<ListReading> list;  ///< nullopt: the answer is not about a list
};
[[nodiscard]] WholeReading read_whole(const model::Response& response);

/// Which members scalpel-v1 writes; fewer cost fewer tokens. Other contracts always write all.
enum class Members {
  strict,    ///< all members, as the schema requires; the residue is restored only here
  minimal,   ///< only `data`, and `error` and `upgrade_hints` if there are any
  standard,  ///< also `error` (null) and `upgrade_hints` ([]) if there are none
  verbose,   ///< also `duration_ms`
  debug,     ///< all members
};
[[nodiscard]] std::optional<Members> members_from_name(std::string_view name);

struct RenderOptions {
  Members members = Members::strict;
  std::string fallback_request_id;  ///< for scalpel-v1, if the response has none
  /// Content of the extension slot; nullopt: none. `write` ignores it and makes its own.
  std::optional<json::Value> extension;
  /// The form of the whole answer, if the response is a part of it: cut, or a page. nullopt: the
  /// response is the whole.
  std::optional<WholeForm> form_of_whole;
};

/// Writes one value: the response in this contract. Restores no residue.
void render(Id id, const model::Response& response, const RenderOptions& options,
            json::Writer& writer);

struct ConvertOptions {
  RenderOptions render;
  bool extensions = true;  ///< use the target's extension slot, unless Origin::concise
};

struct Loss {
  std::string path;    ///< JSON Pointer into the source
  std::string reason;  ///< "no place in scalpel-v1", "changed: 3 became 0"
  friend bool operator==(const Loss&, const Loss&) = default;
};

/// Renders the response in contract `to`. If the response was read from the same contract, its
/// residue is restored (Members::strict).
[[nodiscard]] Result<json::Output> write(const Reading& reading, Id to,
                                         const ConvertOptions& options);

/// What of `source` is missing in `output`, which is in contract `to`. The paths point into the
/// envelope that was read, or into `source` if the source follows no contract.
[[nodiscard]] Result<std::vector<Loss>> losses(json::View source, const Reading& reading, Id to,
                                               json::View output);

/// The prefix, "_" and the random bytes as 12 hex digits.
[[nodiscard]] std::string make_request_id(std::span<const std::uint8_t, 6> random,
                                          std::string_view prefix = "req");

/// The request id in `_meta` of a call: the first of dev.enfold/request_id, request_id, requestId,
/// correlation_id and correlationId that is a text and not blank, trimmed; empty: none.
[[nodiscard]] std::string request_id_from(json::View meta);

}  // namespace enfold::contract
