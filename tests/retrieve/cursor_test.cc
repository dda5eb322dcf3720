// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/retrieve/page.h"
#include "enfold/token/tokenizer.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>

namespace enfold::retrieve {
namespace {

const contract::CursorKey kKey = *contract::CursorKey::from_bytes("0123456789abcdef");

Query query_of(std::string_view arguments) {
  return parse_arguments(json::parse_own(std::string(arguments)).view()).value();
}

TEST(RetrieveCursor, keeps_every_query) {
  for (const std::string_view arguments :
       {R"({})", R"({"pointer":"/items/3..9/title"})", R"({"raw":true})",
        R"({"raw":true,"pointer":"/content/0"})", R"({"ids":["a","","ü"]})", R"({"id":"1"})",
        R"({"range":"18..499"})", R"({"range":"18.."})", R"({"range":"0..18446744073709551615"})",
        R"({"lines":"1..2","pointer":"/log"})", R"({"chars":"0.."})", R"({"find":"time out"})",
        R"({"where":"a = 'ü' and b > 5","pointer":"/items"})", R"({"stat":true})"}) {
    for (const std::string archive :
         {"184467440737", "sha256:ab", "999999999999", "012345678901", "100000000000", ""}) {
      for (const std::size_t number :
           {std::size_t{0}, std::size_t{127}, std::size_t{128}, SIZE_MAX}) {
        const Position position{archive, query_of(arguments), number, number};
        const std::string cursor = to_cursor(position, kKey, "ann");
        EXPECT_EQ(from_cursor(cursor, kKey, "ann"), position) << arguments << " of " << archive;
      }
    }
  }
}

TEST(RetrieveCursor, costs_a_model_less_than_forty_tokens) {
  const Position position{"184467440737", query_of(R"({"pointer":"/items"})"), 1000};
  EXPECT_LT(token::o200k_base().count(to_cursor(position, kKey, "ann")), 40U);
}

TEST(RetrieveCursor, opens_for_its_owner_alone_and_says_not_why) {
  const Position position{"184467440737", Query{}, 40};
  const std::string cursor = to_cursor(position, kKey, "ann");
  const auto other_key = *contract::CursorKey::from_bytes("0123456789abcdeF");
  const Error error = from_cursor(cursor, kKey, "bob").error();
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_TRUE(error.message.starts_with("bad_signature: ")) << error.message;
  EXPECT_EQ(from_cursor(cursor, other_key, "ann").error(), error);
  // What ends the one part cannot begin the other.
  const Position longer{"184467440737x", Query{}, 40};
  EXPECT_NE(to_cursor(position, kKey, "an"), to_cursor(position, kKey, "ann"));
  EXPECT_FALSE(from_cursor(to_cursor(longer, kKey, "ann"), kKey, "annx"));
}

TEST(RetrieveCursor, names_the_reason_it_is_refused_for) {
  const std::string old =
      contract::sign_cursor(json::parse_own(R"({"offset":1})").view(), kKey, "ann");
  struct Case {
    std::string cursor;
    std::string reason;
  };
  for (const Case& one : {Case{"", "empty: "}, Case{"!!!!", "decode_failed: "},
                          Case{"AAAA", "decode_failed: "}, Case{old, "bad_signature: "}}) {
    const auto opened = from_cursor(one.cursor, kKey, "ann");
    ASSERT_FALSE(opened);
    EXPECT_TRUE(opened.error().message.starts_with(one.reason)) << opened.error().message;
    EXPECT_FALSE(opened.error().hint.empty());
  }
}

TEST(RetrieveCursor, does_not_open_when_a_byte_differs) {
  const Position position{"184467440737", query_of(R"({"ids":["a","b"],"pointer":"/x"})"), 40};
  const std::string bytes = from_base64url(to_cursor(position, kKey, "ann")).value();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int bit : {1, 128}) {
      std::string altered = bytes;
      altered[at] = static_cast<char>(altered[at] ^ bit);
      EXPECT_FALSE(from_cursor(to_base64url(altered), kKey, "ann")) << at;
    }
    EXPECT_FALSE(from_cursor(to_base64url(bytes.substr(0, at)), kKey, "ann")) << at;
  }
}

}  // namespace
}  // namespace enfold::retrieve
