// SPDX-License-Identifier: Apache-2.0
// The tables of clients in docs/reference/tokens.md say what the profiles say.
#include "enfold/token/profile.h"

#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace enfold::token {
namespace {

std::string page() {
  std::ifstream in(std::filesystem::path(ENFOLD_SOURCE_DIR) / "docs/reference/tokens.md");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string number(std::size_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string counting(const Profile& profile) {
  const std::string name(profile.tokenizer->name());
  const std::string o200k = "o200k_base*";
  if (name.starts_with(o200k)) return name.substr(o200k.size()) + " × `o200k_base`";
  if (name.starts_with("max(")) {
    return profile.name == "generic" ? "1.1 × the larger of both encodings" : "as `generic`";
  }
  return "`" + name + "`" + (profile.exact ? ", exact" : "");
}

std::string characters(const Profile& profile) {
  std::string out = number(profile.max_characters);
  if (profile.unit == CharacterUnit::byte) out += " bytes";
  if (const auto failure = profile.max_failure_characters) out += ", failures " + number(*failure);
  return out;
}

std::string reading(ResultPart part) {
  switch (part) {
    case ResultPart::text: return "text";
    case ResultPart::structured: return "structured";
    case ResultPart::both: return "both";
    case ResultPart::text_or_structured: break;
  }
  return "one of both";
}

TEST(ProfilePage, has_the_limits_of_every_client) {
  const std::string text = page();
  for (const Profile& profile : profiles()) {
    const std::string tokens =
        profile.max_tokens == kUncountedTokens ? "–" : number(profile.max_tokens);
    const std::string row = fmt::format(
        "\n| `{}` | {} | {} | {} | {} | {} | {} |\n", profile.name, counting(profile), tokens,
        characters(profile), profile.max_lines ? number(*profile.max_lines) : "–",
        number(image_tokens(profile.media, std::nullopt)), profile.media.audio_per_second);
    EXPECT_NE(text.find(row), std::string::npos) << "docs/reference/tokens.md needs the row" << row;
  }
}

TEST(ProfilePage, has_what_the_model_of_every_client_reads) {
  const std::string text = page();
  const std::size_t table = text.find("| profile | names that begin with |");
  ASSERT_NE(table, std::string::npos);
  for (const Profile& profile : profiles()) {
    const std::string start = fmt::format("\n| `{}` | ", profile.name);
    const std::size_t at = text.find(start, table);
    ASSERT_NE(at, std::string::npos) << profile.name;
    const std::string row = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    EXPECT_NE(row.find(fmt::format(" | {} | ", reading(profile.reads))), std::string::npos) << row;
    const std::string tools = profile.max_tools ? number(*profile.max_tools) : "–";
    EXPECT_TRUE(row.ends_with(fmt::format(" | {} |", tools))) << row;
    EXPECT_EQ(row.find("can be opened") != std::string::npos, profile.links) << row;
  }
}

}  // namespace
}  // namespace enfold::token
