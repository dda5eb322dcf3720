// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/stamp.h"

#include <array>
#include <cstring>

namespace enfold::budget::text {
namespace {

constexpr int kStampWords = 5;  // first words of a line, one of which begins a stamp
constexpr int kLevelWords = 6;  // words after the stamp, one of which is the level

/// Reads forward over a text by patterns: 'd' is a digit, 'L' a letter, others are themselves.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  bool take(std::string_view pattern) {
    if (text_.size() - at_ < pattern.size()) return false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const char c = text_[at_ + i];
      const bool fits = pattern[i] == 'd'   ? is_digit(c)
                        : pattern[i] == 'L' ? is_letter(c)
                                            : c == pattern[i];
      if (!fits) return false;
    }
    at_ += pattern.size();
    return true;
  }
  bool take_any(std::initializer_list<std::string_view> patterns) {
    return std::ranges::any_of(patterns, [&](std::string_view pattern) { return take(pattern); });
  }
  /// Takes one of the patterns, but not the beginning of a longer word.
  bool take_last(std::initializer_list<std::string_view> patterns) {
    const std::size_t before = at_;
    for (const std::string_view pattern : patterns) {
      if (take(pattern) && !is_name_character(next())) return true;
      at_ = before;
    }
    return false;
  }
  std::size_t take_digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ - begin;
  }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

 private:
  std::string_view text_;
  std::size_t at_;
};

// The functions take_… move the scanner past what they read. False: it is something else.

// hh:mm, hh:mm:ss, hh:mm:ss.fraction
bool take_time(Scanner& scan) {
  if (!scan.take_any({"dd:dd", "d:dd"})) return false;
  if (scan.take(":dd") && (scan.next() == '.' || scan.next() == ',')) {
    Scanner fraction = scan;
    static_cast<void>(fraction.take_any({".", ","}));
    if (fraction.take_digits() > 0) scan = fraction;
  }
  return true;
}

bool take_zone(Scanner& scan) {
  const char next = scan.next();
  if (next != 'Z' && next != ' ' && next != '+' && next != '-') return false;
  return scan.take_last({"Z", " UTC", " GMT", "+dd:dd", "-dd:dd", "+dddd", "-dddd", " +dddd",
                         " -dddd", " +dd:dd", " -dd:dd"});
}

// A date with the year first, and a time. Only stamps in this form sort by their bytes, so only
// they get a Stamp::format_hash.
bool take_year_first(Scanner& scan) {
  Scanner date = scan;
  if (!date.take_any({"dddd-dd-dd", "dddd/dd/dd", "dddd.dd.dd"})) return false;
  if (!date.take_any({"T", " ", "t", "_"}) || !date.take("dd:dd")) return false;
  if (date.take(":dd") && (date.next() == '.' || date.next() == ',')) {
    Scanner fraction = date;
    static_cast<void>(fraction.take_any({".", ","}));
    if (fraction.take_digits() > 0) date = fraction;
  }
  static_cast<void>(take_zone(date));
  scan = date;
  return true;
}

bool take_month_and_day(Scanner& scan) { return scan.take_any({"LLL dd ", "LLL  d ", "LLL d "}); }

bool take_weekday(Scanner& scan) { return scan.take_any({"LLL, ", "LLL "}); }

// The month, the day and a time, with or without the day of the week and the year.
bool take_month_first(Scanner& scan) {
  Scanner date = scan;
  // The month is tried first: the name of a day of the week has as many letters.
  if (!take_month_and_day(date) && !(take_weekday(date) && take_month_and_day(date))) return false;
  if (!take_time(date)) return false;
  static_cast<void>(date.take_last({" dddd"}));
  scan = date;
  return true;
}

// AM or PM after a time, if it is there.
void take_half_of_day(Scanner& scan) {
  static_cast<void>(scan.take_last({" AM", " PM", " am", " pm"}));
}

// Other stamps: month names, day first, day and month in either order, times without a date.
bool take_other(Scanner& scan) {
  Scanner date = scan;
  if (take_month_first(date)) {
    scan = date;
    return true;
  }
  date = scan;
  if (date.take_any({"dd/LLL/dddd:", "dd-LLL-dddd ", "dd LLL dddd ", "dd/dd/dddd ", "dd/dd/dddd, ",
                     "dd.dd.dddd ", "dd-dd-dddd ", "d/d/dddd ", "d/dd/dddd ", "dd/d/dddd ",
                     "dd/dd/dd "}) &&
      take_time(date)) {
    take_half_of_day(date);
    static_cast<void>(take_zone(date));
    scan = date;
    return true;
  }
  date = scan;
  // klog: the level, month and day, then the time.
  if (date.take("Ldddd ") && date.take("dd:dd:dd.") && date.take_digits() > 0) {
    scan = date;
    return true;
  }
  date = scan;
  if (date.take("dd:dd:dd")) {
    if (date.next() == '.' || date.next() == ',') {
      static_cast<void>(date.take_any({".", ","}));
      static_cast<void>(date.take_digits());
    }
    take_half_of_day(date);
    scan = date;
    return true;
  }
  return false;
}

// Seconds since the start, "[   12.345678]", from `at` after the bracket. Sets `end`.
bool take_uptime(std::string_view line, std::size_t at, std::size_t& end) {
  if (at == 0 || line[at - 1] != '[') return false;
  Scanner scan(line, std::min(line.find_first_not_of(' ', at), line.size()));
  if (scan.take_digits() == 0 || !scan.take(".") || scan.take_digits() < 3 || !scan.take("]")) {
    return false;
  }
  end = scan.at() - 1;
  return true;
}

// The hash for Stamp::format_hash; never 0. All digits before the zone count as the same
// character; separators and the zone count as they are.
std::uint64_t format_hash_of(std::string_view stamp) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  const std::size_t zone = stamp.find_first_of("Z+-GU", std::min<std::size_t>(10, stamp.size()));
  for (std::size_t i = 0; i < stamp.size(); ++i) {
    const char c = is_digit(stamp[i]) && i < zone ? 'd' : stamp[i];
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return hash | 1U;
}

// The stamp that begins at this offset; nullopt: none.
std::optional<Stamp> stamp_at(std::string_view line, std::size_t at) {
  if (at >= line.size()) return std::nullopt;
  Stamp stamp{.begin = at};
  Scanner scan(line, at);
  if (is_digit(line[at]) && take_year_first(scan)) {
    stamp.format_hash = format_hash_of(line.substr(at, scan.at() - at));
  } else if (!is_alphanumeric(line[at]) || !take_other(scan)) {
    if (take_uptime(line, at, stamp.end)) return stamp;
    return std::nullopt;
  }
  if (is_name_character(scan.next())) return std::nullopt;  // the beginning of a longer word
  stamp.end = scan.at();
  return stamp;
}

// Words, and the level each of them names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kLevels{
    {{"TRACE", "TRACE"},   {"DEBUG", "DEBUG"},       {"INFO", "INFO"},
     {"NOTICE", "NOTICE"}, {"WARN", "WARN"},         {"WARNING", "WARN"},
     {"ERROR", "ERROR"},   {"ERR", "ERROR"},         {"FATAL", "FATAL"},
     {"ALERT", "ALERT"},   {"CRITICAL", "CRITICAL"}, {"CRIT", "CRITICAL"},
     {"EMERG", "EMERG"},   {"EMERGENCY", "EMERG"},   {"PANIC", "PANIC"},
     {"SEVERE", "SEVERE"}, {"VERBOSE", "VERBOSE"},   {"FINE", "FINE"},
     {"FINER", "FINER"},   {"FINEST", "FINEST"}}};

// By first letter, in either case: the lengths of the words in kLevels that begin with it, as bits.
// For most words this is enough to know that they are no level.
constexpr std::array<std::uint16_t, 32> lengths_by_letter() {
  std::array<std::uint16_t, 32> lengths{};
  for (const auto& [spelling, level] : kLevels) {
    std::uint16_t& known = lengths[static_cast<unsigned char>(spelling[0]) % lengths.size()];
    known = static_cast<std::uint16_t>(known | 1U << spelling.size());
  }
  return lengths;
}
constexpr std::array<std::uint16_t, 32> kLengths = lengths_by_letter();

// The level with this name; nullopt: the word is none. Case counts unless `any_case`.
std::optional<std::string_view> level_named(std::string_view word, bool any_case) {
  if (word.size() < 3 || word.size() > 9) return std::nullopt;
  const unsigned lengths = kLengths[static_cast<unsigned char>(word[0]) % kLengths.size()];
  if ((lengths >> word.size() & 1U) == 0) return std::nullopt;
  for (const auto& [spelling, level] : kLevels) {
    if (any_case ? equals_ignoring_case(word, spelling) : word == spelling) return level;
  }
  return std::nullopt;
}

// The level that a word is certainly: in capitals, in brackets, before a colon, or after level=.
std::optional<std::string_view> level_of_word(std::string_view word) {
  const bool ends_in_letters = is_alphanumeric(word.front()) && is_alphanumeric(word.back());
  if (ends_in_letters && word.find('=') == std::string_view::npos) {
    return level_named(word, /*any_case=*/false);
  }
  for (const std::string_view key : {"level=", "lvl=", "severity="}) {
    if (word.starts_with(key)) {
      return level_named(trimmed(word.substr(key.size()), "\","), /*any_case=*/true);
    }
  }
  const bool framed = word.starts_with('[') || word.starts_with('<') || word.starts_with('(') ||
                      word.ends_with(':') || word.ends_with(']');
  return level_named(trimmed(word, "[]<>():|-,"), /*any_case=*/framed);
}

// The level for the letter with which a line of klog begins; empty: it means none.
std::string_view klog_level(char letter) {
  switch (letter) {
    case 'I': return "INFO";
    case 'W': return "WARN";
    case 'E': return "ERROR";
    case 'F': return "FATAL";
    default: return {};
  }
}

bool continues_line(std::string_view line) {
  return line.starts_with(' ') || line.starts_with('\t') || line.starts_with("Caused by: ") ||
         line.starts_with("Traceback ");
}

// Eight bytes as a number, for comparing them at once.
std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

constexpr std::uint64_t in_each_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

// The highest bit of each byte that is a digit; all other bits are 0.
std::uint64_t digits_in(std::uint64_t word) {
  const std::uint64_t low = word & in_each_byte(0x7F);
  const std::uint64_t from_zero = low + in_each_byte(0x80 - '0');
  const std::uint64_t above_nine = low + in_each_byte(0x80 - '9' - 1);
  return from_zero & ~above_nine & ~word & in_each_byte(0x80);
}

// Whether two words are equal, or differ only in bytes that are digits in both.
bool differ_only_in_digits(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t bits = a ^ b;
  const std::uint64_t different =
      (((bits & in_each_byte(0x7F)) + in_each_byte(0x7F)) | bits) & in_each_byte(0x80);
  return (different & ~(digits_in(a) & digits_in(b))) == 0;
}

}  // namespace

std::optional<Stamp> find_stamp(std::string_view line) {
  std::size_t at = 0;
  for (int word = 0; word < kStampWords && at < line.size(); ++word) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string_view::npos) return std::nullopt;
    std::size_t begin = at;
    while (begin < line.size() &&
           std::string_view("[(\"<|").find(line[begin]) != std::string_view::npos) {
      ++begin;
    }
    if (line.substr(at, begin - at).find('"') == std::string_view::npos || word == 0) {
      if (const auto stamp = stamp_at(line, begin)) return stamp;
    }
    for (const std::string_view key : {"time=\"", "ts=\"", "time=", "ts="}) {
      if (!line.substr(at).starts_with(key)) continue;
      if (const auto stamp = stamp_at(line, at + key.size())) return stamp;
    }
    at = line.find_first_of(" \t", at);
    if (at == std::string_view::npos) return std::nullopt;
  }
  return std::nullopt;
}

// Whether the line has the same bytes as the last one except digits, from its beginning to one byte
// after the stamp.
bool StampFinder::is_like_last(std::string_view line) const {
  if (last_line_.empty() || line.size() <= last_line_.size()) return false;
  std::size_t at = 0;
  for (; at + 8 <= last_line_.size(); at += 8) {
    if (!differ_only_in_digits(word_at(line.data() + at), word_at(last_line_.data() + at))) {
      return false;
    }
  }
  for (; at < last_line_.size(); ++at) {
    if (line[at] != last_line_[at] && !(is_digit(line[at]) && is_digit(last_line_[at]))) {
      return false;
    }
  }
  return true;
}

std::optional<Stamp> StampFinder::find(std::string_view line) {
  if (is_like_last(line)) return last_;
  const auto stamp = find_stamp(line);
  last_line_.clear();
  if (!stamp || stamp->begin > 1 || stamp->format_hash == 0 || stamp->end >= line.size())
    return stamp;
  // A zone is part of the format: +01:00 and +02:00 are not alike.
  const std::string_view zone = line.substr(stamp->begin + 10, stamp->end - stamp->begin - 10);
  if (zone.find('+') != std::string_view::npos || zone.find('-') != std::string_view::npos) {
    return stamp;
  }
  last_ = *stamp;
  last_line_ = line.substr(0, stamp->end + 1);
  return stamp;
}

std::optional<Level> find_level(std::string_view line, std::size_t from,
                                std::optional<Level>* plain) {
  if (from >= 6 && is_letter(line[0]) && is_digit(line[1]) && is_digit(line[4]) && line[5] == ' ') {
    const std::string_view level = klog_level(line[0]);
    if (!level.empty()) return Level{level, kKlogSlot};
  }
  std::string_view rest = line.substr(std::min(from, line.size()));
  std::uint8_t slot = 0;
  for (int i = 0; i < kLevelWords; ++i) {
    const std::string_view word = take_word(rest);
    if (word.empty()) return std::nullopt;
    if (const auto level = level_of_word(word)) {
      const bool keyed = word.find('=') != std::string_view::npos;
      return Level{*level, keyed ? kKeyedSlot : slot};
    }
    if (plain != nullptr && !*plain) {
      if (const auto level = level_named(word, /*any_case=*/true)) *plain = Level{*level, slot};
    }
    // Marks between the parts of a line are no words: "]", "-", "|".
    if (word.find_first_not_of("[]-|:,") != std::string_view::npos) ++slot;
  }
  return std::nullopt;
}

bool is_severe(std::string_view level) {
  if (level == "INFO" || level == "DEBUG" || level == "WARN") return false;  // most levels
  static constexpr std::array<std::string_view, 7> kSevere{"ERROR", "FATAL", "CRITICAL", "ALERT",
                                                           "EMERG", "PANIC", "SEVERE"};
  return std::ranges::find(kSevere, level) != kSevere.end();
}

bool is_log(const Sample& sample) {
  std::size_t leading = 0;
  std::size_t continued = 0;
  StampFinder stamps;
  for (const std::string_view line : sample.lines) {
    const auto stamp = stamps.find(line);
    const auto level = find_level(line, stamp ? stamp->end : 0);
    // Without a time stamp the level must begin the line.
    if (stamp || (level && (level->slot == 0 || level->slot == kKeyedSlot))) {
      ++leading;
    } else if (continues_line(line)) {
      ++continued;
    }
  }
  constexpr std::size_t fewest = 3;
  return leading >= fewest && (leading + continued) * 10 >= sample.lines.size() * 7 &&
         leading * 4 >= sample.lines.size();
}

}  // namespace enfold::budget::text
