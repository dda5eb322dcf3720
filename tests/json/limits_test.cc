// SPDX-License-Identifier: Apache-2.0
// Input that is too large, too deep, too wide or cut off: an answer with a place, in bounded time.
#include "enfold/json/document.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <ctime>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace enfold::json {
namespace {

using ::testing::HasSubstr;

std::string nested(std::size_t levels, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  text += "1";
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}

// The number in "(byte 41)".
std::size_t byte_of(const Error& error) {
  const std::size_t at = error.where.find("(byte ");
  EXPECT_NE(at, std::string::npos) << error.where;
  return at == std::string::npos ? 0 : std::stoul(error.where.substr(at + 6));
}

TEST(Limits, ten_thousand_levels_are_refused_where_they_pass_the_limit) {
  const struct {
    const char* open;
    const char* close;
    std::size_t byte;  // of the bracket that opens level 513
  } rows[] = {{"[", "]", 512}, {R"({"a":)", "}", 512 * 5}, {R"([{"a":)", "}]", 256 * 6}};
  for (const auto& row : rows) {
    const auto document = parse(nested(10'000, row.open, row.close));
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().code, ErrorCode::limit_exceeded);
    EXPECT_EQ(document.error().message, "nested deeper than 512 levels");
    EXPECT_EQ(byte_of(document.error()), row.byte);
    EXPECT_NE(document.error().hint, "");
  }
  EXPECT_FALSE(parse(std::string(10'000, '['))) << "cut off as well as too deep";
}

// Frames that AddressSanitizer watches are many times as large.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kPairs = 1'000;
#else
constexpr std::size_t kPairs = 5'000;
#endif

TEST(Limits, a_raised_depth_limit_is_good_for_all_that_a_document_can_do) {
  const Limits deep{.max_depth = 2 * kPairs};
  const std::string text = nested(kPairs, R"([{"a": )", "}]");
  const auto document = parse(text, deep);
  ASSERT_TRUE(document);
  const std::string written = to_text(document->root());
  EXPECT_EQ(written, nested(kPairs, R"([{"a":)", "}]"));
  const auto again = parse(written, deep);
  ASSERT_TRUE(again);
  EXPECT_TRUE(equal(document->root(), again->root()));
  // Indentation grows with the square of the depth, so not all of it.
  const auto indented = parse(pretty(parse(nested(500, R"([{"a":)", "}]"), deep)->root()), deep);
  ASSERT_TRUE(indented);
  EXPECT_EQ(to_text(indented->root()), nested(500, R"([{"a":)", "}]"));
  EXPECT_FALSE(parse(nested(kPairs, R"([{"a":)", "}]") + "]", deep));
  EXPECT_FALSE(parse("[" + text + "]", deep));
}

TEST(Limits, elements_and_bytes_are_counted_exactly) {
  const struct {
    const char* text;
    std::size_t elements;
  } rows[] = {{"1", 1}, {"[]", 1}, {"[1]", 2}, {R"({"a":1,"b":[2,3]})", 5}, {"[[[]],{}]", 4}};
  for (const auto& row : rows) {
    EXPECT_TRUE(parse(row.text, {.max_elements = row.elements})) << row.text;
    const auto refused = parse(row.text, {.max_elements = row.elements - 1});
    ASSERT_FALSE(refused) << row.text;
    EXPECT_EQ(refused.error().code, ErrorCode::limit_exceeded);
    const std::size_t size = std::string_view(row.text).size();
    EXPECT_TRUE(parse(row.text, {.max_bytes = size})) << row.text;
    const auto too_large = parse(row.text, {.max_bytes = size - 1});
    ASSERT_FALSE(too_large) << row.text;
    EXPECT_EQ(too_large.error().code, ErrorCode::limit_exceeded);
    EXPECT_THAT(too_large.error().message, HasSubstr("more than " + std::to_string(size - 1)));
  }
}

TEST(Limits, arrays_and_objects_are_counted_exactly) {
  const std::string text = R"([[],{"a":[]},1,"b"])";
  EXPECT_TRUE(parse(text, {.max_containers = 4}));
  const auto refused = parse(text, {.max_containers = 3});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit_exceeded);
  EXPECT_EQ(refused.error().message, "more than 3 arrays and objects");
  EXPECT_THAT(refused.error().where, HasSubstr("(byte 9)"));
}

std::string wide_object(int members) {
  std::string text = "{";
  for (int i = 0; i < members; ++i) {
    text += (i == 0 ? "\"member_" : ",\"member_") + std::to_string(i) + "\":" + std::to_string(i);
  }
  return text + "}";
}

// Processor time, so that a busy machine changes little.
template <class Work>
double best_seconds(Work&& work) {
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

// Twice the members may take a little more than twice the time; square growth would take four
// times as long at every step.
TEST(Limits, a_wide_object_takes_linear_time) {
  const auto seconds = [](const std::string& text) {
    return best_seconds([&] {
      const auto document = parse(text);
      ASSERT_TRUE(document);
      ASSERT_EQ(to_text(document->root()).size(), text.size());
      ASSERT_TRUE(document->root().find("member_77777"));
    });
  };
  const double once = seconds(wide_object(100'000));
  const double twice = seconds(wide_object(200'000));
  const double four_times = seconds(wide_object(400'000));
  EXPECT_LT(twice, once * 6 + 0.05) << "100,000 members: " << once << " s";
  EXPECT_LT(four_times, once * 12 + 0.1) << "100,000 members: " << once << " s";
}

TEST(Limits, a_wide_object_is_kept_verbatim_and_reported) {
  const std::string text = wide_object(200'000);
  const auto document = parse(text);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->root().size(), 200'000U);
  EXPECT_EQ(document->oddities().wide_object, 0U);
  EXPECT_EQ(document->oddities().duplicate_key_count, 0U);
  EXPECT_EQ(document->root().find("member_199999")->integer(), 199'999);
  EXPECT_EQ(to_text(document->root()), text);
  EXPECT_FALSE(parse(wide_object(100'000))->oddities().any())
      << "the limit itself is not beyond it";
  EXPECT_TRUE(parse(wide_object(100'001))->oddities().wide_object);
}

// About 2 KB with one of everything that a text can be cut in the middle of.
std::string document_of_two_kilobytes() {
  std::string text =
      "\n{ \"title\": \"caf\u00e9 \U0001F600 \\ud83d\\ude00 \\\" \\\\ \\/\", \"rows\": [\n";
  for (int i = 0; text.size() < 1'900; ++i) {
    text += "  {\"id\": " + std::to_string(i) + ", \"score\": -1.25e-" + std::to_string(i % 10) +
            ", \"tags\": [\"a\\n\", \"\u20ac\", []], \"ok\": true, \"no\": false, \"x\": null},\n";
  }
  return text + "  {}], \"end\": [[1.0, {\"k\": \"\\u00e9\"}]] }";
}

TEST(Limits, every_cut_off_text_is_an_error_with_a_place_inside_it) {
  const std::string text = document_of_two_kilobytes();
  ASSERT_GE(text.size(), 1'900U);
  ASSERT_TRUE(parse(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto document = parse(std::string_view(text).substr(0, size));
    ASSERT_FALSE(document) << size;
    const Error& error = document.error();
    EXPECT_EQ(error.code, ErrorCode::invalid_input) << size;
    EXPECT_NE(error.message, "") << size;
    EXPECT_LE(byte_of(error), size) << error.message;
    EXPECT_THAT(error.where, HasSubstr("line ")) << size;
  }
}

TEST(Limits, every_text_with_one_byte_missing_or_doubled_gets_an_answer) {
  const std::string text = document_of_two_kilobytes();
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string missing = text;
    missing.erase(at, 1);
    std::string doubled = text;
    doubled.insert(at, 1, text[at]);
    for (const std::string& changed : {missing, doubled}) {
      const auto document = parse(changed);
      if (document) {
        EXPECT_TRUE(equal(parse(to_text(document->root()))->root(), document->root())) << at;
      } else {
        EXPECT_LE(byte_of(document.error()), changed.size()) << at;
      }
    }
  }
}

}  // namespace
}  // namespace enfold::json
