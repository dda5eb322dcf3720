// SPDX-License-Identifier: Apache-2.0
// Reads the tables [upstreams.NAME] of a configuration.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/gateway/config/values.h"

namespace enfold::gateway {

inline constexpr std::size_t kMaxUpstreamNameLength = 32;  // bytes

/// Adds the upstreams to `settings`, in the order of the file. Adds errors to `values`.
void read_upstreams(const Config& config, ConfigValues& values, Settings& settings);

}  // namespace enfold::gateway
