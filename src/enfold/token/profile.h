// SPDX-License-Identifier: Apache-2.0
// What is known of a client: how its model counts, and how much it takes before it cuts. A report
// that names a count also names the profile it was made for. docs/reference/tokens.md says where
// each number comes from.
#pragma once

#include "enfold/base/result.h"
#include "enfold/token/media.h"
#include "enfold/token/tokenizer.h"

#include <optional>
#include <span>

namespace enfold::token {

/// For a client of which nothing is known; whichever limit is reached first binds.
inline constexpr TokenCount kDefaultMaxTokens = 10'000;
inline constexpr std::size_t kDefaultMaxCharacters = 32'000;

/// Which half of a tool result a client hands to its model.
enum class Reads {
  one,         ///< one of them, and nobody here knows which
  text,        ///< the content blocks
  structured,  ///< the structured content, where there is some
  both,        ///< both, so that the same words are paid for twice
};

struct Profile {
  std::string_view name;
  const Tokenizer* tokenizer;  ///< with the factor; never null
  bool exact;                  ///< false: the tokenizer is an estimate
  TokenCount max_tokens = kDefaultMaxTokens;
  std::size_t max_characters = kDefaultMaxCharacters;
  std::optional<std::size_t> max_lines = std::nullopt;
  MediaCost media;
  Reads reads = Reads::one;
  bool links = false;  ///< a model can open a link to a resource that stands in an answer
  std::optional<std::size_t> max_tools = std::nullopt;  ///< more of them are not offered to a model
};

[[nodiscard]] std::span<const Profile> profiles();

/// The profile of unknown clients: `generic`.
[[nodiscard]] const Profile& default_profile();

/// not_found, with the names there are.
[[nodiscard]] Result<const Profile*> find_profile(std::string_view name);

/// By what a client calls itself in the protocol, such as "claude-code" or "gemini-cli-mcp-client".
/// One that is not known gets the default. docs/reference/tokens.md lists the names.
[[nodiscard]] const Profile& profile_of_client(std::string_view client);

}  // namespace enfold::token
