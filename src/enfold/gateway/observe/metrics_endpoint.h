// SPDX-License-Identifier: Apache-2.0
// Pages for those who watch a gateway over HTTP, beside its endpoint: /metrics and /healthz.
#pragma once

#include "enfold/gateway/gateway.h"
#include "enfold/serve/http.h"

#include <functional>
#include <vector>

namespace enfold::gateway {

/// What only the front knows.
struct FrontState {
  std::size_t sessions = 0;
  bool draining = false;
};

/// Those that `which` asks for. `gateway` must outlive them; `front` is asked at every look.
[[nodiscard]] std::vector<serve::Page> observation_pages(Gateway& gateway, ObserveSettings which,
                                                         const std::function<FrontState()>& front);

/// A log on standard error, of calls too or only of what goes wrong.
[[nodiscard]] serve::Log log_to(bool json, bool calls);

/// What is shown where nobody said: everything on loopback, nothing elsewhere.
[[nodiscard]] ObserveSettings default_observe_settings(const serve::HttpOptions& options);

}  // namespace enfold::gateway
