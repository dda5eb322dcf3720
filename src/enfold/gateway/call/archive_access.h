// SPDX-License-Identifier: Apache-2.0
// Answers resources/read for an archived answer. A worker reads it, because the archive may be a
// file or a remote server.
#pragma once

#include "enfold/gateway/lists/local_tools.h"

#include <memory>

namespace enfold::gateway {

[[nodiscard]] store::Time now_of(const serve::Host& host);

/// Replies to a resources/read of an archived answer when the archive has returned it.
void answer_archive_read(const Environment& environment, const LocalTools& local,
                         const mcp::Call& call, const std::shared_ptr<serve::Port>& port);

}  // namespace enfold::gateway
