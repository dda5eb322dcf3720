// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/write.h"

#include "enfold/base/text.h"
#include "enfold/json/detail/escape.h"
#include "enfold/json/detail/lex.h"
#include "enfold/json/detail/utf8_check.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::json {
namespace {

// In bytes. Shorter values are cheaper to copy than to reference.
constexpr std::size_t kWorthReferencing = 512;

// Longer strings are rarely keys and go through the vectorized escaper.
constexpr std::size_t kMaxPlainBytes = 64;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Calls `sink` with the runs of `raw` that are not white space between tokens.
template <class Sink>
void minify(std::string_view raw, Sink&& sink) {
  const char* p = raw.data();
  const char* const end = p + raw.size();
  const char* run = p;
  while (p < end) {
    if (*p == '"') {
      p = detail::string_close(p + 1) + 1;
    } else if (is_space(*p)) {
      if (p != run) sink(std::string_view(run, static_cast<std::size_t>(p - run)));
      while (p < end && is_space(*p)) ++p;
      run = p;
    } else {
      ++p;
    }
  }
  if (p != run) sink(std::string_view(run, static_cast<std::size_t>(p - run)));
}

// Escapes a text that is not valid UTF-8. Text decoded from a lone surrogate escape becomes that
// escape again. Other invalid bytes, which cannot come from a JSON document, become U+FFFD.
std::string escape_repairing_utf8(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) {
      return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    if (byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF && (byte(2) & 0xC0U) == 0x80U) {
      out += fmt::format("\\u{:04x}", 0xD000U | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU));
      at += 3;
      continue;
    }
    std::string one;
    utf8::append(one, utf8::next(text, at));
    detail::append_escaped(out, one);
  }
  return out;
}

// Copies as many bytes as the integer has, and returns them.
template <class Integer>
Integer copy_bytes(const char* from, char* to) {
  Integer bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  std::memcpy(to, &bytes, sizeof bytes);
  return bytes;
}

#if defined(__SSE2__)
// Whether none of these bytes must be escaped, and all are ASCII.
bool are_plain(__m128i bytes) {
  const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  // The comparison is of signed bytes, so it is true for all bytes that are not ASCII too.
  const __m128i controls = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
  return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls)) == 0;
}

__m128i copy_sixteen(const char* from, char* to) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  return bytes;
}

// Copies a short string. Returns true if it is ASCII and needs no escapes, as most keys are. If it
// returns false, the caller discards the copy. The last bytes are copied and checked together with
// some before them; that avoids a tail loop.
bool copy_plain(std::string_view text, char* to) {
  const char* const from = text.data();
  const std::size_t size = text.size();
  if (size >= 16) {
    for (std::size_t at = 0; at + 16 < size; at += 16) {
      if (!are_plain(copy_sixteen(from + at, to + at))) return false;
    }
    return are_plain(copy_sixteen(from + size - 16, to + size - 16));
  }
  if (size >= 8) {
    const auto first = copy_bytes<std::int64_t>(from, to);
    return are_plain(
        _mm_set_epi64x(copy_bytes<std::int64_t>(from + size - 8, to + size - 8), first));
  }
  if (size >= 4) {
    const auto first = copy_bytes<std::int32_t>(from, to);
    const auto last = copy_bytes<std::int32_t>(from + size - 4, to + size - 4);
    return are_plain(_mm_set_epi32(last, last, first, first));
  }
  for (std::size_t at = 0; at < size; ++at) {
    to[at] = from[at];
    if (from[at] < 0x20 || from[at] == '"' || from[at] == '\\') return false;
  }
  return true;
}
#else
// Copies a short string. Returns true if it is ASCII and needs no escapes, as most keys are. If it
// returns false, the caller discards the copy.
bool copy_plain(std::string_view text, char* to) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;  // 1 in each byte
  // Eight bytes are checked at a time: the high bit of a byte of `special` becomes 1 when a
  // checked byte at that position must be escaped or is not ASCII.
  std::uint64_t special = 0;
  const auto look = [&](std::uint64_t bytes) {
    const std::uint64_t quotes = bytes ^ kOnes * '"';
    const std::uint64_t backslashes = bytes ^ kOnes * '\\';
    special |= bytes | (bytes - kOnes * 0x20) | (quotes - kOnes) | (backslashes - kOnes);
  };
  const char* const from = text.data();
  const std::size_t size = text.size();
  // The last eight (or four) bytes may overlap bytes already checked; that avoids a tail loop.
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 < size; at += 8) {
      look(copy_bytes<std::uint64_t>(from + at, to + at));
    }
    look(copy_bytes<std::uint64_t>(from + size - 8, to + size - 8));
  } else if (size >= 4) {
    const std::uint64_t low = copy_bytes<std::uint32_t>(from, to);
    const std::uint64_t high = copy_bytes<std::uint32_t>(from + size - 4, to + size - 4);
    look(low | high << 32U);
  } else {
    for (std::size_t at = 0; at < size; ++at) {
      to[at] = from[at];
      look(kOnes * static_cast<unsigned char>(from[at]));
    }
  }
  return (special & kOnes * 0x80) == 0;
}
#endif

// Appends a text as a JSON string without its quotes.
template <class Text>
void append_string_inside(Text& out, std::string_view text) {
  if (detail::is_utf8(text)) {
    detail::append_escaped(out, text);
  } else {
    detail::append(out, escape_repairing_utf8(text));
  }
}

// `indent`: spaces before the line on which the value begins.
void pretty_value(View value, std::size_t indent, std::string& out) {
  if (!value.is_container() || value.size() == 0) {
    minify(value.raw(), [&](std::string_view run) { out += run; });
    return;
  }
  const bool object = value.is_object();
  out += object ? "{" : "[";
  const char* separator = "\n";
  const auto next_line = [&] {
    out += separator;
    out.append(indent + 2, ' ');
    separator = ",\n";
  };
  if (object) {
    for (const Member& member : value.members()) {
      next_line();
      out += member.key.raw();
      out += ": ";
      pretty_value(member.value, indent + 2, out);
    }
  } else {
    for (const View item : value.items()) {
      next_line();
      pretty_value(item, indent + 2, out);
    }
  }
  out += '\n';
  out.append(indent, ' ');
  out += object ? "}" : "]";
}

}  // namespace

void Output::add_reference(const detail::Storage& storage, std::string_view bytes) {
  references_.push_back({bytes, text_.size()});
  referenced_bytes_ += bytes.size();
  if (retained_.empty() || retained_.back().get() != &storage) {
    retained_.push_back(storage.shared_from_this());
  }
}

std::string Output::str() const {
  if (references_.empty()) return std::string(text_.view());
  std::string out;
  out.reserve(size());
  each([&](std::string_view piece) { out += piece; });
  return out;
}

Buffer Output::buffer() const& {
  Buffer out;
  char* to = out.prepare(size());
  each([&](std::string_view piece) {
    std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
  });
  out.commit(size());
  return out;
}

Buffer Output::buffer() && {
  if (!references_.empty()) return std::as_const(*this).buffer();
  text_.pad();
  return std::move(text_);
}

std::size_t Output::own_bytes() const {
  return text_.capacity() + references_.capacity() * sizeof(Reference);
}

// An envelope consists mostly of keys, so there is a fast path for short strings without escapes.
void Writer::write_string(std::string_view utf8) {
  if (utf8.size() <= kMaxPlainBytes) {
    char* const begin = out_.room(kMaxPlainBytes + 3);  // with a comma and two quotes
    char* to = begin;
    if (need_comma_) *to++ = ',';
    *to++ = '"';
    if (copy_plain(utf8, to)) {
      to += utf8.size();
      *to++ = '"';
      out_.text_.advance(static_cast<std::size_t>(to - begin));
      return;
    }
  }
  separate();
  out_.put('"');
  append_string_inside(out_.text_, utf8);
  out_.put('"');
}

Writer& Writer::key(std::string_view text) {
  write_string(text);
  out_.put(':');
  need_comma_ = false;
  return *this;
}

Writer& Writer::key(View text) {
  value(text);
  out_.put(':');
  need_comma_ = false;
  return *this;
}

// number() writes the text as it is, so it serves for literals too.
Writer& Writer::null() { return number("null"); }
Writer& Writer::boolean(bool value) { return number(value ? "true" : "false"); }

Writer& Writer::integer(std::int64_t value) {
  char text[24];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return number({text, static_cast<std::size_t>(end - text)});
}

Writer& Writer::real(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return number({text, static_cast<std::size_t>(end - text)});
}

Writer& Writer::number(std::string_view text) {
  separate();
  out_.put(text);
  need_comma_ = true;
  return *this;
}

Writer& Writer::string(std::string_view utf8) {
  write_string(utf8);
  need_comma_ = true;
  return *this;
}

Writer& Writer::string_holding(const Output& json) {
  separate();
  reserve(json.size() + json.size() / 4 + 16);  // an estimate of what escaping adds
  out_.put('"');
  json.each([&](std::string_view piece) { detail::append_escaped(out_.text_, piece); });
  out_.put('"');
  need_comma_ = true;
  return *this;
}

Writer& Writer::value(View view) {
  if (view.is_compact()) return verbatim(view);
  separate();
  minify(view.raw(), [&](std::string_view run) { out_.put(run); });
  need_comma_ = true;
  return *this;
}

Writer& Writer::verbatim(View view) {
  separate();
  const std::string_view raw = view.raw();
  if (raw.size() >= kWorthReferencing) {
    out_.add_reference(*view.storage(), raw);
  } else {
    out_.put(raw);
  }
  need_comma_ = true;
  return *this;
}

Value Writer::finish_value() && {
  // Input limits do not apply to what the program wrote.
  const Limits limits{.max_bytes = kLargestDocument,
                      .max_depth = 100'000,
                      .max_elements = 1U << 30,
                      .max_containers = 1U << 30};
  Result<Document> document = parse(std::move(out_).buffer(), limits);
  if (!document) {
    // A Writer was used wrongly: a broken invariant, not bad input.
    std::fputs(fmt::format("internal error: json::Writer produced invalid JSON: {}\n",
                           document.error().message)
                   .c_str(),
               stderr);
    std::abort();
  }
  return document->value();
}

std::string pretty(View value) {
  std::string out;
  pretty_value(value, /*indent=*/0, out);
  return out;
}

std::string to_text(View value) {
  Writer writer;
  writer.value(value);
  return std::move(writer).finish().str();
}

std::string quote(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size() + 2);
  out += '"';
  append_string_inside(out, utf8);
  out += '"';
  return out;
}

Value string_value(std::string_view utf8) {
  Writer writer;
  writer.string(utf8);
  return std::move(writer).finish_value();
}

void Output::append(Output&& other, std::size_t skip_first, std::size_t skip_last) {
  const std::size_t before = text_.size();
  text_.put(other.text_.view().substr(skip_first, other.text_.size() - skip_first - skip_last));
  for (Reference reference : other.references_) {
    reference.at += before - skip_first;
    references_.push_back(reference);
  }
  for (auto& storage : other.retained_) retained_.push_back(std::move(storage));
  referenced_bytes_ += other.referenced_bytes_;
}

Writer& Writer::splice(Output&& json) {
  separate();
  out_.append(std::move(json), /*skip_first=*/0, /*skip_last=*/0);
  need_comma_ = true;
  return *this;
}

// Drops the first and the last byte of the finished object, its braces. Each is in `text_` or in a
// reference. With Last::open also drops the closing brace of the last member.
Writer& Writer::splice_members(Output&& object, Last last) {
  if (object.size() <= 2) return *this;
  separate();
  if (last == Last::open) object.text_.drop_last(1);  // the object's; the member's follows below
  std::vector<Output::Reference>& references = object.references_;
  const bool begins_in_reference = !references.empty() && references.front().at == 0;
  const bool ends_in_reference = !references.empty() && references.back().at == object.text_.size();
  if (begins_in_reference) {
    references.front().bytes.remove_prefix(1);
    --object.referenced_bytes_;
  }
  if (ends_in_reference) {
    references.back().bytes.remove_suffix(1);
    --object.referenced_bytes_;
  }
  out_.append(std::move(object), begins_in_reference ? 0 : 1, ends_in_reference ? 0 : 1);
  need_comma_ = last == Last::closed || !out_.text_.view().ends_with('{');
  return *this;
}

}  // namespace enfold::json
