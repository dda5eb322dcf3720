// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/scanner.h"
#include "enfold/redact/redact.h"

namespace enfold::redact {

std::string marker(std::string_view label) {
  std::string text = "[REDACTED:";
  text += label;
  text += ']';
  return text;
}

std::vector<Secret> find_secrets(std::string_view text, const Policy& policy) {
  return detail::Scanner(policy).find(text);
}

std::string redact_text(std::string_view text, const Policy& policy) {
  const detail::Scanner scanner(policy);
  std::string redacted(text);
  // Replacing a secret can reveal another one, so the result is scanned again, at most four times.
  for (int round = 0; round < 4; ++round) {
    const auto secrets = scanner.find(redacted);
    if (secrets.empty()) break;
    redacted = detail::replace(redacted, secrets, [](const Secret& secret, std::string_view) {
      return marker(secret.label);
    });
  }
  return redacted;
}

}  // namespace enfold::redact
