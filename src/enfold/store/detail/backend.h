// SPDX-License-Identifier: Apache-2.0
// What all stores have in common: hashes and handles, compression, token buckets, and the interface
// of a store. References, verification and the one not_found error are in ContentArchive, which
// uses a backend.
#pragma once

#include "enfold/base/result.h"
#include "enfold/store/archive.h"
#include "enfold/store/counters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::store::detail {

using Digest = std::array<std::uint8_t, 32>;

/// The digest under which principals and bucket keys are stored. Each part is preceded by its
/// length, so ("a","bc") differs from ("ab","c").
[[nodiscard]] Digest digest_of_parts(std::initializer_list<std::string_view> parts);

[[nodiscard]] std::string hash_name(const Digest& hash);                    ///< "sha256:…"
[[nodiscard]] std::optional<Digest> digest_from_hex(std::string_view hex);  ///< of 64 digits

/// The handles that content may get; it gets the first that the owner does not use. They are
/// derived from owner and content, so a handle can be checked against its content, and only a
/// collision could let it open other content later. Without the content a handle cannot be guessed.
using Handles = std::vector<std::string>;
[[nodiscard]] Handles handles_for(const Digest& owner, const Digest& hash);

struct Reference {
  std::string handle;          ///< empty: the reference is a hash
  std::optional<Digest> hash;  ///< empty: the reference is a handle
  Handles handles;  ///< for a hash: set by ContentArchive; parse_reference leaves it empty
};
/// nullopt for anything that is neither twelve digits nor "sha256:" and 64 hex digits.
[[nodiscard]] std::optional<Reference> parse_reference(std::string_view text);

/// Numbers are part of the stored formats.
enum class Codec : std::int64_t { raw = 0, zstd = 1 };

inline constexpr std::size_t kSmallestCompressed = 1024;  ///< bytes; smaller content stays raw

struct Compressed {
  Codec codec = Codec::raw;
  std::string frame;  ///< empty for Codec::raw
  /// What is stored for `bytes`, from which this was made.
  [[nodiscard]] std::string_view data(std::string_view bytes) const {
    return codec == Codec::raw ? bytes : std::string_view(frame);
  }
};
/// Codec::raw where compression gains little: for large content a sample decides. The frame is not
/// decompressed for a check, because every reader compares the SHA-256.
[[nodiscard]] Compressed compress(std::string_view bytes);

/// The content. `size`: of the content, in bytes. Fails unless the content has this `hash`; the
/// error describes the damage.
[[nodiscard]] tl::expected<std::string, std::string> decompress(Codec codec, std::string_view data,
                                                                std::uint64_t size,
                                                                const Digest& hash);

/// The arithmetic of a token bucket. Only the time at which the bucket will be full (`full_at`) is
/// stored; a debt is the time until then. Times are microseconds (since the epoch), below 2^53, so
/// that Lua counts with them exactly.
struct Bucket {
  std::int64_t interval = 0;  ///< microseconds for one token, rounded up
  std::int64_t burst = 1;     ///< tokens of a full bucket

  explicit Bucket(RateLimit limit) : burst(std::clamp<std::int64_t>(limit.burst, 1, kMostBurst)) {
    const std::int64_t per_minute = std::max<std::int64_t>(limit.per_minute, 1);
    interval = (60'000'000 + per_minute - 1) / per_minute;
  }

  /// The debt of an empty bucket.
  [[nodiscard]] std::int64_t capacity() const { return interval * burst; }

  /// The debt before the call: how far `full_at` lies ahead, never more than an empty bucket.
  [[nodiscard]] std::int64_t debt(std::int64_t full_at, std::int64_t now) const {
    return std::clamp<std::int64_t>(full_at - now, 0, capacity());
  }
  /// Whether the bucket has a token. `debt`: before the call.
  [[nodiscard]] bool allows(std::int64_t debt) const { return debt + interval <= capacity(); }

  /// The decision for a call. `debt`: after the call.
  [[nodiscard]] RateDecision answer(bool allowed, std::int64_t debt) const {
    const std::int64_t wait = std::max<std::int64_t>(debt + interval - capacity(), 0);
    return {allowed, (capacity() - debt) / interval, std::chrono::microseconds(allowed ? 0 : wait),
            std::chrono::microseconds(debt)};
  }
};

/// Maximum number of expired entries that one put removes, in memory and in Redis; for SQLite see
/// Maintenance. It is more than one, so that a backlog shrinks, and small, so that no put takes
/// much longer.
inline constexpr std::size_t kExpiredPerPut = 4;
/// The same for one step of `expire`; between two steps other callers can use the store.
inline constexpr std::size_t kExpiredPerStep = 32;

/// The metadata of one archived content of one principal; see Entry.
struct Row {
  std::string handle;
  Digest hash{};
  Meta meta;
  Time created;
  Time expires;
  std::uint64_t size = 0;    ///< bytes of the content
  std::uint64_t stored = 0;  ///< bytes as they are stored
  Codec codec = Codec::raw;
};

/// An archived content with its metadata.
struct Item {
  Row row;
  std::optional<std::string> data;  ///< nullopt: not requested, or the content is missing
};

struct PutRequest {
  Digest owner{};         ///< of the principal
  Row row;                ///< without its handle, which put assigns
  std::string_view data;  ///< as it is stored, perhaps compressed; at most largest_item()
  Handles handles;        ///< that the content may get
  Time now;
};

/// What Health says about the uses of a store. Every member may be called from any thread.
class Failures {
 public:
  /// Counts the result of one use, and returns it. Only errors of the store itself are failures: it
  /// cannot be reached, answers too late, or refuses the login.
  template <class T>
  Result<T> note(Result<T> result) {
    const bool failed = !result && (result.error().code == ErrorCode::unavailable ||
                                    result.error().code == ErrorCode::timed_out ||
                                    result.error().code == ErrorCode::unauthorized);
    const std::scoped_lock lock(mutex_);
    count_ += failed ? 1 : 0;
    problem_ = failed ? result.error().message : std::string();
    return result;
  }
  [[nodiscard]] Health health() const {
    const std::scoped_lock lock(mutex_);
    return {.is_up = problem_.empty(), .failures = count_, .problem = problem_};
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::string problem_;  ///< of the last use; empty: it did not fail
};

/// One kind of store, without references, hashes and compression. Every member may be called from
/// any thread.
class Backend {
 public:
  virtual ~Backend() = default;

  /// In one atomic step: adds the row; or, if the owner already has this content with this media
  /// type, keeps handle and creation time, uses the later expiry, replaces meta and repairs the
  /// data. Makes the row the newest and evicts others until the caps are met, see ArchiveOptions.
  /// An expired row counts as missing. Returns the stored `row`.
  [[nodiscard]] virtual Result<Row> put(const PutRequest& request) = 0;
  /// The item of a reference; if several rows have its hash, the newest. nullopt: it is missing or
  /// has expired. For Want::row the item has no data.
  enum class Want { row, content };
  [[nodiscard]] virtual Result<std::optional<Item>> find(const Digest& owner,
                                                         const Reference& reference, Want want,
                                                         Time now) = 0;
  /// The rows with the ranks from `skip` on, newest first, at most `limit`. Rows that have expired
  /// or cannot be read are left out, but have a rank.
  struct Page {
    std::vector<Row> rows;
    bool is_last = true;  ///< no row has a higher rank
  };
  [[nodiscard]] virtual Result<Page> list(const Digest& owner, std::size_t skip, std::size_t limit,
                                          Time now) = 0;
  /// See Archive::expire.
  [[nodiscard]] virtual Result<std::uint64_t> expire(Time now) = 0;
  [[nodiscard]] virtual Result<Statistics> statistics() = 0;
  [[nodiscard]] virtual Health health() const { return {}; }
  /// for_each calls it once for every item, expired ones included. It must not use the backend.
  using Callback = std::function<void(const Digest& owner, const Item& item)>;
  [[nodiscard]] virtual Status for_each(const Callback& callback) = 0;
};

/// Gives the handles that content may get; tests replace it to make handles collide.
using HandleRule = Handles (*)(const Digest& owner, const Digest& hash);
[[nodiscard]] std::unique_ptr<Archive> content_archive(std::unique_ptr<Backend> backend,
                                                       const ArchiveOptions& options,
                                                       HandleRule handles = handles_for);

/// What only the store in memory can do: these members take about constant time.
class MemoryBackend : public Backend {
 public:
  /// Whether this many more stored bytes of the owner fit without an eviction.
  [[nodiscard]] virtual bool has_room(const Digest& owner, std::uint64_t stored) = 0;
  [[nodiscard]] virtual bool is_empty(const Digest& owner) = 0;
  virtual void remove(const Digest& owner, const std::string& handle) = 0;
};
enum class WhenFull {
  evict,
  refuse,  ///< put fails with `limit_exceeded` and evicts nothing
};
[[nodiscard]] std::unique_ptr<MemoryBackend> memory_backend(const ArchiveOptions& options,
                                                            WhenFull when_full = WhenFull::evict);
[[nodiscard]] Result<std::unique_ptr<Backend>> sqlite_backend(const std::string& path,
                                                              const ArchiveOptions& options);
/// The clock from which callers take the times that they pass. Redis compares it with its own, so
/// that replicas whose clocks differ agree on what has expired.
using WallClock = Instant (*)();
[[nodiscard]] Instant system_time();
[[nodiscard]] Result<std::unique_ptr<Backend>> redis_backend(std::string_view url,
                                                             const ArchiveOptions& options,
                                                             WallClock clock = system_time);
[[nodiscard]] Result<std::unique_ptr<Counters>> redis_counters(std::string_view url,
                                                               std::chrono::milliseconds timeout,
                                                               WallClock clock);

/// The error for content that cannot be read. `reference` is untrusted text.
[[nodiscard]] Error damage(std::string_view reference, const std::string& problem);

/// The error when the owner already uses every handle that this content could have.
[[nodiscard]] tl::unexpected<Error> no_free_handle();

/// The error when the archive is full and all other principals are within an equal share.
[[nodiscard]] tl::unexpected<Error> no_room(std::uint64_t share);

/// The maximum size of an item: the smallest of the caps and of the limits of all stores.
[[nodiscard]] std::uint64_t largest_item(const ArchiveOptions& options);

}  // namespace enfold::store::detail
