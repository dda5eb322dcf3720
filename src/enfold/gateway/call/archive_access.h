// SPDX-License-Identifier: Apache-2.0
// Reads an archived answer as a resource, on a worker: the archive may be a file or far away.
#pragma once

#include "enfold/gateway/lists/local_tools.h"

#include <memory>

namespace enfold::gateway {

[[nodiscard]] store::Time now_of(const serve::Host& host);

/// resources/read of an archived answer; replies when the archive has answered.
void read_archive_resource(const Environment& environment, const LocalTools& local,
                           const mcp::Call& call, const std::shared_ptr<serve::Port>& port);

}  // namespace enfold::gateway
