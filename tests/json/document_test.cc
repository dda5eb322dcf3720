// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/document.h"

#include "enfold/json/detail/scan.h"
#include "enfold/json/write.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace enfold::json {
namespace {

using ::testing::HasSubstr;

TEST(Document, keeps_every_value_verbatim) {
  const std::string text =
      R"({"big":123456789012345678901234567890,"one":1.0,"huge":1e400,"esc":"\u00e9\/","b":[],"a":{}})";
  const auto document = parse(text);
  ASSERT_TRUE(document);
  EXPECT_EQ(to_text(document->root()), text);
  EXPECT_EQ(document->root().find("big")->number(), "123456789012345678901234567890");
  EXPECT_EQ(document->root().find("esc")->string(), "\u00e9/");
}

TEST(Document, walks_nested_containers_in_order) {
  const auto document = parse(R"( { "a" : [ 1 , {"b":[ [ ] , 2 ]} , "x" ] , "c" : null } )");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->root().size(), 2U);
  const View a = *document->root().find("a");
  ASSERT_EQ(a.size(), 3U);
  EXPECT_EQ(a.item(0)->integer(), 1);
  EXPECT_EQ(to_text(*a.item(1)), R"({"b":[[],2]})");
  EXPECT_TRUE(a.item(2)->equals("x"));
  EXPECT_TRUE(document->root().find("c")->is_null());
  EXPECT_FALSE(document->root().is_compact());
  EXPECT_EQ(to_text(document->root()), R"({"a":[1,{"b":[[],2]},"x"],"c":null})");
}

TEST(Document, says_what_it_expected_and_where) {
  struct Case {
    const char* input;
    const char* message;
    const char* where;
  };
  const Case cases[] = {
      {"", "expected a JSON value, found the end of the input", "line 1, column 1 (byte 0)"},
      {"{\"a\":1,}", "expected a member name in double quotes, found '}'", "column 8 (byte 7)"},
      {"[1,]", "expected a JSON value, found ']'", "byte 3"},
      {"[1 2]", "expected ',' or ']' in an array, found '2'", "byte 3"},
      {"{\"a\" 1}", "expected ':' after the member name, found '1'", "byte 5"},
      {"{\"a\":1", "expected ',' or '}' in an object, found the end of the input", "byte 6"},
      {"[01]", "expected ',' or ']' in an array, found '1'", "byte 2"},
      {"[-]", "expected a JSON number, found '-'", "byte 1"},
      {"[1.]", "expected a JSON number", "byte 1"},
      {"tru", "expected true, false or null, found 't'", "byte 0"},
      {"\"abc", "the input ends inside a string", "byte 0"},
      {"\"a\nb\"", "raw control character 0x0a", "byte 2"},
      {R"("\x")", "expected an escape such as", "byte 2"},
      {R"("\u12g4")", "expected four hex digits after \\u, found 'g'", "byte 5"},
      {"1 2", "expected nothing after the JSON value, found '2'", "byte 2"},
      {"\n\n  {\"\u00e9\":x}", "expected a JSON value, found 'x'", "line 3, column 8 (byte 10)"},
      {"\xEF\xBB\xBF{}", "byte order mark", "byte 0"},
      {"[\"\xff\"]", "expected UTF-8, found byte 0xff", "byte 2"},
  };
  for (const Case& c : cases) {
    const auto document = parse(c.input);
    ASSERT_FALSE(document) << c.input;
    EXPECT_EQ(document.error().code, ErrorCode::invalid_input) << c.input;
    EXPECT_THAT(document.error().message, HasSubstr(c.message)) << c.input;
    EXPECT_THAT(document.error().where, HasSubstr(c.where)) << c.input;
  }
}

TEST(Document, takes_a_nul_byte_as_an_error_and_not_as_the_end) {
  const auto document = parse(std::string_view("4\0garbage", 9));
  ASSERT_FALSE(document);
  EXPECT_THAT(document.error().message, HasSubstr("byte 0x00"));
  EXPECT_FALSE(parse(std::string_view("[\"a\0b\"]", 7)));
}

TEST(Document, enforces_its_limits) {
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  const auto too_deep = parse(deep);
  ASSERT_FALSE(too_deep);
  EXPECT_EQ(too_deep.error().code, ErrorCode::limit_exceeded);
  EXPECT_THAT(too_deep.error().message, HasSubstr("deeper than 512"));
  EXPECT_FALSE(parse("[1,2,3,4]", Limits{.max_elements = 4}));
  EXPECT_TRUE(parse("[1,2,3]", Limits{.max_elements = 4}));
  EXPECT_FALSE(parse("[1,2,3]", Limits{.max_bytes = 6}));
  EXPECT_TRUE(parse(std::string(512, '[') + std::string(512, ']')));
}

TEST(Document, reports_repeated_keys_and_reads_the_last) {
  const auto document = parse(R"({"a":1,"b":{"x":1,"x":2},"\u0061":3})");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->oddities().duplicate_key_count, 2U);
  EXPECT_EQ(document->root().find("a")->integer(), 3);
  EXPECT_EQ(document->root().find("b")->find("x")->integer(), 2);
}

TEST(Document, never_confuses_keys_of_different_objects) {
  std::string text = "[";
  for (int i = 0; i < 500; ++i) {
    text +=
        R"({"id":1,"name":2,"child":{"id":3,"name":4,"child":{"id":5,"tags":[{"id":6}]}},"z":7},)";
  }
  text.back() = ']';
  const auto document = parse(text);
  ASSERT_TRUE(document);
  EXPECT_FALSE(document->oddities().any());
}

TEST(Document, finds_a_repeated_key_however_many_keys_stand_between) {
  for (const int members : {2, 10, 70, 3'000, 150'000}) {
    std::string text = "{";
    for (int i = 0; i < members; ++i) text += "\"k" + std::to_string(i) + "\":{\"k0\":0},";
    text += R"("k1":0})";
    const auto document = parse(text);
    ASSERT_TRUE(document);
    EXPECT_EQ(document->oddities().duplicate_key_count, 1U) << members;
    EXPECT_EQ(document->oddities().wide_object.has_value(), members > 100'000) << members;
  }
}

TEST(Document, notices_lone_surrogates_and_keeps_them) {
  const std::string text = R"(["\ud83d\ude00","\\ud800","\ud800x"])";
  const auto document = parse(text);
  ASSERT_TRUE(document);
  ASSERT_TRUE(document->oddities().lone_surrogate);
  EXPECT_EQ(*document->oddities().lone_surrogate, text.find("\\ud800x"));
  EXPECT_EQ(to_text(document->root()), text);
  EXPECT_EQ(document->root().item(0)->string(), "\U0001F600");
  EXPECT_FALSE(parse(R"(["\ud83d\ude00","\\ud800"])")->oddities().any());
}

TEST(Document, outlives_through_its_values) {
  Value kept;
  {
    const auto document = parse(R"({"a":{"b":[1,2]}})");
    kept = Value(*document->root().find("a"));
  }
  EXPECT_EQ(to_text(kept.view()), R"({"b":[1,2]})");
}

TEST(Document, compares_values_and_not_texts_but_numbers_by_text) {
  const auto same = [](const char* a, const char* b) {
    return equal(parse_own(a).view(), parse_own(b).view());
  };
  EXPECT_TRUE(same(R"({"a":1,"b":[true, null]})", R"({ "b":[true,null],"a":1})"));
  EXPECT_TRUE(same(R"("\u0041")", R"("A")"));
  EXPECT_TRUE(same(R"({"a":1,"a":2})", R"({"a":2})"));
  EXPECT_FALSE(same("1", "1.0"));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":1})"));
}

// Finds every key of every object in it, and no other key.
void expect_all_found(View value) {
  for (const View item : value.items()) expect_all_found(item);
  for (const Member& member : value.members()) {
    const auto found = value.find(member.key.string());
    ASSERT_TRUE(found) << member.key.raw();
    EXPECT_EQ(found->offset(), member.value.offset()) << member.key.raw();
    EXPECT_FALSE(value.find(member.key.string() + "_")) << member.key.raw();
    expect_all_found(member.value);
  }
}

TEST(Document, finds_keys_of_every_length_at_every_depth_beside_values_of_every_length) {
  std::string text = "0";
  for (std::size_t depth = 0; depth < 40; ++depth) {  // 40: deeper than the scanner keeps patterns
    const std::string key(depth, static_cast<char>('a' + depth % 26));
    const std::string number = "1" + std::string(depth, '0');
    text = R"({"list":[{"id":1,"tags":[]},{"id":2,"tags":[]},{"id":3,")" + key +
           R"(x":null}],"n":)" + number + (depth % 2 == 0 ? " ," : ",") + R"("\u006b)" + key +
           R"(":true,"s)" + key + R"(":")" + key + R"(","in":)" + text + "}";
  }
  const auto document = parse(text);
  ASSERT_TRUE(document) << document.error().message;
  expect_all_found(document->root());
  EXPECT_FALSE(document->root().find("a key that is nowhere in the document"));
  EXPECT_FALSE(document->root().find(""));
  EXPECT_TRUE(parse(R"({"":1})")->root().find(""));
}

TEST(Document, scans_alike_on_every_instruction_set) {
  const char* texts[] = {R"({"a":"x","a":"\ud800"})",
                         "[1,2",
                         R"(["\"\\\\\"","aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"])",
                         R"(["\u00"])",
                         "[\"\x01\"]",
                         R"(["\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"])"};
  for (const char* text : texts) {
    for (std::size_t pad = 0; pad < 70; ++pad) {
      const Buffer bytes(std::string(pad, ' ') + text);
      detail::Scan results[2];
      detail::Containers containers[2];
      detail::KeySlot slots[2][64] = {};
      detail::DocumentKeys keys[2];
      const detail::ScanFunction variants[2] = {detail::scan_baseline, detail::best_scan()};
      for (int i = 0; i < 2; ++i) {
        results[i].containers = &containers[i];
        results[i].document_keys = &keys[i];
        results[i].keys = slots[i];
        results[i].key_mask = 63;
        variants[i](bytes.data(), bytes.size(), Limits{}, results[i]);
      }
      EXPECT_EQ(results[0].fault, results[1].fault) << text;
      EXPECT_EQ(results[0].fault_at, results[1].fault_at) << text;
      EXPECT_EQ(results[0].any_surrogate, results[1].any_surrogate) << text;
      EXPECT_EQ(results[0].any_suspect, results[1].any_suspect) << text;
    }
  }
}

}  // namespace
}  // namespace enfold::json
