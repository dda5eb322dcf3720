// SPDX-License-Identifier: Apache-2.0
// Any text or JSON: secrets are ordered and within the text, and redacted JSON is JSON of the same
// shape, which can be redacted again. The first byte chooses the policy.
#include "enfold/redact/redact.h"

#include "fuzz/check.h"

#include <string>

namespace enfold::fuzz {
namespace {

redact::Policy policy_of(unsigned char choice) {
  redact::Policy policy;
  policy.personal_data = (choice & 1U) != 0;
  if ((choice & 2U) != 0) policy.extra_keys = {"account number", "x"};
  if ((choice & 4U) != 0) policy.allow_pointers = {"/a", "/*/b"};
  return policy;
}

void check_text(std::string_view text, const redact::Policy& policy) {
  std::size_t last = 0;
  for (const redact::Secret& secret : redact::find_secrets(text, policy)) {
    require(secret.begin >= last && secret.begin < secret.end && secret.end <= text.size(),
            "secrets are in order and within the text", text);
    last = secret.end;
  }
  const std::string once = redact::redact_text(text, policy);
  (void)redact::redact_text(once, policy);
  (void)redact::scrub_error_text(text);
}

void check_json(std::string_view text, const redact::Policy& policy) {
  const auto document = json::parse(text);
  if (!document) return;
  const auto once = redact::redact(document->root(), policy);
  require(once.has_value(), "JSON can be redacted", text);
  require(once->changed || once->value->raw() == document->root().raw(), "an unchanged value stays",
          text);
  require(once->value->kind() == document->root().kind() &&
              once->value->size() == document->root().size(),
          "the shape stays", text);
  require(once->changed == (once->count > 0), "what changed is counted", text);
  require(redact::redact(once->value.view(), policy).has_value(), "redacted JSON is JSON", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input = text_of(data, size);
  const redact::Policy policy = policy_of(data[0]);
  check_text(input.substr(1), policy);
  check_json(input.substr(1), policy);
  return 0;
}

}  // namespace enfold::fuzz
