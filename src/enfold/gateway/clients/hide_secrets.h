// SPDX-License-Identifier: Apache-2.0
// The text of settings for people and logs: secrets in command lines are replaced.
#pragma once

#include "enfold/gateway/clients/settings.h"

namespace enfold::gateway {

/// Finds secrets by the flag before them or by their form, as import_servers does. Only words of
/// commands; the rest of the text is for redact::redact_text.
[[nodiscard]] std::string without_secret_words(const ClientSettings& settings);

}  // namespace enfold::gateway
