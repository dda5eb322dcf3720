// SPDX-License-Identifier: Apache-2.0
// The policy table of docs/internals/json.md, each row put to all three readers.
#include "enfold/json/document.h"
#include "fuzz/peers.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace enfold::json {
namespace {

enum class Answer { refused, accepted, reported };
constexpr Answer refused = Answer::refused;
constexpr Answer accepted = Answer::accepted;
constexpr Answer reported = Answer::reported;

struct Row {
  const char* name;
  std::string text;
  Answer enfold;
  Answer simdjson;
  Answer nlohmann;
};

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

std::string wide_object() {
  std::string text = "{\"k0\":0";
  for (int i = 1; i <= 100'000; ++i) text += ",\"k" + std::to_string(i) + "\":0";
  return text + "}";
}

std::vector<Row> policy() {
  return {
      {"at the depth limit", nested(512), accepted, accepted, accepted},
      {"beyond the depth limit", nested(513), refused, accepted, accepted},
      {"deeper than simdjson goes", nested(1'025), refused, refused, accepted},
      {"byte order mark", "\xEF\xBB\xBF{}", refused, refused, accepted},
      {"NUL after the value", std::string("1\0x", 3), refused, refused, accepted},
      {"NUL in a string", std::string("\"\0\"", 3), refused, refused, refused},
      {"lone high surrogate", R"("\ud800")", reported, refused, refused},
      {"high surrogate before a letter", R"("\ud800\u0041")", reported, refused, refused},
      {"two high surrogates", R"("\ud800\ud800\udc00")", reported, refused, refused},
      {"lone low surrogate", R"("\udc00")", reported, refused, refused},
      {"rounds to infinity", "1e400", accepted, refused, refused},
      {"rounds to zero", "1e-400", accepted, accepted, accepted},
      {"largest of 64 bits", "18446744073709551615", accepted, accepted, accepted},
      {"beyond 64 bits", "18446744073709551616", accepted, refused, accepted},
      {"beyond 64 bits, negative", "-9223372036854775809", accepted, refused, accepted},
      {"repeated key", R"({"a":1,"a":2})", reported, accepted, accepted},
      {"wide object", wide_object(), reported, accepted, accepted},
      {"not UTF-8 in a string", "\"\xFF\"", refused, refused, refused},
      {"encoded surrogate", "\"\xED\xA0\x80\"", refused, refused, refused},
      {"not UTF-8 after the value", "1 \xFF", refused, refused, refused},
      {"UTF-16", std::string("1\0", 2), refused, refused, accepted},  // ends at the NUL
      {"UTF-16 array", std::string("[\0]\0", 4), refused, refused, refused},
      {"escaped NUL", R"("\u0000")", accepted, accepted, accepted},
      {"U+007F, U+2028, U+FFFF", "\"\x7F\u2028\uFFFF\"", accepted, accepted, accepted},
      {"comment", "[1/**/]", refused, refused, refused},
      {"trailing comma", "[1,]", refused, refused, refused},
      {"NaN", "NaN", refused, refused, refused},
      {"single quotes", "'a'", refused, refused, refused},
      {"text after the value", "1 x", refused, refused, refused},
      {"scalar", " 1 ", accepted, accepted, accepted},
      {"empty", "", refused, refused, refused},
      {"white space only", " \n", refused, refused, refused},
  };
}

Answer ask_enfold(const std::string& text) {
  const auto document = parse(text);
  if (!document) return refused;
  return document->oddities().any() ? reported : accepted;
}

TEST(JsonPolicy, is_what_the_readers_do) {
  for (const Row& row : policy()) {
    fuzz::Events events;
    const Buffer padded(row.text);
    EXPECT_EQ(ask_enfold(row.text), row.enfold) << row.name;
    EXPECT_EQ(fuzz::read_with_simdjson(padded.view(), events), row.simdjson == accepted)
        << "simdjson: " << row.name;
    EXPECT_EQ(fuzz::read_with_nlohmann(row.text, events), row.nlohmann == accepted)
        << "nlohmann: " << row.name;
  }
}

}  // namespace
}  // namespace enfold::json
