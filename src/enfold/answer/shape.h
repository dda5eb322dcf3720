// SPDX-License-Identifier: Apache-2.0
// The life of one tool answer: read ▶ outcome ▶ redact ▶ level ▶ contract ▶ write once.
// Pure: a parsed answer goes in, finished bytes come out. Everything that serves answers (command
// line, library, gateway) runs this and nothing else.
#pragma once

#include "enfold/contract/contract.h"
#include "enfold/level/projection.h"
#include "enfold/redact/redact.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::answer {

/// In which channel of an MCP result the envelope travels. Clients differ in what their model
/// reads, so both is the default.
enum class Channels { both, structured, text };

struct ShapeSettings {
  contract::Id contract = contract::Id::response_v2;
  contract::Members members = contract::Members::strict;
  bool extensions = false;                                     ///< use the contract's slot
  std::optional<redact::Policy> redaction = redact::Policy{};  ///< nullopt: off
  model::Level level = model::Level::full;
  const level::ProjectionSet* projections = nullptr;  ///< for tools we did not write
  Channels channels = Channels::both;
  /// Whether flat contracts are looked for: not where the data of any tool is read (`parse`).
  contract::Position position = contract::Position::document;
  /// The member of a result's `_meta` that the sender of the result writes itself; empty: none.
  std::string_view replaced_meta{};
  Limits limits;
};

/// What is known about the call that the answer belongs to.
struct Call {
  std::string tool;
  std::string request_id;
  std::optional<model::Number> duration_ms;
  /// The tool's name and version were searched for secrets before, and hold none.
  bool tool_is_clean = false;
};

/// An answer after read, outcome, redact and level: ready for any contract.
struct ReadAnswer {
  contract::Reading reading;
  contract::Id from = contract::Id::json;
  json::Value source;  ///< what was read, after redaction
  std::size_t redactions = 0;
  bool is_own = false;  ///< never stood in a document; `source` is its payload
};

/// For Call::tool_is_clean.
[[nodiscard]] bool is_clean_tool(std::string_view name, std::string_view version,
                                 const redact::Policy& policy);

/// `from` nullopt: detected.
[[nodiscard]] Result<ReadAnswer> read_answer(const json::Document& answer,
                                             std::optional<contract::Id> from,
                                             const ShapeSettings& settings, const Call& call);
/// A part of a message, such as the result of a JSON-RPC response.
[[nodiscard]] Result<ReadAnswer> read_answer(const json::Value& answer, contract::Id from,
                                             const ShapeSettings& settings, const Call& call);
[[nodiscard]] ReadAnswer read_text_answer(std::string_view text, const ShapeSettings& settings,
                                          const Call& call);

/// An answer that was made here and never stood in a document.
[[nodiscard]] Result<ReadAnswer> read_response(model::Response&& response, std::string rule,
                                               const ShapeSettings& settings, Call call);
[[nodiscard]] Result<ReadAnswer> read_response(const model::Response& response, std::string rule,
                                               const ShapeSettings& settings, Call call);

/// The envelope alone, as it stands in a file.
[[nodiscard]] Result<json::Output> write_envelope(const ReadAnswer& answer,
                                                  const ShapeSettings& settings);

/// The envelope inside an MCP result: in the chosen channels, other content blocks after it,
/// isError = not success. Members that the result had beside the answer follow, `_meta` among them,
/// unless the envelope holds them in its extension slot.
[[nodiscard]] Result<json::Output> write_result(const ReadAnswer& answer,
                                                const ShapeSettings& settings);

/// Warnings about a document that the grammar allows but readers disagree on.
[[nodiscard]] std::vector<model::Warning> json_warnings(const json::Document& document);

}  // namespace enfold::answer
