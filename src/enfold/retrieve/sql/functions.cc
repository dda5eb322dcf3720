// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/sql/functions.h"

#include "enfold/base/text.h"
#include "enfold/retrieve/records/substring.h"
#include "enfold/retrieve/sql/sandbox.h"

#include <algorithm>
#include <bitset>
#include <memory>
#include <optional>
#include <re2/re2.h>
#include <set>
#include <sqlite3.h>
#include <string>
#include <utility>
#include <vector>

namespace enfold::retrieve::detail {
namespace {

constexpr std::size_t kLongestPattern = 1000;   // bytes
constexpr std::int64_t kRegexMemory = 1 << 20;  // bytes of a compiled regular expression

/// What SQLite calls: the context that takes the result, and the arguments.
using Function = void (*)(sqlite3_context*, int, sqlite3_value**);

bool any_null(int count, sqlite3_value** values) {
  return std::any_of(values, values + count,
                     [](sqlite3_value* v) { return sqlite3_value_type(v) == SQLITE_NULL; });
}

// The lower case of ASCII letters only, as in SQLite's LIKE.
std::uint32_t folded(std::uint32_t c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

/// One element of a LIKE or GLOB pattern.
struct Element {
  /// any_one: `_` or `?`; any_run: `%` or `*`; set: `[a-z]`.
  enum class Kind { literal, any_one, any_run, set } kind = Kind::literal;
  std::uint32_t character = 0;                                  ///< of a literal
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  ///< of a set
  bool is_negated = false;                                      ///< a set: `[^a-z]`

  [[nodiscard]] bool matches(std::uint32_t c, bool ignore_case) const {
    switch (kind) {
      case Kind::literal: return ignore_case ? folded(c) == folded(character) : c == character;
      case Kind::any_one: return true;
      case Kind::any_run: return false;
      case Kind::set: break;
    }
    const bool in = std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
      return c >= range.first && c <= range.second;
    });
    return in != is_negated;
  }
};
using Pattern = std::vector<Element>;

Pattern read_like(std::string_view text, std::optional<std::uint32_t> escape) {
  Pattern pattern;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t c = utf8::next(text, at);
    if (escape && c == *escape && at < text.size()) {
      c = utf8::next(text, at);
      pattern.push_back({.character = c});
    } else if (c == '%') {
      pattern.push_back({.kind = Element::Kind::any_run});
    } else if (c == '_') {
      pattern.push_back({.kind = Element::Kind::any_one});
    } else {
      pattern.push_back({.character = c});
    }
  }
  return pattern;
}

/// Reads the set "[a-z]" or "[^a-z]" after its '[' and moves `at` past it; nullopt: there is no
/// closing ']', and `at` stays.
std::optional<Element> read_set(std::string_view text, std::size_t& at) {
  Element set{.kind = Element::Kind::set};
  std::size_t next = at;
  if (next < text.size() && text[next] == '^') {
    set.is_negated = true;
    ++next;
  }
  for (bool first = true; next < text.size(); first = false) {
    const std::uint32_t c = utf8::next(text, next);
    if (c == ']' && !first) {
      at = next;
      return set;
    }
    std::uint32_t last = c;
    if (next + 1 < text.size() && text[next] == '-' && text[next + 1] != ']') {
      ++next;
      last = utf8::next(text, next);
    }
    set.ranges.emplace_back(c, last);
  }
  return std::nullopt;
}

Pattern read_glob(std::string_view text) {
  Pattern pattern;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t c = utf8::next(text, at);
    if (c == '*') {
      pattern.push_back({.kind = Element::Kind::any_run});
    } else if (c == '?') {
      pattern.push_back({.kind = Element::Kind::any_one});
    } else if (c == '[') {
      auto set = read_set(text, at);
      pattern.push_back(set ? std::move(*set) : Element{.character = c});
    } else {
      pattern.push_back({.character = c});
    }
  }
  return pattern;
}

Sandbox& sandbox_of(sqlite3_context* context) {
  return *static_cast<Sandbox*>(sqlite3_user_data(context));
}

/// Counts `work` as Sandbox::spend does. False: the statement is over; the error is reported.
bool spend(sqlite3_context* context, std::uint64_t work) {
  if (sandbox_of(context).spend(work)) return true;
  sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  return false;
}

// Whether the text matches; nullopt: the statement is over. On a mismatch only the last `any_run`
// takes one character more, because the elements before that run have matched as early as possible.
std::optional<bool> matches(sqlite3_context* context, const Pattern& pattern, std::string_view text,
                            bool ignore_case) {
  constexpr std::uint64_t between_checks = 1 << 16;
  std::uint64_t compared = 0;            // characters since the last check
  std::size_t p = 0;                     // next element of the pattern
  std::size_t at = 0;                    // next character of the text
  std::optional<std::size_t> after_run;  // the element after the last any_run
  std::size_t retry_at = 0;              // where the text continues after that run
  while (at < text.size()) {
    if (++compared == between_checks && !spend(context, std::exchange(compared, 0))) return {};
    if (p < pattern.size() && pattern[p].kind == Element::Kind::any_run) {
      after_run = ++p;
      retry_at = at;
      continue;
    }
    std::size_t after_character = at;
    const std::uint32_t c = utf8::next(text, after_character);
    if (p < pattern.size() && pattern[p].matches(c, ignore_case)) {
      ++p;
      at = after_character;
      continue;
    }
    if (!after_run) return false;
    p = *after_run;
    static_cast<void>(utf8::next(text, retry_at));
    at = retry_at;
  }
  while (p < pattern.size() && pattern[p].kind == Element::Kind::any_run) ++p;
  if (!spend(context, compared)) return {};
  return p == pattern.size();
}

// `found` nullopt: the error is reported already.
void return_found(sqlite3_context* context, std::optional<bool> found) {
  if (found) sqlite3_result_int(context, *found ? 1 : 0);
}

/// The compiled pattern, argument 0 of a call. `make` compiles it for the first row; SQLite keeps
/// it for the other rows of the statement. nullptr: no memory.
template <class T, class Make>
const T* cached_pattern(sqlite3_context* context, Make make) {
  if (const void* known = sqlite3_get_auxdata(context, 0)) return static_cast<const T*>(known);
  std::unique_ptr<T> made = make();
  if (!made) return nullptr;
  T* raw = made.release();
  sqlite3_set_auxdata(context, 0, raw, [](void* old) { delete static_cast<T*>(old); });
  return static_cast<const T*>(sqlite3_get_auxdata(context, 0));
}

// If the pattern is too long, also reports the error to SQLite.
bool is_too_long(sqlite3_context* context, std::string_view pattern) {
  if (pattern.size() <= kLongestPattern) return false;
  sqlite3_result_error(context, "expected a pattern of at most 1000 bytes", -1);
  return true;
}

/// A compiled LIKE pattern. SQLite keeps it while the pattern is the same; ESCAPE may still differ.
struct LikePattern {
  std::optional<std::uint32_t> escape;
  Pattern elements;
};

void like(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return sqlite3_result_null(context);
  const std::string_view text = text_of(values[0]);
  if (is_too_long(context, text)) return;
  std::optional<std::uint32_t> escape;
  if (count == 3) {
    std::size_t at = 0;
    if (utf8::length(text_of(values[2])) != 1) {
      return sqlite3_result_error(context, "expected one character behind ESCAPE", -1);
    }
    escape = utf8::next(text_of(values[2]), at);
  }
  const auto* kept = cached_pattern<LikePattern>(context, [&] {
    return std::make_unique<LikePattern>(LikePattern{escape, read_like(text, escape)});
  });
  if (kept == nullptr) return sqlite3_result_error_nomem(context);
  constexpr bool ignore_case = true;
  const std::string_view value = text_of(values[1]);
  return_found(context, kept->escape == escape
                            ? matches(context, kept->elements, value, ignore_case)
                            : matches(context, read_like(text, escape), value, ignore_case));
}

void glob(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return sqlite3_result_null(context);
  const std::string_view text = text_of(values[0]);
  if (is_too_long(context, text)) return;
  const auto* pattern =
      cached_pattern<Pattern>(context, [&] { return std::make_unique<Pattern>(read_glob(text)); });
  if (pattern == nullptr) return sqlite3_result_error_nomem(context);
  constexpr bool ignore_case = false;
  return_found(context, matches(context, *pattern, text_of(values[1]), ignore_case));
}

// Whether the pattern occurs in the text; nullopt: the statement is over. Nothing can interrupt
// RE2, whose time is at worst the product of the lengths of text and program. So a search that
// could take long is first done in prefixes of the text, each longer by a quarter than the prefix
// before, with a check of the bounds before each: a search takes at most a third of the time so
// far.
std::optional<bool> search(sqlite3_context* context, const RE2& pattern, std::string_view text) {
  constexpr std::uint64_t most_at_once = 10'000'000;  // at worst 0.1 s
  constexpr std::uint64_t work_of_character = 8;      // what RE2 may do for one, in instructions
  const auto program = static_cast<std::uint64_t>(pattern.ProgramSize());
  const re2::StringPiece whole(text.data(), text.size());
  for (std::uint64_t end = most_at_once / program + 1; end < text.size(); end += end / 4 + 1) {
    if (!spend(context, most_at_once)) return {};
    // `$` and `\b` match at the end of a prefix, where they may not match in the whole text. So a
    // match in the prefix is searched again in the whole text.
    if (RE2::PartialMatch(whole.substr(0, end), pattern) &&
        pattern.Match(whole, 0, end, RE2::UNANCHORED, nullptr, 0)) {
      return true;
    }
  }
  if (!spend(context, text.size() * program / work_of_character)) return {};
  return RE2::PartialMatch(whole, pattern);
}

void regexp(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return sqlite3_result_null(context);
  const std::string_view text = text_of(values[0]);
  if (is_too_long(context, text)) return;
  const auto* pattern = cached_pattern<RE2>(context, [&] {
    RE2::Options options(RE2::Quiet);
    options.set_max_mem(kRegexMemory);
    return std::make_unique<RE2>(re2::StringPiece(text.data(), text.size()), options);
  });
  if (pattern == nullptr) return sqlite3_result_error_nomem(context);
  if (!pattern->ok()) return sqlite3_result_error(context, pattern->error().c_str(), -1);
  return_found(context, search(context, *pattern, text_of(values[1])));
}

void instr(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return sqlite3_result_null(context);
  const std::string_view text = text_of(values[0]);
  const std::string_view wanted = text_of(values[1]);
  if (wanted.empty()) return sqlite3_result_int(context, 1);
  if (!spend(context, text.size())) return;
  const std::size_t at = Substring(wanted).find(text);
  if (at == std::string_view::npos) return sqlite3_result_int(context, 0);
  sqlite3_result_int64(context, static_cast<sqlite3_int64>(utf8::length(text.substr(0, at)) + 1));
}

void replace(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return sqlite3_result_null(context);
  const std::string_view text = text_of(values[0]);
  const std::string_view wanted = text_of(values[1]);
  const std::string_view by = text_of(values[2]);
  if (wanted.empty()) return return_text(context, text);
  if (!spend(context, text.size())) return;
  const auto longest = static_cast<std::size_t>(
      sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
  const Substring search(wanted);
  std::string out;
  std::size_t at = 0;
  for (std::size_t found = 0; (found = search.find(text, at)) != std::string_view::npos;) {
    out.append(text.substr(at, found - at)).append(by);
    at = found + wanted.size();
    if (out.size() > longest) return sqlite3_result_error_toobig(context);
  }
  return_text(context, out.append(text.substr(at)));
}

/// Bits of the argument of `trim`.
enum TrimSide : int { kLeft = 1, kRight = 2 };

/// The characters that the SQL function `trim` removes.
class TrimSet {
 public:
  explicit TrimSet(std::string_view characters) {
    for (std::size_t at = 0; at < characters.size();) {
      const std::uint32_t c = utf8::next(characters, at);
      if (c < ascii_.size()) {
        ascii_.set(c);
      } else {
        others_.insert(c);
      }
    }
  }
  [[nodiscard]] bool contains(std::uint32_t c) const {
    return c < ascii_.size() ? ascii_.test(c) : !others_.empty() && others_.contains(c);
  }

 private:
  std::bitset<128> ascii_;
  std::set<std::uint32_t> others_;
};

template <int sides>
void trim(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return sqlite3_result_null(context);
  const TrimSet set(count == 2 ? text_of(values[1]) : " ");
  std::string_view text = text_of(values[0]);
  if (!spend(context, text.size())) return;
  while ((sides & kLeft) != 0 && !text.empty()) {
    std::size_t at = 0;
    if (!set.contains(utf8::next(text, at))) break;
    text.remove_prefix(at);
  }
  while ((sides & kRight) != 0 && !text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U) --start;
    std::size_t at = start;
    if (!set.contains(utf8::next(text, at))) break;
    text = text.substr(0, start);
  }
  return_text(context, text);
}

struct Registration {
  const char* name;
  int arguments;  ///< their number
  Function function;
};

constexpr Registration kFunctions[] = {
    {"like", 2, like},
    {"like", 3, like},
    {"glob", 2, glob},
    {"regexp", 2, regexp},
    {"instr", 2, instr},
    {"replace", 3, replace},
    {"trim", 1, trim<kLeft | kRight>},
    {"trim", 2, trim<kLeft | kRight>},
    {"ltrim", 1, trim<kLeft>},
    {"ltrim", 2, trim<kLeft>},
    {"rtrim", 1, trim<kRight>},
    {"rtrim", 2, trim<kRight>},
};

}  // namespace

bool register_functions(sqlite3* database, Sandbox& sandbox) {
  return std::all_of(std::begin(kFunctions), std::end(kFunctions), [&](const Registration& row) {
    return sqlite3_create_function_v2(database, row.name, row.arguments,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                      &sandbox, row.function, nullptr, nullptr,
                                      nullptr) == SQLITE_OK;
  });
}

}  // namespace enfold::retrieve::detail
