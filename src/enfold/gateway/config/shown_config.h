// SPDX-License-Identifier: Apache-2.0
// The text of a configuration file as operators see it in the dashboard.
#pragma once

#include <string>
#include <string_view>

namespace enfold::gateway {

/// The text with the values of environment variables, headers and hashes of keys replaced by "***",
/// whatever they look like. If it is no TOML, every value is replaced.
[[nodiscard]] std::string without_secret_values(std::string_view text);

}  // namespace enfold::gateway
