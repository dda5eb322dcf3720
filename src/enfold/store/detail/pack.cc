// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/detail/pack.h"

#include "enfold/base/hash.h"

#include <fmt/format.h>
#include <memory>
#include <zstd.h>

namespace enfold::store::detail {
namespace {

constexpr int kLevel = 1;

// Contexts are large and costly to make; one for each thread.
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

tl::expected<std::string, std::string> inflate(std::string_view data, std::uint64_t size) {
  // Before anything is allocated: the frame itself must promise the recorded size.
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

Packed pack(std::string_view bytes) {
  if (bytes.size() < kSmallestCompressed) return {};
  ZSTD_CCtx* const context = compressor();
  if (context == nullptr) return {};
  const std::size_t most = ZSTD_compressBound(bytes.size());
  const auto buffer = std::make_unique_for_overwrite<char[]>(most);
  const std::size_t size =
      ZSTD_compressCCtx(context, buffer.get(), most, bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) != 0U || size >= bytes.size()) return {};
  Packed packed;
  packed.compressed.assign(buffer.get(), size);
  packed.codec = Codec::zstd;
  return packed;
}

tl::expected<std::string, std::string> unpack(Codec codec, std::string_view data,
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
