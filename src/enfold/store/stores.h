// SPDX-License-Identifier: Apache-2.0
// The stores: in the memory of one process, in one SQLite file for any number of processes on one
// machine, and in Redis or Valkey for replicas on several machines. open_archive() chooses by the
// place that the user names. The format of the file is docs/reference/formats/archive.md.
#pragma once

#include "enfold/store/archive.h"
#include "enfold/store/counters.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace enfold::store {

/// The archive in an SQLite file. Missing folders are created with mode 0700, the file with 0600.
/// Concurrent puts of several threads share one transaction.
[[nodiscard]] Result<std::unique_ptr<Archive>> sqlite_archive(const std::string& path,
                                                              const ArchiveOptions& options = {});

/// Whether a file is a writable archive of this version, according to its first bytes or because
/// this process has it open. If not, sqlite_archive() may still be able to create or migrate it.
[[nodiscard]] bool is_sqlite_archive(const std::string& path);

/// Reads an archive without a change: no file is created, migrated or gets another mode. Statistics
/// of an older format are zeros. Fails as sqlite_archive() would.
[[nodiscard]] Result<Statistics> inspect_sqlite_archive(const std::string& path);

/// Counters are not synced to disk: a power failure may lose the last calls.
[[nodiscard]] Result<std::unique_ptr<Counters>> sqlite_counters(
    const std::string& path, std::chrono::milliseconds timeout = std::chrono::seconds(5));

[[nodiscard]] std::unique_ptr<Archive> memory_archive(const ArchiveOptions& options = {});
[[nodiscard]] std::unique_ptr<Counters> memory_counters();

/// Connects at once, so that a wrong address or password is an error here. A server that is down is
/// no error here: every use fails until the server answers, see health(). Messages never repeat the
/// password of `url`.
[[nodiscard]] Result<std::unique_ptr<Archive>> redis_archive(std::string_view url,
                                                             const ArchiveOptions& options = {});

/// Counters on a Redis server. If the connection is lost before the reply, the Redis command is
/// sent again, so one take may count twice against the rate limit.
[[nodiscard]] Result<std::unique_ptr<Counters>> redis_counters(
    std::string_view url, std::chrono::milliseconds timeout = kServerTimeout);

/// The secret `name`, which all Enfold processes that use this server share. If the server has no
/// such secret, stores `fresh` under this name and returns it.
[[nodiscard]] Result<std::string> redis_secret(std::string_view url, std::string_view name,
                                               std::string_view fresh,
                                               std::chrono::milliseconds timeout = kServerTimeout);

/// While another archive fails, keeps what is put in memory, and the receipt says so; references
/// are looked for in both. What is in memory is never evicted: beyond the caps a put fails. When
/// the archive works again, jobs move the entries there, the oldest first. What it does not take
/// under the same handle stays in memory until it expires.
class ArchiveWithSpare : public Archive {
 public:
  /// Whether what is put next will probably be kept. False while the archive fails and the memory
  /// for this principal is used up; then a job tries now and then to move an entry. Does not wait.
  [[nodiscard]] virtual bool has_room(std::string_view principal, Time now) = 0;
};
/// Runs a job on another thread; false: it cannot run now. May be called from any thread.
using RunLater = std::function<bool(std::function<void()> job)>;
[[nodiscard]] std::shared_ptr<ArchiveWithSpare> archive_with_spare(std::shared_ptr<Archive> main,
                                                                   const ArchiveOptions& in_memory,
                                                                   RunLater run_later);

using OpenArchive = std::function<Result<std::unique_ptr<Archive>>()>;

/// An archive that is opened when it is first used. The first use calls `open`, while other threads
/// wait; if `open` fails, that use fails too, and the next use calls `open` again.
[[nodiscard]] std::unique_ptr<Archive> lazy_archive(OpenArchive open);

}  // namespace enfold::store
