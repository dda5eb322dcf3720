// SPDX-License-Identifier: Apache-2.0
// The one place that serialises JSON. Output is minified and never changes a kept value: parsed
// values are spliced in as the bytes they came from.
#pragma once

#include "enfold/json/document.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::json {

/// Finished JSON text as a list of slices. Large kept values are referenced, not copied; the
/// documents they stand in are kept alive.
class Output {
 public:
  Output() = default;
  Output(Output&&) = default;
  Output& operator=(Output&&) = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string str() const;
  [[nodiscard]] Buffer buffer() const;
  void each(const std::function<void(std::string_view)>& sink) const;
  /// Bytes of its own, beside the documents that it references.
  [[nodiscard]] std::size_t own_bytes() const;

 private:
  friend class Writer;
  struct Slice {
    const char* outside;  ///< nullptr: `length` bytes of own text follow at `own`
    std::size_t own;
    std::size_t length;
  };
  void append(std::string_view text);
  std::string& own_text();               ///< to append to; `account` for it afterwards
  void account(std::size_t own_before);  ///< the size of own_text() before
  void reference(const detail::Storage& storage, std::string_view bytes);

  std::vector<Slice> slices_;
  std::string text_;
  std::vector<std::shared_ptr<const detail::Storage>> retained_;
  std::size_t size_ = 0;
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

  [[nodiscard]] Output finish() && { return std::move(out_); }
  /// What was written, parsed: for values that are built and then looked at.
  [[nodiscard]] Value finish_value() &&;

 private:
  Writer& open(char bracket);
  Writer& close(char bracket);
  template <class Inside>
  Writer& quoted(Inside inside);
  void separate();
  void quoted(std::string_view utf8, std::string_view after);

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
