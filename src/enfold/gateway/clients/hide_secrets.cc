// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/hide_secrets.h"

#include "enfold/gateway/clients/text_edits.h"
#include "enfold/gateway/config/values.h"
#include "enfold/json/write.h"

namespace enfold::gateway {
namespace {

constexpr std::string_view kHidden = "[REDACTED:argument]";

// The text to show in place of a word with a secret; nullopt: it has none. In --name=VALUE only
// VALUE may be a secret. `flag`: the name of the preceding flag, if it takes a value; else empty.
std::optional<std::string> hidden(const std::string& word, const std::string& flag) {
  const std::size_t equals = word.find('=');
  if (word.starts_with('-') && equals != std::string::npos) {
    const std::string name = word.substr(0, equals);
    if (!is_secret(word.substr(equals + 1), variable_name(name))) return std::nullopt;
    return name + "=" + std::string(kHidden);
  }
  return is_secret(word, flag) ? std::optional<std::string>(kHidden) : std::nullopt;
}

}  // namespace

std::string without_secret_words(const ClientSettings& settings) {
  std::vector<TextEdit> edits;
  for (const ServerEntry& server : settings.servers()) {
    if (!server.command) continue;
    std::string flag;
    for (const CommandWord& word : server.command->words) {
      if (const auto shown = hidden(word.text, flag)) {
        edits.push_back({word.range, json::quote(*shown)});
      }
      flag = name_after_flag(word.text);
    }
  }
  return apply_edits(settings.text(), std::move(edits));
}

}  // namespace enfold::gateway
