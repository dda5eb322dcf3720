// SPDX-License-Identifier: Apache-2.0
// What browsers need before they let a page of another origin call this server (the CORS protocol
// of the Fetch standard). The origin was checked before: see HostPolicy::origins.
#pragma once

#include "enfold/net/http/message.h"
#include "enfold/net/http/server.h"

#include <optional>
#include <string>

namespace enfold::net::detail {

/// The answer to a preflight: a request without key and body, which a browser sends before a
/// request that has a key or a JSON body. nullopt: the request is no preflight.
[[nodiscard]] std::optional<HttpResponse> answer_preflight(const HttpHead& head);

/// Header lines for the answer to a request of a page, so that the page may read it; empty unless
/// its origin is one of the policy. Pages of other loopback origins may call, as every local
/// program may, but browsers do not let them read answers.
[[nodiscard]] std::string cors_lines(const HttpHead& head, const HostPolicy& policy);

}  // namespace enfold::net::detail
