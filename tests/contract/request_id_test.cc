// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/contract.h"

#include <array>
#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

TEST(RequestId, is_a_prefix_and_twelve_hex_digits) {
  const std::array<std::uint8_t, 6> random{0x00, 0x1f, 0xa2, 0xb3, 0xc4, 0xff};
  EXPECT_EQ(make_request_id(random), "req_001fa2b3c4ff");
  EXPECT_EQ(make_request_id(random, "tool"), "tool_001fa2b3c4ff");
}

TEST(RequestId, is_the_first_that_the_context_holds) {
  struct Case {
    const char* context;
    const char* want;
  };
  const Case cases[] = {
      {R"({"request_id":"a","dev.enfold/request_id":"e"})", "e"},
      {R"({"request_id":"a","requestId":"b"})", "a"},
      {R"({"correlationId":"d","correlation_id":"c","requestId":"b"})", "b"},
      {R"({"correlationId":"d","correlation_id":"c"})", "c"},
      {R"({"correlationId":"d"})", "d"},
      {R"({"request_id":"  ","requestId":" b\t\n"})", "b"},
      {R"({"request_id":null,"correlationId":"d"})", "d"},
      {R"({"request_id":7,"correlationId":"d"})", "d"},
      {R"({"request_id":"kept: as it is"})", "kept: as it is"},
      {R"({"request_id":""})", ""},
      {R"({})", ""},
      {R"([])", ""},
      {R"(null)", ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(request_id_from(json::parse_own(c.context).view()), c.want) << c.context;
  }
}

}  // namespace
}  // namespace enfold::contract
