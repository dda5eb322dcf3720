// SPDX-License-Identifier: Apache-2.0
// What the contracts share: the functions of each contract, its extension, and reading data that
// follows no contract.
#pragma once

#include "enfold/base/embedded.h"
#include "enfold/contract/contract.h"

namespace enfold::contract::detail {

struct ReadContext {
  const ReadOptions& options;
  std::string rule;                           ///< set by `read`: the rule that decided the outcome
  std::vector<model::Warning> warnings = {};  ///< added by `read`, not stated in the envelope
  /// The payload before a failure was taken out of it; nullopt: `response.payload` is unchanged.
  std::optional<json::Value> data = {};
  bool from_text = false;  ///< the payload is the JSON of a text block
  bool is_error = false;   ///< the result around the payload says isError: true
};

/// The functions of one contract.
struct Envelope {
  bool (*detects)(json::View document) = nullptr;  ///< nullptr: cannot be recognized
  Result<model::Response> (*read)(json::View document, ReadContext& context);
  void (*render)(const model::Response& response, const RenderOptions& options,
                 json::Writer& writer);
  /// The member of a document in which Enfold keeps its extension (members.h); nullptr: none.
  std::optional<json::View> (*find_slot)(json::View document) = nullptr;
};
extern const Envelope kResponseV2, kResponseV1, kGeneric, kScalpelV1, kMemory, kMcp, kJson;

/// In the order of Id; `json` and `text` share their functions.
inline constexpr std::array<const Envelope*, 8> kEnvelopes{
    &kResponseV2, &kResponseV1, &kGeneric, &kScalpelV1, &kMemory, &kMcp, &kJson, &kJson};
[[nodiscard]] inline const Envelope& envelope(Id id) {
  return *kEnvelopes.at(static_cast<std::size_t>(id));
}

// The extension slot of a contract holds what the contract cannot express, so that a conversion can
// be undone: the origin with its residue, how the payload was wrapped or transformed, and model
// fields without a member in the contract.

/// What to write into the slot of contract `to`; nullopt: the contract expresses everything.
[[nodiscard]] Result<std::optional<json::Value>> make_extension(Id to, const Reading& reading,
                                                                const RenderOptions& options);

/// Restores the response and origin from an extension.
[[nodiscard]] Status apply_extension(json::View extension, Reading& reading);

/// Parses a text that is a JSON object or array and nothing else; nullopt: any other text.
[[nodiscard]] std::optional<json::Value> parse_json_text(json::View text, const Limits& limits);

/// Writes the content blocks of a response whose payload is their list (Wrapping::content), with
/// the binary data that the payload leaves out.
void write_blocks(const model::Response& response, json::Writer& writer);

/// `isError` of the MCP result around the data: absent, false or true.
enum class ErrorFlag { none, no, yes };

/// Decides whether the call worked (reading/outcome.h), and reads the failure if it did not. If the
/// failure is read from the payload, the payload keeps only members that are not in the failure.
void decide_outcome(model::Response& response, ErrorFlag flag, ReadContext& context);

/// Reads the outcome from `success` and `error` of an envelope; true: failed.
[[nodiscard]] bool read_stated_outcome(json::View document, std::string_view contract,
                                       model::Response& response, ReadContext& context);

/// Adds to the reading a warning for each of the first places where the document breaks contract
/// `id`; its context has the value at the place.
void warn_of_violations(Id id, json::View document, const Limits& limits, Reading& reading);

/// For `generic`, the only contract that states a shape. In a flat contract (`memory` and
/// response-v1) `success` stands beside the members of the payload. A response read from one gets
/// the shape of the payload with `success` added: with a member that is an id, this is an action.
/// Other responses are returned unchanged.
[[nodiscard]] model::Response with_flat_shape(const Reading& reading);

/// Merges the answer `around` into the envelope that was found inside it: blocks, metadata, the
/// warnings SCHEMA_MISMATCH and CONTRADICTORY_OUTCOME (this one only for a failure), and the
/// failure if `is_error` and the envelope is a success. Nothing else of `around` is used: its
/// payload is the envelope, which was read by its contract.
void merge_outer(Reading& envelope, Reading around, bool is_error);

/// Makes the response a failure and adds a warning if the envelope was read as a success, but has
/// at its root a member `success` or `ok` that is false.
void read_other_flags(json::View document, model::Response& response, ReadContext& context);

/// The contract schemas of schema/, embedded in the program.
[[nodiscard]] std::span<const EmbeddedFile> schema_files();

}  // namespace enfold::contract::detail
