// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/packing.h"
#include "enfold/contract/cursors/sealed.h"
#include "enfold/retrieve/page.h"

#include <utility>

namespace enfold::retrieve {
namespace {

using contract::Packer;
using contract::Unpacker;

// The first byte is the version of this format.
constexpr std::uint8_t kVersion = 2;
constexpr std::uint8_t kVersionInside = 3;  // of a Position with is_inside; Position::later follows
constexpr contract::CursorKind kCursor{.purpose = "enfold position", .mac_bytes = 16};

// Bits of the second byte.
constexpr std::uint8_t kKind = 0x0f;    // index of the alternative in Selection
constexpr std::uint8_t kRaw = 0x10;     // Query::raw_result
constexpr std::uint8_t kWithin = 0x20;  // Query::within follows
constexpr std::uint8_t kLast = 0x40;    // the range has an end, which follows
constexpr std::uint8_t kCount = 0x80;   // Query::count_only

const Span* range_of(const Selection& selection) {
  if (const auto* records = std::get_if<select::Records>(&selection)) return &records->range;
  if (const auto* lines = std::get_if<select::Lines>(&selection)) return &lines->range;
  const auto* characters = std::get_if<select::Characters>(&selection);
  return characters != nullptr ? &characters->range : nullptr;
}

void pack_selection(const Selection& selection, Packer& packer) {
  if (const Span* range = range_of(selection)) {
    packer.position(range->first);
    if (range->last) packer.position(*range->last);
  } else if (const auto* at = std::get_if<select::At>(&selection)) {
    packer.text(at->pointer);
  } else if (const auto* wanted = std::get_if<select::Ids>(&selection)) {
    packer.number(wanted->ids.size());
    for (const std::string& id : wanted->ids) packer.text(id);
  } else if (const auto* find = std::get_if<select::Find>(&selection)) {
    packer.text(find->text);
    packer.number(find->context * 2 + (find->is_pattern ? 1 : 0));
  } else if (const auto* where = std::get_if<select::Where>(&selection)) {
    packer.text(where->text);
  } else if (const auto* sql = std::get_if<select::Sql>(&selection)) {
    packer.text(sql->text);
    packer.text(sql->second_answer);
  }
}

// The pointer of the value that the query is for. The pointers in Position::later are prefixes of
// it, so a cursor has only their lengths.
std::string_view place_of(const Query& query) {
  const auto* at = std::get_if<select::At>(&query.selection);
  return at != nullptr ? at->pointer : query.within;
}

std::string pack(const Position& position) {
  const Query& query = position.query;
  const Span* range = range_of(query.selection);
  std::size_t head = query.selection.index();
  if (query.raw_result) head |= kRaw;
  if (!query.within.empty()) head |= kWithin;
  if (range != nullptr && range->last) head |= kLast;
  if (query.count_only) head |= kCount;
  Packer packer;
  packer.byte(position.is_inside ? kVersionInside : kVersion);
  packer.byte(static_cast<std::uint8_t>(head));
  packer.handle(position.archive);
  packer.number(position.offset);
  packer.number(position.page_size);
  pack_selection(query.selection, packer);
  if (!query.within.empty()) packer.text(query.within);
  for (const Parts& parts : position.later) {
    packer.number(parts.pointer.size());
    packer.number(parts.offset);
  }
  return packer.take();
}

// Calls itself with the next `kind` until it is the alternative of Selection that `head` names.
template <std::size_t kind = 0>
Result<Selection> unpack_selection(std::uint8_t head, Unpacker& from) {
  if constexpr (kind == std::variant_size_v<Selection>) {
    return fail(ErrorCode::invalid_input, "no such selection");
  } else {
    if ((head & kKind) != kind) return unpack_selection<kind + 1>(head, from);
    using Chosen = std::variant_alternative_t<kind, Selection>;
    Chosen chosen{};
    if constexpr (requires { chosen.range; }) {
      chosen.range.first = from.position();
      if ((head & kLast) != 0) chosen.range.last = from.position();
    } else if constexpr (requires { chosen.pointer; }) {
      chosen.pointer = from.text();
    } else if constexpr (requires { chosen.ids; }) {
      const std::uint64_t count = from.number();
      while (chosen.ids.size() < count && from.has_more()) chosen.ids.push_back(from.text());
    } else if constexpr (requires { chosen.text; }) {
      chosen.text = from.text();
    }
    if constexpr (requires { chosen.context; }) {
      const std::uint64_t packed = from.number();
      chosen.context = packed / 2;
      chosen.is_pattern = packed % 2 == 1;
    }
    if constexpr (requires { chosen.second_answer; }) chosen.second_answer = from.text();
    if constexpr (requires { chosen.condition; }) {
      ENFOLD_TRY(chosen.condition, parse_condition(chosen.text));
    }
    return Selection(std::move(chosen));
  }
}

std::optional<Position> unpack(std::string_view bytes) {
  Unpacker from(bytes);
  const std::uint8_t version = from.byte();
  if (version != kVersion && version != kVersionInside) return std::nullopt;
  const std::uint8_t head = from.byte();
  Position position;
  position.is_inside = version == kVersionInside;
  position.archive = from.handle();
  position.offset = from.number();
  position.page_size = from.number();
  Result<Selection> selection = unpack_selection(head, from);
  if (!selection) return std::nullopt;
  position.query.selection = std::move(*selection);
  position.query.raw_result = (head & kRaw) != 0;
  position.query.count_only = (head & kCount) != 0;
  if ((head & kWithin) != 0) position.query.within = from.text();
  while (position.is_inside && from.has_more()) {
    const std::uint64_t size = from.number();
    position.later.push_back(
        {std::string(place_of(position.query).substr(0, size)), from.number()});
  }
  return from.is_sound() ? std::optional(std::move(position)) : std::nullopt;
}

}  // namespace

std::string to_cursor(const Position& position, const contract::CursorKey& key,
                      std::string_view principal) {
  return contract::seal(pack(position), kCursor, key, principal);
}

Result<Position> from_cursor(std::string_view cursor, const contract::CursorKey& key,
                             std::string_view principal) {
  if (cursor.empty()) {
    return contract::refuse_cursor("empty", "expected a cursor, found an empty text");
  }
  const Result<std::string> body = contract::open_sealed(cursor, kCursor, key, principal);
  if (!body) return tl::unexpected(body.error());
  // The signature is valid, but another version may have written the cursor.
  std::optional<Position> position = unpack(*body);
  if (!position) {
    return contract::refuse_cursor("decode_failed", "expected a cursor of this version");
  }
  return *std::move(position);
}

}  // namespace enfold::retrieve
