// SPDX-License-Identifier: Apache-2.0
// What the contracts share: the functions of each contract, its extension, and reading data that
// follows no contract.
#pragma once

#include "enfold/base/embedded.h"
#include "enfold/contract/contract.h"

namespace enfold::contract::detail {

struct ReadContext {
  const ReadOptions& options;
  std::string rule;  ///< set by `read`: the rule that decided the outcome
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

// The extension slot of a contract holds what the contract cannot express, so that a conversion can
// be undone: the origin with its residue, how the payload was wrapped or transformed, and model
// fields without a member in the contract.

/// nullopt: the contract expresses everything.
[[nodiscard]] Result<std::optional<json::Value>> make_extension(Id to, const Reading& reading,
                                                                const RenderOptions& options);

/// Restores the response and origin from an extension.
[[nodiscard]] Status apply_extension(json::View extension, Reading& reading);

/// Parses a text that is a JSON object or array and nothing else.
[[nodiscard]] std::optional<json::Value> parse_json_text(json::View text, const Limits& limits);

/// The content blocks of an MCP result; null if there are none. A `content` that is no array is
/// returned as an array of one block.
[[nodiscard]] json::Value content_of(json::View result);

/// `success: false`, or an `error` that is not null, false, 0 or empty.
[[nodiscard]] bool says_failure(json::View object);

/// A failure read from the members that tools commonly use for one, and the other members.
struct FailureWithRest {
  model::Failure failure;  ///< its message is empty if none was found
  std::optional<json::Value> rest;
};
[[nodiscard]] FailureWithRest failure_from_members(json::View object);

/// Reads code and message of an `error` object; the other members become details.
[[nodiscard]] model::Failure failure_from_error(json::View error);

/// Sets the kind of the failure, and a default message if it has none.
[[nodiscard]] model::Failure with_kind_and_message(model::Failure failure);

/// Adds the warning POSSIBLE_FAILURE to a success whose data or text reads like a failure.
void warn_if_it_reads_like_failure(model::Response& response);

/// Merges the answer `around` into the envelope found inside it: blocks, metadata, and a failure.
void merge_outer(Reading& envelope, Reading around);

/// The contract schemas of schema/, embedded in the program.
[[nodiscard]] std::span<const EmbeddedFile> schema_files();

}  // namespace enfold::contract::detail
