// SPDX-License-Identifier: Apache-2.0
// Any bytes as an image: a size that was read is the same when more of the file is known, and text
// that is not Base64 has none.
#include "enfold/base/text.h"
#include "enfold/budget/text/media.h"
#include "fuzz/check.h"

#include <algorithm>
#include <string>

namespace enfold::fuzz {
namespace {

std::string to_base64(std::string_view bytes) {
  std::string text = to_base64url(bytes);
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  return text;
}

void check(std::string_view input) {
  using budget::text::image_size;
  (void)image_size(input);
  (void)budget::text::media_type(input);
  const auto size = image_size(to_base64(input));
  if (!size) return;
  require(size->width > 0 && size->height > 0, "an image has pixels", input);
  const auto longer = image_size(to_base64(std::string(input) + std::string(64, '\xff')));
  require(longer && longer->width == size->width && longer->height == size->height,
          "more bytes change nothing", input);
  require(budget::text::media_type(input).starts_with("image/") || input.starts_with("\xff\xd8"),
          "what has a size is an image", input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
