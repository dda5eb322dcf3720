// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"
#include "enfold/store/detail/backend.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace enfold::store::detail {
namespace {

using Want = Backend::Want;

// A Redis string and a SQLite blob both hold more.
constexpr std::uint64_t kLargestItem = std::uint64_t{500} << 20;
constexpr std::size_t kPage = 200;

Entry entry_of(const Row& row) {
  return {row.handle, hash_name(row.hash), row.meta, row.created, row.expires,
          row.size,   row.stored};
}

// A reference comes from a model or a stranger; an error shows no more of it than is readable.
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
    if (auto checked = check_put(principal, bytes, meta); !checked) {
      return tl::unexpected(checked.error());
    }
    const Packed packed = pack(bytes);
    Placement placement;
    placement.owner = digest_of_parts({principal});
    placement.data = packed.data(bytes);
    placement.row.hash = sha256(bytes);
    placement.row.meta = meta;
    placement.row.created = now;
    placement.row.expires = now + options_.life;
    placement.row.size = bytes.size();
    placement.row.stored = placement.data.size();
    placement.row.codec = packed.codec;
    placement.handles = handles_(placement.owner, placement.row.hash);
    placement.now = now;
    if (placement.data.size() > largest_item(options_)) return too_large(placement.data.size());
    auto row = backend_->place(placement);
    if (!row) return tl::unexpected(row.error());
    return Receipt{row->handle, hash_name(row->hash), row->expires};
  }

  Result<std::string> get(std::string_view principal, std::string_view reference,
                          Time now) override {
    auto held = look(principal, reference, now, Want::content);
    if (!held) return tl::unexpected(held.error());
    auto bytes = open(digest_of_parts({principal}), *held);
    if (!bytes) return tl::unexpected(damage(reference, bytes.error()));
    return *std::move(bytes);
  }

  Result<std::string> range(std::string_view principal, std::string_view reference,
                            std::uint64_t begin, std::uint64_t length, Time now) override {
    auto bytes = get(principal, reference, now);
    if (!bytes) return bytes;
    if (begin > bytes->size()) {
      return fail(
          ErrorCode::invalid_input,
          fmt::format("the range begins at byte {} of {} archived bytes", begin, bytes->size()),
          shown(reference), fmt::format("Ask for bytes from 0 to {}.", bytes->size()));
    }
    if (begin == 0 && length >= bytes->size()) return bytes;
    return bytes->substr(begin, length);
  }

  Result<Entry> stat(std::string_view principal, std::string_view reference, Time now) override {
    auto held = look(principal, reference, now, Want::row);
    if (!held) return tl::unexpected(held.error());
    return entry_of(held->row);
  }

  Result<std::vector<Entry>> find(std::string_view principal, const Query& query,
                                  Time now) override {
    if (auto named = check_principal(principal); !named) return tl::unexpected(named.error());
    const Digest owner = digest_of_parts({principal});
    std::vector<Entry> found;
    std::size_t skipped = 0;
    for (std::size_t at = 0; found.size() < query.limit; at += kPage) {
      auto rows = backend_->newest(owner, at, kPage);
      if (!rows) return tl::unexpected(rows.error());
      for (const Row& row : *rows) {
        if (row.expires <= now || found.size() == query.limit) continue;
        if (!query.tool.empty() && row.meta.tool != query.tool) continue;
        if (skipped < query.skip) {
          ++skipped;
        } else {
          found.push_back(entry_of(row));
        }
      }
      if (rows->size() < kPage) break;
    }
    return found;
  }

  Result<std::uint64_t> expire(Time now) override { return backend_->expire(now); }

  Result<Statistics> statistics() override { return backend_->statistics(); }

  Result<Verification> verify() override {
    Verification verification;
    const auto visited = backend_->visit([&](const Digest& owner, const Held& held) {
      ++verification.checked;
      const auto bytes = open(owner, held);
      if (bytes) return;
      verification.damaged.push_back({held.row.handle, hash_name(held.row.hash), bytes.error()});
    });
    if (!visited) return tl::unexpected(visited.error());
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
    if (auto named = check_principal(principal); !named) return named;
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

  Result<Held> look(std::string_view principal, std::string_view reference, Time now, Want want) {
    if (auto named = check_principal(principal); !named) return tl::unexpected(named.error());
    auto parsed = parse_reference(reference);
    if (!parsed) return not_found(reference);
    const Digest owner = digest_of_parts({principal});
    if (parsed->hash) parsed->handles = handles_(owner, *parsed->hash);
    auto held = backend_->look(owner, *parsed, want);
    if (!held) return tl::unexpected(held.error());
    if (!*held || (*held)->row.expires <= now) return not_found(reference);
    const Row& row = (*held)->row;
    if (parsed->hash ? row.hash != *parsed->hash : row.handle != parsed->handle) {
      return tl::unexpected(damage(reference, "the index leads to other content"));
    }
    return **std::move(held);
  }

  // The handle is checked too: a damaged index must not lead to other content, or to somebody
  // else's.
  tl::expected<std::string, std::string> open(const Digest& owner, const Held& held) {
    if (!held.data) return tl::unexpected<std::string>("its bytes are missing");
    auto bytes = unpack(held.row.codec, *held.data, held.row.size, held.row.hash);
    if (!bytes) return bytes;
    const Handles allowed = handles_(owner, held.row.hash);
    if (std::find(allowed.begin(), allowed.end(), held.row.handle) == allowed.end()) {
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
