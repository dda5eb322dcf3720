// SPDX-License-Identifier: Apache-2.0
// Any text as the settings of a client: JSON without comments stays the same, places stay where
// they were, and what is imported is a configuration with as many upstreams.
#include "enfold/gateway/clients/import.h"

#include "enfold/gateway/config/config.h"
#include "fuzz/check.h"

#include <algorithm>
#include <string>

namespace enfold::fuzz {
namespace {

void check(std::string_view input) {
  const std::string text = gateway::without_comments(std::string(input));
  require(text.size() == input.size() &&
              std::ranges::count(text, '\n') == std::ranges::count(input, '\n'),
          "places stay", input);
  const auto document = json::parse(text);
  if (document)
    require(gateway::without_comments(text) == text, "comments are removed at once", input);
  if (const auto plain = json::parse(input))
    require(document && document->value() == plain->value(), "plain JSON stays", input);
  const auto settings = gateway::ClientSettings::read(std::string(input), "client.json");
  if (!settings) return;
  gateway::ImportOptions options;
  options.variable = [](const std::string& name) { return "value of " + name; };
  const auto imported = gateway::import_servers(std::span(&*settings, 1), options);
  if (!imported) {
    require(!imported.error().message.empty(), "a refusal says why", input);
    return;
  }
  const auto toml = gateway::read_toml(imported->toml, "enfold.toml");
  require(toml.has_value(), "what is imported is TOML", input);
  const auto upstreams = toml->value->find("upstreams");
  require(upstreams && upstreams->size() == imported->servers, "every server is there", input);
  require(gateway::read_config(imported->toml, "enfold.toml").has_value(),
          "what is imported is a configuration", input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
