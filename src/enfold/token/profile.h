// SPDX-License-Identifier: Apache-2.0
// Client profiles: the tokenizer of a client's model, and the client's limits for tool results.
// docs/reference/tokens.md gives the source of each number.
#pragma once

#include "enfold/base/result.h"
#include "enfold/token/media.h"
#include "enfold/token/tokenizer.h"

#include <optional>
#include <span>

namespace enfold::token {

/// Limits of unknown clients; both apply.
inline constexpr TokenCount kDefaultMaxTokens = 10'000;
inline constexpr std::size_t kDefaultMaxCharacters = 32'000;

/// Which part of a tool result a client passes to its model.
enum class ResultPart {
  text_or_structured,  ///< only one of the two, unknown which
  text,                ///< the content blocks
  structured,          ///< the structured content, if there is any
  both,                ///< text and structured content, so repeated content costs twice
};

struct Profile {
  std::string_view name;
  const Tokenizer* tokenizer;  ///< never null; its counts include the model's correction factor
  bool exact;                  ///< false: the tokenizer is an estimate
  TokenCount max_tokens = kDefaultMaxTokens;
  std::size_t max_characters = kDefaultMaxCharacters;
  std::optional<std::size_t> max_lines = std::nullopt;
  MediaCost media;
  ResultPart reads = ResultPart::text_or_structured;
  bool links = false;  ///< the model can open resource links in an answer
  std::optional<std::size_t> max_tools =
      std::nullopt;  ///< further tools are not offered to the model
};

[[nodiscard]] std::span<const Profile> profiles();

/// The profile of unknown clients: `generic`.
[[nodiscard]] const Profile& default_profile();

/// `not_found`, with the known names.
[[nodiscard]] Result<const Profile*> find_profile(std::string_view name);

/// The profile for a client name in the protocol, such as "claude-code" or "gemini-cli-mcp-client";
/// the default for unknown names. docs/reference/tokens.md lists the names.
[[nodiscard]] const Profile& profile_of_client(std::string_view client);

}  // namespace enfold::token
