// SPDX-License-Identifier: Apache-2.0
// The variants of the UTF-8 check against a decoder that knows nothing of tables: it decodes and
// encodes again.
#include "enfold/json/detail/utf8_check.h"

#include "enfold/base/text.h"

#include <gtest/gtest.h>
#include <random>
#include <simdjson.h>
#include <string>
#include <vector>

namespace enfold::json {
namespace {

using Check = bool (*)(std::string_view);

std::vector<Check> variants() {
  std::vector<Check> all{detail::is_utf8, detail::is_utf8_baseline};
#if defined(__x86_64__)
  if (detail::has_avx2()) all.push_back(detail::is_utf8_avx2);
#endif
  return all;
}

bool simdjson_accepts(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

TEST(Utf8Check, agrees_on_every_pair_and_triple_of_bytes_at_the_edge_of_a_block) {
  for (const std::size_t at : {std::size_t{0}, std::size_t{30}, std::size_t{31}, std::size_t{61}}) {
    std::string text(at + 3, 'x');
    for (std::uint32_t pair = 0; pair < 0x10000; ++pair) {
      text[at] = static_cast<char>(pair >> 8);
      text[at + 1] = static_cast<char>(pair);
      for (const char third : {'x', '\x80', '\xBF', '\xC3'}) {
        text[at + 2] = third;
        const bool wanted = simdjson_accepts(text);
        for (const Check check : variants())
          ASSERT_EQ(check(text), wanted) << std::hex << pair << " at " << at;
      }
    }
  }
}

TEST(Utf8Check, accepts_every_code_point_and_refuses_surrogates_at_every_place_of_a_block) {
  for (std::uint32_t point = 0; point < 0x120000; point += point < 0x11000 ? 1 : 61) {
    std::string text((point * 7) % 64, 'x');
    utf8::append(text, point);
    const bool wanted = point < 0x110000 && (point < 0xD800 || point > 0xDFFF);
    for (const Check check : variants()) {
      ASSERT_EQ(check(text), wanted) << std::hex << point;
      ASSERT_EQ(check(text + std::string(40, 'y')), wanted) << std::hex << point;
    }
  }
}

TEST(Utf8Check, agrees_with_simdjson_on_random_sequences_and_their_damaged_copies) {
  std::mt19937 random(11);  // NOLINT(cert-msc51-cpp): the same texts every time
  for (int round = 0; round < 50'000; ++round) {
    std::string text(random() % 40, 'a');
    for (std::size_t left = random() % 60; left != 0; --left)
      utf8::append(text,
                   static_cast<std::uint32_t>(random() % (random() % 2 == 0 ? 0x80 : 0xD800)));
    if (!text.empty() && round % 2 == 0) {
      char& damaged = text[random() % text.size()];
      damaged = static_cast<char>(damaged ^ 1 << random() % 8);
    }
    if (round % 3 == 0) text.resize(text.size() - std::min<std::size_t>(text.size(), random() % 4));
    const bool wanted = simdjson_accepts(text);
    for (const Check check : variants()) ASSERT_EQ(check(text), wanted) << round;
  }
}

TEST(Utf8Check, refuses_a_sequence_that_the_end_cuts) {
  for (const std::string_view cut :
       {"\xC3", "\xE2\x82", "\xE2", "\xF0\x9F\x98", "\xF0\x9F", "\xF0"}) {
    for (std::size_t before = 0; before < 70; ++before) {
      for (const Check check : variants())
        ASSERT_FALSE(check(std::string(before, 'x') + std::string(cut))) << before;
    }
  }
}

}  // namespace
}  // namespace enfold::json
