// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/enfold_command.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

// Whether the word is this program, with or without a path.
bool is_named(const CommandWord& word, std::string_view name) {
  return file_name(word.text) == name;
}

// Index of the first word after the options and variables of the program env (the word 0).
std::size_t after_env(const std::vector<CommandWord>& words) {
  const auto belongs_to_env = [](const CommandWord& word) {
    return word.text.starts_with('-') || word.text.find('=') != std::string::npos;
  };
  std::size_t at = 1;
  while (at < words.size() && belongs_to_env(words[at])) ++at;
  return at;
}

// Index of the first word after the options of npx. `npx`: index of the word npx.
std::size_t after_npx(const std::vector<CommandWord>& words, std::size_t npx) {
  std::size_t at = npx + 1;
  while (at < words.size() && words[at].text.starts_with('-')) {
    const bool has_value = words[at].text == "--package" || words[at].text == "-p";
    at += has_value ? 2 : 1;
  }
  return at;
}

}  // namespace

std::string_view file_name(std::string_view program) {
  return program.substr(program.rfind('/') + 1);
}

std::optional<EnfoldCommand> find_enfold(const std::vector<CommandWord>& words) {
  EnfoldCommand out;
  if (!words.empty() && is_named(words[0], "env")) out.begin = after_env(words);
  if (out.begin >= words.size()) return std::nullopt;
  const bool is_npx = is_named(words[out.begin], "npx");
  const std::size_t program = is_npx ? after_npx(words, out.begin) : out.begin;
  if (program + 1 >= words.size()) return std::nullopt;
  const bool is_enfold =
      is_named(words[program], "enfold") || (is_npx && words[program].text.starts_with("enfold@"));
  const std::string& verb = words[program + 1].text;
  if (!is_enfold || (verb != "wrap" && verb != "serve")) return std::nullopt;
  const auto dashes = std::find_if(words.begin() + static_cast<std::ptrdiff_t>(program) + 2,
                                   words.end(), [](const auto& word) { return word.text == "--"; });
  const auto server = static_cast<std::size_t>(dashes - words.begin()) + 1;
  if (verb == "wrap" && server < words.size()) out.server = server;
  return out;
}

}  // namespace enfold::gateway
