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

/// Missing folders are made with mode 0700, the file with 0600. A put returns after its fsync; puts
/// of several threads that come at the same time share one.
[[nodiscard]] Result<std::unique_ptr<Archive>> sqlite_archive(const std::string& path,
                                                              const ArchiveOptions& options = {});

/// Whether a file is an archive of this version that may be written, by its first bytes alone, or
/// because this process has it open. What is not may still become one when it is opened, or opening
/// it says what is wrong.
[[nodiscard]] bool is_sqlite_archive(const std::string& path);

/// Counters are not synced: a power failure may forget the last calls.
[[nodiscard]] Result<std::unique_ptr<Counters>> sqlite_counters(
    const std::string& path, std::chrono::milliseconds patience = std::chrono::seconds(5));

}  // namespace enfold::store
