// SPDX-License-Identifier: Apache-2.0
// What a store must be able to do. What all stores have in common – references, compression,
// verification, the one not_found error – is in ContentArchive, above it.
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

/// How many expired entries one put removes at most. More than one, so that a backlog shrinks; few,
/// so that no put takes much longer than another.
inline constexpr std::size_t kExpiredPerPut = 4;
/// How many entries `expire` removes in one step; other callers get their turn between two steps.
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
  std::optional<std::string> data;  ///< nullopt: not asked for, or the content is missing
};

/// `data` must fit the caps.
struct PutRequest {
  Digest owner{};
  Row row;  ///< without its handle
  std::string_view data;
  Handles handles;
  Time now;
};

class Backend {
 public:
  virtual ~Backend() = default;

  /// The store's own time at the caller's `now`. Redis answers by its server's clock, so that
  /// replicas whose clocks differ agree on what has expired.
  [[nodiscard]] virtual Time store_time(Time now) { return now; }

  /// In one atomic step: adds the row, or, where the owner has this content as this media type,
  /// keeps handle and created, takes the later expiry, replaces meta and repairs the data; makes it
  /// the newest; removes the oldest until the caps are met. An expired row counts as missing.
  /// Returns `row` as it then is.
  [[nodiscard]] virtual Result<Row> put(const PutRequest& request) = 0;
  /// Expired rows are found too; of several with one hash the newest. `data` stays empty for
  /// Want::row.
  enum class Want { row, content };
  [[nodiscard]] virtual Result<std::optional<Item>> find(const Digest& owner,
                                                         const Reference& reference, Want want) = 0;
  /// Newest first, expired ones included.
  [[nodiscard]] virtual Result<std::vector<Row>> list(const Digest& owner, std::size_t skip,
                                                      std::size_t limit) = 0;
  /// Works in steps of bounded size, between which other callers get their turn.
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
/// `clock` is the clock from which the callers take the times that they pass.
using WallClock = Instant (*)();
[[nodiscard]] Instant system_time();
[[nodiscard]] Result<std::unique_ptr<Backend>> redis_backend(std::string_view url,
                                                             const ArchiveOptions& options,
                                                             WallClock clock = system_time);

/// The error for an owner that already uses every handle this content could have.
[[nodiscard]] tl::unexpected<Error> no_free_handle();

/// The smallest of the caps and of what every store can take in one piece.
[[nodiscard]] std::uint64_t largest_item(const ArchiveOptions& options);

}  // namespace enfold::store::detail
