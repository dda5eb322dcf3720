// SPDX-License-Identifier: Apache-2.0
// What every request of the stateless era says about itself in `params._meta`: revision, client,
// capabilities, wished log level, progress token.
#pragma once

#include "enfold/mcp/types/call.h"

#include <memory>
#include <optional>

namespace enfold::mcp::era_2026 {

struct RequestMeta {
  std::shared_ptr<const Caller> caller;
  std::optional<LogLevel> log_level;
  std::optional<Id> progress_token;
};

/// Whether a request says that it belongs to this era.
[[nodiscard]] bool has_version(json::View params);

/// invalid_params when revision or capabilities are missing.
[[nodiscard]] tl::expected<RequestMeta, RpcError> read_request_meta(json::View params);

/// Params into an open object: those given, with `_meta` completed. Keys of ours that the given
/// `_meta` has too are overwritten, all others are kept.
void write_params(json::Writer& writer, json::View params, const RequestMeta& meta);

}  // namespace enfold::mcp::era_2026
