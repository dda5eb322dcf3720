// SPDX-License-Identifier: Apache-2.0
// nginx at its quickest: one process, no logs, connections that stay.
#pragma once

#include "bench/folder.h"
#include "bench/web_process.h"

namespace enfold::bench {

/// Answers every request with a body of this size.
[[nodiscard]] std::optional<WebProcess> start_nginx_with_body(const Folder& folder,
                                                              std::size_t bytes);
/// Passes every request on to a server on loopback.
[[nodiscard]] std::optional<WebProcess> start_nginx_in_front_of(const Folder& folder,
                                                                std::uint16_t port);

}  // namespace enfold::bench
