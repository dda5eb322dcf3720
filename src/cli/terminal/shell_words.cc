// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/shell_words.h"

#include "enfold/base/text.h"
#include "enfold/gateway/config/values.h"

#include <algorithm>

namespace enfold::cli {
namespace {

bool is_only(std::string_view text, std::string_view others) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_alphanumeric(c) || others.find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  if (is_only(word, "_-./:=@%+,")) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string shown_word(const std::string& word, const std::string& flag) {
  const std::size_t equals = word.find('=');
  const bool has_name =
      equals != std::string::npos && is_only(std::string_view(word).substr(0, equals), "_-.");
  if (has_name) return shell_quoted(word.substr(0, equals + 1) + std::string(kLeftOut));
  return shell_quoted(gateway::is_secret(word, flag) ? kLeftOut : word);
}

std::string shown_command(std::span<const std::string> words) {
  std::string out;
  std::string flag;
  for (const std::string& word : words) {
    out += (out.empty() ? "" : " ") + shown_word(word, flag);
    flag = gateway::name_after_flag(word);
  }
  return out;
}

}  // namespace enfold::cli
