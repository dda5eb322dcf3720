// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/store/detail/backend.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>
#include <zstd.h>

namespace enfold::store::detail {
namespace {

using Want = Backend::Want;

// Bytes, before and after compression: below the maximum of a Redis string and of an SQLite blob.
constexpr std::uint64_t kLargestItem = std::uint64_t{500} << 20;
constexpr std::size_t kPage = 200;  // rows that `find` reads from the backend at a time

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

// The time as a message has it: "7 hours", "90 minutes".
std::string in_words(std::chrono::seconds time) {
  const auto counted = [](auto count, std::string_view unit) {
    return fmt::format("{} {}{}", count, unit, count == 1 ? "" : "s");
  };
  const auto count = time.count();
  if (count % 3600 == 0) return counted(count / 3600, "hour");
  if (count % 60 == 0) return counted(count / 60, "minute");
  return counted(count, "second");
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
    request.now = now;
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

  Result<Entry> stat(std::string_view principal, std::string_view reference, Time now) override {
    ENFOLD_TRY(const Item item, look_up(principal, reference, now, Want::row));
    return entry_of(item.row);
  }

  Result<std::vector<Entry>> find(std::string_view principal, const Query& query,
                                  Time now) override {
    ENFOLD_TRY(check_principal(principal));
    const Digest owner = digest_of_parts({principal});
    std::vector<Entry> found;
    std::size_t skipped = 0;
    for (std::size_t at = 0; found.size() < query.limit; at += kPage) {
      ENFOLD_TRY(const auto page, backend_->list(owner, at, kPage, now));
      for (const Row& row : page.rows) {
        if (found.size() == query.limit) break;
        if (!query.tool.empty() && row.meta.tool != query.tool) continue;
        if (skipped < query.skip) {
          ++skipped;
        } else {
          found.push_back(entry_of(row));
        }
      }
      if (page.is_last) break;
    }
    return found;
  }

  Result<std::uint64_t> expire(Time now) override { return backend_->expire(now); }

  Result<Statistics> statistics() override { return backend_->statistics(); }
  Health health() const override { return backend_->health(); }

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
    return fail(ErrorCode::not_found, "no archived content under this reference", shown(reference),
                fmt::format("Archived answers are kept for {}, less if the archive is full, and "
                            "open only for whom they were made; call the tool again for a new "
                            "one.",
                            in_words(options_.life)));
  }

  Result<Item> look_up(std::string_view principal, std::string_view reference, Time now,
                       Want want) {
    ENFOLD_TRY(check_principal(principal));
    auto parsed = parse_reference(reference);
    if (!parsed) return not_found(reference);
    const Digest owner = digest_of_parts({principal});
    if (parsed->hash) parsed->handles = handles_(owner, *parsed->hash);
    ENFOLD_TRY(std::optional<Item> item, backend_->find(owner, *parsed, want, now));
    if (!item) return not_found(reference);
    const Row& row = item->row;
    if (parsed->hash ? row.hash != *parsed->hash : row.handle != parsed->handle) {
      return tl::unexpected(damage(reference, "the index leads to other content"));
    }
    return *std::move(item);
  }

  // The content of an item; the error describes the damage. The handle is checked too: a damaged
  // index must not lead to other content, or to content of another principal.
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

constexpr std::string_view kHashPrefix = "sha256:";
constexpr std::size_t kHandleDigits = 12;
// Handles have no leading zero, so that a handle written as a number keeps its digits.
constexpr std::uint64_t kSmallestHandle = 100'000'000'000;
constexpr std::uint64_t kHandles = 900'000'000'000;  // number of possible handles
constexpr int kCandidates = 8;                       // number of handles that content may get

std::string_view view(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// -1: not a hexadecimal digit.
int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The compression level of zstd. Slower levels gain little on tool answers. Faster ones cost more
// than they save: each byte that is not compressed away is written twice, to the log and to the
// file.
constexpr int kLevel = 1;
constexpr std::size_t kSampleSize = 16 * 1024;             // bytes
constexpr std::size_t kSmallestSampled = 4 * kSampleSize;  // smaller content needs no sample

// A context is large and slow to create, so each thread keeps one.
ZSTD_CCtx* compressor() {
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                                  &ZSTD_freeCCtx);
  return context.get();
}
ZSTD_DCtx* decompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                                  &ZSTD_freeDCtx);
  return context.get();
}

// The bytes as a frame of zstd; empty: zstd failed.
std::string deflate(std::string_view bytes) {
  ZSTD_CCtx* const context = compressor();
  if (context == nullptr) return {};
  const std::size_t bound = ZSTD_compressBound(bytes.size());
  const auto buffer = std::make_unique_for_overwrite<char[]>(bound);
  const std::size_t size =
      ZSTD_compressCCtx(context, buffer.get(), bound, bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) != 0U) return {};
  return {buffer.get(), size};
}

// Whether a sample from the middle shrinks by a tenth. Images and archives, which are compressed
// already, do not.
bool sample_shrinks(std::string_view bytes) {
  if (bytes.size() < kSmallestSampled) return true;
  const std::string_view sample = bytes.substr(bytes.size() / 2, kSampleSize);
  const std::string frame = deflate(sample);
  return !frame.empty() && frame.size() < sample.size() - sample.size() / 10;
}

// The content of a frame of zstd; the error describes the damage.
tl::expected<std::string, std::string> inflate(std::string_view data, std::uint64_t size) {
  // Checked before memory is allocated: the frame's header must have the recorded size.
  if (ZSTD_getFrameContentSize(data.data(), data.size()) != size) {
    return tl::unexpected<std::string>("the compressed frame does not have the recorded size");
  }
  std::string bytes(size, '\0');
  ZSTD_DCtx* const context = decompressor();
  if (context == nullptr) return tl::unexpected<std::string>("no memory to decompress");
  const std::size_t got =
      ZSTD_decompressDCtx(context, bytes.data(), bytes.size(), data.data(), data.size());
  if (ZSTD_isError(got) != 0U) return tl::unexpected<std::string>(ZSTD_getErrorName(got));
  if (got != size) return tl::unexpected<std::string>("the compressed data are too short");
  return bytes;
}

}  // namespace

std::unique_ptr<Archive> content_archive(std::unique_ptr<Backend> backend,
                                         const ArchiveOptions& options, HandleRule handles) {
  return std::make_unique<ContentArchive>(std::move(backend), options, handles);
}

Error damage(std::string_view reference, const std::string& problem) {
  return {ErrorCode::internal, "the archived content is damaged: " + problem, shown(reference),
          "Call the tool again; its new answer replaces the damaged one."};
}

tl::unexpected<Error> no_free_handle() {
  return fail(ErrorCode::unavailable, "no handle is free", "the archive of this principal",
              "Remove what has expired: `enfold archive gc`. Or lower the archive's size cap.");
}

tl::unexpected<Error> no_room(std::uint64_t share) {
  return fail(ErrorCode::limit_exceeded,
              fmt::format("the archive is full, and an equal share of it is {} bytes", share),
              "the archive of all principals",
              "Raise the archive's size cap, or ask the tool for less at a time.");
}

std::uint64_t largest_item(const ArchiveOptions& options) {
  return std::min({options.max_bytes_per_principal, options.max_bytes, kLargestItem});
}

Digest digest_of_parts(std::initializer_list<std::string_view> parts) {
  std::string joined;
  for (const std::string_view part : parts) {
    joined += fmt::format("{}:", part.size());
    joined += part;
  }
  return sha256(joined);
}

std::string hash_name(const Digest& hash) { return std::string(kHashPrefix) + to_hex(hash); }

std::optional<Digest> digest_from_hex(std::string_view hex) {
  Digest digest{};
  if (hex.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const int high = hex_value(hex[2 * i]);
    const int low = hex_value(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    digest[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return digest;
}

Handles handles_for(const Digest& owner, const Digest& hash) {
  Handles handles;
  for (int i = 0; i < kCandidates; ++i) {
    const Digest drawn =
        digest_of_parts({"enfold handle", view(owner), view(hash), fmt::format("{}", i)});
    std::uint64_t number = 0;
    for (std::size_t byte = 0; byte < 8; ++byte) number = number << 8 | drawn[byte];
    handles.push_back(fmt::format("{}", kSmallestHandle + number % kHandles));
  }
  return handles;
}

std::optional<Reference> parse_reference(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() == kHandleDigits && std::all_of(text.begin(), text.end(), is_digit)) {
    return Reference{std::string(text), std::nullopt, {}};
  }
  if (!text.starts_with(kHashPrefix)) return std::nullopt;
  const auto hash = digest_from_hex(text.substr(kHashPrefix.size()));
  if (!hash) return std::nullopt;
  return Reference{"", hash, {}};
}

Compressed compress(std::string_view bytes) {
  if (bytes.size() < kSmallestCompressed || !sample_shrinks(bytes)) return {};
  Compressed made{Codec::zstd, deflate(bytes)};
  if (made.frame.empty() || made.frame.size() >= bytes.size()) return {};
  return made;
}

tl::expected<std::string, std::string> decompress(Codec codec, std::string_view data,
                                                  std::uint64_t size, const Digest& hash) {
  tl::expected<std::string, std::string> bytes;
  switch (codec) {
    case Codec::raw: bytes = std::string(data); break;
    case Codec::zstd: bytes = inflate(data, size); break;
    default:
      return tl::unexpected<std::string>(
          fmt::format("unknown codec {}", static_cast<std::int64_t>(codec)));
  }
  if (!bytes) return bytes;
  if (sha256(*bytes) != hash) {
    return tl::unexpected<std::string>("the bytes do not have the recorded SHA-256");
  }
  return bytes;
}

}  // namespace enfold::store::detail
