// SPDX-License-Identifier: Apache-2.0
// The policy of docs/internals/json.md, row by row: what is accepted although it is odd, and what
// is refused.
#include "enfold/json/detail/escape.h"
#include "enfold/json/detail/scan.h"
#include "enfold/json/document.h"
#include "enfold/json/write.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace enfold::json {
namespace {

TEST(Oddities, numbers_are_kept_as_text_and_read_as_far_as_they_fit) {
  constexpr double least = std::numeric_limits<double>::denorm_min();
  constexpr double most = std::numeric_limits<double>::max();
  const struct {
    const char* text;
    std::optional<std::int64_t> integer;
    std::optional<double> real;
  } rows[] = {
      {"0", 0, 0.0},
      {"-0", 0, -0.0},
      {"-0.0", std::nullopt, -0.0},
      {"1.0", std::nullopt, 1.0},
      {"1e2", std::nullopt, 100.0},
      {"9223372036854775807", INT64_MAX, 9223372036854775808.0},
      {"-9223372036854775808", INT64_MIN, -9223372036854775808.0},
      {"9223372036854775808", std::nullopt, 9223372036854775808.0},
      {"18446744073709551616", std::nullopt, 18446744073709551616.0},
      {"1.7976931348623157e308", std::nullopt, most},
      {"1.7976931348623159e308", std::nullopt, std::nullopt},
      {"-1e400", std::nullopt, std::nullopt},
      {"1e99999999999999999999", std::nullopt, std::nullopt},
      {"5e-324", std::nullopt, least},
      {"2.4703282292062328e-324", std::nullopt, least},
      {"2.4703282292062327e-324", std::nullopt, 0.0},
      {"1e-400", std::nullopt, 0.0},
      {"-1e-400", std::nullopt, -0.0},
      {"1e-99999999999999999999", std::nullopt, 0.0},
      {"0e99999999999999999999", std::nullopt, 0.0},
  };
  for (const auto& row : rows) {
    const auto document = parse(row.text);
    ASSERT_TRUE(document) << row.text;
    EXPECT_EQ(document->root().number(), row.text);
    EXPECT_EQ(to_text(document->root()), row.text);
    EXPECT_EQ(document->root().integer(), row.integer) << row.text;
    EXPECT_EQ(document->root().real(), row.real) << row.text;
    EXPECT_EQ(std::signbit(document->root().real().value_or(1)), std::signbit(row.real.value_or(1)))
        << row.text;
    EXPECT_FALSE(document->oddities().any()) << row.text;
  }
}

TEST(Oddities, a_lone_surrogate_is_found_wherever_it_hides) {
  const struct {
    const char* text;
    std::optional<std::uint32_t> at;
  } rows[] = {
      {R"("\ud83d\ude00")", std::nullopt},
      {R"("\\ud800")", std::nullopt},
      {R"("\ud7ff\ue000")", std::nullopt},
      {R"("\ud800\udc00\udbff\udfff")", std::nullopt},
      {R"("\ud800")", 1},
      {R"("\uDFFF")", 1},
      {R"("\ud83d\ude00\ude00")", 13},
      {R"("\ud83d\ud83d\ude00")", 1},
      {R"("\ude00\ud83d")", 1},
      {R"("\ud800\n")", 1},
      {R"(["\ud83d","\ude00"])", 2},
      {R"({"\udbff":1})", 2},
      {R"("\\\ud800")", 3},
  };
  for (const auto& row : rows) {
    const auto document = parse(row.text);
    ASSERT_TRUE(document) << row.text;
    EXPECT_EQ(document->oddities().lone_surrogate, row.at) << row.text;
    EXPECT_EQ(to_text(document->root()), row.text);
    const std::string again = quote(document->root().string());
    if (document->root().is_string()) {
      EXPECT_EQ(parse(again)->root().string(), document->root().string()) << row.text;
    }
  }
}

TEST(Oddities, surrogate_pairs_decode_to_the_ends_of_their_range) {
  EXPECT_EQ(parse(R"("\ud800\udc00")")->root().string(), "\U00010000");
  EXPECT_EQ(parse(R"("\uDBFF\uDFFF")")->root().string(), "\U0010FFFF");
  EXPECT_EQ(parse(R"("\ud7ff\ue000")")->root().string(), "\uD7FF\uE000");
  EXPECT_EQ(parse(R"("\udbff\ue000")")->root().string(), "\xED\xAF\xBF\uE000");
}

TEST(Oddities, repeated_keys_are_listed_by_place_and_counted_beyond_the_list) {
  std::string text = R"({"k":0)";
  for (int i = 1; i <= 40; ++i) text += ",\"k\":" + std::to_string(i);
  text += "}";
  const auto document = parse(text);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->oddities().duplicate_key_count, 40U);
  ASSERT_EQ(document->oddities().duplicate_keys.size(), 16U);
  EXPECT_EQ(document->oddities().duplicate_keys[0], text.find("\"k\":1"));
  EXPECT_EQ(document->root().size(), 41U);
  EXPECT_EQ(document->root().find("k")->integer(), 40);
  EXPECT_EQ(to_text(document->root()), text);
}

TEST(Oddities, what_the_grammar_forbids_is_refused_though_others_take_it) {
  const struct {
    const char* name;
    std::string text;
  } rows[] = {
      {"byte order mark", "\xEF\xBB\xBF{}"},
      {"NUL after the value", std::string("{}\0", 3)},
      {"NUL before the value", std::string("\0{}", 3)},
      {"NUL as white space", std::string("[1,\0002]", 6)},
      {"NUL in a string", std::string("\"a\0\"", 4)},
      {"form feed as white space", "[1,\f2]"},
      {"no-break space", "\u00a01"},
      {"line separator as white space", "\u20281"},
      {"comment", "[1 /* one */]"},
      {"trailing comma in an array", "[1,]"},
      {"trailing comma in an object", R"({"a":1,})"},
      {"single quotes", "['a']"},
      {"key without quotes", "{a:1}"},
      {"NaN", "NaN"},
      {"Infinity", "-Infinity"},
      {"hex number", "0x10"},
      {"plus sign", "+1"},
      {"leading point", ".5"},
      {"trailing point", "5."},
      {"leading zero", "-012"},
      {"upper-case literal", "True"},
      {"raw tab in a string", "\"a\tb\""},
      {"raw newline in a string", "\"a\nb\""},
      {"escape of a quote mark", R"("\'")"},
      {"hex escape", R"("\x41")"},
      {"upper-case unicode escape", R"("\U0041")"},
      {"two values", "{}{}"},
      {"encoded surrogate", "\"\xED\xA0\x80\""},
      {"overlong sequence", "\"\xC0\xAF\""},
      {"beyond U+10FFFF", "\"\xF4\x90\x80\x80\""},
      {"ISO 8859-1", "\"\xE9\""},
      {"cut off sequence", "\"\xE2\x82\""},
      {"UTF-16", std::string("[\0\"\0a\0\"\0]\0", 10)},
      {"broken bytes after the value", "1 \xFF"},
  };
  for (const auto& row : rows) {
    const auto document = parse(row.text);
    ASSERT_FALSE(document) << row.name;
    EXPECT_EQ(document.error().code, ErrorCode::invalid_input) << row.name;
    EXPECT_NE(document.error().where, "") << row.name;
  }
}

struct Scanned {
  detail::Containers containers;
  std::array<detail::KeySlot, 64> keys{};
  detail::DocumentKeys document_keys;
  detail::Scan scan{.containers = &containers,
                    .document_keys = &document_keys,
                    .keys = keys.data(),
                    .key_mask = 63};
};

// On a processor without AVX2 both are the same function, and this says nothing.
TEST(Oddities, every_changed_byte_gets_the_same_answer_on_every_instruction_set) {
  const std::string texts[] = {
      R"({"a":[1,-2.5e+3,"x\n\ud83d\ude00"],"a":{"":null,"b" :true}, "c":false})",
      "[-1234567890123456789012345678901,12345678901234567890123456789012.5,0."
      "1234567890123456789012345"
      "678901e-10,100000000000000000000000000000000000000000000000000000000000000000000]",
      R"(["a string that is longer than a block of thirty-two bytes \\\" and goes on \u00e9"])",
  };
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = text;
        changed[at] = static_cast<char>(byte);
        const Buffer bytes(changed);
        Scanned plain;
        Scanned best;
        detail::scan_baseline(bytes.data(), bytes.size(), {}, plain.scan);
        detail::best_scan()(bytes.data(), bytes.size(), {}, best.scan);
        ASSERT_EQ(plain.scan.fault, best.scan.fault) << at << " " << byte;
        ASSERT_EQ(plain.scan.fault_at, best.scan.fault_at) << at << " " << byte;
        ASSERT_LE(plain.scan.fault_at, changed.size());
        if (plain.scan.fault != detail::Fault::none) continue;
        ASSERT_EQ(plain.scan.any_suspect, best.scan.any_suspect) << at << " " << byte;
        ASSERT_EQ(plain.scan.any_surrogate, best.scan.any_surrogate) << at << " " << byte;
        ASSERT_EQ(plain.scan.root_end, best.scan.root_end) << at << " " << byte;
        ASSERT_EQ(plain.containers.size(), best.containers.size()) << at << " " << byte;
        for (std::uint32_t i = 0; i < plain.containers.size(); ++i) {
          ASSERT_EQ(plain.containers[i].end, best.containers[i].end) << at << " " << byte;
          ASSERT_EQ(plain.containers[i].count, best.containers[i].count) << at << " " << byte;
          ASSERT_EQ(plain.containers[i].compact, best.containers[i].compact) << at << " " << byte;
        }
      }
    }
  }
}

}  // namespace
}  // namespace enfold::json
