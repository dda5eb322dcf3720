// SPDX-License-Identifier: Apache-2.0
// The JSON serializer. Output is minified, except what `verbatim` copies. Parsed values are copied
// as the bytes they came from, so their number texts, escapes and duplicate keys do not change.
#pragma once

#include "enfold/json/document.h"

#include <iterator>

namespace enfold::json {

/// Finished JSON text. Large parsed values are referenced, not copied; Output keeps their documents
/// alive.
class Output {
 public:
  Output() = default;
  Output(Output&&) = default;
  Output& operator=(Output&&) = default;

  [[nodiscard]] std::size_t size() const { return text_.size() + referenced_bytes_; }
  [[nodiscard]] std::string str() const;
  /// The text, if it has no references; else nullopt.
  [[nodiscard]] std::optional<std::string_view> whole() const {
    return references_.empty() ? std::optional(text_.view()) : std::nullopt;
  }
  [[nodiscard]] Buffer buffer() const&;
  [[nodiscard]] Buffer buffer() &&;
  /// Calls `sink` with each piece of the text, in order.
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
  /// Allocated bytes, without the referenced documents.
  [[nodiscard]] std::size_t own_bytes() const;

 private:
  friend class Writer;
  struct Reference {
    std::string_view bytes;
    std::size_t at;  ///< offset in `text_` at which `bytes` is inserted
  };
  // Initial capacity: an envelope around one referenced value rarely needs more.
  static constexpr std::size_t kInitialCapacity = 240;

  char* room(std::size_t bytes) {
    return text_.capacity() != 0 || bytes > kInitialCapacity ? text_.room(bytes)
                                                             : text_.room(kInitialCapacity);
  }
  void put(char c) {
    *room(1) = c;
    text_.advance(1);
  }
  void put(std::string_view text) {
    static_cast<void>(room(text.size()));
    text_.put(text);
  }
  void add_reference(const detail::Storage& storage, std::string_view bytes);
  /// Appends `other` without the first `skip_first` and last `skip_last` bytes of its `text_`.
  void append(Output&& other, std::size_t skip_first, std::size_t skip_last);

  Buffer text_;
  std::vector<Reference> references_;
  std::vector<std::shared_ptr<const detail::Storage>> retained_;  ///< what references_ point into
  std::size_t referenced_bytes_ = 0;                              ///< bytes of all references
};

/// Writes one JSON value. Adds commas and colons; the caller balances the brackets.
class Writer {
 public:
  /// For splice_members: whether the object that is the last member's value stays open.
  enum class Last { closed, open };

  Writer& begin_object() { return bracket('{'); }
  Writer& end_object() { return bracket('}'); }
  Writer& begin_array() { return bracket('['); }
  Writer& end_array() { return bracket(']'); }
  Writer& key(std::string_view text);
  Writer& key(View string);  ///< copied with its escapes

  Writer& null();
  Writer& boolean(bool value);
  Writer& string(std::string_view utf8);  ///< WTF-8 surrogates become escapes, bad bytes U+FFFD
  Writer& integer(std::int64_t value);
  Writer& real(double value);             ///< shortest text that reads back equal; must be finite
  Writer& number(std::string_view text);  ///< the text of a JSON number; not checked
  Writer& value(View view);               ///< copied without white space between tokens
  Writer& value(const Value& owned) { return value(owned.view()); }
  Writer& verbatim(View view);    ///< copied byte for byte
  Writer& splice(Output&& json);  ///< a finished value
  /// The members of a finished object. Last::open: the last one, an object, stays open for more.
  Writer& splice_members(Output&& object, Last last = Last::closed);
  Writer& string_holding(const Output& json);  ///< a JSON string whose decoded text is `json`

  /// A key with its value: text, a list of texts, a boolean, an integer, a View or a Value.
  template <class T>
  Writer& member(std::string_view name, const T& content) {
    key(name);
    if constexpr (std::is_same_v<T, bool>) {
      return boolean(content);
    } else if constexpr (std::is_integral_v<T>) {
      return integer(static_cast<std::int64_t>(content));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return string(content);
    } else if constexpr (requires { std::begin(content); }) {
      begin_array();
      for (const std::string_view text : content) string(text);
      return end_array();
    } else {
      return value(content);
    }
  }

  void reserve(std::size_t bytes) { static_cast<void>(out_.text_.room(bytes)); }

  [[nodiscard]] Output finish() && { return std::move(out_); }
  /// The written text, parsed, for callers that read it next. Aborts if it is not one JSON value.
  [[nodiscard]] Value finish_value() &&;

 private:
  /// Writes a comma if the next value or key needs one before it.
  void separate() {
    if (need_comma_) out_.put(',');
  }
  Writer& bracket(char c) {
    const bool opens = c == '{' || c == '[';
    if (opens) separate();
    out_.put(c);
    need_comma_ = !opens;
    return *this;
  }
  /// Writes a comma if needed and the string; leaves need_comma_ unchanged.
  void write_string(std::string_view utf8);

  Output out_;
  bool need_comma_ = false;  ///< before the next value or key
};

/// Writes the members of `object` for which `keep` returns true into an open object.
template <class Keep>
void write_members(Writer& writer, View object, Keep&& keep) {
  for (const Member& member : object.members()) {
    if (keep(member)) writer.key(member.key).value(member.value);
  }
}
inline void write_members(Writer& writer, View object) {
  write_members(writer, object, [](const Member&) { return true; });
}

/// An object of the members for which `keep` returns true; nullopt if there are none.
template <class Keep>
[[nodiscard]] std::optional<Value> select_members(View object, Keep&& keep) {
  Writer writer;
  write_members(writer.begin_object(), object, keep);
  Value selected = std::move(writer.end_object()).finish_value();
  return selected->size() != 0 ? std::optional(std::move(selected)) : std::nullopt;
}

/// Indented by two spaces.
[[nodiscard]] std::string pretty(View value);

/// Minified text of one value.
[[nodiscard]] std::string to_text(View value);

/// The text of a JSON string, with quotes and escapes.
[[nodiscard]] std::string quote(std::string_view utf8);

/// A JSON string value.
[[nodiscard]] Value string_value(std::string_view utf8);

}  // namespace enfold::json
