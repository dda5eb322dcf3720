// SPDX-License-Identifier: Apache-2.0
// The text of a client's settings for output and logs: secrets in command lines are replaced.
#pragma once

#include "enfold/gateway/clients/settings.h"

namespace enfold::gateway {

/// The text of the settings, with secret words of commands replaced. A word is secret by the flag
/// before it or by its form, as for import_servers. For the rest of the text use
/// redact::redact_text.
[[nodiscard]] std::string without_secret_words(const ClientSettings& settings);

}  // namespace enfold::gateway
