// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/contract.h"
#include "enfold/contract/errors/failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

using ::testing::HasSubstr;

std::string rendered(const model::Response& response) {
  json::Writer writer;
  render(Id::response_v2, response, {}, writer);
  return std::move(writer).finish().str();
}

model::Response read_text(const char* text) {
  const json::Value document = json::parse_own(text);
  return read(Id::response_v2, document.view())->response;
}

TEST(ResponseV2, of_nothing_has_the_version_and_no_other_meta) {
  EXPECT_EQ(rendered({}),
            R"({"success":true,"data":{},"error":null,"meta":{"version":"response-v2"}})");
}

TEST(ResponseV2, omits_empty_optional_members) {
  model::Response response;
  response.page.emplace();
  response.telemetry.emplace();
  EXPECT_EQ(rendered(response), rendered({}));
  response.page->returned = model::Number::of(3);  // has no member of its own
  EXPECT_EQ(rendered(response), rendered({}));
}

TEST(ResponseV2, failure_without_a_code_is_internal) {
  model::Response response;
  response.outcome = model::Outcome::failed;
  response.failure = model::Failure{.message = "boom"};
  EXPECT_EQ(rendered(response),
            R"({"success":false,"data":{"error_code":"INTERNAL_ERROR","error_type":"internal"},)"
            R"("error":"boom","meta":{"version":"response-v2"}})");
}

TEST(ResponseV2, takes_the_type_of_a_known_code_and_internal_for_an_unknown_one) {
  model::Response response;
  response.outcome = model::Outcome::failed;
  response.failure = model::Failure{.code = "SPEC_NOT_FOUND", .message = "x"};
  EXPECT_THAT(rendered(response), HasSubstr(R"("error_type":"not_found")"));
  response.failure->code = "INVALID_INPUT";
  EXPECT_THAT(rendered(response),
              HasSubstr(R"("error_code":"INVALID_INPUT","error_type":"internal")"));
}

TEST(ResponseV2, keeps_payload_members_that_carry_the_names_of_error_fields) {
  model::Response response =
      make_failure(failures::NotFound{.resource_type = "Spec", .resource_id = "a"});
  response.payload = json::parse_own(R"({"details":"mine","details_":"too","other":1})");
  const json::Value document = json::parse_own(rendered(response));
  EXPECT_EQ(read(Id::response_v2, document.view())->response.payload, response.payload);
}

TEST(ResponseV2, puts_the_wait_into_meta_and_into_data) {
  const std::string text = rendered(
      make_failure(failures::RateLimit{.limit = 100, .period = "minute", .retry_after = 45}));
  EXPECT_THAT(text, HasSubstr(R"("retry_after_seconds":45)"));
  EXPECT_THAT(text, HasSubstr(R"("retry_after":45)"));
}

TEST(ResponseV2, reads_the_wait_by_either_name) {
  for (const char* name : {"retry_after", "retry_after_seconds"}) {
    const std::string text = std::string(R"({"success":false,"error":"x","data":{")") + name +
                             R"(":7},"meta":{"version":"response-v2","rate_limit":{")" + name +
                             R"(":8}}})";
    const model::Response response = read_text(text.c_str());
    EXPECT_EQ(response.failure->retry_after, model::Number{"7"}) << name;
    EXPECT_EQ(response.rate_limit->retry_after, model::Number{"8"}) << name;
  }
}

TEST(ResponseV2, shows_a_reduction_with_version_warning_and_detail) {
  model::Response response;
  response.reduction =
      model::Reduction{.level = model::Fidelity::partial, .dropped_ids = {"a", "b"}};
  const json::Value document = json::parse_own(rendered(response));
  const json::View meta = *document->find("meta");
  EXPECT_TRUE(meta.find("content_fidelity")->equals("partial"));
  EXPECT_TRUE(meta.find("content_fidelity_schema_version")->equals("1.0"));
  EXPECT_EQ(meta.find("warnings")->size(), 1U);
  EXPECT_TRUE(meta.find("warning_details")->item(0)->find("code")->equals("CONTENT_TRUNCATED"));
}

TEST(ResponseV2, refers_to_other_warnings_of_a_partial_answer_only_if_the_tool_gave_some) {
  for (const auto& [code, message] :
       {std::pair("INVALID_LEVEL", "Some sub-operations failed"),
        std::pair("BOOK_REFUSED", "Not everything was done: see the other warnings")}) {
    model::Response response;
    response.outcome = model::Outcome::partial;
    response.warnings.push_back({code, model::Severity::warning, "something", {}});
    EXPECT_THAT(rendered(response), HasSubstr(message)) << code;
  }
}

TEST(ResponseV2, reads_ai_provider_as_unavailable) {
  const model::Response response = read_text(
      R"({"success":false,"error":"x","data":{"error_code":"AI_PROVIDER_ERROR","error_type":"ai_provider"},"meta":{"version":"response-v2"}})");
  EXPECT_EQ(response.failure->type, model::ErrorType::unavailable);
}

TEST(ResponseV2, tells_a_tier_that_is_too_low_from_a_flag_that_is_off) {
  const model::Response response = read_text(
      R"({"success":false,"error":"x","data":{"error_code":"FEATURE_DISABLED","details":{"required_tier":"pro"}},"meta":{"version":"response-v2"}})");
  EXPECT_EQ(response.failure->kind, model::ErrorKind::tier_too_low);
}

TEST(ResponseV2, cursor_is_null_on_the_last_page_and_total_only_when_known) {
  model::Response response;
  response.page = model::Page{.has_more = false, .page_size = model::Number{"20"}};
  EXPECT_THAT(rendered(response),
              HasSubstr(R"("pagination":{"cursor":null,"has_more":false,"page_size":20})"));
  response.page = model::Page{
      .has_more = true, .total = model::Number{"150"}, .next_offset = model::Number{"20"}};
  EXPECT_THAT(
      rendered(response),
      HasSubstr(
          R"("cursor":"eyJvZmZzZXQiOjIwLCJ2ZXJzaW9uIjoxfQ==","has_more":true,"total_count":150)"));
}

TEST(ResponseV2, leaves_out_counts_and_waits_that_its_schema_refuses) {
  const model::Number below{"-1"};
  const model::Number broken{"1.5"};
  model::Response response;
  response.page = model::Page{.total = below, .page_size = model::Number{"0"}};
  response.rate_limit = model::RateLimit{.limit = below, .remaining = broken, .retry_after = below};
  response.telemetry = model::Telemetry{.duration_ms = below, .downstream_calls = broken};
  EXPECT_THAT(rendered(response),
              HasSubstr(R"("meta":{"version":"response-v2","rate_limit":{}}})"));
}

TEST(ResponseV2, counts_every_item_of_a_range_that_was_dropped) {
  struct Case {
    std::vector<std::string> dropped;
    std::string want;
  };
  for (const Case& one :
       {Case{{"/items/18..499"}, "482 items were dropped"},
        Case{{"a", "b"}, "2 items were dropped"}, Case{{"/items/3"}, "1 item was dropped"},
        Case{{"/items/1..x"}, "1 item was dropped"},
        Case{{"/a/0..9", "/b/5..5", "id 1..2"}, "12 items were dropped"},
        Case{{"/a/9..3"}, "1 item was dropped"}}) {
    model::Response response;
    response.reduction = model::Reduction{.dropped_ids = one.dropped};
    json::Writer writer;
    render(Id::response_v2, response, {}, writer);
    const json::Value shown = std::move(writer).finish_value();
    const auto warning = shown->find("meta")->find("warnings")->item(0)->string();
    EXPECT_EQ(warning, "Content was reduced to partial, " + one.want);
  }
}

}  // namespace
}  // namespace enfold::contract
