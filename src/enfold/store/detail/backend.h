// SPDX-License-Identifier: Apache-2.0
// The interface of a store. What all stores have in common – references, compression, verification,
// the one not_found error – is in ContentArchive, which uses a backend.
#pragma once

#include "enfold/store/archive.h"
#include "enfold/store/counters.h"
#include "enfold/store/detail/compression.h"
#include "enfold/store/detail/digest.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::store::detail {

/// Maximum number of expired entries that one put removes. More than one, so that a backlog
/// shrinks; few, so that no put takes much longer than another.
inline constexpr std::size_t kExpiredPerPut = 4;
/// Number of entries that `expire` removes in one step; between two steps other callers can use the
/// store.
inline constexpr std::size_t kExpiredPerStep = 32;

struct Row {
  std::string handle;
  Digest hash{};
  Meta meta;
  Time created;
  Time expires;
  std::uint64_t size = 0;
  std::uint64_t stored = 0;
  Codec codec = Codec::raw;
};

struct Item {
  Row row;
  std::optional<std::string> data;  ///< nullopt: not requested, or the content is missing
};

/// `data` must fit the caps.
struct PutRequest {
  Digest owner{};
  Row row;  ///< without its handle, which put assigns
  std::string_view data;
  Handles handles;
  Time now;
};

class Backend {
 public:
  virtual ~Backend() = default;

  /// The store's time at the caller's `now`. Redis uses its server's clock, so that replicas whose
  /// clocks differ agree on what has expired.
  [[nodiscard]] virtual Time store_time(Time now) { return now; }

  /// In one atomic step: adds the row; or, if the owner already has this content with this media
  /// type, keeps handle and creation time, uses the later expiry, replaces meta and repairs the
  /// data. Makes the row the newest and evicts the oldest rows until the caps are met. An expired
  /// row counts as missing. Returns the stored `row`.
  [[nodiscard]] virtual Result<Row> put(const PutRequest& request) = 0;
  /// Also finds expired rows; of several with one hash the newest. `data` stays empty for
  /// Want::row.
  enum class Want { row, content };
  [[nodiscard]] virtual Result<std::optional<Item>> find(const Digest& owner,
                                                         const Reference& reference, Want want) = 0;
  /// Newest first, expired ones included.
  [[nodiscard]] virtual Result<std::vector<Row>> list(const Digest& owner, std::size_t skip,
                                                      std::size_t limit) = 0;
  /// Works in steps of limited size; between two steps other callers can use the store.
  [[nodiscard]] virtual Result<std::uint64_t> expire(Time now) = 0;
  [[nodiscard]] virtual Result<Statistics> statistics() = 0;
  using Callback = std::function<void(const Digest& owner, const Item& item)>;
  [[nodiscard]] virtual Status for_each(const Callback& callback) = 0;
};

using HandleRule = Handles (*)(const Digest& owner, const Digest& hash);
[[nodiscard]] std::unique_ptr<Archive> content_archive(std::unique_ptr<Backend> backend,
                                                       const ArchiveOptions& options,
                                                       HandleRule handles = handles_for);

[[nodiscard]] std::unique_ptr<Backend> memory_backend(const ArchiveOptions& options);
[[nodiscard]] Result<std::unique_ptr<Backend>> sqlite_backend(const std::string& path,
                                                              const ArchiveOptions& options);
/// The clock from which callers take the times that they pass.
using WallClock = Instant (*)();
[[nodiscard]] Instant system_time();
[[nodiscard]] Result<std::unique_ptr<Backend>> redis_backend(std::string_view url,
                                                             const ArchiveOptions& options,
                                                             WallClock clock = system_time);

/// The error when the owner already uses every handle that this content could have.
[[nodiscard]] tl::unexpected<Error> no_free_handle();

/// The maximum size of an item: the smallest of the caps and of the limits of all stores.
[[nodiscard]] std::uint64_t largest_item(const ArchiveOptions& options);

}  // namespace enfold::store::detail
