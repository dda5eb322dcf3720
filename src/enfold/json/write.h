// SPDX-License-Identifier: Apache-2.0
// The one place that serialises JSON. Output is minified and never changes a kept value: parsed
// values are spliced in as the bytes they came from.
#pragma once

#include "enfold/json/document.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::json {

/// Finished JSON text. Large kept values are referenced, not copied; the documents they stand in
/// are kept alive.
class Output {
 public:
  Output() = default;
  Output(Output&&) = default;
  Output& operator=(Output&&) = default;

  [[nodiscard]] std::size_t size() const { return text_.size() + outside_; }
  [[nodiscard]] std::string str() const;
  /// Borrowed; nullopt: it is in pieces.
  [[nodiscard]] std::optional<std::string_view> whole() const {
    return references_.empty() ? std::optional(text_.view()) : std::nullopt;
  }
  [[nodiscard]] Buffer buffer() const&;
  [[nodiscard]] Buffer buffer() &&;
  /// Its pieces, in order.
  template <class Sink>
  void each(Sink&& sink) const {
    std::size_t at = 0;
    for (const Reference& reference : references_) {
      if (reference.at != at) sink(text_.view().substr(at, reference.at - at));
      sink(reference.bytes);
      at = reference.at;
    }
    if (text_.size() != at) sink(text_.view().substr(at));
  }
  /// Bytes of its own, beside the documents that it references.
  [[nodiscard]] std::size_t own_bytes() const;

 private:
  friend class Writer;
  struct Reference {
    std::string_view bytes;
    std::size_t at;  ///< stands after so much of the own text
  };
  void refer(const detail::Storage& storage, std::string_view bytes);

  Buffer text_;
  std::vector<Reference> references_;
  std::vector<std::shared_ptr<const detail::Storage>> retained_;
  std::size_t outside_ = 0;  ///< bytes of all references
};

/// Writes one JSON value. Commas and colons are its own business; balance is the caller's.
class Writer {
 public:
  Writer& begin_object() { return open('{'); }
  Writer& end_object() { return close('}'); }
  Writer& begin_array() { return open('['); }
  Writer& end_array() { return close(']'); }
  Writer& key(std::string_view text);
  Writer& key(View string);  ///< spliced

  Writer& null();
  Writer& boolean(bool value);
  Writer& string(std::string_view utf8);
  Writer& integer(std::int64_t value);
  Writer& real(double value);             ///< shortest text that reads back equal; must be finite
  Writer& number(std::string_view text);  ///< the text of a valid JSON number
  Writer& value(View view);               ///< spliced verbatim, white space between tokens removed
  Writer& value(const Value& owned) { return value(owned.view()); }
  Writer& verbatim(View view);                 ///< spliced with its white space: byte for byte
  Writer& splice(Output&& json);               ///< one finished value
  Writer& splice_members(Output&& object);     ///< of a finished, minified object, into an open one
  Writer& string_holding(const Output& json);  ///< JSON text inside a JSON string

  /// `key` and value at once, the common case.
  Writer& member(std::string_view k, std::string_view text) { return key(k).string(text); }
  Writer& member(std::string_view k, const char* text) { return key(k).string(text); }
  Writer& member(std::string_view k, const std::string& text) { return key(k).string(text); }
  Writer& member(std::string_view k, bool b) { return key(k).boolean(b); }
  Writer& member(std::string_view k, std::int64_t i) { return key(k).integer(i); }
  Writer& member(std::string_view k, View v) { return key(k).value(v); }
  Writer& member(std::string_view k, const Value& v) { return key(k).value(v.view()); }

  /// Room for so many bytes, for whoever knows them.
  void reserve(std::size_t bytes) { static_cast<void>(out_.text_.room(bytes)); }

  [[nodiscard]] Output finish() && { return std::move(out_); }
  /// What was written, parsed: for values that are built and then looked at.
  [[nodiscard]] Value finish_value() &&;

 private:
  // Room for an envelope around one large value, so that it does not grow byte by byte.
  static constexpr std::size_t kUsualText = 240;

  char* room(std::size_t bytes) {
    Buffer& text = out_.text_;
    return text.capacity() != 0 || bytes > kUsualText ? text.room(bytes) : text.room(kUsualText);
  }
  void put(char c) {
    *room(1) = c;
    out_.text_.advance(1);
  }
  void separate() {
    if (need_comma_) put(',');
  }
  Writer& open(char bracket) {
    separate();
    put(bracket);
    need_comma_ = false;
    return *this;
  }
  Writer& close(char bracket) {
    put(bracket);
    need_comma_ = true;
    return *this;
  }
  void put(std::string_view text) {
    static_cast<void>(room(text.size()));
    out_.text_.put(text);
  }
  void quoted(std::string_view utf8);
  /// Everything of `other` but so many bytes of its own text at either end.
  void take(Output&& other, std::size_t skip_first, std::size_t skip_last);

  Output out_;
  bool need_comma_ = false;
};

/// Two spaces of indentation, for people.
[[nodiscard]] std::string pretty(View value);

/// Minified text of one value.
[[nodiscard]] std::string to_text(View value);

/// JSON string with quotes.
[[nodiscard]] std::string quote(std::string_view utf8);

/// A JSON string value.
[[nodiscard]] Value string_value(std::string_view utf8);

}  // namespace enfold::json
