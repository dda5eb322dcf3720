// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/detail/compression.h"

#include "enfold/base/hash.h"

#include <fmt/format.h>
#include <memory>
#include <zstd.h>

namespace enfold::store::detail {
namespace {

// Slower levels gain little on tool answers. Faster ones cost more than they save: each byte that
// is not compressed away is written twice, to the log and to the file.
constexpr int kLevel = 1;
constexpr std::size_t kSampleSize = 16 * 1024;
constexpr std::size_t kSmallestSampled = 4 * kSampleSize;

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

/// Empty if zstd fails.
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

// Content that is compressed already, such as images and archives, is not compressed again.
bool sample_shrinks(std::string_view bytes) {
  if (bytes.size() < kSmallestSampled) return true;
  const std::string_view sample = bytes.substr(bytes.size() / 2, kSampleSize);
  const std::string frame = deflate(sample);
  return !frame.empty() && frame.size() < sample.size() - sample.size() / 10;
}

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
