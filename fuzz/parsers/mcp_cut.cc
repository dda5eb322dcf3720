// SPDX-License-Identifier: Apache-2.0
// A message that is cut anywhere: what its beginning and its end show is never wrong.
#include "enfold/mcp/wire/cut_message.h"
#include "fuzz/check.h"

namespace enfold::fuzz {
namespace {

using Kind = mcp::CutMessage::Kind;

void check(std::string_view input) {
  (void)mcp::read_cut_beginning(input);
  (void)mcp::read_cut_end(input);
  const auto document = json::parse(input);
  const auto read = mcp::read_messages(json::Buffer(input));
  if (!document || document->oddities().any() || !read || read->batch) return;
  const mcp::Message& message = read->messages.front();
  const auto* response = std::get_if<mcp::Response>(&message);
  const auto* request = std::get_if<mcp::Request>(&message);
  const auto id = response ? response->id : request ? std::optional(request->id) : std::nullopt;
  const Kind wrong = response ? Kind::request_or_notification : Kind::response;
  for (std::size_t at = 0; at <= input.size(); ++at) {
    const auto beginning = mcp::read_cut_beginning(input.substr(0, at));
    require(!beginning.id || beginning.id == id, "the id in the beginning", input);
    require(beginning.kind != wrong, "the kind in the beginning", input);
    const auto end = mcp::read_cut_end(input.substr(at));
    require(!end.id || end.id == id, "the id in the end", input);
    require(end.kind != wrong, "the kind in the end", input);
  }
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
