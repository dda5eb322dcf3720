// SPDX-License-Identifier: Apache-2.0
// From a configuration to what a gateway runs with. Nothing is started, opened or connected to:
// what this accepts is what `enfold serve --check` calls valid.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/gateway/config/values.h"
#include "enfold/serve/http.h"

namespace enfold::gateway {

/// What a configuration asks for.
struct Serving {
  Settings settings;  ///< archive, counters and cursor key are still to be opened
  serve::HttpOptions http;
  std::string archive;  ///< a place; empty: the usual one
};

[[nodiscard]] tools::ConfigResult<Serving> serving_of(const ReadConfig& read,
                                                      const Surroundings& surroundings);

/// HOST:PORT.
[[nodiscard]] Status read_address(const std::string& address, serve::HttpOptions& options);

/// The contract that a name means, or the names that there are.
[[nodiscard]] Result<std::string> contract_named(const std::string& name);

}  // namespace enfold::gateway
