// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/detail/lex.h"

#include "enfold/json/document.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

namespace enfold::json {
namespace {

std::size_t close_by_hand(const std::string& text) {
  std::size_t at = 0;
  while (text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return at;
}

TEST(Lex, string_close_agrees_with_reading_byte_by_byte) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same texts every time
  constexpr char letters[] = {'a', '\\', '\\', '"', 'u'};
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 70, 'x');
    for (std::size_t left = random() % 200; left != 0; --left) {
      text += letters[random() % (round % 2 == 0 ? 5 : 3)];
    }
    text += "\\\\\"\"";  // ends whatever is open, escaped or not
    const Buffer bytes(text);
    const auto found = static_cast<std::size_t>(detail::string_close(bytes.data()) - bytes.data());
    ASSERT_EQ(found, close_by_hand(text)) << text;
  }
}

TEST(Lex, find_reads_plain_and_suspect_objects_alike) {
  const struct {
    const char* name;
    const char* input;
    const char* want;
  } cases[] = {
      {"first", R"({"k":1,"a":2})", "1"},
      {"last", R"( { "a" : "\"k\":9" , "b" : [ {"k":3} ] , "k" : {"k":4} } )", R"({"k":4})"},
      {"after nested containers", R"({"a":[[],{}],"b":{"c":[{}]},"k":"x\\"})", R"("x\\")"},
      {"twice", R"({"k":1,"k":2})", "2"},
      {"escaped", R"({"\u006b":5,"a":1})", "5"},
      {"longer key", R"({"kk":1,"":2})", ""},
      {"none", R"({})", ""},
      {"array", R"(["k",1])", ""},
  };
  for (const auto& one : cases) {
    const auto document = parse(one.input);
    ASSERT_TRUE(document) << one.name;
    const auto found = document->root().find("k");
    EXPECT_EQ(found ? found->raw() : "", one.want) << one.name;
  }
}

}  // namespace
}  // namespace enfold::json
