// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/record/shown.h"

#include "enfold/redact/redact.h"

namespace enfold::gateway {

std::string redacted(const Environment& environment, std::string text) {
  const auto& policy = environment.settings.answers.redaction;
  return policy ? redact::redact_text(text, *policy) : text;
}

std::string name_and_version(const mcp::Caller& caller) {
  std::string text = caller.client_name();
  if (const std::string version = caller.client_version(); !version.empty()) text += " " + version;
  return text;
}

}  // namespace enfold::gateway
