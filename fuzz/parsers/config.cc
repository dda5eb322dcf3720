// SPDX-License-Identifier: Apache-2.0
// Any text as the configuration of a gateway: every place that is recorded is a value on a line of
// the text, every refusal says why and where, and any text and key can be written as TOML.
#include "enfold/gateway/config/config.h"

#include "enfold/gateway/config/settings_from_config.h"
#include "enfold/json/pointer.h"
#include "fuzz/check.h"

#include <algorithm>
#include <string>

namespace enfold::fuzz {
namespace {

using gateway::Toml;

void check_places(const Toml& toml, std::string_view input) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(input, '\n')) + 1;
  for (const auto* places : {&toml.keys, &toml.values}) {
    for (const auto& [text, place] : *places) {
      const auto pointer = json::Pointer::parse(text);
      require(pointer && pointer->resolve(toml.value.view()), "a place is a value", input);
      require(place.line >= 1 && place.line <= lines, "a place is on a line", input);
    }
  }
}

void check_written(std::string_view input) {
  if (utf8::first_invalid(input)) return;
  const std::string text = gateway::toml_key(input) + " = " + gateway::toml_string(input) + "\n";
  const auto read = gateway::read_toml(text, "written");
  require(read.has_value(), "what is written as TOML is TOML", input);
  const auto member = read->value->find(input);
  require(member && member->equals(input), "a key and a text come back", input);
}

template <class Errors>
void require_reasons(const Errors& errors, std::string_view input) {
  require(!errors.empty(), "a refusal has an error", input);
  for (const Error& error : errors)
    require(!error.message.empty() && !error.where.empty(), "an error says what and where", input);
}

void check(std::string_view input) {
  check_written(input);
  const auto toml = gateway::read_toml(input, "enfold.toml");
  if (toml) check_places(*toml, input);
  const auto config = gateway::read_config(input, "enfold.toml");
  require(toml || !config, "a configuration is TOML", input);
  if (!config) return require_reasons(config.error(), input);
  gateway::ConfigSources sources;
  sources.folder = "/nowhere";
  sources.variable = [](const std::string& name) {
    return name.size() % 2 == 0 ? std::optional("value of " + name) : std::nullopt;
  };
  sources.file = [](const std::filesystem::path& file) -> Result<std::string> {
    return fail(ErrorCode::not_found, "no such file", file.string());
  };
  const auto settings = gateway::settings_from_config(*config, sources);
  if (!settings) require_reasons(settings.error(), input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
