// SPDX-License-Identifier: Apache-2.0
// Answers of every kind for the promise one_outcome: data with members that say something about
// outcome, shape and page, and envelopes that are nearly right. `choose(n)` draws a number below n.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace enfold::testing {

inline constexpr std::array<std::string_view, 44> kAnswerMembers{
    R"("success":true)",
    R"("success":false)",
    R"("ok":true)",
    R"("ok":false)",
    R"("success":"false")",
    R"("error":null)",
    R"("error":"not_found")",
    R"("error":"No such user: bob")",
    R"("error":{"code":404,"message":"gone"})",
    R"("error":7)",
    R"("errors":[{"message":"bad name","field":"name"}])",
    R"("errors":[])",
    R"("message":"Done")",
    R"("message":"rate limit exceeded, retry after 5")",
    R"("status":"error")",
    R"("status":"failed")",
    R"("status":404)",
    R"("status":"partial")",
    R"("code":"E42")",
    R"("code":0)",
    R"("data":{"id":1,"name":"a"})",
    R"("data":[{"id":1},{"id":2}])",
    R"("data":null)",
    R"("result":{"id":3})",
    R"("items":[{"id":1},{"id":2}])",
    R"("items":[])",
    R"("channels":[{"id":"c1"}])",
    R"("rows":[[1,2],[3,4]])",
    R"("tags":["a","b"])",
    R"("id":"x1")",
    R"("name":"thing")",
    R"("total":9)",
    R"("total":2)",
    R"("offset":0)",
    R"("page":2)",
    R"("per_page":2)",
    R"("hasMore":true)",
    R"("next_cursor":"n1")",
    R"("next_cursor":null)",
    R"("failed":1)",
    R"("failed":["c"])",
    R"("deleted":["a"])",
    R"("succeeded":2)",
    R"("log":"ERROR at line 3")"};
inline constexpr std::array<std::string_view, 24> kEnvelopeMembers{
    R"("success":true)",
    R"("success":false)",
    R"("success":"false")",
    R"("success":0)",
    R"("success":null)",
    R"("data":{"id":1,"name":"a"})",
    R"("data":{"items":[{"id":1},{"id":2}]})",
    R"("data":[{"id":1}])",
    R"("data":{"error_code":"NOT_FOUND","error_type":"not_found"})",
    R"("data":{})",
    R"("data":null)",
    R"("error":null)",
    R"("error":"No such user: bob")",
    R"("error":{"code":"X","message":"gone"})",
    R"("error":"")",
    R"("meta":{"version":"response-v2"})",
    R"("meta":{"version":"2"})",
    R"("meta":null)",
    R"("meta":{"version":"response-v2","pagination":{"has_more":true,"cursor":"c9"}})",
    R"("meta":{"version":"response-v2","warnings":"look out"})",
    R"("toolName":"t")",
    R"("responseType":"list")",
    R"("status":"partial")",
    R"("schema_version":"1.0.0")"};
inline constexpr std::array<std::string_view, 8> kAnswerTools{
    "", "list_channels", "get_thing", "send_message", "search_x", "run_query", "x", "delete_items"};

template <class Choose>
std::string make_answer(Choose&& choose) {
  const bool envelope = choose(3) == 0;
  std::string text = "{";
  for (int i = choose(envelope ? 8 : 6); i > 0; --i) {
    if (text.size() > 1) text += ",";
    const auto pick = [&](const auto& list) {
      return list[static_cast<std::size_t>(choose(static_cast<int>(list.size())))];
    };
    text += envelope ? pick(kEnvelopeMembers) : pick(kAnswerMembers);
  }
  return text + "}";
}

}  // namespace enfold::testing
