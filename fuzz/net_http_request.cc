// SPDX-License-Identifier: Apache-2.0
// Requests, whole and in pieces, against Boost.Beast. What we take as a whole request, Beast takes
// as the same one: same method, target, fields, body and end. (We refuse more; that is policy.)
#include "enfold/net/http/server.h"
#include "fuzz/net_reader.h"

#include <cstdint>

namespace {

using namespace enfold::fuzz;

void compare_with_beast(std::string_view bytes, const OwnReading& own) {
  const HttpReading& ours = own.reading;
  const HttpReading peer = read_request_with_beast(bytes);
  if (peer.refused && has_what_we_skip(bytes, own)) return;
  require(!peer.refused && peer.complete, "what we take, Beast takes", bytes);
  require(peer.method == ours.method, "the same method", bytes);
  require(peer.target == ours.target, "the same target", bytes);
  require(peer.fields == ours.fields, "the same fields", bytes);
  require(peer.body == ours.body, "the same body", bytes);
  require(peer.used == ours.used, "the same end", bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = text_of(data, size);
  const OwnReading own = read_own(bytes, bytes.size() + 1, true, false);
  require_same_in_pieces(bytes, own, true, false);
  enfold::net::HttpHead head;
  OwnReading ignored;
  if (read_head(bytes, bytes.size() + 1, true, head, ignored)) {
    // These look into what a stranger wrote; they must not trip over it.
    require(head.path().starts_with('/') || head.path() == "*", "a path is a path", bytes);
    (void)enfold::net::check_host(head, {{"example.org"}, {}});
    (void)enfold::net::check_origin(head, {});
  }
  if (!own.reading.refused && own.reading.complete) compare_with_beast(bytes, own);
  return 0;
}
