// SPDX-License-Identifier: Apache-2.0
// Random texts that are hard on the split rules: their special cases side by side, in runs, with
// words of several scripts and now and then bytes that are not UTF-8.
#pragma once

#include <rapidcheck.h>
#include <string>
#include <vector>

namespace enfold::testing {

inline const std::vector<std::string>& delicate_parts() {
  static const std::vector<std::string> parts{
      "'s",
      "'LL",
      "'Re",
      "'\u017f",
      "'",
      "\r\n",
      "\n",
      "\r",
      " ",
      "  ",
      "\t",
      "\u00a0",
      "\u3000",
      "\u0085",
      "\ufeff",
      "/",
      "//",
      "\n/",
      "0",
      "12",
      "1234",
      "\u0661",
      "A",
      "aB",
      "ABc",
      "\u01c5",
      "\u02b0",
      "\u0301",
      "\u0345",
      "\u4e00A",
      "Word",
      "the",
      "return",
      "JSON",
      "\u65e5\u672c\u8a9e",
      "\ud55c",
      "\U0001F44D\U0001F3FD",
      "\"",
      "\":\"",
      "{\"id\":",
      "}],",
      "-----",
      "_",
      "<|endoftext|>",
      "\xff",
      "\xe6\x97",
      "\x80",
      "internationalisation",
  };
  return parts;
}

inline std::string draw_text() {
  const int parts = *rc::gen::inRange(0, 24);
  std::string text;
  for (int i = 0; i < parts; ++i) {
    const std::string part = *rc::gen::elementOf(delicate_parts());
    const int times = *rc::gen::weightedOneOf<int>(
        {{12, rc::gen::just(1)}, {2, rc::gen::inRange(2, 12)}, {1, rc::gen::inRange(12, 150)}});
    for (int k = 0; k < times; ++k) text += part;
  }
  return text;
}

/// Mostly what JSON and prose are made of, so that long stretches hold nothing strange.
inline std::string draw_plain_text() {
  static const std::vector<std::string> parts{
      "\"",         "\":",  "\":\"",    "\",\"", ",",    ":",    "{\"",       "}",
      "[",          "]},{", "a",        "id",    "name", "HTTP", "camelCase", "XMLHttpRequest",
      "snake_case", " ",    " the",     " of",   "0",    "12",   "345",       "67890123",
      "-1.5e+3",    "/",    "https://", "#",     "\x7f", " \"",  "- ",        "I",
      "aB",         "Z9",   "%20",      "it's",  "'",    "\n",   "  ",        "\u00e9",
  };
  const int count = *rc::gen::inRange(0, 120);
  std::string text;
  for (int i = 0; i < count; ++i) {
    // The last few are strange.
    const bool strange = *rc::gen::inRange(0, 40) == 0;
    const std::size_t first = strange ? parts.size() - 5 : 0;
    const std::size_t last = strange ? parts.size() : parts.size() - 5;
    text += parts[*rc::gen::inRange(first, last)];
  }
  return text;
}

}  // namespace enfold::testing
