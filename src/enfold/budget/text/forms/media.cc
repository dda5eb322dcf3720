// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/media.h"

#include "enfold/base/text.h"
#include "enfold/budget/text/digest.h"
#include "enfold/json/write.h"

#include <array>
#include <fmt/core.h>

namespace enfold::budget::text {
namespace {

using token::ImageSize;

// Bytes of an image that are searched: JPEG headers may contain a preview before the size.
constexpr std::size_t kMostHeader = std::size_t{64} << 10;

/// The first bytes of an image; bytes beyond the end are 0.
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

// A JPEG file is a list of segments; the segment that starts a frame contains height and width.
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

constexpr std::size_t kLeastBase64 = 256;  // bytes; a shorter text may be an id

struct DataUri {
  std::string_view type;  ///< "image/png"; empty: the text is no data URI
  std::string_view data;
};

// "data:image/png;base64,…"; any other text is data without a type.
DataUri split_uri(std::string_view text) {
  constexpr std::string_view scheme = "data:";
  constexpr std::string_view mark = ";base64,";
  const std::size_t end = text.substr(0, 256).find(mark);
  if (!text.starts_with(scheme) || end == std::string_view::npos) return {{}, text};
  return {text.substr(scheme.size(), end - scheme.size()), text.substr(end + mark.size())};
}

bool is_base64_character(char c) {
  return is_alphanumeric(c) || c == '+' || c == '/' || c == '-' || c == '_';
}

// The first bytes of Base64 data, which may be wrapped or URL-safe. Sets `unwrapped`, which is
// empty, to their Base64 without line ends in the usual alphabet.
std::string first_bytes(std::string_view data, std::string& unwrapped) {
  constexpr std::size_t enough = kMostHeader / 3 * 4;
  for (const char c : data) {
    if (unwrapped.size() == enough) break;
    if (c == '\n' || c == '\r' || c == '=') continue;
    unwrapped += c == '-' ? '+' : c == '_' ? '/' : c;
  }
  unwrapped.resize(unwrapped.size() / 4 * 4);
  return from_base64(unwrapped).value_or("");
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

std::string_view media_type(std::string_view bytes) {
  using namespace std::string_view_literals;
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kMagic{
      {{"\x89PNG\r\n\x1a\n"sv, "image/png"},
       {"GIF8"sv, "image/gif"},
       {"\xFF\xD8\xFF"sv, "image/jpeg"},
       {"%PDF-"sv, "application/pdf"},
       {"PK\x03\x04"sv, "application/zip"},
       {"\x1F\x8B"sv, "application/gzip"},
       {"BZh"sv, "application/x-bzip2"},
       {"\xFD"
        "7zXZ"sv,
        "application/x-xz"},
       {"\x28\xB5\x2F\xFD"sv, "application/zstd"},
       {"7z\xBC\xAF\x27\x1C"sv, "application/x-7z-compressed"},
       {"\x7F"
        "ELF"sv,
        "application/x-elf"},
       {"OggS"sv, "application/ogg"},
       {"ID3"sv, "audio/mpeg"},
       {"fLaC"sv, "audio/flac"},
       {"wOF2"sv, "font/woff2"},
       {"wOFF"sv, "font/woff"},
       {"II*\0"sv, "image/tiff"},
       {"SQLite format 3\0"sv, "application/vnd.sqlite3"}}};
  for (const auto& [magic, type] : kMagic) {
    if (bytes.starts_with(magic)) return type;
  }
  if (bytes.starts_with("RIFF") && bytes.size() >= 12) {
    if (bytes.substr(8, 4) == "WEBP") return "image/webp";
    if (bytes.substr(8, 4) == "WAVE") return "audio/wav";
  }
  return bytes.size() >= 8 && bytes.substr(4, 4) == "ftyp" ? "video/mp4" : "";
}

bool is_base64(std::string_view text) {
  const DataUri uri = split_uri(text);
  std::string_view data = trimmed(uri.data, " \t\r\n");
  while (data.ends_with('=')) data.remove_suffix(1);
  constexpr std::size_t least_in_uri = 4;
  if (data.size() < (uri.type.empty() ? kLeastBase64 : least_in_uri)) return false;
  bool upper = false;
  bool lower = false;
  bool digit = false;
  std::size_t line = 0;  // characters since the last line end
  for (const char c : data) {
    if (c == '\n' || c == '\r') {
      // Encoders wrap at 64 or 76 characters; lines with the words of a list are shorter.
      if (c == '\n' && line < 60) return false;
      line = 0;
      continue;
    }
    if (!is_base64_character(c)) return false;
    ++line;
    upper = upper || (c >= 'A' && c <= 'Z');
    lower = lower || (c >= 'a' && c <= 'z');
    digit = digit || is_digit(c);
  }
  return upper && lower && digit;
}

bool is_binary(std::string_view text) {
  constexpr std::size_t enough = 4096;
  const std::string_view begin = text.substr(0, enough);
  std::size_t odd = 0;
  for (std::size_t at = 0; at < begin.size();) {
    if (begin[at] >= 0x20 && begin[at] < 0x7F) {
      ++at;
      continue;
    }
    const std::uint32_t c = utf8::next(begin, at);
    const bool control = c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != 0x1B && c != '\f';
    odd += control || c == 0xFFFD || c == 0x7F ? 1 : 0;
  }
  return odd * 20 > begin.size();
}

void digest_base64(std::string_view text, Digest& digest) {
  digest.head = Head::prefix;
  digest.columns = {"text"};
  const DataUri uri = split_uri(text);
  std::size_t characters = 0;
  for (const char c : uri.data) characters += is_base64_character(c) ? 1 : 0;
  std::string unwrapped;
  const std::string bytes = first_bytes(uri.data, unwrapped);
  const std::string_view type = media_type(bytes);
  if (!uri.type.empty()) digest.add("", "declared_type", label(uri.type));
  if (!type.empty()) digest.add("", "media_type", json::quote(type));
  digest.add("decoded_bytes", characters * 3 / 4);
  if (const auto size = image_size(unwrapped)) {
    digest.add("", "pixels", fmt::format("[{},{}]", size->width, size->height));
  }
}

}  // namespace enfold::budget::text
