// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/json/write.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

using enfold::testing::check_property;
using enfold::testing::draw_below;
using enfold::testing::draw_object;
using enfold::testing::property_cases;

CursorKey key_of(std::string bytes) { return CursorKey::from_bytes(std::move(bytes)).value(); }
const CursorKey kKey = key_of("0123456789abcdef0123456789abcdef");

std::string cursor_of(std::string_view json, std::string_view principal = "ann") {
  return sign_cursor(json::parse_own(json).view(), kKey, principal);
}

std::string reason_of(std::string_view cursor, const CursorKey& key = kKey,
                      std::string_view principal = "ann") {
  const auto position = verify_cursor(cursor, key, principal);
  if (position) return "none";
  EXPECT_EQ(position.error().code, ErrorCode::invalid_input);
  EXPECT_FALSE(position.error().hint.empty());
  return position.error().message.substr(0, position.error().message.find(':'));
}

TEST(SignedCursor, is_a_cursor_whose_last_member_is_the_mac) {
  const std::string text = from_base64url(cursor_of(R"({ "offset" : 20 })")).value();
  const std::string body = R"({"offset":20,"version":1})";
  std::string message = "enfold cursor";
  message += '\0' + body + '\0' + "ann";
  const std::string mac = to_hex(hmac_sha256(kKey.bytes(), message)).substr(0, 32);
  EXPECT_EQ(text, R"({"offset":20,"version":1,"mac":")" + mac + "\"}");
  EXPECT_TRUE(decode_cursor(cursor_of(R"({"offset":20})")));
}

TEST(SignedCursor, gives_the_position_back) {
  struct Case {
    const char* name;
    const char* position;
    const char* want;
  };
  const Case cases[] = {
      {"numbers by text", R"({"offset":20,"big":1e400})",
       R"({"offset":20,"big":1e400,"version":1})"},
      {"nothing", "{}", R"({"version":1})"},
      {"a mac of one's own is no mac", R"({"mac":"00","offset":1})", R"({"offset":1,"version":1})"},
      {"a version of one's own", R"({"version":7,"offset":1})", R"({"offset":1,"version":1})"},
      {"beyond ASCII", R"({"q":"日本😀"})", R"({"q":"日本😀","version":1})"},
  };
  for (const Case& c : cases) {
    const auto position = verify_cursor(cursor_of(c.position), kKey, "ann");
    ASSERT_TRUE(position) << c.name << ": " << position.error().message;
    EXPECT_EQ(*position, json::parse_own(c.want)) << c.name;
  }
}

TEST(SignedCursor, is_refused_with_its_reason) {
  const std::string good = cursor_of(R"({"archive":"sha256:aa","offset":20})");
  const std::string text = from_base64url(good).value();
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    return to_base64url(other);
  };
  struct Case {
    const char* name;
    std::string cursor;
    const char* want;
  };
  const Case cases[] = {
      {"good", good, "none"},
      {"nothing", "", "empty"},
      {"no Base64", "%%%", "decode_failed"},
      {"an array", to_base64url("[1]"), "not_a_dict"},
      {"without a mac", encode_offset_cursor("20"), "not_signed"},
      {"only a mac", to_base64url(R"({"mac":"00000000000000000000000000000000"})"), "not_signed"},
      {"mac not last", replaced("\"}", "\",\"x\":1}"), "not_signed"},
      {"another offset", replaced("20", "21"), "bad_signature"},
      {"another archive", replaced("sha256:aa", "sha256:ab"), "bad_signature"},
      {"an added member", replaced("{", R"({"x":1,)"), "bad_signature"},
      {"a space added", replaced("{", "{ "), "bad_signature"},
      {"a shorter mac", replaced("\"}", "0\"}"), "not_signed"},
  };
  for (const Case& c : cases) EXPECT_EQ(reason_of(c.cursor), c.want) << c.name;
}

TEST(SignedCursor, opens_only_for_its_principal_and_its_key) {
  const std::string cursor = cursor_of(R"({"offset":20})", "ann");
  EXPECT_EQ(reason_of(cursor, kKey, "ann"), "none");
  EXPECT_EQ(reason_of(cursor, kKey, "bob"), "bad_signature");
  EXPECT_EQ(reason_of(cursor, kKey, ""), "bad_signature");
  EXPECT_EQ(reason_of(cursor, key_of("another key of enough bytes")), "bad_signature");
}

TEST(SignedCursor, says_the_same_of_forged_and_foreign) {
  const std::string mine = cursor_of(R"({"offset":20})", "ann");
  std::string forged = from_base64url(mine).value();
  forged[forged.size() - 3] = forged[forged.size() - 3] == '0' ? '1' : '0';
  EXPECT_EQ(verify_cursor(mine, kKey, "bob").error(),
            verify_cursor(to_base64url(forged), kKey, "ann").error());
}

TEST(SignedCursor, needs_a_key_that_cannot_be_guessed) {
  EXPECT_FALSE(CursorKey::from_bytes(""));
  EXPECT_TRUE(CursorKey::from_bytes("sixteen bytes!!!"));
  EXPECT_THAT(CursorKey::from_bytes("fifteen bytes!!").error().message,
              ::testing::HasSubstr("at least 16 bytes, found 15"));
}

TEST(SignedCursor, refuses_any_single_byte_change) {
  check_property("signed_cursor_single_byte", property_cases(40, 1000), [] {
    const std::string cursor = sign_cursor(draw_object(2).view(), kKey, "ann");
    RC_ASSERT(verify_cursor(cursor, kKey, "ann").has_value());
    const char byte = static_cast<char>(draw_below(256));
    for (std::size_t at = 0; at < cursor.size(); ++at) {
      std::string altered = cursor;
      altered[at] = byte;
      if (altered == cursor) continue;
      RC_ASSERT(!verify_cursor(altered, kKey, "ann").has_value());
    }
    // Inside the Base64 too: a changed byte of the JSON, encoded again.
    const std::string text = from_base64url(cursor).value();
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::string altered = text;
      altered[at] = byte;
      if (altered == text) continue;
      RC_ASSERT(!verify_cursor(to_base64url(altered), kKey, "ann").has_value());
    }
  });
}

TEST(SignedCursor, refuses_every_shorter_and_longer_text) {
  const std::string cursor = cursor_of(R"({"archive":"sha256:aa","offset":20})");
  for (std::size_t size = 0; size < cursor.size(); ++size) {
    EXPECT_FALSE(verify_cursor(cursor.substr(0, size), kKey, "ann")) << size;
  }
  EXPECT_FALSE(verify_cursor(cursor + "A", kKey, "ann"));
  EXPECT_FALSE(verify_cursor(cursor + cursor, kKey, "ann"));
}

}  // namespace
}  // namespace enfold::contract
