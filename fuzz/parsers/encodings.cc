// SPDX-License-Identifier: Apache-2.0
// Any text in the small encodings, and any two values compared: what is encoded comes back, there
// is one encoding of each text, and differences that are applied give the other value. The input
// may have two parts with a record separator (0x1E) between them.
#include "enfold/base/hidden_text.h"
#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "fuzz/check.h"

#include <string>

namespace enfold::fuzz {
namespace {

void check_encodings(std::string_view input) {
  require(from_base64url(to_base64url(input)) == std::string(input), "Base64 comes back", input);
  if (const auto bytes = from_base64url(input))
    require(to_base64url(*bytes) == input, "one Base64 text for each", input);
  (void)from_base64(input);
  (void)percent_decode(input);
  const std::string line = visible_line(input);
  require(line.find('\n') == std::string::npos && !utf8::first_invalid(line), "one line", input);
  if (!utf8::first_invalid(input)) {
    const std::string plain = without_hidden(input);
    require(without_hidden(plain) == plain, "hidden text is removed at once", input);
  }
  for (const std::size_t most : {std::size_t{0}, input.size() / 2, input.size()}) {
    const std::string_view part = utf8::prefix(input, most);
    require(part.size() <= most && input.starts_with(part), "a prefix fits", input);
  }
}

void check_pointer(std::string_view input) {
  const auto pointer = json::Pointer::parse(input);
  if (!pointer) return;
  const auto again = json::Pointer::parse(pointer->str());
  require(again && *again == *pointer, "a pointer comes back", input);
}

void check(std::string_view input) {
  check_encodings(input);
  const std::size_t cut = std::min(input.find('\x1e'), input.size());
  check_pointer(input.substr(0, cut));
  const auto from = json::parse(input.substr(0, cut));
  const auto to = json::parse(input.substr(std::min(cut + 1, input.size())));
  if (!from || !to || from->oddities().any() || to->oddities().any()) return;
  const auto changes = json::diff(from->root(), to->root());
  const json::Value applied = json::apply(from->root(), changes);
  require(json::equal(applied.view(), to->root()), "differences lead to the other", input);
  require(changes.empty() == json::equal(from->root(), to->root()), "equal: none", input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
