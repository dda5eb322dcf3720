// SPDX-License-Identifier: Apache-2.0
// Any text as a cursor, a handle or a range, and any position as a cursor: nothing that was not
// signed for its reader opens, and what was signed comes back.
#include "enfold/contract/cursors/cursor.h"

#include "enfold/contract/cursors/continuation.h"
#include "enfold/retrieve/page.h"
#include "enfold/store/detail/backend.h"
#include "fuzz/check.h"

#include <string>

namespace enfold::fuzz {
namespace {

const contract::CursorKey& key() {
  static const auto key = contract::CursorKey::from_bytes("a key of sixteen bytes or more");
  return *key;
}

void check_unsigned(std::string_view input) {
  if (const auto position = contract::decode_cursor(input)) {
    require((*position)->is_object(), "a position is an object", input);
    const auto again = contract::decode_cursor(contract::encode_cursor(position->view()));
    require(again.has_value(), "a position can be encoded again", input);
  }
  require(!contract::verify_cursor(input, key(), "ann"), "a cursor without signature", input);
  require(!contract::read_continuation(input, key(), "ann"), "a continuation not signed", input);
  require(!retrieve::from_cursor(input, key(), "ann"), "a position not signed", input);
}

void check_signed(std::string_view input) {
  const auto position = json::parse(input);
  if (!position || !position->root().is_object()) return;
  const std::string cursor = contract::sign_cursor(position->root(), key(), "ann");
  require(contract::verify_cursor(cursor, key(), "ann").has_value(), "signed: opens", input);
  require(!contract::verify_cursor(cursor, key(), "bob"), "opens for its owner only", input);
  for (const std::size_t at : {cursor.size() / 3, cursor.size() / 2}) {
    std::string changed = cursor;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    require(!contract::verify_cursor(changed, key(), "ann"), "changed: does not open", input);
  }
}

void check_names(std::string_view input) {
  if (const auto reference = store::detail::parse_reference(input))
    require(reference->hash.has_value() == reference->handle.empty(), "handle or hash", input);
  if (const auto span = retrieve::read_span(input))
    require(retrieve::read_span(retrieve::to_text(*span)) == span, "a span comes back", input);
  if (const auto range = answer::read_range(input))
    require(answer::read_range(answer::to_text(*range)) == range, "a range comes back", input);
  if (const auto form = answer::read_as(input))
    require(answer::read_as(answer::media_type(*form)) == form, "a form comes back", input);
}

void check(std::string_view input) {
  check_unsigned(input);
  check_signed(input);
  check_names(input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
