// SPDX-License-Identifier: Apache-2.0
// Archive and counters in one SQLite file, for any number of processes on one machine. The format
// is docs/reference/formats/archive.md.
#pragma once

#include "enfold/store/archive.h"
#include "enfold/store/counters.h"

#include <chrono>
#include <memory>
#include <string>

namespace enfold::store {

/// Missing folders are created with mode 0700, the file with 0600. Concurrent puts of several
/// threads share one transaction.
[[nodiscard]] Result<std::unique_ptr<Archive>> sqlite_archive(const std::string& path,
                                                              const ArchiveOptions& options = {});

/// Whether a file is a writable archive of this version, according to its first bytes or because
/// this process has it open. Opening a file that is not one may still create or migrate it.
[[nodiscard]] bool is_sqlite_archive(const std::string& path);

/// Counters are not synced to disk: a power failure may lose the last calls.
[[nodiscard]] Result<std::unique_ptr<Counters>> sqlite_counters(
    const std::string& path, std::chrono::milliseconds timeout = std::chrono::seconds(5));

}  // namespace enfold::store
