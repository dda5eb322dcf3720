// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/write.h"

#include "enfold/base/utf8.h"
#include "enfold/json/detail/escape.h"
#include "enfold/json/detail/lex.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/core.h>
#include <simdjson.h>

namespace enfold::json {
namespace {

// Below this a copy is cheaper than a slice of its own.
constexpr std::size_t kWorthReferencing = 512;

// Room for an envelope around one large value, so that it does not grow byte by byte.
constexpr std::size_t kUsualText = 240;
constexpr std::size_t kUsualSlices = 4;

// What is longer is rarely a key, and looked at by wider instructions.
constexpr std::size_t kPlain = 64;

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

// Text that came from a lone surrogate escape goes back to the escape; other broken bytes, which
// no JSON document can carry, become U+FFFD.
std::string repaired(std::string_view text) {
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

template <class Integer>
Integer bytes_at(const char* at) {
  Integer bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

// Short and without anything to escape or to check: most keys and many words.
bool is_plain(std::string_view text) {
  constexpr std::uint64_t each = 0x0101010101010101ULL;
  if (text.size() > kPlain) return false;
  std::uint64_t special = 0;  // in the high bit of a byte, eight bytes at a time
  const auto look = [&](std::uint64_t bytes) {
    const std::uint64_t quotes = bytes ^ each * '"';
    const std::uint64_t backslashes = bytes ^ each * '\\';
    special |= bytes | (bytes - each * 0x20) | (quotes - each) | (backslashes - each);
  };
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  // The last bytes are looked at once more where that spares a count of those that remain.
  if (text.size() >= 8) {
    for (const char* at = begin; at + 8 < end; at += 8) look(bytes_at<std::uint64_t>(at));
    look(bytes_at<std::uint64_t>(end - 8));
  } else if (text.size() >= 4) {
    look(bytes_at<std::uint32_t>(begin) | std::uint64_t{bytes_at<std::uint32_t>(end - 4)} << 32);
  } else {
    for (const char c : text) look(each * static_cast<unsigned char>(c));
  }
  return (special & each * 0x80) == 0;
}

void append_string_inside(std::string& out, std::string_view text) {
  if (is_plain(text)) {
    out += text;
  } else if (simdjson::validate_utf8(text.data(), text.size())) {
    detail::append_escaped(out, text);
  } else {
    out += repaired(text);
  }
}

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

std::string& Output::own_text() {
  if (slices_.empty()) {
    text_.reserve(kUsualText);
    slices_.reserve(kUsualSlices);
  }
  if (slices_.empty() || slices_.back().outside != nullptr) {
    slices_.push_back({nullptr, text_.size(), 0});
  }
  return text_;
}

void Output::account(std::size_t own_before) {
  const std::size_t added = text_.size() - own_before;
  slices_.back().length += added;
  size_ += added;
}

void Output::append(std::string_view text) {
  own_text() += text;
  slices_.back().length += text.size();
  size_ += text.size();
}

void Output::reference(const detail::Storage& storage, std::string_view bytes) {
  slices_.push_back({bytes.data(), 0, bytes.size()});
  size_ += bytes.size();
  if (retained_.empty() || retained_.back().get() != &storage) {
    retained_.push_back(storage.shared_from_this());
  }
}

void Output::each(const std::function<void(std::string_view)>& sink) const {
  for (const Slice& slice : slices_) {
    const char* from = slice.outside != nullptr ? slice.outside : text_.data() + slice.own;
    sink({from, slice.length});
  }
}

std::string Output::str() const {
  std::string out;
  out.reserve(size_);
  each([&](std::string_view slice) { out += slice; });
  return out;
}

Buffer Output::buffer() const {
  Buffer out;
  char* to = out.prepare(size_);
  each([&](std::string_view slice) {
    std::memcpy(to, slice.data(), slice.size());
    to += slice.size();
  });
  out.commit(size_);
  return out;
}

std::size_t Output::own_bytes() const {
  return text_.capacity() + slices_.capacity() * sizeof(Slice);
}

void Writer::separate() {
  if (need_comma_) out_.append(",");
}

Writer& Writer::open(char bracket) {
  separate();
  out_.append({&bracket, 1});
  need_comma_ = false;
  return *this;
}

Writer& Writer::close(char bracket) {
  out_.append({&bracket, 1});
  need_comma_ = true;
  return *this;
}

// In one go: an envelope is little more than its keys. `after` is at most two bytes.
void Writer::quoted(std::string_view utf8, std::string_view after) {
  std::string& text = out_.own_text();
  const std::size_t before = text.size();
  const std::string_view open = need_comma_ ? ",\"" : "\"";
  if (is_plain(utf8)) {
    char whole[kPlain + 4];
    char* to = whole;
    for (const char c : open) *to++ = c;
    std::memcpy(to, utf8.data(), utf8.size());
    to += utf8.size();
    for (const char c : after) *to++ = c;
    text.append(whole, static_cast<std::size_t>(to - whole));
  } else {
    text += open;
    append_string_inside(text, utf8);
    text += after;
  }
  out_.account(before);
}

Writer& Writer::key(std::string_view text) {
  quoted(text, "\":");
  need_comma_ = false;
  return *this;
}

Writer& Writer::key(View text) {
  value(text);
  out_.append(":");
  need_comma_ = false;
  return *this;
}

template <class Inside>
Writer& Writer::quoted(Inside inside) {
  separate();
  out_.append("\"");
  const std::size_t before = out_.text_.size();
  inside(out_.text_);
  const std::size_t added = out_.text_.size() - before;
  out_.slices_.back().length += added;
  out_.size_ += added;
  out_.append("\"");
  need_comma_ = true;
  return *this;
}

Writer& Writer::null() { return number("null"); }
Writer& Writer::boolean(bool value) { return number(value ? "true" : "false"); }
Writer& Writer::integer(std::int64_t value) { return number(std::to_string(value)); }

Writer& Writer::real(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return number({text, static_cast<std::size_t>(end - text)});
}

Writer& Writer::number(std::string_view text) {
  separate();
  out_.append(text);
  need_comma_ = true;
  return *this;
}

Writer& Writer::string(std::string_view utf8) {
  quoted(utf8, "\"");
  need_comma_ = true;
  return *this;
}

Writer& Writer::string_holding(const Output& json) {
  separate();
  std::string& text = out_.own_text();
  const std::size_t before = text.size();
  text.reserve(before + json.size() + json.size() / 4 + 16);
  text += '"';
  json.each([&](std::string_view slice) { detail::append_escaped(text, slice); });
  text += '"';
  out_.account(before);
  need_comma_ = true;
  return *this;
}

Writer& Writer::splice(Output&& json) {
  separate();
  const std::size_t shift = out_.text_.size();
  out_.text_ += json.text_;
  for (Output::Slice slice : json.slices_) {
    slice.own += shift;
    out_.slices_.push_back(slice);
  }
  for (auto& storage : json.retained_) out_.retained_.push_back(std::move(storage));
  out_.size_ += json.size_;
  need_comma_ = true;
  return *this;
}

Writer& Writer::value(View view) {
  if (view.is_compact()) return verbatim(view);
  separate();
  minify(view.raw(), [&](std::string_view run) { out_.append(run); });
  need_comma_ = true;
  return *this;
}

Writer& Writer::verbatim(View view) {
  separate();
  const std::string_view raw = view.raw();
  if (raw.size() >= kWorthReferencing) {
    out_.reference(*view.storage(), raw);
  } else {
    out_.append(raw);
  }
  need_comma_ = true;
  return *this;
}

Value Writer::finish_value() && {
  // Reparsed without limits of an input: what we write is as large as we made it.
  const Limits own{.max_bytes = kLargestDocument,
                   .max_depth = 100'000,
                   .max_elements = 1U << 30,
                   .max_containers = 1U << 30};
  Result<Document> document = parse(out_.buffer(), own);
  return document ? document->value() : parse_own(out_.str());
}

std::string pretty(View value) {
  std::string out;
  pretty_value(value, 0, out);
  return out;
}

std::string to_text(View value) {
  Writer writer;
  writer.value(value);
  return std::move(writer).finish().str();
}

std::string quote(std::string_view utf8) {
  std::string out = "\"";
  append_string_inside(out, utf8);
  out += '"';
  return out;
}

Value string_value(std::string_view utf8) {
  Writer writer;
  writer.string(utf8);
  return std::move(writer).finish_value();
}

}  // namespace enfold::json
