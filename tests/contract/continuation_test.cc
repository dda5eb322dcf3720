// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/continuation.h"

#include "enfold/base/text.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

using Ranges = std::vector<model::RecordRange>;

const CursorKey kKey = CursorKey::from_bytes("0123456789abcdef0123456789abcdef").value();

std::string reason_of(std::string_view cursor, std::string_view principal = "ann") {
  const auto read = read_continuation(cursor, kKey, principal);
  return read ? "none" : read.error().message.substr(0, read.error().message.find(':'));
}

TEST(Continuation, gives_back_what_it_was_made_of) {
  for (const Continuation& one :
       {Continuation{"513226998735", {{7, 58}}}, Continuation{"513226998735", {{0, 0}}},
        Continuation{"513226998735", {{3, 3}, {5, 90}, {1'000'000, 2'000'000}}},
        Continuation{"sha256:abc", {{1, 2}}}}) {
    const std::string cursor = to_cursor(one, kKey, "ann");
    EXPECT_TRUE(is_continuation(cursor)) << cursor;
    EXPECT_TRUE(from_base64url(cursor)) << cursor << " is URL-safe";
    const auto read = read_continuation(cursor, kKey, "ann");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, one);
  }
  EXPECT_LE(to_cursor({"513226998735", {{7, 58}}}, kKey, "ann").size(), 36U) << "it is read often";
}

TEST(Continuation, opens_for_its_principal_alone) {
  const std::string cursor = to_cursor({"513226998735", {{7, 58}}}, kKey, "ann");
  EXPECT_EQ(reason_of(cursor), "none");
  EXPECT_EQ(reason_of(cursor, "ben"), "bad_signature");
  EXPECT_EQ(reason_of(cursor, ""), "bad_signature");
  for (std::size_t at = 4; at < cursor.size() - 2; ++at) {
    std::string altered = cursor;
    altered[at] = altered[at] == 'A' ? 'B' : 'A';
    EXPECT_EQ(reason_of(altered), "bad_signature") << at;
  }
  EXPECT_EQ(reason_of(cursor.substr(0, 12)), "decode_failed");
  EXPECT_EQ(reason_of("EnfC"), "decode_failed");
  EXPECT_EQ(reason_of("dXNlcjpVMDYxTkZUVDI="), "decode_failed") << "the cursor of an upstream";
  EXPECT_FALSE(is_continuation("dXNlcjpVMDYxTkZUVDI="));
}

TEST(Continuation, goes_on_behind_the_records_that_were_shown) {
  const Ranges left{{3, 5}, {9, 9}, {20, 29}};
  EXPECT_EQ(count_of(left), 14U);
  EXPECT_EQ(without_first(left, 0), left);
  EXPECT_EQ(without_first(left, 2), (Ranges{{5, 5}, {9, 9}, {20, 29}}));
  EXPECT_EQ(without_first(left, 3), (Ranges{{9, 9}, {20, 29}}));
  EXPECT_EQ(without_first(left, 6), (Ranges{{22, 29}}));
  EXPECT_EQ(without_first(left, 14), Ranges{});
}

}  // namespace
}  // namespace enfold::contract
