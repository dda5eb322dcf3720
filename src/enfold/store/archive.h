// SPDX-License-Identifier: Apache-2.0
// Stores the original of an answer that was cut, for one principal and for a limited time. Content
// is addressed by the SHA-256 of its bytes and checked against it on every read; the model sees a
// short handle. When `put` returns, the content is as durable as `Durability` says. See
// docs/internals/store.md.
#pragma once

#include "enfold/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::store {

/// The time of a call, which the caller always passes. The store reads a clock only to compare it
/// with that of a Redis server, which decides there what has expired.
using Time = std::chrono::sys_seconds;

/// Metadata of an archived answer. `put` fails if the texts together have more than kMostMetaBytes.
struct Meta {
  std::string tool;            ///< the name of the tool
  std::string arguments_hash;  ///< of the call's arguments; the store does not interpret it
  std::string media_type;
  friend bool operator==(const Meta&, const Meta&) = default;
};
inline constexpr std::size_t kMostMetaBytes = 4096;

/// What `put` returns.
struct Receipt {
  std::string handle;  ///< twelve decimal digits, the first is not 0
  std::string hash;    ///< "sha256:" and 64 hex digits
  Time expires;
  bool is_volatile = false;  ///< in the memory of this process, because the archive failed
  friend bool operator==(const Receipt&, const Receipt&) = default;
};

/// The description of an archived answer, without its content.
struct Entry {
  std::string handle;
  std::string hash;
  Meta meta;
  Time created;  ///< when these bytes were first put; extending their life does not change it
  Time expires;
  std::uint64_t size = 0;         ///< in bytes
  std::uint64_t stored_size = 0;  ///< after compression; the caps apply to it
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// Selects entries for `find`.
struct Query {
  std::string tool;      ///< empty: of any tool
  std::size_t skip = 0;  ///< matching entries to leave out, from the latest on
  std::size_t limit = 100;
};

/// Totals over everything stored, including expired content that is not removed yet. With more than
/// 1,000 principals in Redis the numbers may be ten seconds old.
struct Statistics {
  std::uint64_t principals = 0;
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;            ///< before compression
  std::uint64_t stored_bytes = 0;     ///< after compression
  std::vector<std::string> warnings;  ///< settings under which a handle may not survive
};

/// Whether a store works, for logs and health checks.
struct Health {
  bool is_up = true;                       ///< its last use did not fail
  std::uint64_t failures = 0;              ///< uses that failed since it was opened
  std::string problem;                     ///< of the last failure while it is not up; else empty
  std::vector<std::string> warnings = {};  ///< settings under which a handle may not survive
};

/// An archived answer that cannot be read.
struct Damage {
  std::string handle;  ///< empty: the record itself cannot be read
  std::string hash;
  std::string problem;
};
struct Verification {
  std::uint64_t checked = 0;  ///< number of entries
  std::vector<Damage> damaged;
};

/// Which failures an archived answer survives once `put` has returned. Only SQLite distinguishes
/// them; the durability of Redis depends on its configuration.
enum class Durability {
  process,  ///< a crash of the program: the operating system has the answer
  disk,     ///< also a power failure: one fsync for each put, shared by concurrent ones
};

inline constexpr std::chrono::milliseconds kServerTimeout{250};

struct ArchiveOptions {
  std::chrono::seconds life = std::chrono::hours(168);  ///< time to live of an entry
  /// Caps on stored bytes, after compression, and on entries. Beyond them the content that the
  /// principal put longest ago is evicted, never the content just put. Content larger than one of
  /// the caps is refused and evicts nothing.
  std::uint64_t max_bytes_per_principal = std::uint64_t{1} << 30;
  std::uint64_t max_entries_per_principal = 100'000;
  /// For all principals together. Beyond this cap the principal that holds most loses its oldest
  /// content, so a principal within an equal share loses nothing to others. Content larger than a
  /// share is refused if the other principals are within their shares. Redis evicts nothing for
  /// this cap: there the operator sets `maxmemory`.
  std::uint64_t max_bytes = std::uint64_t{4} << 30;
  Durability durability = Durability::process;
  /// Maximum time to wait for another process that has locked the file.
  std::chrono::milliseconds timeout = std::chrono::seconds(5);
  /// A Redis server that is silent for this time counts as down: open calls fail, and further calls
  /// fail at once until the server answers again.
  std::chrono::milliseconds server_timeout = kServerTimeout;
  friend bool operator==(const ArchiveOptions&, const ArchiveOptions&) = default;
};

/// Errors: `not_found` for a reference that is unknown, expired or of another principal – the same
/// error for all three; `internal` for a damaged store; `unavailable`, `timed_out`, `unauthorized`
/// if the store cannot be reached, written or locked; `limit_exceeded` for content or metadata that
/// is too large.
///
/// A reference is a handle or a hash. Principals are opaque and not empty; only their digests are
/// stored. Every member may be called from any thread; do not carry an archive across fork().
class Archive {
 public:
  virtual ~Archive() = default;

  /// The same bytes of the same principal and media type have one handle; putting them again
  /// extends their life, replaces `meta`, and repairs damaged content. With another media type they
  /// have another handle, so that each handle has one media type; their hash opens the content that
  /// was put last.
  [[nodiscard]] virtual Result<Receipt> put(std::string_view principal, std::string_view bytes,
                                            const Meta& meta, Time now) = 0;
  /// The content, checked against its hash.
  [[nodiscard]] virtual Result<std::string> get(std::string_view principal,
                                                std::string_view reference, Time now) = 0;
  /// The description of a content. Does not read the content, so damaged content is no error here.
  [[nodiscard]] virtual Result<Entry> stat(std::string_view principal, std::string_view reference,
                                           Time now) = 0;
  /// The entries of the principal that match, latest put first, without expired entries.
  [[nodiscard]] virtual Result<std::vector<Entry>> find(std::string_view principal,
                                                        const Query& query, Time now) = 0;
  /// Removes the expired entries of every principal and returns their number. Works in short steps,
  /// so that no put waits long. `put` also removes some expired entries.
  [[nodiscard]] virtual Result<std::uint64_t> expire(Time now) = 0;
  [[nodiscard]] virtual Result<Statistics> statistics() = 0;
  /// Does not wait.
  [[nodiscard]] virtual Health health() const { return {}; }
  /// Reads and checks everything. Damaged content is in the result; a damaged file is an error.
  [[nodiscard]] virtual Result<Verification> verify() = 0;
};

/// Where a store is, as open_archive accepts it.
struct Place {
  enum class Kind { memory, sqlite, redis };
  Kind kind = Kind::sqlite;
  std::string_view name;  ///< file path or server URL, points into the parsed text; memory: empty
};
[[nodiscard]] Result<Place> parse_place(std::string_view place);

/// `memory` or `memory:`, a path (`./memory` for a file of that name) or `sqlite:PATH`,
/// `redis://[user:password@]host[:port][/db]`, `redis+unix:///path[?db=N]`. Creates a missing
/// store, migrates an older one, and refuses one that a newer version has written.
[[nodiscard]] Result<std::unique_ptr<Archive>> open_archive(std::string_view place,
                                                            const ArchiveOptions& options = {});

}  // namespace enfold::store
