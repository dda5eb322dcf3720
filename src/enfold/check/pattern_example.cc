// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/pattern_example.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace enfold::check {
namespace {

constexpr std::size_t kLongest = 1'000;  // bytes of an example
constexpr std::size_t kDeepest = 32;     // nested groups

using CodePoint = std::uint32_t;
struct Range {
  CodePoint first;
  CodePoint last;
};
using Ranges = std::vector<Range>;

bool holds(const Ranges& ranges, CodePoint c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& one) { return c >= one.first && c <= one.last; });
}

const Ranges kDigits{{'0', '9'}};
const Ranges kWord{{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}};
const Ranges kSpaces{{' ', ' '}, {'\t', '\r'}};

// Reads the pattern once and writes the example. Each parsing function reads from `at_` on and
// appends to `out`; false: the pattern is malformed, or has what this class cannot express.
class Example {
 public:
  Example(std::string_view pattern, std::size_t more) : pattern_(pattern), more_(more) {}

  std::optional<std::string> run() {
    std::string out;
    if (!alternatives(out, 0) || at_ < pattern_.size() || out.size() > kLongest) {
      return std::nullopt;
    }
    return out;
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= pattern_.size(); }
  [[nodiscard]] bool peek(std::string_view text) const {
    return pattern_.substr(at_).starts_with(text);
  }
  bool skip(std::string_view text) {
    if (!peek(text)) return false;
    at_ += text.size();
    return true;
  }

  // The first alternative is the example; the others are read too, to find their end.
  bool alternatives(std::string& out, std::size_t depth) {
    if (depth > kDeepest || !sequence(out, depth)) return false;
    while (skip("|")) {
      std::string unused;
      if (!sequence(unused, depth)) return false;
    }
    return true;
  }

  bool sequence(std::string& out, std::size_t depth) {
    while (!at_end() && !peek("|") && !peek(")")) {
      if (skip("^") || skip("$")) continue;
      std::string once;
      if (!atom(once, depth)) return false;
      const auto times = quantifier();
      if (!times || once.size() * *times > kLongest) return false;
      for (std::size_t i = 0; i < *times; ++i) out += once;
      if (out.size() > kLongest) return false;
    }
    return true;
  }

  bool atom(std::string& out, std::size_t depth) {
    if (skip("(")) {
      if (peek("?=") || peek("?!") || peek("?<=") || peek("?<!")) return false;
      if (skip("?<")) {
        const std::size_t end = pattern_.find('>', at_);
        if (end == std::string_view::npos) return false;
        at_ = end + 1;
      } else if (!skip("?:") && peek("?")) {
        return false;
      }
      return alternatives(out, depth + 1) && skip(")");
    }
    if (skip("[")) return bracket(out);
    if (skip(".")) {
      out += 'a';
      return true;
    }
    if (skip("\\")) return escape(out);
    utf8::append(out, utf8::next(pattern_, at_));
    return true;
  }

  bool escape(std::string& out) {
    if (skip("b") || skip("B")) return true;
    Ranges ranges;
    bool negated = false;
    if (!class_escape(ranges, negated)) return false;
    return choose(ranges, negated, out);
  }

  // Reads what follows a backslash, in brackets or outside of them. `negated` is set to true if the
  // escape matches the characters that are not in `ranges`.
  bool class_escape(Ranges& ranges, bool& negated) {
    if (at_end()) return false;
    const auto one = [&](CodePoint c) { ranges.push_back({c, c}); };
    const char c = pattern_[at_];
    if (c == 'u' || c == 'x') return code_point(ranges);
    if (c == 'p' || c == 'P') return property(ranges, negated);
    if (is_digit(c) && c != '0') return false;  // a reference to a group
    const CodePoint character = utf8::next(pattern_, at_);
    switch (c) {
      case 'd': ranges = kDigits; break;
      case 'w': ranges = kWord; break;
      case 's': ranges = kSpaces; break;
      case 'D':
      case 'W':
      case 'S':
        ranges = c == 'D' ? kDigits : c == 'W' ? kWord : kSpaces;
        negated = true;
        break;
      case 'n': one('\n'); break;
      case 't': one('\t'); break;
      case 'r': one('\r'); break;
      case 'f': one('\f'); break;
      case 'v': one('\v'); break;
      case '0': one(0); break;
      default: one(character);
    }
    return true;
  }

  // \u0041, \u{1F600} and \x41.
  bool code_point(Ranges& ranges) {
    std::size_t digits = pattern_[at_] == 'x' ? 2 : 4;
    ++at_;
    const bool braced = skip("{");
    if (braced) digits = std::min<std::size_t>(pattern_.find('}', at_), at_ + 6) - at_;
    CodePoint value = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      if (at_end()) return false;
      const char c = pattern_[at_];
      const auto letter = static_cast<CodePoint>((c | 0x20) - 'a');
      if (is_digit(c)) {
        value = value * 16 + static_cast<CodePoint>(c - '0');
      } else if (letter < 6) {
        value = value * 16 + 10 + letter;
      } else {
        return false;
      }
    }
    ranges.push_back({value, value});
    return !braced || skip("}");
  }

  // \p{L} and similar: ASCII characters match most of them.
  bool property(Ranges& ranges, bool& negated) {
    negated = pattern_[at_] == 'P';
    const std::size_t end = pattern_.find('}', at_);
    if (end == std::string_view::npos || at_ + 2 >= end) return false;
    std::string_view name = pattern_.substr(at_ + 2, end - at_ - 2);
    at_ = end + 1;
    if (name.find('=') != std::string_view::npos) name.remove_prefix(name.find('=') + 1);
    if (name.starts_with("N")) ranges = kDigits;
    if (name == "Lu" || name == "Uppercase_Letter") ranges = {{'A', 'Z'}};
    if (name == "L" || name == "Ll" || name.starts_with("Letter") || name == "Latin" ||
        name == "Alphabetic") {
      ranges = {{'a', 'z'}};
    }
    if (name.starts_with("Z") || name == "White_Space") ranges = kSpaces;
    if (name.starts_with("P")) ranges = {{'-', '.'}, {'!', '!'}};
    return !ranges.empty();
  }

  bool bracket(std::string& out) {
    const bool negated = skip("^");
    Ranges ranges;
    bool is_first = true;
    while (!at_end() && (is_first ? true : !peek("]"))) {
      if (is_first && peek("]")) break;  // [] matches nothing, [^] everything
      is_first = false;
      Ranges piece;
      bool is_negated = false;  // the member is all that is not in `piece`
      if (!member(piece, is_negated)) return false;
      // A range such as a-z; a hyphen before the closing bracket is a character.
      const bool is_one = piece.size() == 1 && piece[0].first == piece[0].last && !is_negated;
      if (is_one && peek("-") && !pattern_.substr(at_ + 1).starts_with("]")) {
        skip("-");
        Ranges last;
        if (!member(last, is_negated) || last.size() != 1) return false;
        piece[0].last = last[0].last;
      }
      if (is_negated) {  // [\S\s]: takes one character that is not in `piece` instead
        std::string one;
        if (!choose(piece, /*negated=*/true, one)) return false;
        std::size_t at = 0;
        const CodePoint c = utf8::next(one, at);
        piece = {{c, c}};
      }
      ranges.insert(ranges.end(), piece.begin(), piece.end());
    }
    return skip("]") && choose(ranges, negated, out);
  }

  // One character or escape inside of brackets.
  bool member(Ranges& piece, bool& negated) {
    if (at_end()) return false;
    if (skip("\\")) {
      if (!skip("b")) return class_escape(piece, negated);
      piece.push_back({'\b', '\b'});
      return true;
    }
    const CodePoint c = utf8::next(pattern_, at_);
    piece.push_back({c, c});
    return true;
  }

  // Appends a character of the ranges, or with `negated` one outside of them: a letter or digit if
  // possible. False: none was found.
  static bool choose(const Ranges& ranges, bool negated, std::string& out) {
    constexpr std::string_view preferred =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1023456789-_ .,:;/!#%&'()*+<=>?@~";
    for (const char c : preferred) {
      if (holds(ranges, static_cast<CodePoint>(c)) == negated) continue;
      out += c;
      return true;
    }
    if (negated || ranges.empty()) return false;
    utf8::append(out, ranges.front().first);
    return true;
  }

  // nullopt: there is no digit.
  std::optional<std::size_t> number() {
    std::size_t value = 0;
    const std::size_t begin = at_;
    while (!at_end() && is_digit(pattern_[at_]) && value < kLongest * 10) {
      value = value * 10 + static_cast<std::size_t>(pattern_[at_++] - '0');
    }
    return at_ == begin ? std::nullopt : std::optional(value);
  }

  // How often the atom before the quantifier is written; 1 without a quantifier. nullopt: it is
  // malformed, or the example would be too long.
  std::optional<std::size_t> quantifier() {
    std::size_t least = 1;
    std::size_t most = 1;
    if (skip("*")) {
      least = 0;
      most = kLongest;
    } else if (skip("+")) {
      most = kLongest;
    } else if (skip("?")) {
      least = 0;
    } else if (peek("{") && !braces(least, most)) {
      return std::nullopt;
    }
    skip("?");  // a lazy quantifier matches the same texts
    const std::size_t times = std::min(least + more_, std::max(least, most));
    return times > kLongest ? std::nullopt : std::optional(times);
  }

  // {2}, {2,} or {2,5}
  bool braces(std::size_t& least, std::size_t& most) {
    skip("{");
    const auto low = number();
    if (!low) return false;
    least = most = *low;
    if (skip(",")) most = number().value_or(kLongest);
    return skip("}");
  }

  std::string_view pattern_;
  std::size_t more_;    ///< repetitions beyond the minimum
  std::size_t at_ = 0;  ///< offset in the pattern
};

}  // namespace

std::optional<std::string> pattern_example(std::string_view pattern, std::size_t more) {
  return Example(pattern, more).run();
}

}  // namespace enfold::check
