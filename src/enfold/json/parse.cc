// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/json/detail/scan.h"
#include "enfold/json/detail/utf8_check.h"
#include "enfold/json/document.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <numeric>

namespace enfold::json {
namespace {

using detail::Fault;

// The character at this offset, as a message shows it.
std::string printable(std::string_view bytes, std::size_t offset) {
  if (offset >= bytes.size()) return "the end of the input";
  const auto byte = static_cast<unsigned char>(bytes[offset]);
  if (byte == '\'') return "\"'\"";
  if (byte > 0x20 && byte < 0x7F) return fmt::format("'{}'", static_cast<char>(byte));
  if (byte < 0x80) return fmt::format("byte 0x{:02x}", byte);
  std::size_t at = offset;
  return fmt::format("U+{:04X}", utf8::next(bytes, at));
}

// The scanner only reports that the string with this opening quote is invalid; this finds where and
// why.
Error explain_string(std::string_view bytes, std::size_t quote) {
  for (std::size_t at = quote + 1; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte < 0x20) {
      return {ErrorCode::invalid_input,
              fmt::format("a string holds the raw control character 0x{:02x}", byte),
              describe_place(bytes, at), "write control characters as \\u escapes, such as \\n"};
    }
    if (byte == '"') break;
    if (byte != '\\') continue;
    ++at;
    const char letter = at < bytes.size() ? bytes[at] : '\0';
    if (letter == 'u') {
      for (std::size_t digit = at + 1; digit <= at + 4; ++digit) {
        if (digit >= bytes.size() || std::isxdigit(static_cast<unsigned char>(bytes[digit])) == 0) {
          return {
              ErrorCode::invalid_input,
              fmt::format("expected four hex digits after \\u, found {}", printable(bytes, digit)),
              describe_place(bytes, digit),
              {}};
        }
      }
    } else if (at < bytes.size() &&
               std::string_view("\"\\/bfnrt").find(letter) == std::string_view::npos) {
      return {ErrorCode::invalid_input,
              fmt::format("expected an escape such as \\n or \\u0041, found {} after the backslash",
                          printable(bytes, at)),
              describe_place(bytes, at),
              {}};
    }
  }
  return {ErrorCode::invalid_input, "the input ends inside a string",
          describe_place(bytes, quote) + " (where the string begins)",
          "the text was probably cut off"};
}

// The error for the fault that the scanner found.
Error explain(std::string_view bytes, const detail::Scan& scan, const Limits& limits) {
  const auto expected = [&](std::string_view what) {
    const bool cut = scan.fault_at >= bytes.size();
    return Error{ErrorCode::invalid_input,
                 fmt::format("expected {}, found {}", what, printable(bytes, scan.fault_at)),
                 describe_place(bytes, scan.fault_at), cut ? "the text was probably cut off" : ""};
  };
  const auto beyond = [&](std::string message, std::string hint) {
    return Error{ErrorCode::limit_exceeded, std::move(message),
                 describe_place(bytes, scan.fault_at), std::move(hint)};
  };
  switch (scan.fault) {
    case Fault::key_expected: return expected("a member name in double quotes");
    case Fault::colon_expected: return expected("':' after the member name");
    case Fault::comma_or_brace_expected: return expected("',' or '}' in an object");
    case Fault::comma_or_bracket_expected: return expected("',' or ']' in an array");
    case Fault::bad_string: return explain_string(bytes, scan.fault_at);
    case Fault::bad_number: return expected("a JSON number");
    case Fault::bad_literal: return expected("true, false or null");
    case Fault::trailing_bytes: return expected("nothing after the JSON value");
    case Fault::too_deep:
      return beyond(fmt::format("nested deeper than {} levels", limits.max_depth),
                    "no tool answer needs this; flatten the data");
    case Fault::too_many_elements:
      return beyond(fmt::format("more than {} values", limits.max_elements),
                    "split the answer into pages");
    case Fault::too_many_containers:
      return beyond(fmt::format("more than {} arrays and objects", limits.max_containers),
                    "split the answer into pages");
    case Fault::none:
    case Fault::value_expected: break;
  }
  return expected("a JSON value");
}

constexpr std::size_t kMaxDuplicatesListed = 16;  // in Oddities::duplicate_keys

struct Key {
  std::string_view text;  ///< decoded
  std::uint32_t offset;   ///< in the document
};

// Reorders the keys so that those with equal hashes are side by side, in groups of about four.
// Returns the index after the last key of each group. Sorting 800,000 keys at once takes five times
// as long as the rest of parsing.
std::vector<std::uint32_t> group_by_hash(std::vector<Key>& keys) {
  constexpr std::size_t kFewKeys = 64;
  if (keys.size() < kFewKeys) return {static_cast<std::uint32_t>(keys.size())};
  const std::size_t groups = std::bit_ceil(keys.size() / 4);
  const auto group_of = [&](const Key& key) {
    return std::hash<std::string_view>()(key.text) & (groups - 1);
  };
  std::vector<std::uint32_t> ends(groups + 1);
  for (const Key& key : keys) ++ends[group_of(key) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<Key> grouped(keys.size());
  for (const Key& key : keys) grouped[ends[group_of(key)]++] = key;
  keys = std::move(grouped);
  ends.pop_back();
  return ends;
}

/// Recognises most repetitions at once, so that an object with one key 300,000 times is not sorted.
/// It keeps one key for each of 256 hashes.
class RecentKeys {
 public:
  /// Whether this key is certainly a duplicate of an earlier one; else keeps it.
  bool is_known(const Key& key, std::uint32_t hash) {
    std::optional<std::string_view>& kept = kept_[hash % kept_.size()];
    if (kept == key.text) return true;
    kept = key.text;
    return false;
  }

 private:
  std::array<std::optional<std::string_view>, 256> kept_;
};

// Finds the duplicate keys of an object that the scanner marked as `suspect`, and adds its keys
// with escapes to the keys of the document.
void find_duplicates(View object, detail::DocumentKeys& document_keys, Oddities& oddities) {
  std::vector<Key> keys;
  std::vector<std::unique_ptr<std::string>> decoded;  // keeps the texts of keys with escapes
  RecentKeys recent;
  const auto add_duplicate = [&](const Key& key) {
    ++oddities.duplicate_key_count;
    if (oddities.duplicate_keys.size() < kMaxDuplicatesListed)
      oddities.duplicate_keys.push_back(key.offset);
  };
  for (const Member& member : object.members()) {
    std::string_view text = member.key.string_source();
    const bool is_escaped = member.key.has_escapes();
    if (is_escaped) {
      decoded.push_back(std::make_unique<std::string>(member.key.string()));
      text = *decoded.back();
    }
    const Key key{text, member.key.offset()};
    const std::uint32_t hash = detail::key_hash(text);
    if (is_escaped) document_keys.add(hash);
    if (!recent.is_known(key, hash)) {
      keys.push_back(key);
      continue;
    }
    add_duplicate(key);
    if (is_escaped) decoded.pop_back();
  }
  const auto by_text = [](const Key& a, const Key& b) {
    return a.text != b.text ? a.text < b.text : a.offset < b.offset;
  };
  std::uint32_t begin = 0;
  for (const std::uint32_t end : group_by_hash(keys)) {
    std::sort(keys.begin() + std::exchange(begin, end), keys.begin() + end, by_text);
  }
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].text == keys[i - 1].text) add_duplicate(keys[i]);
  }
}

// The offset of the escape of the first lone surrogate. In valid JSON, backslashes occur only
// inside strings, so escapes can be found without parsing.
std::optional<std::uint32_t> first_lone_surrogate(std::string_view bytes) {
  // Whether there is an escape \udX, with X from `low` to `high`.
  const auto surrogate = [&](std::size_t at, char low, char high) {
    return at + 6 <= bytes.size() && bytes[at] == '\\' && bytes[at + 1] == 'u' &&
           (bytes[at + 2] | 0x20) == 'd' && (bytes[at + 3] | 0x20) >= low &&
           (bytes[at + 3] | 0x20) <= high;
  };
  for (std::size_t at = bytes.find('\\'); at != std::string_view::npos; at = bytes.find('\\', at)) {
    if (surrogate(at, '8', 'b')) {
      if (!surrogate(at + 6, 'c', 'f')) return static_cast<std::uint32_t>(at);
      at += 12;
    } else if (surrogate(at, 'c', 'f')) {
      return static_cast<std::uint32_t>(at);
    } else {
      at += 2;
    }
  }
  return std::nullopt;
}

Oddities find_oddities(detail::IndexedStorage& storage, const detail::Scan& scan,
                       const Limits& limits) {
  Oddities oddities;
  for (std::uint32_t i = 0; scan.any_suspect && i < storage.containers.size(); ++i) {
    const detail::Container& container = storage.containers[i];
    if (container.suspect == 0) continue;
    if (container.count > limits.wide_object_members && !oddities.wide_object) {
      oddities.wide_object = container.begin;
    }
    find_duplicates(View(&storage, container.begin, container.end, i), storage.keys, oddities);
  }
  std::sort(oddities.duplicate_keys.begin(), oddities.duplicate_keys.end());
  if (scan.any_surrogate) oddities.lone_surrogate = first_lone_surrogate(storage.bytes.view());
  return oddities;
}

// Whether the size, the encoding and the first bytes are as the scanner expects.
bool can_be_scanned(std::string_view bytes, const Limits& limits) {
  return bytes.size() <= std::min(limits.max_bytes, kLargestDocument) && detail::is_utf8(bytes) &&
         !bytes.starts_with("\xEF\xBB\xBF");
}

// The error for bytes that can_be_scanned rejected.
Error input_error(std::string_view bytes, const Limits& limits) {
  const std::size_t most = std::min(limits.max_bytes, kLargestDocument);
  if (bytes.size() > most) {
    return {ErrorCode::limit_exceeded,
            fmt::format("the input has more than {} bytes", most),
            {},
            "raise the limit, or split the answer into pages"};
  }
  const std::optional<std::size_t> at = utf8::first_invalid(bytes);
  if (!at) {
    return {ErrorCode::invalid_input, "the input begins with a byte order mark",
            describe_place(bytes, 0), "remove the first three bytes (EF BB BF)"};
  }
  return {
      ErrorCode::invalid_input,
      fmt::format("expected UTF-8, found byte 0x{:02x}", static_cast<unsigned char>(bytes[*at])),
      describe_place(bytes, *at), "convert the text to UTF-8"};
}

}  // namespace

std::string describe_place(std::string_view bytes, std::size_t offset) {
  const std::string_view before = bytes.substr(0, std::min(offset, bytes.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_begin =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("line {}, column {} (byte {})", lines + 1,
                     utf8::length(before.substr(line_begin)) + 1, offset);
}

Result<Document> parse(Buffer buffer, const Limits& limits) {
  if (!can_be_scanned(buffer.view(), limits)) {
    return tl::unexpected(input_error(buffer.view(), limits));
  }
  // Constructed in place in the result: this is a hot path.
  Result<Document> out(tl::in_place);
  Document& document = *out;
  auto made = std::make_shared<detail::IndexedStorage>();
  detail::IndexedStorage& storage = *made;
  document.storage_ = std::move(made);
  storage.bytes = std::move(buffer);
  const std::string_view bytes = storage.bytes.view();
  // Typical JSON has a container every 128 bytes; reserves half as many, and 16 for small
  // documents.
  storage.containers.reserve(static_cast<std::uint32_t>(16 + bytes.size() / 256));

  // The scanner's hash table for keys: in `few`, on the stack, or in `many` for large documents.
  // Small documents get a small table, because clearing it costs time.
  std::array<detail::KeySlot, 256> few;
  std::vector<detail::KeySlot> many;
  const std::uint32_t slots = bytes.size() < 4096 ? 64 : bytes.size() < 65536 ? 256 : 2048;
  detail::Scan scan{.containers = &storage.containers,
                    .document_keys = &storage.keys,
                    .keys = few.data(),
                    .key_mask = slots - 1};
  if (slots <= few.size()) {
    std::memset(few.data(), 0, slots * sizeof(detail::KeySlot));
  } else {
    many.resize(slots);
    scan.keys = many.data();
  }
  detail::best_scan()(bytes.data(), bytes.size(), limits, scan);
  if (scan.fault != Fault::none) {
    Error why = explain(bytes, scan, limits);
    out = tl::unexpected(std::move(why));
    return out;
  }
  document.root_ = View(&storage, scan.root_begin, scan.root_end, /*container=*/0);
  if (scan.any_suspect || scan.any_surrogate)
    document.oddities_ = find_oddities(storage, scan, limits);
  return out;
}

Result<Document> parse(std::string_view bytes, const Limits& limits) {
  if (bytes.size() > std::min(limits.max_bytes, kLargestDocument)) {
    return tl::unexpected(input_error(bytes, limits));
  }
  return parse(Buffer(bytes), limits);
}

Value parse_own(std::string_view text) {
  Result<Document> document = parse(text);
  if (!document) {
    // The text comes from the program itself: a broken invariant, not bad input.
    std::fputs(fmt::format("not JSON: {} at {}\n", document.error().message, document.error().where)
                   .c_str(),
               stderr);
    std::abort();
  }
  return document->value();
}

}  // namespace enfold::json
