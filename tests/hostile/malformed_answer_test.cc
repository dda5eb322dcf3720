// SPDX-License-Identifier: Apache-2.0
// Answers that are recognised by their id and cannot be used otherwise: their calls fail at once.
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

TEST(MalformedAnswer, ends_its_call_at_once) {
  Meeting meeting(in_front_of(upstream()));
  for (const char* const line :
       {"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"content\":[]}}",
        R"({"jsonrpc":"1.0","id":ID,"result":{"content":[]}})", R"({"id":ID,"result":{}})",
        R"({"jsonrpc":"2.0","id":ID})", R"({"jsonrpc":"2.0","id":ID,"result":[)"}) {
    const json::Value failed =
        meeting.call("line", fmt::format(R"({{"raw":{}}})", json::quote(line)));
    EXPECT_THAT(json::to_text(failed.view()), HasSubstr("UPSTREAM_PROTOCOL_ERROR")) << line;
  }
}

}  // namespace
}  // namespace enfold::gateway
