// SPDX-License-Identifier: Apache-2.0
#include "enfold/token/profile.h"

#include "enfold/base/text.h"
#include "enfold/token/client_name.h"
#include "enfold/token/estimate.h"

#include <algorithm>
#include <array>

namespace enfold::token {
namespace {

// Squares of 512 pixels, at most eight, because images are scaled down to 2048 x 768. One token for
// 100 ms of audio.
constexpr MediaCost kOpenAiMedia{.rule = ImageRule::tiles,
                                 .unit = 512,
                                 .base = 85,
                                 .each = 170,
                                 .most = 1'445,
                                 .audio_per_second = 10};
constexpr MediaCost kClaudeMedia{
    .rule = ImageRule::area, .unit = 750, .most = 1'600, .audio_per_second = 32};
// Claude Code charges the same for every image.
constexpr MediaCost kClaudeCodeMedia{
    .rule = ImageRule::flat, .most = 1'600, .audio_per_second = 32};
constexpr MediaCost kGeminiMedia{
    .rule = ImageRule::tiles, .unit = 768, .each = 258, .most = 3'096, .audio_per_second = 32};
// For clients whose model is unknown: the highest costs of the constants above.
constexpr MediaCost kAnyMedia{.rule = ImageRule::flat, .most = 3'096, .audio_per_second = 32};

// Characters. OpenCode and Gemini CLI show failures of this length whole; longer ones were not
// tried.
constexpr std::size_t kUnlimitedFailure = 400'000;

// In the order of the documentation; default_profile() is the last.
std::array<Profile, 11> make_profiles() {
  const bool exact = counts_exactly();
  static const Estimate claude(exact ? "o200k_base*1.5" : "o200k_base_bound*1.5", o200k_base(),
                               1'500);
  static const Estimate gemini(exact ? "o200k_base*1.08" : "o200k_base_bound*1.08", o200k_base(),
                               1'080);
  static const LargerCount larger("larger", o200k_base(), cl100k_base());
  static const Estimate generic(
      exact ? "max(o200k_base,cl100k_base)*1.1" : "max(o200k_base_bound,cl100k_base_bound)*1.1",
      larger, 1'100);
  return {{
      {.name = "openai", .tokenizer = &o200k_base(), .exact = exact, .media = kOpenAiMedia},
      {.name = "claude", .tokenizer = &claude, .exact = false, .media = kClaudeMedia},
      {.name = "claude-code",
       .tokenizer = &claude,
       .exact = false,
       .max_tokens = kUncountedTokens,
       .max_characters = 49'900,
       .unit = CharacterUnit::utf16,
       .max_failure_characters = 10'500,
       .media = kClaudeCodeMedia,
       .reads = ResultPart::structured,
       .links = true},
      {.name = "opencode",
       .tokenizer = &generic,
       .exact = false,
       .max_tokens = kUncountedTokens,
       .max_characters = 51'100,
       .unit = CharacterUnit::byte,
       .max_failure_characters = kUnlimitedFailure,
       .max_lines = 2'000,
       .media = kAnyMedia,
       .reads = ResultPart::text},
      {.name = "gemini",
       .tokenizer = &gemini,
       .exact = false,
       .max_tokens = kUncountedTokens,
       .max_characters = 39'850,
       .unit = CharacterUnit::utf16,
       .max_failure_characters = kUnlimitedFailure,
       .media = kGeminiMedia,
       .reads = ResultPart::text},
      {.name = "codex", .tokenizer = &o200k_base(), .exact = exact, .media = kOpenAiMedia},
      {.name = "copilot",
       .tokenizer = &generic,
       .exact = false,
       .max_characters = 28'000,
       .media = kAnyMedia,
       .reads = ResultPart::both},
      {.name = "vscode",
       .tokenizer = &generic,
       .exact = false,
       .media = kAnyMedia,
       .reads = ResultPart::structured,
       .links = true,
       .max_tools = 128},
      {.name = "cursor",
       .tokenizer = &generic,
       .exact = false,
       .media = kAnyMedia,
       .reads = ResultPart::text,
       .max_tools = 40},
      {.name = "sdk", .tokenizer = &generic, .exact = false, .media = kAnyMedia},
      {.name = "generic", .tokenizer = &generic, .exact = false, .media = kAnyMedia},
  }};
}

struct KnownClient {
  std::string_view prefix;   ///< of the client name, in lower case
  std::string_view profile;  ///< name of the profile
};
// The first match wins, so longer names come first.
constexpr auto kKnownClients = std::to_array<KnownClient>({{"claude-code", "claude-code"},
                                                           {"claude", "claude"},
                                                           {"anthropic", "claude"},
                                                           {"opencode", "opencode"},
                                                           {"gemini", "gemini"},
                                                           {"codex", "codex"},
                                                           {"github-copilot", "copilot"},
                                                           {"github copilot", "copilot"},
                                                           {"copilot", "copilot"},
                                                           {"visual studio code", "vscode"},
                                                           {"vscode", "vscode"},
                                                           {"cursor", "cursor"},
                                                           {"openai", "openai"},
                                                           {"chatgpt", "openai"},
                                                           {"mcp-inspector", "sdk"},
                                                           {"inspector", "sdk"},
                                                           {"generic", "generic"}});

// Whether a known name begins with this byte: with one look-up, most unknown names are recognised.
constexpr auto kKnownInitials = [] {
  std::array<bool, 256> initials{};
  for (const KnownClient& one : kKnownClients) {
    initials[static_cast<unsigned char>(one.prefix.front())] = true;
  }
  return initials;
}();

constexpr std::uint64_t divide_rounding_up(std::uint64_t amount, std::uint64_t unit) {
  return amount / unit + (amount % unit == 0 ? 0 : 1);
}

}  // namespace

std::span<const Profile> profiles() {
  static const std::array<Profile, 11> all = make_profiles();
  return all;
}

const Profile& default_profile() { return profiles().back(); }

Result<const Profile*> find_profile(std::string_view name) {
  for (const Profile& profile : profiles()) {
    if (profile.name == name) return &profile;
  }
  std::string known;
  for (const Profile& profile : profiles()) {
    known += (known.empty() ? "" : ", ") + std::string(profile.name);
  }
  return fail(ErrorCode::not_found, "there is no client profile '" + std::string(name) + "'", {},
              "choose one of " + known);
}

const Profile& profile_of_client(std::string_view client) {
  std::string name = to_lower(client);
  // "mcp" is the default name of a Python SDK client, which gets the profile of the inspector,
  // `sdk`. It is not in the table: there it would match all names that begin with it.
  if (name == "mcp") name = "inspector";
  if (name.empty() || !kKnownInitials[static_cast<unsigned char>(name.front())]) {
    return default_profile();
  }
  for (const KnownClient& one : kKnownClients) {
    if (!name.starts_with(one.prefix)) continue;
    const Result<const Profile*> found = find_profile(one.profile);
    if (found) return **found;
  }
  return default_profile();
}

std::string_view client_name_of(const Profile& profile) {
  for (const KnownClient& one : kKnownClients) {
    if (one.profile == profile.name) return one.prefix;
  }
  return "generic";
}

std::size_t length_in(CharacterUnit unit, std::string_view text) {
  if (unit == CharacterUnit::byte) return text.size();
  const std::size_t code_points = utf8::length(text);
  if (unit == CharacterUnit::code_point || code_points == text.size()) return code_points;
  // UTF-16 needs two units for what UTF-8 writes in four bytes.
  const auto four_bytes = [](char one) { return static_cast<unsigned char>(one) >= 0xF0U; };
  return code_points + static_cast<std::size_t>(std::ranges::count_if(text, four_bytes));
}

TokenCount image_tokens(const MediaCost& cost, std::optional<ImageSize> size) {
  if (!size || cost.rule == ImageRule::flat) return cost.most;
  if (cost.rule == ImageRule::area) {
    const std::uint64_t pixels = std::uint64_t{size->width} * size->height;
    return std::min<TokenCount>(cost.most, divide_rounding_up(pixels, cost.unit));
  }
  const std::uint64_t tiles =
      divide_rounding_up(size->width, cost.unit) * divide_rounding_up(size->height, cost.unit);
  if (tiles >= cost.most) return cost.most;
  return std::min<TokenCount>(cost.most, cost.base + tiles * cost.each);
}

TokenCount audio_tokens_of_bytes(const MediaCost& cost, std::size_t bytes) {
  constexpr std::size_t bytes_per_second = 2000;
  return divide_rounding_up(bytes, bytes_per_second) * cost.audio_per_second;
}

}  // namespace enfold::token
