// SPDX-License-Identifier: Apache-2.0
// Any pattern of a schema over any text: compiling keeps to its limit, and simple patterns match
// what std::regex matches. The input is a pattern and a text with a record separator (0x1E) between
// them.
#include "enfold/schema/pattern/pattern.h"

#include "fuzz/check.h"
#include "fuzz/regex_peer.h"

namespace enfold::fuzz {
namespace {

// What both understand alike. Short, because the peer tries every way to match.
bool is_simple(std::string_view pattern, std::string_view text) {
  return pattern.size() <= 12 && text.size() <= 8 &&
         pattern.find_first_not_of("abc01.*+?|()[]^$-") == std::string_view::npos &&
         text.find_first_not_of("abc01 -_") == std::string_view::npos;
}

void check(std::string_view input) {
  const std::size_t cut = std::min(input.find('\x1e'), input.size());
  const std::string_view source = input.substr(0, cut);
  const std::string_view text = input.substr(std::min(cut + 1, input.size()));
  const auto pattern = schema::detail::Pattern::compile(source);
  if (!pattern) {
    require(!pattern.error().message.empty(), "a refused pattern says why", input);
    return;
  }
  require(pattern->instructions() <= schema::detail::kMostInstructions,
          "a program keeps to its limit", input);
  const bool matches = pattern->matches(text);
  if (!is_simple(source, text)) return;
  const auto peer = matches_with_std(source, text);
  require(!peer || *peer == matches, "std::regex matches alike", input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
