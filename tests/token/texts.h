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

}  // namespace enfold::testing
