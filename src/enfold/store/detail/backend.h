// SPDX-License-Identifier: Apache-2.0
// What a store must be able to do. Everything that all stores have in common – references,
// compression, verification, the one not_found – is in ContentArchive, above it.
#pragma once

#include "enfold/store/archive.h"
#include "enfold/store/detail/digest.h"
#include "enfold/store/detail/pack.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::store::detail {

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

struct Held {
  Row row;
  std::optional<std::string> data;  ///< nullopt: a row whose content is gone
};

/// Content on its way in. `data` must fit the caps.
struct Placement {
  Digest owner{};
  Row row;  ///< without its handle
  std::string_view data;
  Handles handles;
  Time now;
};

class Backend {
 public:
  virtual ~Backend() = default;

  /// In one atomic step: drops what of the owner's has expired; then adds the row, or, where the
  /// owner has this content as this media type, keeps handle and created, takes the later expiry,
  /// replaces meta and repairs the data; makes it the newest; drops the oldest until the caps are
  /// met. `row` as it then stands.
  [[nodiscard]] virtual Result<Row> place(const Placement& placement) = 0;
  /// Expired rows are found too; of several with one hash the newest. `data` stays empty unless it
  /// is wanted.
  enum class Want { row, content };
  [[nodiscard]] virtual Result<std::optional<Held>> look(const Digest& owner,
                                                         const Reference& reference, Want want) = 0;
  /// Newest first, expired ones included.
  [[nodiscard]] virtual Result<std::vector<Row>> newest(const Digest& owner, std::size_t skip,
                                                        std::size_t limit) = 0;
  [[nodiscard]] virtual Result<std::uint64_t> expire(Time now) = 0;
  [[nodiscard]] virtual Result<Statistics> statistics() = 0;
  using Visitor = std::function<void(const Digest& owner, const Held& held)>;
  [[nodiscard]] virtual Status visit(const Visitor& visitor) = 0;
};

using HandleRule = Handles (*)(const Digest& owner, const Digest& hash);
[[nodiscard]] std::unique_ptr<Archive> content_archive(std::unique_ptr<Backend> backend,
                                                       const ArchiveOptions& options,
                                                       HandleRule handles = handles_for);

[[nodiscard]] std::unique_ptr<Backend> memory_backend(const ArchiveOptions& options);
[[nodiscard]] Result<std::unique_ptr<Backend>> sqlite_backend(const std::string& path,
                                                              const ArchiveOptions& options);
[[nodiscard]] Result<std::unique_ptr<Backend>> redis_backend(std::string_view url,
                                                             const ArchiveOptions& options);

/// When an owner has so much content that every handle it could have is taken.
[[nodiscard]] tl::unexpected<Error> no_free_handle();

/// The smallest of the caps and of what every store can take in one piece.
[[nodiscard]] std::uint64_t largest_item(const ArchiveOptions& options);

}  // namespace enfold::store::detail
