// SPDX-License-Identifier: Apache-2.0
// Enfold against simdjson and nlohmann: same answer, same document. Where they may differ is
// written in docs/internals/json.md; every row of that table is a function here, and anything else
// aborts.
#include "enfold/json/document.h"
#include "fuzz/check.h"
#include "fuzz/peers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace enfold::fuzz {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr Limits kShallow{.max_depth = 48};
constexpr Limits kDeep{.max_depth = 1000};  // simdjson stops at 1024

enum Row {
  depth_limit,
  byte_order_mark,
  nul_byte,
  lone_surrogate,
  beyond_double,
  beyond_uint64,
  row_count
};
constexpr std::array<const char*, row_count> kRowNames = {
    "depth limit",    "byte order mark",   "NUL byte",
    "lone surrogate", "beyond the double", "integer beyond 64 bits"};

// How often each answer and each row of the table came up; told at the end, so that a run which
// never got that far is not taken for a good one.
struct Tally {
  std::size_t inputs = 0;
  std::size_t accepted = 0;
  std::array<std::size_t, row_count> rows{};
  ~Tally() {
    std::fprintf(stderr, "differential: %zu inputs, %zu accepted by Enfold", inputs, accepted);
    for (std::size_t row = 0; row < row_count; ++row) {
      std::fprintf(stderr, "; %s %zu", kRowNames[row], rows[row]);
    }
    std::fputc('\n', stderr);
  }
} tally;

bool takes(Row row, bool applies) {
  if (applies) ++tally.rows[row];
  return applies;
}

// What Enfold has read, and what about it the peers cannot represent.
struct Reading {
  std::optional<json::Document> document;
  Events events;
  bool has_beyond_double = false;  ///< rounds to infinity
  bool has_beyond_uint64 = false;  ///< an integer that neither int64 nor uint64 holds
};

bool is_integer_text(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

void number_event(json::View value, Reading& reading) {
  const std::string_view text = value.number();
  if (const auto integer = value.integer()) return reading.events.integer(*integer);
  std::uint64_t wide = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wide);
  if (error == std::errc{} && end == text.data() + text.size()) {
    return reading.events.unsigned_integer(wide);
  }
  if (is_integer_text(text)) reading.has_beyond_uint64 = true;
  const std::optional<double> real = value.real();
  if (!real) reading.has_beyond_double = true;
  reading.events.real(real.value_or(HUGE_VAL));
}

void walk(json::View value, Reading& reading) {
  switch (value.kind()) {
    case json::Kind::null: return reading.events.null();
    case json::Kind::boolean: return reading.events.boolean(value.boolean());
    case json::Kind::number: return number_event(value, reading);
    case json::Kind::string: return reading.events.string(value.string());
    case json::Kind::array:
      reading.events.begin(false);
      for (const json::View item : value.items()) walk(item, reading);
      return reading.events.end(false);
    case json::Kind::object:
      reading.events.begin(true);
      for (const json::Member& member : value.members()) {
        reading.events.key(member.key.string());
        walk(member.value, reading);
      }
      return reading.events.end(true);
  }
}

std::size_t deepest_bracket(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (inside) {
      if (c == '\\') ++at;
      if (c == '"') inside = false;
    } else if (c == '"') {
      inside = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth != 0) {
      --depth;
    }
  }
  return deepest;
}

// Row: Enfold refuses what is nested deeper than its limit; the peers stop later or never.
Result<json::Document> parse_within_depth(std::string_view text) {
  Result<json::Document> document = json::parse(text, kShallow);
  const bool refused = !document && document.error().code == ErrorCode::limit_exceeded;
  if (!takes(depth_limit, refused)) return document;
  require(deepest_bracket(text) > kShallow.max_depth, "the depth limit meets only deep texts",
          text);
  return json::parse(text, kDeep);
}

Reading read(std::string_view text) {
  Reading reading;
  Result<json::Document> document = parse_within_depth(text);
  if (!document) return reading;
  reading.document = std::move(*document);
  walk(reading.document->root(), reading);
  return reading;
}

void compare_with_simdjson(std::string_view text, const Reading& ours) {
  const json::Buffer padded(text);
  Events theirs;
  const bool accepted = read_with_simdjson(padded.view(), theirs);
  if (!ours.document) return require(!accepted, "simdjson refuses what Enfold refuses", text);
  // Rows: what simdjson has no value for, and refuses.
  const bool half_a_pair =
      takes(lone_surrogate, ours.document->oddities().lone_surrogate.has_value());
  const bool too_large = takes(beyond_double, ours.has_beyond_double);
  const bool too_long = takes(beyond_uint64, ours.has_beyond_uint64);
  if (half_a_pair || too_large || too_long) {
    return require(!accepted, "simdjson refuses what it cannot hold", text);
  }
  require(accepted, "simdjson accepts what Enfold accepts", text);
  require(theirs == ours.events, "simdjson reads the same document", text);
}

void compare_with_nlohmann(std::string_view text, const Reading& ours) {
  Events theirs;
  const bool accepted = read_with_nlohmann(text, theirs);
  if (!ours.document) return require(!accepted, "nlohmann refuses what Enfold refuses", text);
  // Rows: nlohmann refuses lone surrogates and what rounds to infinity.
  if (ours.document->oddities().lone_surrogate || ours.has_beyond_double) {
    return require(!accepted, "nlohmann refuses lone surrogates and infinities", text);
  }
  require(accepted, "nlohmann accepts what Enfold accepts", text);
  require(theirs == ours.events, "nlohmann reads the same document", text);
}

void compare(std::string_view text) {
  ++tally.inputs;
  // Row: Enfold refuses a byte order mark, nlohmann skips it.
  const std::string_view whole = text;
  if (takes(byte_order_mark, text.starts_with(kByteOrderMark))) {
    require(!json::parse(text), "Enfold refuses a byte order mark", text);
    text.remove_prefix(kByteOrderMark.size());
  }
  const Reading ours = read(text);
  tally.accepted += ours.document.has_value();
  compare_with_simdjson(text, ours);

  // Row: for nlohmann a NUL byte is the end of the input.
  const std::size_t nul = text.find('\0');
  if (!takes(nul_byte, nul != std::string_view::npos)) return compare_with_nlohmann(whole, ours);
  require(!ours.document, "Enfold refuses NUL bytes", text);
  const Reading before = read(text.substr(0, nul));
  compare_with_nlohmann(whole, before);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::compare(enfold::fuzz::text_of(data, size));
  return 0;
}
