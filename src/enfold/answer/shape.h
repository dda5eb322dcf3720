// SPDX-License-Identifier: Apache-2.0
// Reading and writing one tool answer: read ▶ outcome ▶ redact ▶ level ▶ contract ▶ write once.
// Pure: takes a parsed answer, returns finished bytes. Command line, library and gateway all use
// these functions.
#pragma once

#include "enfold/answer/channels.h"
#include "enfold/contract/contract.h"
#include "enfold/level/projection.h"
#include "enfold/redact/redact.h"

namespace enfold::answer {

struct ShapeSettings {
  contract::Id contract = contract::Id::response_v2;
  contract::Members members = contract::Members::strict;
  /// true: what the contract cannot express is written to its extension slot, and no foreign
  /// members and no `_meta` beside the envelope.
  bool extensions = false;
  std::optional<redact::Policy> redaction = redact::Policy{};  ///< nullopt: off
  model::Level level = model::Level::full;                     ///< of the projections
  /// For tools without declared fields; nullptr: payloads are shown whole.
  const level::ProjectionSet* projections = nullptr;
  Channels channels = Channels::both;
  /// Where the answer was found. `wrapped` is for data of any tool, as `parse` reads it: detection
  /// does not try the contract `memory`, and an MCP result inside a text is read as the answer.
  contract::Position position = contract::Position::document;
  /// false: an envelope inside an MCP result is read as plain data.
  bool detect_envelopes = true;
  /// A member of a result's `_meta` that Enfold writes itself and so does not copy; empty: none.
  std::string_view meta_not_copied{};
  std::string request_id_in_meta;  ///< written into the result's `_meta`; empty: none
  Limits limits;
};

/// The facts about a call that its answer contains. Reading adds request id and duration to the
/// answer unless the answer has its own.
struct Call {
  std::string tool;  ///< as the client called it; empty: use the name in the answer
  std::string request_id;
  std::optional<model::Number> duration_ms;  ///< nullopt: no duration is added
  /// The tool's name and version contain no secrets: they were searched before.
  bool tool_is_clean = false;
};

/// An answer after read, outcome, redact and level: ready for any contract.
struct ReadAnswer {
  contract::Reading reading;
  contract::Id from = contract::Id::json;  ///< the contract that `source` was read as
  json::Value source;                      ///< the document that was read, after redaction
  std::size_t redactions = 0;              ///< number of replaced secrets
  /// Made by Enfold or a typed tool, not read from a document; `source` is its payload, until
  /// make_document replaces it (stored/original.h).
  bool is_made_here = false;
  /// Members that only the gateway may write, as the upstream wrote them (provenance.h); nullopt:
  /// it wrote none.
  std::optional<json::Value> upstream = {};
  /// The form of the whole answer, if this is a cut answer or a page; nullopt: this is the whole.
  std::optional<contract::WholeForm> whole;
};

/// The part of `source` that is archived: the MCP result, without the JSON-RPC message around it.
[[nodiscard]] json::Value stored_value(const ReadAnswer& answer);

/// Whether name and version contain no secrets: for Call::tool_is_clean.
[[nodiscard]] bool is_clean_tool(std::string_view name, std::string_view version,
                                 const redact::Policy& policy);

/// Reads a document. `from`: its contract; nullopt: it is detected.
[[nodiscard]] Result<ReadAnswer> read_answer(const json::Document& answer,
                                             std::optional<contract::Id> from,
                                             const ShapeSettings& settings, const Call& call);
/// Reads a part of a message, such as the result of a JSON-RPC response.
[[nodiscard]] Result<ReadAnswer> read_answer(const json::Value& answer, contract::Id from,
                                             const ShapeSettings& settings, const Call& call);
/// Reads a text that is not JSON.
[[nodiscard]] ReadAnswer read_text_answer(std::string_view text, const ShapeSettings& settings,
                                          const Call& call);

/// Redacts an answer that was made by Enfold or a typed tool; fails only if that is impossible.
/// `rule`: what decided the outcome, for Reading::rule.
[[nodiscard]] Result<ReadAnswer> read_response(model::Response&& response, std::string rule,
                                               const ShapeSettings& settings, Call call);
[[nodiscard]] Result<ReadAnswer> read_response(const model::Response& response, std::string rule,
                                               const ShapeSettings& settings, Call call);

/// Writes the envelope alone, as in a file.
[[nodiscard]] Result<json::Output> write_envelope(const ReadAnswer& answer,
                                                  const ShapeSettings& settings);

/// Writes the envelope inside an MCP result: in the chosen channels, other content blocks after it,
/// isError = not success. The foreign members of the result that was read follow, unless the
/// envelope has them in its extension slot.
[[nodiscard]] Result<json::Output> write_result(const ReadAnswer& answer,
                                                const ShapeSettings& settings);
/// Whether write_result writes `_meta` for another reason than `request_id_in_meta`.
[[nodiscard]] bool has_foreign_meta(const ReadAnswer& answer, const ShapeSettings& settings);
/// Whether write_result writes `_meta`; then it is the last member.
[[nodiscard]] inline bool has_meta(const ReadAnswer& answer, const ShapeSettings& settings) {
  if (settings.extensions) return false;
  return !settings.request_id_in_meta.empty() || has_foreign_meta(answer, settings);
}

/// Warnings about JSON that the grammar allows and common parsers read differently.
[[nodiscard]] std::vector<model::Warning> json_warnings(const json::Document& document);

/// The members of the MCP result that are no part of the answer: `_meta`, and members that Enfold
/// does not know, after redaction. They are written beside the answer, whether it is cut or not.
[[nodiscard]] std::vector<json::Member> foreign_members(const ReadAnswer& answer);

}  // namespace enfold::answer
