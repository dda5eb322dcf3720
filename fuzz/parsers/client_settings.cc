// SPDX-License-Identifier: Apache-2.0
// Any text as the settings of a client, whose format the first byte chooses: wrapping its servers
// never damages it, changes nothing the second time, and unwrapping restores every byte.
#include "enfold/gateway/clients/wrap.h"
#include "fuzz/check.h"

#include <string>

namespace enfold::fuzz {
namespace {

using gateway::ClientSettings;

void check(std::string_view input) {
  if (input.empty()) return;
  const auto formats = gateway::client_formats();
  const auto& format = formats[static_cast<unsigned char>(input[0]) % formats.size()];
  const std::string text(input.substr(1));
  const auto settings = ClientSettings::read(text, "settings", &format);
  if (!settings) {
    require(!settings.error().message.empty(), "a refusal says why", input);
    return;
  }
  const auto wrapped = gateway::wrap_servers(*settings, {"enfold"});
  require(wrapped.has_value(), "what was understood can be wrapped", input);
  const auto again = ClientSettings::read(wrapped->text, "settings", &format);
  require(again.has_value(), "what was written is understood", input);
  const auto twice = gateway::wrap_servers(*again, {"enfold"});
  require(twice && twice->text == wrapped->text, "twice changes nothing", input);
  const auto changed = wrapped->wrapped();
  const auto unwrapped = gateway::unwrap_servers(*again, &changed);
  require(unwrapped.has_value(), "what was wrapped can be unwrapped", input);
  require(unwrapped->text == text, "every byte comes back", input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
