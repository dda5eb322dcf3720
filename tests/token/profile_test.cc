// SPDX-License-Identifier: Apache-2.0
#include "enfold/token/profile.h"

#include "enfold/token/client_name.h"
#include "enfold/token/estimate.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace enfold::token {
namespace {

TEST(Estimate, multiplies_and_rounds_up) {
  const Estimate half_more("half more", o200k_base(), 1'500);
  EXPECT_EQ(half_more.count(""), 0U);
  EXPECT_EQ(half_more.count("a"), 2U);
  EXPECT_EQ(half_more.count("one two"), 3U);
  EXPECT_EQ(half_more.count("one two three"), 5U);
  EXPECT_TRUE(half_more.fits("one two three", 5));
  EXPECT_FALSE(half_more.fits("one two three", 4));
  EXPECT_EQ(half_more.prefix("one two three", 4), "one two");
  EXPECT_TRUE(half_more.fits("one two three", kNoLimit));
}

TEST(Estimate, the_larger_of_two_is_never_below_either) {
  const LargerCount larger("larger", o200k_base(), cl100k_base());
  for (const std::string text : {"日本語の文", "plain English words", "👍🏽", "{\"a\":[1,2,3]}"}) {
    EXPECT_EQ(larger.count(text), std::max(o200k_base().count(text), cl100k_base().count(text)));
  }
}

// Changing a number changes what users get: it needs a line in docs/reference/tokens.md.
TEST(Profile, numbers_are_pinned) {
  struct Case {
    std::string name;
    std::string tokenizer;
    bool exact;
    std::size_t max_tokens;
    std::size_t max_characters;
    std::size_t max_lines;  // 0: none
    TokenCount unknown_image;
    TokenCount second_of_audio;
  };
  const std::vector<Case> cases{
      {"openai", "o200k_base", true, 10'000, 32'000, 0, 1'445, 10},
      {"claude", "o200k_base*1.5", false, 10'000, 32'000, 0, 1'600, 32},
      {"claude-code", "o200k_base*1.5", false, kUncountedTokens, 49'900, 0, 1'600, 32},
      {"opencode", "max(o200k_base,cl100k_base)*1.1", false, kUncountedTokens, 51'100, 2'000, 3'096,
       32},
      {"gemini", "o200k_base*1.08", false, kUncountedTokens, 39'850, 0, 3'096, 32},
      {"codex", "o200k_base", true, 10'000, 32'000, 0, 1'445, 10},
      {"copilot", "max(o200k_base,cl100k_base)*1.1", false, 10'000, 28'000, 0, 3'096, 32},
      {"vscode", "max(o200k_base,cl100k_base)*1.1", false, 10'000, 32'000, 0, 3'096, 32},
      {"cursor", "max(o200k_base,cl100k_base)*1.1", false, 10'000, 32'000, 0, 3'096, 32},
      {"sdk", "max(o200k_base,cl100k_base)*1.1", false, 10'000, 32'000, 0, 3'096, 32},
      {"generic", "max(o200k_base,cl100k_base)*1.1", false, 10'000, 32'000, 0, 3'096, 32},
  };
  ASSERT_EQ(profiles().size(), cases.size());
  for (const Case& each : cases) {
    const auto profile = find_profile(each.name);
    ASSERT_TRUE(profile) << each.name;
    EXPECT_EQ((*profile)->name, each.name);
    EXPECT_EQ((*profile)->tokenizer->name(), each.tokenizer) << each.name;
    EXPECT_EQ((*profile)->exact, each.exact) << each.name;
    EXPECT_EQ((*profile)->max_tokens, each.max_tokens) << each.name;
    EXPECT_EQ((*profile)->max_characters, each.max_characters) << each.name;
    EXPECT_EQ((*profile)->max_lines.value_or(0), each.max_lines) << each.name;
    EXPECT_EQ(image_tokens((*profile)->media, std::nullopt), each.unknown_image) << each.name;
    EXPECT_EQ((*profile)->media.audio_per_second, each.second_of_audio) << each.name;
  }
}

TEST(Profile, characters_are_those_of_the_client) {
  EXPECT_EQ((*find_profile("claude-code"))->unit, CharacterUnit::utf16);
  EXPECT_EQ((*find_profile("claude-code"))->max_failure_characters, 10'500U);
  EXPECT_EQ((*find_profile("gemini"))->unit, CharacterUnit::utf16);
  EXPECT_EQ((*find_profile("opencode"))->unit, CharacterUnit::byte);
  EXPECT_EQ(default_profile().unit, CharacterUnit::code_point);
  const std::string text = "aё河🙂";
  EXPECT_EQ(length_in(CharacterUnit::code_point, text), 4U);
  EXPECT_EQ(length_in(CharacterUnit::utf16, text), 5U);
  EXPECT_EQ(length_in(CharacterUnit::byte, text), 10U);
  EXPECT_EQ(length_in(CharacterUnit::utf16, "plain"), 5U);
}

TEST(Profile, an_unknown_client_is_generic) { EXPECT_EQ(default_profile().name, "generic"); }

TEST(Profile, an_unknown_name_is_an_error_that_lists_the_names) {
  const auto profile = find_profile("netscape");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().code, ErrorCode::not_found);
  EXPECT_EQ(profile.error().hint,
            "choose one of openai, claude, claude-code, opencode, gemini, codex, copilot, vscode, "
            "cursor, sdk, generic");
}

// What clients call themselves, and what that means for an answer.
TEST(Profile, follows_the_clients_own_name) {
  struct Case {
    std::string client;
    std::string profile;
    ResultPart reads;
    bool links;
    std::size_t max_tools;  // 0: none
  };
  const std::vector<Case> cases{
      {"claude-code", "claude-code", ResultPart::structured, true, 0},
      {"claude-ai", "claude", ResultPart::text_or_structured, false, 0},
      {"opencode", "opencode", ResultPart::text, false, 0},
      {"gemini-cli-mcp-client", "gemini", ResultPart::text, false, 0},
      {"codex-mcp-client", "codex", ResultPart::text_or_structured, false, 0},
      {"github-copilot-developer", "copilot", ResultPart::both, false, 0},
      {"copilot-intellij", "copilot", ResultPart::both, false, 0},
      {"Visual Studio Code", "vscode", ResultPart::structured, true, 128},
      {"Visual Studio Code - Insiders", "vscode", ResultPart::structured, true, 128},
      {"cursor-vscode", "cursor", ResultPart::text, false, 40},
      {"Cursor", "cursor", ResultPart::text, false, 40},
      {"mcp", "sdk", ResultPart::text_or_structured, false, 0},
      {"inspector-client", "sdk", ResultPart::text_or_structured, false, 0},
      {"mcp-but-not-that-one", "generic", ResultPart::text_or_structured, false, 0},
      {"somebody", "generic", ResultPart::text_or_structured, false, 0},
      {"", "generic", ResultPart::text_or_structured, false, 0},
  };
  for (const Case& each : cases) {
    const Profile& profile = profile_of_client(each.client);
    EXPECT_EQ(profile.name, each.profile) << each.client;
    EXPECT_EQ(profile.reads, each.reads) << each.client;
    EXPECT_EQ(profile.links, each.links) << each.client;
    EXPECT_EQ(profile.max_tools.value_or(0), each.max_tools) << each.client;
  }
}

TEST(Profile, has_a_client_name_that_leads_back_to_it) {
  for (const Profile& profile : profiles()) {
    EXPECT_EQ(profile_of_client(client_name_of(profile)).name, profile.name);
  }
}

TEST(Media, images_cost_by_their_size) {
  const auto cost = [](const char* name, std::uint32_t width, std::uint32_t height) {
    return image_tokens((*find_profile(name))->media, ImageSize{width, height});
  };
  EXPECT_EQ(cost("openai", 512, 512), 255U);
  EXPECT_EQ(cost("openai", 513, 512), 425U);
  EXPECT_EQ(cost("openai", 4'000'000'000, 4'000'000'000), 1'445U);
  EXPECT_EQ(cost("claude", 200, 200), 54U);
  EXPECT_EQ(cost("claude", 4'000'000'000, 4'000'000'000), 1'600U);
  EXPECT_EQ(cost("claude-code", 1, 1), 1'600U);
  EXPECT_EQ(cost("gemini", 768, 768), 258U);
  EXPECT_EQ(cost("gemini", 1'000, 1'000), 1'032U);
}

TEST(Media, sound_costs_by_its_length) {
  const MediaCost& media = (*find_profile("gemini"))->media;
  EXPECT_EQ(audio_tokens_of_bytes(media, 20'000), 320U);
}

}  // namespace
}  // namespace enfold::token
