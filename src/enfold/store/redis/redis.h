// SPDX-License-Identifier: Apache-2.0
// Archive and counters in Redis or Valkey, for replicas on several machines. Every operation is one
// script whose keys share a hash tag, as Redis Cluster requires. Durability depends on the server's
// configuration; see docs/internals/store.md.
#pragma once

#include "enfold/store/archive.h"
#include "enfold/store/counters.h"

#include <chrono>
#include <memory>
#include <string_view>

namespace enfold::store {

/// Connects at once, so that a wrong address is an error here; a connection that is lost later is
/// replaced when it is needed. Messages never repeat the password of `url`.
[[nodiscard]] Result<std::unique_ptr<Archive>> redis_archive(std::string_view url,
                                                             const ArchiveOptions& options = {});

/// If the connection is lost before the reply, the call is sent again and may take two tokens.
[[nodiscard]] Result<std::unique_ptr<Counters>> redis_counters(
    std::string_view url, std::chrono::milliseconds timeout = std::chrono::seconds(5));

/// The secret that all clients of this server share. If the server has none, stores `fresh` and
/// returns it.
[[nodiscard]] Result<std::string> redis_secret(
    std::string_view url, std::string_view name, std::string_view fresh,
    std::chrono::milliseconds timeout = std::chrono::seconds(5));

}  // namespace enfold::store
