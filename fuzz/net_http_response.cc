// SPDX-License-Identifier: Apache-2.0
// Responses, whole and in pieces, with the connection closed behind them, against Boost.Beast. What
// we take as a whole response, Beast takes as the same one, apart from the leniencies named below.
#include "fuzz/net_reader.h"

#include <cstdint>

namespace {

using namespace enfold::fuzz;

// Beast wants the space behind a status, and knows no status without a body.
bool is_outside_of_the_comparison(std::string_view bytes, const OwnReading& own) {
  const int status = own.reading.status;
  return bytes.find('\r') == 12 || status < 200 || status == 204 || status == 304;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = text_of(data, size);
  const OwnReading own = read_own(bytes, bytes.size() + 1, false, true);
  require_same_in_pieces(bytes, own, false, true);
  if (own.reading.refused || !own.reading.complete) return 0;
  require(own.keeps_alive == false || own.kind != enfold::net::BodyKind::until_close,
          "a body that lasts until the end leaves no connection", bytes);
  if (is_outside_of_the_comparison(bytes, own)) return 0;
  const HttpReading peer = read_response_with_beast(bytes, true);
  if (peer.refused && has_what_we_skip(bytes, own)) return 0;
  require(!peer.refused && peer.complete, "what we take, Beast takes", bytes);
  require(peer.status == own.reading.status, "the same status", bytes);
  require(peer.fields == own.reading.fields, "the same fields", bytes);
  require(peer.body == own.reading.body, "the same body", bytes);
  return 0;
}
