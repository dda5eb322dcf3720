// SPDX-License-Identifier: Apache-2.0
// Client profiles: the tokenizer of a client's model, the client's limits for tool results, and the
// tokens of images and audio, which depend on their size and not on their Base64 text.
// docs/reference/tokens.md gives the source of each number.
#pragma once

#include "enfold/base/result.h"
#include "enfold/token/tokenizer.h"

#include <cstdint>
#include <optional>

namespace enfold::token {

/// Limits of unknown clients; both apply.
inline constexpr TokenCount kDefaultMaxTokens = 10'000;
inline constexpr std::size_t kDefaultMaxCharacters = 32'000;

/// Token limit for clients that count no tokens: their limit of characters is always reached first.
inline constexpr TokenCount kUncountedTokens = 500'000;

/// What a client calls a character when it measures an answer.
enum class CharacterUnit { code_point, utf16, byte };
[[nodiscard]] std::size_t length_in(CharacterUnit unit, std::string_view text);

struct ImageSize {
  std::uint32_t width = 0;  ///< pixels
  std::uint32_t height = 0;
};

enum class ImageRule {
  flat,   ///< `most`, whatever the size
  area,   ///< one token for `unit` pixels
  tiles,  ///< `base`, plus `each` per started square of `unit` x `unit` pixels
};

/// How a client prices media. An image costs at most `most`, because clients scale it down.
struct MediaCost {
  ImageRule rule = ImageRule::flat;
  std::uint32_t unit = 1;  ///< pixels; see ImageRule
  TokenCount base = 0;
  TokenCount each = 0;
  TokenCount most = 0;
  TokenCount audio_per_second = 0;

  friend bool operator==(const MediaCost&, const MediaCost&) = default;
};

/// `cost.most` if the size is unknown.
[[nodiscard]] TokenCount image_tokens(const MediaCost& cost, std::optional<ImageSize> size);

/// Audio of unknown duration, estimated as speech at 16 kbit/s (2000 of these bytes per second).
[[nodiscard]] TokenCount audio_tokens_of_bytes(const MediaCost& cost, std::size_t bytes);

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
  bool exact;                  ///< false: `tokenizer` only estimates
  TokenCount max_tokens = kDefaultMaxTokens;
  std::size_t max_characters = kDefaultMaxCharacters;
  CharacterUnit unit = CharacterUnit::code_point;  ///< of the limits in characters
  /// Limit of a failure, in place of the limits of characters and lines; nullopt: the limits of
  /// other answers apply.
  std::optional<std::size_t> max_failure_characters = std::nullopt;
  std::optional<std::size_t> max_lines = std::nullopt;
  MediaCost media;
  ResultPart reads = ResultPart::text_or_structured;
  bool links = false;  ///< the model can open resource links in an answer
  /// The client offers no further tools to its model; nullopt: no limit is known.
  std::optional<std::size_t> max_tools = std::nullopt;
};

[[nodiscard]] std::span<const Profile> profiles();

/// The profile of unknown clients: `generic`.
[[nodiscard]] const Profile& default_profile();

/// The error `not_found` lists the known names.
[[nodiscard]] Result<const Profile*> find_profile(std::string_view name);

/// The profile for a client name in the protocol, such as "claude-code" or "gemini-cli-mcp-client",
/// by the beginning of the name, ignoring case; the default if no profile matches.
/// docs/reference/tokens.md lists the names.
[[nodiscard]] const Profile& profile_of_client(std::string_view client);

}  // namespace enfold::token
