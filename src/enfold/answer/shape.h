// SPDX-License-Identifier: Apache-2.0
// Reading and writing one tool answer: read ▶ outcome ▶ redact ▶ level ▶ contract ▶ write once.
// Pure: takes a parsed answer, returns finished bytes. Command line, library and gateway all use
// these functions.
#pragma once

#include "enfold/contract/contract.h"
#include "enfold/level/projection.h"
#include "enfold/redact/redact.h"

namespace enfold::answer {

/// In which channel of an MCP result the envelope travels. Clients differ in what their model
/// reads, so both is the default.
enum class Channels { both, structured, text };

struct ShapeSettings {
  contract::Id contract = contract::Id::response_v2;
  contract::Members members = contract::Members::strict;
  bool extensions = false;  ///< keep members that the contract lacks in its extension member
  std::optional<redact::Policy> redaction = redact::Policy{};  ///< nullopt: off
  model::Level level = model::Level::full;
  const level::ProjectionSet* projections = nullptr;  ///< of tools that declare no fields
  Channels channels = Channels::both;
  /// Whether flat contracts are looked for: not where the data of any tool is read (`parse`).
  contract::Position position = contract::Position::document;
  /// false: an envelope that an upstream answers with is its data.
  bool detect_envelopes = true;
  /// A member of a result's `_meta` that Enfold writes itself and so does not copy; empty: none.
  std::string_view replaced_meta{};
  std::string request_id_in_meta;  ///< written into the result's `_meta`; empty: none
  Limits limits;
};

/// The facts about a call that its answer contains.
struct Call {
  std::string tool;
  std::string request_id;
  std::optional<model::Number> duration_ms;
  /// The tool's name and version contain no secrets: they were searched before.
  bool tool_is_clean = false;
};

/// An answer after read, outcome, redact and level: ready for any contract.
struct ReadAnswer {
  contract::Reading reading;
  contract::Id from = contract::Id::json;
  json::Value source;  ///< the document that was read, after redaction
  std::size_t redactions = 0;
  bool is_own = false;  ///< made by a typed tool, not read from a document; `source` is its payload
  /// Members that only the gateway may write, as the upstream wrote them: provenance.h.
  std::optional<json::Value> upstream = {};
  std::optional<contract::WholeForm> whole;  ///< of an answer that was cut, or a page of it
};

/// The MCP result inside the message that was read: this part is archived.
[[nodiscard]] json::Value stored_value(const ReadAnswer& answer);

/// Whether name and version contain no secrets: for Call::tool_is_clean.
[[nodiscard]] bool is_clean_tool(std::string_view name, std::string_view version,
                                 const redact::Policy& policy);

/// `from` nullopt: detected.
[[nodiscard]] Result<ReadAnswer> read_answer(const json::Document& answer,
                                             std::optional<contract::Id> from,
                                             const ShapeSettings& settings, const Call& call);
/// Reads a part of a message, such as the result of a JSON-RPC response.
[[nodiscard]] Result<ReadAnswer> read_answer(const json::Value& answer, contract::Id from,
                                             const ShapeSettings& settings, const Call& call);
[[nodiscard]] ReadAnswer read_text_answer(std::string_view text, const ShapeSettings& settings,
                                          const Call& call);

/// An answer that was made by Enfold or a typed tool, not read from a document.
[[nodiscard]] Result<ReadAnswer> read_response(model::Response&& response, std::string rule,
                                               const ShapeSettings& settings, Call call);
[[nodiscard]] Result<ReadAnswer> read_response(const model::Response& response, std::string rule,
                                               const ShapeSettings& settings, Call call);

/// The envelope alone, as in a file.
[[nodiscard]] Result<json::Output> write_envelope(const ReadAnswer& answer,
                                                  const ShapeSettings& settings);

/// The envelope inside an MCP result: in the chosen channels, other content blocks after it,
/// isError = not success. Members that the result had beside the answer follow, `_meta` among them,
/// unless the envelope holds them in its extension slot.
[[nodiscard]] Result<json::Output> write_result(const ReadAnswer& answer,
                                                const ShapeSettings& settings);

/// Warnings about JSON that the grammar allows and common parsers read differently.
[[nodiscard]] std::vector<model::Warning> json_warnings(const json::Document& document);

/// The members of the MCP result that the answer was read from which Enfold does not know, and
/// `_meta`, after redaction. They stay beside the answer, whether it is cut or not.
[[nodiscard]] std::vector<json::Member> foreign_members(const ReadAnswer& answer);

/// Writes them into the open object of a result, without the member `replaced_meta` of `_meta`.
void write_foreign_members(const ReadAnswer& answer, std::string_view replaced_meta,
                           json::Writer& writer);

}  // namespace enfold::answer
