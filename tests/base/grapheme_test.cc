// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/grapheme.h"

#include "enfold/base/text.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace enfold::utf8 {
namespace {

// Each is one character for its reader.
const std::vector<std::string> kCharacters{
    "a",
    " ",
    "\r\n",
    "\u00e9",
    "e\u0301",
    "e\u0301\u0323\u0302",
    "\u65e5",
    "\U0001F600",
    "\U0001F468\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466",  // a family
    "\U0001F44D\U0001F3FD",                                        // a thumb with a skin tone
    "\u2764\ufe0f\u200d\U0001F525",                                // a heart on fire
    "\U0001F1E9\U0001F1EA",                                        // a flag
    "\U0001F3F4\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F",  // Wales
    "1\ufe0f\u20e3",
    "\u1112\u1161\u11ab",
    "\ud55c",
    "\u0915\u093f",
    "\u0e01\u0e33",
};

TEST(Grapheme, no_cut_splits_what_a_reader_sees_as_one) {
  testing::check_property("grapheme_cuts", testing::property_cases(2'000, 100'000), [] {
    std::string text;
    std::vector<std::size_t> ends{0};
    const auto one = rc::gen::elementOf(kCharacters);
    for (const std::string& character :
         *rc::gen::resize(12, rc::gen::container<std::vector<std::string>>(one))) {
      text += character;
      ends.push_back(text.size());
    }
    const auto end = *rc::gen::inRange<std::size_t>(0, text.size() + 2);
    std::size_t want = 0;
    for (const std::size_t place : ends) {
      if (place <= end) want = place;
    }
    if (whole_characters(text, end) != want) RC_FAIL(text + " at " + std::to_string(end));
    RC_ASSERT(prefix(text, end) == std::string_view(text).substr(0, want));
  });
}

TEST(Grapheme, a_letter_with_hundreds_of_marks_is_cut_between_code_points) {
  std::string text = "x";
  for (int i = 0; i < 400; ++i) text += "\u0301";
  EXPECT_EQ(whole_characters(text, 602), 601U);
  EXPECT_EQ(whole_characters(text, 20), 0U);
}

}  // namespace
}  // namespace enfold::utf8
