// SPDX-License-Identifier: Apache-2.0
// Any bytes as an event stream: the events do not depend on how the bytes are split, and survive
// being encoded again. The first byte chooses the size of the pieces.
#include "enfold/mcp/wire/sse.h"
#include "fuzz/check.h"

#include <vector>

namespace enfold::fuzz {
namespace {

using mcp::SseDecoder;
using mcp::SseEvent;

std::vector<SseEvent> decoded(std::string_view bytes, std::size_t piece) {
  SseDecoder decoder;
  std::vector<SseEvent> out;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    static_cast<void>(decoder.feed(bytes.substr(at, piece), out));
  }
  return out;
}

void check(std::string_view input) {
  if (input.empty()) return;
  const std::size_t piece = 1U + static_cast<unsigned char>(input.front()) % 16U;
  const std::string_view bytes = input.substr(1);
  const std::vector<SseEvent> whole = decoded(bytes, bytes.size() + 1);
  require(decoded(bytes, piece) == whole, "splits do not matter", input);
  std::string again;
  for (const SseEvent& event : whole) again += encode(event);
  require(decoded(again, again.size() + 1) == whole, "decode of encode is identity", input);
  SseDecoder bounded(64);
  std::vector<SseEvent> few;
  if (!bounded.feed(bytes, few)) return;
  require(few == whole, "a limit that is kept changes nothing", input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
