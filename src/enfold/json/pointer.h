// SPDX-License-Identifier: Apache-2.0
// JSON Pointer (RFC 6901), and the differences between two values, by pointer.
#pragma once

#include "enfold/json/document.h"

namespace enfold::json {

class Pointer {
 public:
  Pointer() = default;  ///< the whole document
  explicit Pointer(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {}
  /// "" or "/a/b~1c/0"; the fragment form ("#/a%20b") is accepted too.
  [[nodiscard]] static Result<Pointer> parse(std::string_view text);

  [[nodiscard]] const std::vector<std::string>& tokens() const { return tokens_; }
  [[nodiscard]] std::string str() const;                          ///< "/a/b~1c/0"
  [[nodiscard]] Pointer operator/(std::string_view token) const;  ///< longer by an unescaped token
  /// nullopt: there is no such value. Of duplicate keys the last is found.
  [[nodiscard]] std::optional<View> resolve(View root) const;

  friend bool operator==(const Pointer&, const Pointer&) = default;
  friend auto operator<=>(const Pointer&, const Pointer&) = default;

 private:
  std::vector<std::string> tokens_;
};

/// Appends a slash and the token, which it escapes, to a pointer text.
void append_token(std::string& pointer, std::string_view token);
/// Returns `pointer` with a slash and the token, which it escapes, appended.
[[nodiscard]] std::string below(std::string pointer, std::string_view token);

/// One difference between two values; a list of changes can be applied.
struct Change {
  std::string pointer;
  std::optional<Value> before;  ///< nullopt: the member was added; not checked by `apply`
  std::optional<Value> after;   ///< nullopt: the member was removed
  friend bool operator==(const Change&, const Change&) = default;
};

/// The changes that turn `from` into `to`; empty if they are equal. Descends into objects and into
/// arrays of equal length; other arrays are compared as a whole.
[[nodiscard]] std::vector<Change> diff(View from, View to);

/// `apply(a, diff(a, b)) == b`. Skips changes that remove the root, whose pointer is invalid, or
/// whose parent or array item does not exist.
[[nodiscard]] Value apply(View from, const std::vector<Change>& changes);

}  // namespace enfold::json
