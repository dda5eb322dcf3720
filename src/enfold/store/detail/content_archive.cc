// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"
#include "enfold/store/detail/backend.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace enfold::store::detail {
namespace {

using Want = Backend::Want;

// Below the maximum size of a Redis string and of an SQLite blob.
constexpr std::uint64_t kLargestItem = std::uint64_t{500} << 20;
constexpr std::size_t kPage = 200;

Entry entry_of(const Row& row) {
  return {row.handle, hash_name(row.hash), row.meta, row.created, row.expires,
          row.size,   row.stored};
}

// A reference is untrusted text; an error shows only its printable beginning.
std::string shown(std::string_view reference) {
  std::string text(reference.substr(0, 80));
  std::replace_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  if (reference.size() > text.size()) text += "...";
  return text;
}

Error damage(std::string_view reference, const std::string& problem) {
  return {ErrorCode::internal, "the archived content is damaged: " + problem, shown(reference),
          "Call the tool again; its new answer replaces the damaged one."};
}

class ContentArchive final : public Archive {
 public:
  ContentArchive(std::unique_ptr<Backend> backend, const ArchiveOptions& options,
                 HandleRule handles)
      : backend_(std::move(backend)), options_(options), handles_(handles) {}

  Result<Receipt> put(std::string_view principal, std::string_view bytes, const Meta& meta,
                      Time now) override {
    ENFOLD_TRY(check_put(principal, bytes, meta));
    const Compressed compressed = compress(bytes);
    PutRequest request;
    request.now = backend_->store_time(now);
    request.owner = digest_of_parts({principal});
    request.data = compressed.data(bytes);
    request.row.hash = sha256(bytes);
    request.row.meta = meta;
    request.row.created = request.now;
    request.row.expires = request.now + options_.life;
    request.row.size = bytes.size();
    request.row.stored = request.data.size();
    request.row.codec = compressed.codec;
    request.handles = handles_(request.owner, request.row.hash);
    if (request.data.size() > largest_item(options_)) return too_large(request.data.size());
    ENFOLD_TRY(const Row row, backend_->put(request));
    return Receipt{row.handle, hash_name(row.hash), row.expires};
  }

  Result<std::string> get(std::string_view principal, std::string_view reference,
                          Time now) override {
    ENFOLD_TRY(const Item item, look_up(principal, reference, now, Want::content));
    auto bytes = open(digest_of_parts({principal}), item);
    if (!bytes) return tl::unexpected(damage(reference, bytes.error()));
    return *std::move(bytes);
  }

  Result<std::string> range(std::string_view principal, std::string_view reference,
                            std::uint64_t begin, std::uint64_t length, Time now) override {
    ENFOLD_TRY(std::string bytes, get(principal, reference, now));
    if (begin > bytes.size()) {
      return fail(
          ErrorCode::invalid_input,
          fmt::format("the range begins at byte {} of {} archived bytes", begin, bytes.size()),
          shown(reference), fmt::format("Ask for bytes from 0 to {}.", bytes.size()));
    }
    if (begin == 0 && length >= bytes.size()) return bytes;
    return bytes.substr(begin, length);
  }

  Result<Entry> stat(std::string_view principal, std::string_view reference, Time now) override {
    ENFOLD_TRY(const Item item, look_up(principal, reference, now, Want::row));
    return entry_of(item.row);
  }

  Result<std::vector<Entry>> find(std::string_view principal, const Query& query,
                                  Time now) override {
    ENFOLD_TRY(check_principal(principal));
    const Digest owner = digest_of_parts({principal});
    const Time time = backend_->store_time(now);
    std::vector<Entry> found;
    std::size_t skipped = 0;
    for (std::size_t at = 0; found.size() < query.limit; at += kPage) {
      ENFOLD_TRY(const auto rows, backend_->list(owner, at, kPage));
      for (const Row& row : rows) {
        if (row.expires <= time || found.size() == query.limit) continue;
        if (!query.tool.empty() && row.meta.tool != query.tool) continue;
        if (skipped < query.skip) {
          ++skipped;
        } else {
          found.push_back(entry_of(row));
        }
      }
      if (rows.size() < kPage) break;
    }
    return found;
  }

  Result<std::uint64_t> expire(Time now) override {
    return backend_->expire(backend_->store_time(now));
  }

  Result<Statistics> statistics() override { return backend_->statistics(); }

  Result<Verification> verify() override {
    Verification verification;
    ENFOLD_TRY(backend_->for_each([&](const Digest& owner, const Item& item) {
      ++verification.checked;
      const auto bytes = open(owner, item);
      if (bytes) return;
      verification.damaged.push_back({item.row.handle, hash_name(item.row.hash), bytes.error()});
    }));
    return verification;
  }

 private:
  static Status check_principal(std::string_view principal) {
    if (!principal.empty()) return {};
    return fail(ErrorCode::invalid_input, "the principal is empty", "",
                "Name whom the content belongs to.");
  }

  [[nodiscard]] Status check_put(std::string_view principal, std::string_view bytes,
                                 const Meta& meta) const {
    ENFOLD_TRY(check_principal(principal));
    const std::size_t described =
        meta.tool.size() + meta.arguments_hash.size() + meta.media_type.size();
    if (described > kMostMetaBytes) {
      return fail(ErrorCode::limit_exceeded,
                  fmt::format("the description of the content has {} bytes, at most {} are kept",
                              described, kMostMetaBytes),
                  "the names of tool and media type and the hash of the arguments",
                  "Give the tool a shorter name.");
    }
    if (bytes.size() > kLargestItem) return too_large(bytes.size());
    return {};
  }

  [[nodiscard]] tl::unexpected<Error> too_large(std::uint64_t size) const {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("the content takes {} bytes, the archive keeps at most {} in one piece",
                            size, largest_item(options_)),
                "", "Raise the archive's size cap, or ask the tool for less at a time.");
  }

  [[nodiscard]] tl::unexpected<Error> not_found(std::string_view reference) const {
    const auto hours = std::chrono::duration_cast<std::chrono::hours>(options_.life).count();
    return fail(ErrorCode::not_found, "no archived content under this reference", shown(reference),
                fmt::format("Archived answers are kept for {} hours and open only for whom they "
                            "were made; call the tool again for a new one.",
                            hours));
  }

  Result<Item> look_up(std::string_view principal, std::string_view reference, Time now,
                       Want want) {
    ENFOLD_TRY(check_principal(principal));
    auto parsed = parse_reference(reference);
    if (!parsed) return not_found(reference);
    const Digest owner = digest_of_parts({principal});
    if (parsed->hash) parsed->handles = handles_(owner, *parsed->hash);
    ENFOLD_TRY(std::optional<Item> item, backend_->find(owner, *parsed, want));
    if (!item || item->row.expires <= backend_->store_time(now)) return not_found(reference);
    const Row& row = item->row;
    if (parsed->hash ? row.hash != *parsed->hash : row.handle != parsed->handle) {
      return tl::unexpected(damage(reference, "the index leads to other content"));
    }
    return *std::move(item);
  }

  // The handle is checked too: a damaged index must not lead to other content, or to that of
  // another principal.
  tl::expected<std::string, std::string> open(const Digest& owner, const Item& item) {
    if (!item.data) return tl::unexpected<std::string>("its bytes are missing");
    auto bytes = decompress(item.row.codec, *item.data, item.row.size, item.row.hash);
    if (!bytes) return bytes;
    const Handles allowed = handles_(owner, item.row.hash);
    if (std::find(allowed.begin(), allowed.end(), item.row.handle) == allowed.end()) {
      return tl::unexpected<std::string>("its handle belongs to other content");
    }
    return bytes;
  }

  std::unique_ptr<Backend> backend_;
  ArchiveOptions options_;
  HandleRule handles_;
};

}  // namespace

std::unique_ptr<Archive> content_archive(std::unique_ptr<Backend> backend,
                                         const ArchiveOptions& options, HandleRule handles) {
  return std::make_unique<ContentArchive>(std::move(backend), options, handles);
}

tl::unexpected<Error> no_free_handle() {
  return fail(ErrorCode::unavailable, "no handle is free", "the archive of this principal",
              "Remove what has expired: `enfold archive gc`. Or lower the archive's size cap.");
}

std::uint64_t largest_item(const ArchiveOptions& options) {
  return std::min({options.max_bytes_per_principal, options.max_bytes, kLargestItem});
}

}  // namespace enfold::store::detail
