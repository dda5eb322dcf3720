// SPDX-License-Identifier: Apache-2.0
// A session costs some kilobytes, whatever the message was that began it: 400 sessions had 1.5 GB.
#include "tests/gateway/front.h"

#include <gmock/gmock.h>
#include <malloc.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

// `params`: members beside the version.
Heard initialize(Voice& voice, const std::string& params) {
  return voice.request("POST",
                       fmt::format(R"({{"jsonrpc":"2.0","id":0,"method":"initialize","params":)"
                                   R"({{"protocolVersion":"2025-11-25",{}}}}})",
                                   params));
}

TEST(Sessions, keep_nothing_of_a_long_first_message_but_what_the_client_declares) {
  Front front(for_many(upstream()));
  const auto client = front.voice();
  const std::string usual = R"("capabilities":{"roots":{}},"clientInfo":{"name":"n"})";
  (void)initialize(*client, usual);
  const std::string padding(1'000'000, 'A');
  const auto before = ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
  for (int i = 0; i < 30; ++i) {
    const Heard opened =
        initialize(*client, fmt::format(R"({},"_meta":{{"padding":"{}"}})", usual, padding));
    ASSERT_EQ(opened.status, 200);
    ASSERT_FALSE(opened.session.empty());
  }
  const auto after = ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
  EXPECT_LT(after, before + 5'000'000U);
  EXPECT_EQ(front.http->sessions(), 31U);
}

TEST(Sessions, of_clients_that_declare_megabytes_are_refused_with_the_limit) {
  Front front(for_many(upstream()));
  const auto client = front.voice();
  const Heard refused = initialize(
      *client, fmt::format(R"("capabilities":{{"experimental":{{"x":"{}"}}}},"clientInfo":{{}})",
                           std::string(3'900'000, 'A')));
  EXPECT_THAT(refused.body, HasSubstr("expected at most 32768 bytes of client info"));
  EXPECT_EQ(front.http->sessions(), 0U);
}

}  // namespace
}  // namespace enfold::gateway
