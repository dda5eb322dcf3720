// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/write.h"

#include "enfold/json/detail/escape.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace enfold::json {
namespace {

TEST(Writer, places_commas_and_colons) {
  Writer writer;
  writer.begin_object().member("a", std::int64_t{1}).key("b").begin_array().null().boolean(true);
  writer.begin_object()
      .end_object()
      .end_array()
      .member("c", "x\n\"")
      .key("d")
      .real(0.1)
      .end_object();
  EXPECT_EQ(std::move(writer).finish().str(), R"({"a":1,"b":[null,true,{}],"c":"x\n\"","d":0.1})");
}

std::string written(std::string_view text) {
  Writer writer;
  writer.begin_array().string(text).key(text).string(text).end_array();
  return std::move(writer).finish().str();
}

TEST(Writer, escapes_what_must_be_escaped_wherever_it_stands) {
  const std::vector<std::pair<std::string, std::string>> specials{{"\"", "\\\""},
                                                                  {"\\", "\\\\"},
                                                                  {"\n", "\\n"},
                                                                  {std::string(1, '\0'), "\\u0000"},
                                                                  {"\u00e9", "\u00e9"}};
  for (std::size_t length = 0; length < 70; ++length) {
    const std::string plain(length, 'x');
    EXPECT_EQ(quote(plain), '"' + plain + '"');
    EXPECT_EQ(written(plain), fmt::format("[{0},{0}:{0}]", quote(plain)));
    for (std::size_t at = 0; at <= length; ++at) {
      for (const auto& [special, escaped] : specials) {
        const std::string text = plain.substr(0, at) + special + plain.substr(at);
        EXPECT_EQ(quote(text), '"' + plain.substr(0, at) + escaped + plain.substr(at) + '"');
        EXPECT_EQ(written(text), fmt::format("[{0},{0}:{0}]", quote(text)));
      }
    }
  }
}

TEST(Writer, references_large_values_instead_of_copying_them) {
  const std::string big = "[" + std::string(100'000, '1') + "]";
  Output output;
  {
    const auto document = parse(big);
    Writer writer;
    writer.begin_object().member("data", document->root()).end_object();
    output = std::move(writer).finish();
  }
  EXPECT_EQ(output.str(), "{\"data\":" + big + "}");
  EXPECT_LT(output.own_bytes(), 1'000U);
}

TEST(Output, is_whole_until_it_references_a_value) {
  const auto document = parse("[" + std::string(1'000, '1') + "]");
  Writer small;
  small.begin_object().member("a", "b").end_object();
  const Output output = std::move(small).finish();
  ASSERT_TRUE(output.whole());
  EXPECT_EQ(*output.whole(), R"({"a":"b"})");
  Writer large;
  large.begin_object().member("a", document->root()).end_object();
  EXPECT_FALSE(std::move(large).finish().whole());
}

TEST(Output, is_a_buffer_that_can_be_parsed) {
  for (const std::size_t length : {std::size_t{0}, std::size_t{100}, std::size_t{5'000}}) {
    const auto document = parse("\"" + std::string(length, 'x') + "\"");
    Writer writer;
    writer.begin_array().value(document->root()).string("é").end_array();
    Output output = std::move(writer).finish();
    const std::string text = output.str();
    EXPECT_EQ(output.buffer().view(), text);
    const auto parsed = parse(std::move(output).buffer());
    ASSERT_TRUE(parsed) << length;
    EXPECT_EQ(parsed->bytes(), text);
  }
}

TEST(Writer, writes_a_json_text_into_a_string) {
  Writer inner;
  inner.begin_object().member("k", "v\\").end_object();
  const Output output = std::move(inner).finish();
  Writer outer;
  outer.string_holding(output);
  const Value text = std::move(outer).finish_value();
  EXPECT_EQ(text->string(), output.str());
}

TEST(Writer, gives_lone_surrogates_back_as_escapes) {
  const Value value = parse_own(R"("a\ud800b")");
  EXPECT_EQ(quote(value->string()), R"("a\ud800b")");
  EXPECT_EQ(quote("\xff"), "\"\uFFFD\"");
}

TEST(Writer, indents_for_people) {
  EXPECT_EQ(pretty(parse_own(R"({"a":[1,{}],"b":"x"})").view()),
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": \"x\"\n}");
}

RC_GTEST_PROP(Escape, is_undone_by_unescape_on_every_kernel, ()) {
  const auto piece =
      rc::gen::element<std::string>("\\", "\"", "\n", "\x01", "\x1f", "/", "a", "é", "😀",
                                    "plain text that is longer than one vector block ......");
  const auto pieces = *rc::gen::container<std::vector<std::string>>(piece);
  std::string text;
  for (const auto& one : pieces) text += one;
  std::string room(text.size() * 6 + 64, '\0');
  std::vector<std::string> escaped;
  escaped.emplace_back(room.data(), detail::escape_baseline(text.data(), text.size(), room.data()));
#if defined(__x86_64__)
  if (detail::has_avx512()) {
    escaped.emplace_back(room.data(), detail::escape_avx512(text.data(), text.size(), room.data()));
  }
#endif
  for (const std::string& one : escaped) {
    RC_ASSERT(one == escaped[0]);
    RC_ASSERT(detail::unescape(one) == text);
    std::string back(one.size() + 64, '\0');
    back.resize(static_cast<std::size_t>(
        detail::unescape_baseline(one.data(), one.size(), back.data()) - back.data()));
    RC_ASSERT(back == text);
    RC_ASSERT(parse("\"" + one + "\"").has_value());
  }
}

}  // namespace
}  // namespace enfold::json
