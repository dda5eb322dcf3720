// SPDX-License-Identifier: Apache-2.0
// The text of a configuration file as operators see it in the dashboard.
#pragma once

#include <string>
#include <string_view>

namespace enfold::gateway {

/// The text with "***" in place of each environment variable's and header's value and each hash of
/// a key. If the text is not valid TOML, every value is replaced.
[[nodiscard]] std::string without_secret_values(std::string_view text);

}  // namespace enfold::gateway
