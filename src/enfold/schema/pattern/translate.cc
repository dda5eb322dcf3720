// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/schema/pattern/pattern.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

constexpr unsigned kMostRepeats = 1000;              // RE2's limit, also for nested repeats
constexpr std::size_t kLargestExpansion = 1U << 18;  // bytes of RE2 syntax
constexpr std::uint32_t kDeepest = 200;              // nested groups
constexpr std::uint64_t kHeaviest = 20'000;    // characters and classes, repeats multiplied out
constexpr std::uint64_t kPropertyWeight = 50;  // `\p{L}` has about 1,200 instructions
// RE2 compares optional parts with each other: this many pairs cost as much as one character.
constexpr std::uint64_t kOptionalPairs = 2'000;

struct Repeat {
  unsigned least = 0;
  std::optional<unsigned> most;  ///< nullopt: without end
};

class Translator {
 public:
  explicit Translator(std::string_view source) : source_(source) {}

  Result<Translation> translate() {
    ENFOLD_TRY(auto whole, alternatives(0));
    if (at_ < source_.size()) return bad("an opening \"(\" for this \")\"");
    const std::uint64_t weight = whole.weight + whole.optional * whole.optional / kOptionalPairs;
    if (weight > kHeaviest) return beyond_re2("such a large pattern");
    return Translation{std::move(out_), weight};
  }

 private:
  /// An element that was written and that a quantifier may follow.
  struct Atom {
    std::size_t begin = 0;       ///< where it begins in `out_`
    unsigned repeats = 1;        ///< its nested repeats multiplied, as RE2 counts them
    std::uint64_t weight = 1;    ///< the cost of compiling it
    std::uint64_t optional = 0;  ///< number of its parts that may be absent, with their repeats
  };

  [[nodiscard]] bool more() const { return at_ < source_.size(); }
  // NUL: the end of the pattern.
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  // Whether `text` is next; skips it then.
  [[nodiscard]] bool take(std::string_view text) {
    if (source_.substr(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }
  [[nodiscard]] tl::unexpected<Error> refuse(ErrorCode code, std::string what) const {
    return fail(code,
                fmt::format("pattern \"{}\": {} at byte {}", shown_pattern(source_), what, at_));
  }
  [[nodiscard]] tl::unexpected<Error> bad(std::string_view expected) const {
    return refuse(ErrorCode::invalid_input, fmt::format("expected {}", expected));
  }
  [[nodiscard]] tl::unexpected<Error> beyond_re2(std::string_view what) const {
    return refuse(ErrorCode::unsupported, fmt::format("{} is not supported", what));
  }

  // These read a part of the pattern at `at_` and write it to `out_`. `depth`: number of groups
  // around it.
  Result<Atom> alternatives(std::uint32_t depth);
  Result<Atom> group(std::uint32_t depth);
  Result<Atom> atom(std::uint32_t depth);
  Status atom_escape();
  Status bracket();
  Status set_escape(char kind);
  // These read a code point and write nothing, except class_member().
  Result<std::uint32_t> class_member(bool& is_set);
  Result<std::uint32_t> code_point_escape();
  Result<std::uint32_t> unicode_escape();
  Result<std::uint32_t> hex(std::size_t least, std::size_t most);  ///< numbers of digits
  std::optional<Repeat> quantifier();  ///< reads one if it is next, without a lazy "?"
  /// Makes `atom`, which was written last, repeat.
  Status repeat(Atom& atom, const Repeat& repeat);

  std::string_view source_;
  std::size_t at_ = 0;
  std::uint64_t properties_ = 0;  ///< Unicode properties read so far
  std::string out_;
};

Result<Translator::Atom> Translator::alternatives(std::uint32_t depth) {
  if (depth > kDeepest) return beyond_re2("such deep nesting");
  Atom all{.begin = out_.size()};
  while (more() && peek() != ')') {
    if (take("|")) {
      out_ += '|';
      continue;
    }
    const bool assertion =
        peek() == '^' || peek() == '$' || (peek() == '\\' && (peek(1) == 'b' || peek(1) == 'B'));
    if (quantifier()) return bad("something to repeat");
    auto parsed = atom(depth);
    if (!parsed) return parsed;
    if (const std::optional<Repeat> times = quantifier()) {
      if (assertion) return bad("something to repeat");
      ENFOLD_TRY(repeat(*parsed, *times));
      at_ += peek() == '?' ? 1 : 0;  // lazy: does not change whether there is a match
      if (quantifier()) return bad("something to repeat");
    }
    all.repeats = std::max(all.repeats, parsed->repeats);
    all.weight += parsed->weight;
    all.optional += parsed->optional;
    if (all.weight > kHeaviest) return beyond_re2("such a large pattern");
  }
  return all;
}

Result<Translator::Atom> Translator::atom(std::uint32_t depth) {
  const Atom plain{.begin = out_.size()};
  switch (peek()) {
    case '(': return group(depth);
    case '[':
    case '\\': {
      const std::uint64_t before = properties_;
      ENFOLD_TRY(peek() == '[' ? bracket() : atom_escape());
      return Atom{.begin = plain.begin, .weight = 1 + (properties_ - before) * kPropertyWeight};
    }
    case '.':
      ++at_;
      out_ += "[^\\n\\r\\x{2028}\\x{2029}]";
      return plain;
    case '^':
      ++at_;
      out_ += "\\A";
      return plain;
    case '$':
      ++at_;
      out_ += "\\z";
      return plain;
    default: append_code_point(out_, utf8::next(source_, at_)); return plain;
  }
}

// Groups become non-capturing: there are no backreferences.
Result<Translator::Atom> Translator::group(std::uint32_t depth) {
  const std::size_t begin = out_.size();
  for (const std::string_view assertion : {"(?=", "(?!", "(?<=", "(?<!"}) {
    if (source_.substr(at_, assertion.size()) == assertion) {
      return beyond_re2(fmt::format("lookaround \"{}\"", assertion));
    }
  }
  if (take("(?<")) {
    const std::size_t end = source_.find('>', at_);
    if (end == std::string_view::npos || end == at_) return bad("a group name and \">\"");
    at_ = end + 1;
  } else if (!take("(?:")) {
    if (source_.substr(at_, 2) == "(?") return bad("\"(?:\" or \"(?<name>\"");
    ++at_;
  }
  out_ += "(?:";
  ENFOLD_TRY(auto inside, alternatives(depth + 1));
  if (!take(")")) return bad("a closing \")\"");
  out_ += ')';
  return Atom{begin, inside.repeats, inside.weight, inside.optional};
}

std::optional<Repeat> Translator::quantifier() {
  if (take("*")) return Repeat{0, std::nullopt};
  if (take("+")) return Repeat{1, std::nullopt};
  if (take("?")) return Repeat{0, 1};
  if (peek() != '{') return std::nullopt;
  std::size_t at = at_ + 1;
  const auto number = [&]() -> std::optional<unsigned> {
    if (at >= source_.size() || source_[at] < '0' || source_[at] > '9') return std::nullopt;
    unsigned value = 0;
    for (; at < source_.size() && source_[at] >= '0' && source_[at] <= '9'; ++at) {
      value = std::min(value * 10 + static_cast<unsigned>(source_[at] - '0'), 1'000'000U);
    }
    return value;
  };
  const std::optional<unsigned> least = number();
  if (!least) return std::nullopt;
  Repeat repeat{*least, least};
  if (at < source_.size() && source_[at] == ',') {
    ++at;
    repeat.most = number();
  }
  if (at >= source_.size() || source_[at] != '}') return std::nullopt;
  at_ = at + 1;
  return repeat;
}

// RE2 allows at most 1000 repeats, nested repeats multiplied. If there are more, the atom itself is
// written so many times, as long as the result stays small.
Status Translator::repeat(Atom& atom, const Repeat& repeat) {
  if (repeat.most && *repeat.most < repeat.least) return bad("a range in ascending order");
  const unsigned times = std::max(1U, repeat.most.value_or(repeat.least));
  atom.weight *= times;
  atom.optional *= times;
  if (repeat.most) atom.optional += *repeat.most - repeat.least;
  if (atom.weight > kHeaviest) return beyond_re2(fmt::format("a repeat of {} times", times));
  if (std::uint64_t{times} * atom.repeats <= kMostRepeats) {
    if (!repeat.most && repeat.least <= 1) {
      out_ += repeat.least == 0 ? '*' : '+';
    } else if (!repeat.most) {
      fmt::format_to(std::back_inserter(out_), "{{{},}}", repeat.least);
    } else {
      fmt::format_to(std::back_inserter(out_), "{{{},{}}}", repeat.least, *repeat.most);
    }
    atom.repeats *= times;
    return {};
  }
  const std::string once = out_.substr(atom.begin);
  if (out_.size() + once.size() * times > kLargestExpansion) {
    return beyond_re2(fmt::format("a repeat of {} times", times));
  }
  out_.resize(atom.begin);
  out_ += "(?:";
  for (unsigned i = 0; i < repeat.least; ++i) out_ += once;
  if (!repeat.most) {
    out_ += once + "*";
  } else {
    for (unsigned i = repeat.least; i < *repeat.most; ++i) out_ += once + "?";
  }
  out_ += ')';
  return {};
}

Status Translator::atom_escape() {
  const char kind = peek(1);
  switch (kind) {
    case 'b':
    case 'B':
      at_ += 2;
      out_ += kind == 'b' ? "\\b" : "\\B";
      return {};
    case 'k': return beyond_re2("a backreference");
    case 'd':
    case 'D':
    case 'w':
    case 'W':
    case 's':
    case 'S':
    case 'p':
    case 'P':
      out_ += '[';
      ENFOLD_TRY(set_escape(kind));
      out_ += ']';
      return {};
    default: break;
  }
  if (kind >= '1' && kind <= '9') return beyond_re2("a backreference");
  ENFOLD_TRY(const auto code_point, code_point_escape());
  append_code_point(out_, code_point);
  return {};
}

// Writes \d, \w, \s, \p{...} or their negation, for use inside brackets. `kind`: the letter.
Status Translator::set_escape(char kind) {
  at_ += 2;
  if (kind == 's' || kind == 'S') {
    out_ += space_class(kind == 'S');
    return {};
  }
  if (kind != 'p' && kind != 'P') {
    out_ += '\\';
    out_ += kind;
    return {};
  }
  const std::size_t end = source_.find('}', at_);
  if (peek() != '{' || end == std::string_view::npos)
    return bad("\"{\", a property name and \"}\"");
  const std::string_view name = source_.substr(at_ + 1, end - at_ - 1);
  const std::optional<std::string> known = property_class(name, kind == 'P');
  if (!known) return beyond_re2(fmt::format("the Unicode property \"{}\"", name));
  out_ += *known;
  ++properties_;
  at_ = end + 1;
  return {};
}

Result<std::uint32_t> Translator::hex(std::size_t least, std::size_t most) {
  std::uint32_t value = 0;
  std::size_t digits = 0;
  for (; digits < most; ++digits, ++at_) {
    const char c = peek();
    const auto digit = c >= '0' && c <= '9'   ? c - '0'
                       : c >= 'a' && c <= 'f' ? c - 'a' + 10
                       : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                              : -1;
    if (digit < 0) break;
    value = value << 4 | static_cast<std::uint32_t>(digit);
  }
  if (digits < least) return bad("a hexadecimal digit");
  return value;
}

// After "\u": four digits, two escapes that form a surrogate pair, or braces.
Result<std::uint32_t> Translator::unicode_escape() {
  if (take("{")) {
    auto value = hex(1, 6);
    if (value && *value > 0x10FFFF) return bad("a code point of at most 10FFFF");
    if (value && !take("}")) return bad("\"}\"");
    return value;
  }
  auto value = hex(4, 4);
  if (!value || *value < 0xD800 || *value > 0xDBFF) return value;
  const std::size_t after = at_;
  if (!take("\\u")) return value;
  const auto second = hex(4, 4);
  if (second && *second >= 0xDC00 && *second <= 0xDFFF) {
    return 0x10000 + ((*value - 0xD800) << 10) + (*second - 0xDC00);
  }
  at_ = after;
  return value;
}

Result<std::uint32_t> Translator::code_point_escape() {
  const char kind = peek(1);
  if (at_ + 1 >= source_.size()) return bad("something after \"\\\"");
  constexpr std::string_view controls = "tnvfr";
  constexpr char values[] = "\t\n\v\f\r";
  if (const std::size_t i = controls.find(kind); i != std::string_view::npos) {
    at_ += 2;
    return static_cast<std::uint32_t>(values[i]);
  }
  const bool letter = (kind >= 'a' && kind <= 'z') || (kind >= 'A' && kind <= 'Z');
  if (!letter && !(kind >= '0' && kind <= '9')) {
    ++at_;
    return utf8::next(source_, at_);
  }
  if (kind == 'x' || kind == 'u') {
    at_ += 2;
    auto value = kind == 'x' ? hex(2, 2) : unicode_escape();
    if (value && *value >= 0xD800 && *value <= 0xDFFF) return beyond_re2("a lone surrogate");
    return value;
  }
  if (kind == '0' && !(peek(2) >= '0' && peek(2) <= '9')) {
    at_ += 2;
    return 0;
  }
  const char letter_after = peek(2);
  if (kind == 'c' && ((letter_after >= 'a' && letter_after <= 'z') ||
                      (letter_after >= 'A' && letter_after <= 'Z'))) {
    at_ += 3;
    return static_cast<std::uint32_t>(letter_after) % 32;
  }
  return bad(fmt::format("an escape of ECMA-262, not \"\\{}\",", kind));
}

// One member of a bracket expression. A set such as \d is written immediately (`is_set`; the result
// is then 0); a code point is returned, because it may start a range.
Result<std::uint32_t> Translator::class_member(bool& is_set) {
  is_set = false;
  if (peek() != '\\') return utf8::next(source_, at_);
  const char kind = peek(1);
  if (kind == 'b') {
    at_ += 2;
    return 8;  // backspace
  }
  if (kind != '\0' && std::string_view("dDwWsSpP").find(kind) != std::string_view::npos) {
    is_set = true;
    ENFOLD_TRY(set_escape(kind));
    return 0;
  }
  return code_point_escape();
}

Status Translator::bracket() {
  ++at_;
  const bool negated = take("^");
  if (take("]")) {
    out_ += negated ? "[\\x{0}-\\x{10ffff}]" : "[^\\x{0}-\\x{10ffff}]";
    return {};
  }
  out_ += negated ? "[^" : "[";
  while (more() && peek() != ']') {
    bool is_set = false;
    ENFOLD_TRY(const auto first, class_member(is_set));
    if (is_set) continue;
    append_code_point(out_, first);
    if (peek() != '-' || peek(1) == ']' || at_ + 1 >= source_.size()) continue;
    ++at_;
    const std::size_t before_set = out_.size();
    ENFOLD_TRY(const auto last, class_member(is_set));
    if (is_set) {  // "[a-\d]": the hyphen is a literal
      out_.insert(before_set, "\\x{2d}");
      continue;
    }
    if (last < first) return bad("a range in ascending order");
    out_ += '-';
    append_code_point(out_, last);
  }
  if (!take("]")) return bad("a closing \"]\"");
  out_ += ']';
  return {};
}

}  // namespace

Result<Translation> to_re2(std::string_view ecma) { return Translator(ecma).translate(); }

}  // namespace enfold::schema::detail
