// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/patterns.h"

#include <array>

namespace enfold::budget::text {
namespace {

constexpr std::string_view kAny = "<*>";
constexpr std::size_t kMostPatterns = 20'000;  // distinct; a text with more has no patterns
constexpr std::size_t kFewVariants = 6;        // fewer patterns that differ in one word stay apart
constexpr std::size_t kMostWords = 64;         // of a pattern that is joined with others

// Classes of bytes, as bits: one pass over a word tells which ones it holds.
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

// Bytes up to and with the divider, if only letters come before it; else 0.
std::size_t key_bytes(std::string_view word) {
  for (std::size_t at = 0; at < word.size(); ++at) {
    const std::uint8_t kind = class_of(word[at]);
    if (kind == kDivider && at > 0) return at + 1;
    if (kind != 0) return 0;
  }
  return 0;
}

// Appends the words of `text`, each behind a blank unless it is the first.
void append_words(std::string& out, std::string_view text) {
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
      if ((found & kDivider) != 0) out += word.substr(0, key_bytes(word));
      out += kAny;
    }
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

void Patterns::add(const Line& whole, std::string_view before, std::string_view behind,
                   bool severe) {
  ++lines_;
  if (too_many_) return;
  scratch_.clear();
  append_words(scratch_, before);
  append_words(scratch_, behind);
  const auto found = known_.find(std::string_view(scratch_));
  if (found == known_.end()) {
    if (patterns_.size() == kMostPatterns) {
      too_many_ = true;
      return;
    }
    known_.emplace(scratch_, static_cast<std::uint32_t>(patterns_.size()));
    patterns_.push_back({scratch_, 1, whole, severe});
    return;
  }
  Pattern& pattern = patterns_[found->second];
  ++pattern.count;
  pattern.severe = pattern.severe || severe;
}

// Joins patterns that differ in one word. The word with the most variants is joined first.
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
    // A line that has a variable there already belongs to the same pattern.
    if (const auto same = known_.find(std::string_view(*text)); same != known_.end()) {
      members.push_back(same->second);
    }
    Pattern joined{*text, 0, patterns_[members[0]].first, false};
    for (const std::uint32_t i : members) {
      Pattern& one = patterns_[i];
      joined.count += one.count;
      joined.severe = joined.severe || one.severe;
      if (one.count > 0 && one.first.number < joined.first.number) joined.first = one.first;
      one.count = 0;
    }
    known_[*text] = static_cast<std::uint32_t>(patterns_.size());
    patterns_.push_back(std::move(joined));
  }
}

std::vector<Pattern> Patterns::take() {
  if (too_many_) return {};
  if (patterns_.size() > kFewVariants) join_variants();
  std::erase_if(patterns_, [](const Pattern& pattern) { return pattern.count == 0; });
  if (patterns_.size() * 2 > lines_) return {};
  std::ranges::sort(patterns_, [](const Pattern& a, const Pattern& b) {
    return a.count != b.count ? a.count > b.count : a.first.number < b.first.number;
  });
  return std::move(patterns_);
}

}  // namespace enfold::budget::text
