// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/image_size.h"

#include "enfold/base/text.h"

#include <cstdint>
#include <string>

namespace enfold::answer {
namespace {

using token::ImageSize;

// JPEG headers may hold a preview before the size; what comes later than this is not looked for.
constexpr std::size_t kMostHeader = std::size_t{64} << 10;

class Header {
 public:
  explicit Header(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint32_t byte(std::size_t at) const {
    return at < bytes_.size() ? static_cast<unsigned char>(bytes_[at]) : 0;
  }
  [[nodiscard]] std::uint32_t big16(std::size_t at) const { return byte(at) << 8U | byte(at + 1); }
  [[nodiscard]] std::uint32_t little16(std::size_t at) const {
    return byte(at + 1) << 8U | byte(at);
  }
  [[nodiscard]] std::uint32_t big32(std::size_t at) const {
    return big16(at) << 16U | big16(at + 2);
  }
  [[nodiscard]] bool has(std::size_t at, std::size_t count) const {
    return at + count <= bytes_.size();
  }

 private:
  std::string_view bytes_;
};

// Segments of marker and length; the one that starts a frame holds height and width.
std::optional<ImageSize> jpeg_size(const Header& header) {
  for (std::size_t at = 2; header.has(at, 9) && header.byte(at) == 0xFF;) {
    const std::uint32_t marker = header.byte(at + 1);
    const bool frame =
        marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame) return ImageSize{header.big16(at + 7), header.big16(at + 5)};
    at += 2 + std::size_t{header.big16(at + 2)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ImageSize> image_size(std::string_view base64) {
  const std::optional<std::string> bytes = from_base64(base64.substr(0, kMostHeader / 3 * 4));
  if (!bytes) return std::nullopt;
  const std::string_view head(*bytes);
  const Header header(head);
  std::optional<ImageSize> size;
  if (head.starts_with("\x89PNG\r\n\x1a\n") && header.has(16, 8)) {
    size = ImageSize{header.big32(16), header.big32(20)};
  } else if ((head.starts_with("GIF87a") || head.starts_with("GIF89a")) && header.has(6, 4)) {
    size = ImageSize{header.little16(6), header.little16(8)};
  } else if (head.starts_with("\xFF\xD8")) {
    size = jpeg_size(header);
  }
  if (size && (size->width == 0 || size->height == 0)) return std::nullopt;
  return size;
}

}  // namespace enfold::answer
