// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/patterns.h"

#include <array>
#include <bit>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <map>
#include <set>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::budget::text {
namespace {

constexpr std::string_view kAny = "<*>";
constexpr std::size_t kMostPatterns = 20'000;  // distinct; a text with more has no patterns
constexpr std::size_t kFewVariants = 6;        // of a word; fewer patterns are not joined
constexpr std::size_t kMostNumbers = 6;        // of a line, for outliers
constexpr std::size_t kLongestNumber = 15;     // bytes; a longer one is not compared
constexpr std::size_t kMostWords = 64;         // of a pattern that is joined with others

// Classes of bytes, as bits: one pass over a word tells which classes its bytes have. A byte in no
// class (0) may be in a key: letters and a few marks.
enum : std::uint8_t { kVariable = 1, kDivider = 2, kOther = 4, kBlankByte = 8 };

constexpr std::array<std::uint8_t, 256> classes() {
  std::array<std::uint8_t, 256> of{};
  of.fill(kOther);
  for (int c = '0'; c <= '9'; ++c) of[static_cast<std::size_t>(c)] = kVariable;
  for (const char c : {'/', '\\', '@'}) of[static_cast<unsigned char>(c)] = kVariable;
  for (int c = 'a'; c <= 'z'; ++c) of[static_cast<std::size_t>(c)] = 0;
  for (int c = 'A'; c <= 'Z'; ++c) of[static_cast<std::size_t>(c)] = 0;
  for (const char c : {'_', '-', '.', '"', '{', '[', '('}) of[static_cast<unsigned char>(c)] = 0;
  of['='] = of[':'] = kDivider;
  of[' '] = of['\t'] = of['\r'] = kBlankByte;
  return of;
}
constexpr std::array<std::uint8_t, 256> kClass = classes();

std::uint8_t class_of(char c) { return kClass[static_cast<unsigned char>(c)]; }

// Bytes of the key in words such as "id=17", with its divider; 0: the word has no key.
std::size_t key_bytes(std::string_view word) {
  for (std::size_t at = 0; at < word.size(); ++at) {
    const std::uint8_t kind = class_of(word[at]);
    if (kind == kDivider && at > 0) return at + 1;
    if (kind != 0) return 0;
  }
  return 0;
}

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// The number that a word is, at about the precision of a double; kNoNumber: it is none.
double number_of(std::string_view word) {
  double number = 0;
  double unit = 0;  // of the next digit after the point; 0: there is no point yet
  if (word.empty() || word.size() > kLongestNumber || !is_digit(word[0])) return kNoNumber;
  for (const char c : word) {
    if (c == '.' && unit == 0) {
      unit = 0.1;
    } else if (!is_digit(c)) {
      return kNoNumber;
    } else if (unit == 0) {
      number = number * 10 + (c - '0');
    } else {
      number += unit * (c - '0');
      unit /= 10;
    }
  }
  return number;
}

// Appends "<*>" for a word that varies, with its key, and notes the number that the word is.
void append_variable(std::string& out, std::string_view word, std::vector<double>& numbers) {
  const std::size_t key = key_bytes(word);
  out += word.substr(0, key);
  out += kAny;
  if (numbers.size() < kMostNumbers) numbers.push_back(number_of(word.substr(key)));
}

/// Which bytes of a line are spaces, and which make a word variable: bit i % 64 of word i / 64 for
/// byte i.
struct LineBits {
  static constexpr std::size_t kWords = 8;
  static constexpr std::size_t kLongest = 64 * kWords;  ///< bytes of a line
  std::array<std::uint64_t, kWords> spaces, variable;   ///< set for the bytes of the line only
  bool is_regular = true;  ///< no blanks but single spaces between words
};

// Sets word `word` of the bits for `count` bytes of the line, at most 64.
void add_bits(const char* bytes, std::size_t count, std::size_t word, LineBits& bits) {
  std::uint64_t spaces = 0;
  std::uint64_t variable = 0;
  std::uint64_t odd = 0;
#if defined(__SSE2__)
  std::array<char, 16> rest{};
  for (std::size_t at = 0; at < count; at += 16) {
    const char* from = bytes + at;
    if (count - at < 16) {
      std::copy_n(from, count - at, rest.begin());
      from = rest.data();
    }
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const auto are = [&](char c) { return _mm_cmpeq_epi8(here, _mm_set1_epi8(c)); };
    const auto mask = [&](__m128i found) {
      return std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(found))} << at;
    };
    const __m128i above_slash = _mm_sub_epi8(here, _mm_set1_epi8('/'));  // '/' comes before '0'
    const __m128i digit_or_slash =
        _mm_cmpeq_epi8(_mm_min_epu8(above_slash, _mm_set1_epi8(10)), above_slash);
    spaces |= mask(are(' '));
    odd |= mask(_mm_or_si128(are('\t'), are('\r')));
    variable |= mask(_mm_or_si128(digit_or_slash, _mm_or_si128(are('\\'), are('@'))));
  }
#else
  for (std::size_t at = 0; at < count; ++at) {
    spaces |= std::uint64_t{bytes[at] == ' '} << at;
    odd |= std::uint64_t{bytes[at] == '\t' || bytes[at] == '\r'} << at;
    variable |= std::uint64_t{class_of(bytes[at]) == kVariable} << at;
  }
#endif
  const std::uint64_t before = word == 0 ? 1 : bits.spaces[word - 1] >> 63U;
  bits.is_regular = bits.is_regular && odd == 0 && (spaces & (spaces << 1U | before)) == 0;
  bits.spaces[word] = spaces;
  bits.variable[word] = variable;
}

// The position of the first set bit from `from` on; `end`: there is none before it.
std::size_t next_bit(const std::array<std::uint64_t, LineBits::kWords>& bits, std::size_t from,
                     std::size_t end) {
  for (std::size_t word = from / 64; word * 64 < end; ++word) {
    const std::uint64_t left =
        word == from / 64 ? bits[word] >> from % 64 << from % 64 : bits[word];
    if (left != 0) return word * 64 + static_cast<std::size_t>(std::countr_zero(left));
  }
  return end;
}

// Does the work of append_words for most lines, which have one space between words: copies all
// words up to the next variable one at once. False: the line is different, and nothing is appended.
bool append_regular(std::string& out, std::string_view text, std::vector<double>& numbers) {
  if (text.starts_with(' ')) text.remove_prefix(1);  // the space after a time stamp
  if (text.empty() || text.size() > LineBits::kLongest || text.ends_with(' ')) return false;
  LineBits bits;
  for (std::size_t at = 0; at < text.size(); at += 64) {
    add_bits(text.data() + at, std::min<std::size_t>(64, text.size() - at), at / 64, bits);
  }
  if (!bits.is_regular) return false;
  if (!out.empty()) out += ' ';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t varies = next_bit(bits.variable, at, text.size());
    if (varies == text.size()) {
      out += text.substr(at);
      break;
    }
    std::size_t begin = varies;
    while (begin > at && text[begin - 1] != ' ') --begin;
    out += text.substr(at, begin - at);
    at = next_bit(bits.spaces, varies, text.size());
    append_variable(out, text.substr(begin, at - begin), numbers);
  }
  return true;
}

// Appends the words of `text` as a pattern has them, with a blank before each but the first.
void append_words(std::string& out, std::string_view text, std::vector<double>& numbers) {
  if (append_regular(out, text, numbers)) return;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (class_of(*at) == kBlankByte) {
      ++at;
      continue;
    }
    const char* const begin = at;
    std::uint8_t found = 0;
    for (; at != end; ++at) {
      const std::uint8_t kind = class_of(*at);
      if (kind == kBlankByte) break;
      found |= kind;
    }
    const std::string_view word(begin, static_cast<std::size_t>(at - begin));
    if (!out.empty()) out += ' ';
    if ((found & kVariable) == 0) {
      out += word;
    } else {
      append_variable(out, word, numbers);
    }
  }
}

// Adds the numbers of a line to those of its pattern, which counts the line already.
void add_numbers(Pattern& pattern, const std::vector<double>& numbers, const Line& line) {
  if (pattern.count == 1) pattern.numbers.resize(numbers.size());
  for (std::size_t i = 0; i < std::min(pattern.numbers.size(), numbers.size()); ++i) {
    NumberAt& known = pattern.numbers[i];
    known.always = known.always && !std::isnan(numbers[i]);
    if (!known.always) continue;
    const double change = numbers[i] - known.mean;
    known.mean += change / static_cast<double>(pattern.count);
    known.squares += change * (numbers[i] - known.mean);
    if (pattern.count == 1 || numbers[i] > known.high) known.high = numbers[i], known.at = line;
  }
}

// Adds the numbers of `one` to those of `joined`, whose count does not have the lines of `one` yet.
void join_numbers(Pattern& joined, const Pattern& one) {
  if (joined.count == 0) joined.numbers = one.numbers;
  if (joined.count == 0) return;
  if (joined.numbers.size() != one.numbers.size()) joined.numbers.clear();
  const auto count = static_cast<double>(joined.count);
  const auto more = static_cast<double>(one.count);
  for (std::size_t i = 0; i < joined.numbers.size(); ++i) {
    NumberAt& known = joined.numbers[i];
    const NumberAt& other = one.numbers[i];
    known.always = known.always && other.always;
    const double change = other.mean - known.mean;
    known.squares += other.squares + change * change * count * more / (count + more);
    known.mean += change * more / (count + more);
    if (other.high > known.high) known.high = other.high, known.at = other.at;
  }
}

std::vector<std::string_view> words_of(std::string_view pattern) {
  std::vector<std::string_view> words;
  while (words.size() <= kMostWords) {
    const std::string_view word = take_word(pattern);
    if (word.empty()) break;
    words.push_back(word);
  }
  return words;
}

}  // namespace

void Patterns::add(const Line& whole, std::string_view before, std::string_view after,
                   bool severe) {
  ++lines_;
  if (too_many_) return;
  scratch_.clear();
  numbers_.clear();
  append_words(scratch_, before, numbers_);
  append_words(scratch_, after, numbers_);
  if (last_ >= patterns_.size() || patterns_[last_].text != scratch_) {
    const auto found = known_.find(std::string_view(scratch_));
    last_ = found == known_.end() ? patterns_.size() : found->second;
  }
  if (last_ == patterns_.size()) {
    if (patterns_.size() == kMostPatterns) {
      too_many_ = true;
      return;
    }
    known_.emplace(scratch_, static_cast<std::uint32_t>(patterns_.size()));
    patterns_.push_back({.text = scratch_, .count = 1, .first = whole, .severe = severe});
    add_numbers(patterns_.back(), numbers_, whole);
    return;
  }
  Pattern& pattern = patterns_[last_];
  ++pattern.count;
  add_numbers(pattern, numbers_, whole);
  pattern.severe = pattern.severe || severe;
}

// Joins patterns that differ only in one word; first those with the most variants of this word.
void Patterns::join_variants() {
  std::unordered_map<std::string, std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < patterns_.size(); ++i) {
    const std::vector<std::string_view> words = words_of(patterns_[i].text);
    if (words.size() < 2 || words.size() > kMostWords) continue;
    const std::string_view all = patterns_[i].text;
    for (const std::string_view word : words) {
      if (word == kAny) continue;
      const auto at = static_cast<std::size_t>(word.data() - all.data());
      std::string joined(all.substr(0, at));
      joined += kAny;
      joined += all.substr(at + word.size());
      groups[std::move(joined)].push_back(i);
    }
  }
  std::vector<std::pair<std::size_t, const std::string*>> order;
  for (const auto& [text, members] : groups) {
    if (members.size() >= kFewVariants) order.emplace_back(members.size(), &text);
  }
  std::ranges::sort(order, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : *a.second < *b.second;
  });
  for (const auto& [size, text] : order) {
    std::vector<std::uint32_t> members = groups[*text];
    std::erase_if(members, [&](std::uint32_t i) { return patterns_[i].count == 0; });
    if (members.size() < kFewVariants) continue;
    join(*text, std::move(members));
  }
}

void Patterns::join(const std::string& text, std::vector<std::uint32_t> members) {
  // A pattern that already has "<*>" for this word is joined too.
  const auto same = known_.find(std::string_view(text));
  if (same != known_.end() && std::ranges::find(members, same->second) == members.end()) {
    members.push_back(same->second);
  }
  Pattern joined{.text = text, .count = 0, .first = patterns_[members[0]].first, .severe = false};
  for (const std::uint32_t i : members) {
    Pattern& one = patterns_[i];
    if (one.count > 0) join_numbers(joined, one);
    joined.count += one.count;
    joined.severe = joined.severe || one.severe;
    if (one.count > 0 && one.first.number < joined.first.number) joined.first = one.first;
    one.count = 0;
  }
  known_[text] = static_cast<std::uint32_t>(patterns_.size());
  patterns_.push_back(std::move(joined));
}

// Joins patterns that differ in several words, such as the words of a name: among patterns with the
// same number of words and the same first two, words with many variants become "<*>".
void Patterns::join_names() {
  std::map<std::string, std::vector<std::pair<std::uint32_t, std::vector<std::string_view>>>> alike;
  for (std::uint32_t i = 0; i < patterns_.size(); ++i) {
    std::vector<std::string_view> words = words_of(patterns_[i].text);
    if (patterns_[i].count == 0 || words.size() < 4 || words.size() > kMostWords) continue;
    std::string key = fmt::format("{} {} {}", words.size(), words[0], words[1]);
    alike[std::move(key)].emplace_back(i, std::move(words));
  }
  for (const auto& [key, members] : alike) {
    if (members.size() < kFewVariants) continue;
    const std::size_t width = members[0].second.size();
    std::vector<char> varies(width, 0);
    for (std::size_t at = 0; at < width; ++at) {
      std::set<std::string_view> variants;
      for (const auto& [index, words] : members) variants.insert(words[at]);
      varies[at] = variants.size() >= kFewVariants ? 1 : 0;
    }
    if (static_cast<std::size_t>(std::ranges::count(varies, 1)) * 3 > width) continue;
    std::map<std::string, std::vector<std::uint32_t>> joined;
    for (const auto& [index, words] : members) {
      std::string text;
      for (std::size_t at = 0; at < width; ++at) {
        if (at > 0) text += ' ';
        text += varies[at] != 0 ? kAny : words[at];
      }
      joined[std::move(text)].push_back(index);
    }
    for (auto& [text, indexes] : joined) {
      if (indexes.size() >= kFewVariants) join(text, std::move(indexes));
    }
  }
}

std::vector<Pattern> Patterns::take() {
  if (too_many_) return {};
  if (patterns_.size() > kFewVariants) {
    join_variants();
    join_names();
  }
  std::erase_if(patterns_, [](const Pattern& pattern) { return pattern.count == 0; });
  if (patterns_.size() * 2 > lines_) return {};
  std::ranges::sort(patterns_, [](const Pattern& a, const Pattern& b) {
    return a.count != b.count ? a.count > b.count : a.first.number < b.first.number;
  });
  return std::move(patterns_);
}

std::vector<Line> outliers(const std::vector<Pattern>& patterns) {
  constexpr std::size_t fewest = 20;  // lines of a pattern
  constexpr double far = 6;           // standard deviations above the mean
  constexpr double least = 0.1;       // of the mean; a smaller deviation counts as this
  constexpr std::size_t most = 6;
  std::vector<std::pair<double, Line>> found;
  for (const Pattern& pattern : patterns) {
    if (pattern.count < fewest) continue;
    for (const NumberAt& number : pattern.numbers) {
      if (!number.always) continue;
      // Compares with the mean of the other lines: among few lines, the high value itself would
      // raise the mean.
      const auto count = static_cast<double>(pattern.count);
      const double above = number.high - number.mean;
      const double mean = number.mean - above / (count - 1);
      const double squares = number.squares - above * above * count / (count - 1);
      const double deviation = std::sqrt(std::max(squares, 0.0) / (count - 1));
      const double distance = (number.high - mean) / std::max(deviation, least * mean);
      if (distance > far) found.emplace_back(distance, number.at);
    }
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (found.size() > most) found.resize(most);
  std::vector<Line> lines;
  for (const auto& [distance, line] : found) lines.push_back(line);
  return lines;
}

}  // namespace enfold::budget::text
