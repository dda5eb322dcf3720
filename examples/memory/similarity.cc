// SPDX-License-Identifier: Apache-2.0
#include "similarity.h"

#include <vector>

namespace memory {
namespace {

constexpr std::size_t kShortestWord = 3;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (is_letter(c)) {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

}  // namespace

Words words_of(std::string_view text) {
  Words words;
  for (std::string& word : split(text)) {
    if (word.size() >= kShortestWord) words.insert(std::move(word));
  }
  return words;
}

double similarity(const Words& a, const Words& b) {
  std::size_t shared = 0;
  for (const std::string& word : a) shared += b.count(word);
  const std::size_t all = a.size() + b.size() - shared;
  return all == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(all);
}

std::string text_expression(std::string_view query, Match match) {
  std::string words;
  const std::string_view between = match == Match::phrase ? " "
                                   : match == Match::all  ? "\" \""
                                                          : "\" OR \"";
  for (const std::string& word : split(query)) {
    if (!words.empty()) words += between;
    words += word;
  }
  return words.empty() ? words : '"' + words + '"';
}

}  // namespace memory
