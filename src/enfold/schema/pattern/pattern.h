// SPDX-License-Identifier: Apache-2.0
// Regular expressions of JSON Schema: ECMA-262 syntax with the `u` flag, matched by RE2 in linear
// time. Lookaround and backreferences are not supported.
#pragma once

#include "enfold/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace re2 {
class RE2;
}

namespace enfold::schema::detail {

struct Translation {
  std::string re2;
  /// The cost of compiling `re2`, roughly: the number of characters and classes, multiplied by
  /// their repeats; a Unicode property counts more. The weight of a pattern, and the sum over a
  /// schema, are limited.
  std::uint64_t weight = 0;
};

/// Translates to RE2 syntax. Fails with `invalid_input` if the text is not a regular expression,
/// with `unsupported` if RE2 cannot express it. Accepts what browsers accept: lone braces and
/// brackets, `[\w-.]`, escaped punctuation.
[[nodiscard]] Result<Translation> to_re2(std::string_view ecma);

/// A pattern for a message, shortened.
[[nodiscard]] std::string shown_pattern(std::string_view pattern);

/// Instructions of RE2 for all patterns of a schema: compiling this many takes about 50 ms.
inline constexpr std::size_t kMostInstructions = 100'000;

class Pattern {
 public:
  /// Fails like to_re2, and with `limit_exceeded` if the pattern needs about `most_instructions` or
  /// more; RE2 then stops compiling early.
  [[nodiscard]] static Result<Pattern> compile(std::string_view ecma,
                                               std::size_t most_instructions = kMostInstructions);

  /// Whether the pattern matches anywhere in the text.
  [[nodiscard]] bool matches(std::string_view text) const;
  [[nodiscard]] const std::string& source() const { return source_; }  ///< in ECMA-262 syntax
  /// The weight of the Translation.
  [[nodiscard]] std::uint64_t weight() const { return weight_; }
  /// Instructions of the compiled program. A match takes at most this many steps for each byte of
  /// the text.
  [[nodiscard]] std::size_t instructions() const { return instructions_; }

 private:
  std::string source_;
  std::uint64_t weight_ = 0;
  std::size_t instructions_ = 0;
  std::shared_ptr<const re2::RE2> compiled_;
};

// Translates named character classes of ECMA-262 to RE2.

/// The content of brackets for `\s` or `\S`: in ECMA-262 these include Unicode spaces, line
/// separators and the byte order mark, in RE2 only ASCII.
[[nodiscard]] std::string_view space_class(bool negated);

/// Translates the inside of `\p{...}`, or of `\P{...}` if `negated`, to RE2 syntax for use inside
/// brackets; nullopt if RE2 does not know the property.
[[nodiscard]] std::optional<std::string> property_class(std::string_view name, bool negated);

/// Appends `\x{…}` with the hexadecimal code point, which is a literal everywhere in RE2 syntax.
void append_code_point(std::string& out, std::uint32_t code_point);

}  // namespace enfold::schema::detail
