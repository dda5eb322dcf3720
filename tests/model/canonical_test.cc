// SPDX-License-Identifier: Apache-2.0
#include "enfold/model/canonical.h"

#include "tests/support/answers.h"
#include "tests/support/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::model {
namespace {

using testing::check_property;
using testing::draw_response;
using testing::property_cases;

TEST(Canonical, leaves_out_what_is_at_its_default) {
  EXPECT_EQ(json::to_text(to_json(Response{}).view()), "{}");
  Response response;
  response.request_id = "req_1";
  response.page = Page{.total = Number{"1.0"}};
  EXPECT_EQ(json::to_text(to_json(response).view()),
            R"({"page":{"total":1.0},"request_id":"req_1"})");
}

TEST(Canonical, form_reads_back_as_the_same_response) {
  check_property("canonical form reads back", property_cases(1'000, 50'000), [] {
    const Response response = draw_response();
    Response again;
    RC_ASSERT(overlay(again, to_json(response).view()).has_value());
    RC_ASSERT(again == response);
  });
}

TEST(Canonical, carry_turns_any_response_into_any_other) {
  check_property("carry completes", property_cases(1'000, 50'000), [] {
    const Response want = draw_response();
    Response have = draw_response();
    RC_ASSERT(overlay(have, carry(want, have).view()).has_value());
    RC_ASSERT(have == want);
    RC_ASSERT(carry(want, have)->size() == 0U);
  });
}

TEST(Canonical, keeps_a_payload_that_is_null_apart_from_none) {
  Response response;
  response.payload = json::Value();
  Response again;
  ASSERT_TRUE(overlay(again, to_json(response).view()));
  ASSERT_TRUE(again.payload);
  EXPECT_TRUE(again.payload->view().is_null());
}

TEST(Canonical, refuses_what_is_not_of_the_model_and_says_where) {
  struct Case {
    const char* carried;
    const char* where;
    const char* message;
  };
  const Case cases[] = {
      {R"({"page":{"total":"3"}})", "/page/total", "expected a number, found string"},
      {R"({"outcome":"maybe"})", "/outcome", "expected a known name"},
      {R"({"unheard":1})", "", "expected only fields of the response model"},
      {R"({"warnings":{}})", "/warnings", "expected an array, found object"},
      {R"([])", "", "expected an object, found array"},
      {R"({"payload":[]})", "/payload", "expected an array of one value"},
  };
  for (const Case& c : cases) {
    Response response;
    const Status status = overlay(response, json::parse_own(c.carried).view());
    ASSERT_FALSE(status) << c.carried;
    EXPECT_EQ(status.error().where, c.where) << c.carried;
    EXPECT_THAT(status.error().message, ::testing::HasSubstr(c.message)) << c.carried;
  }
}

TEST(Canonical, names_missing_fields_by_their_place) {
  Response want;
  want.request_id = "req_1";
  want.page = Page{.has_more = true, .total = Number{"3"}};
  Response have;
  have.page = Page{.has_more = true};
  EXPECT_THAT(missing_fields(want, have), ::testing::ElementsAre("/page/total", "/request_id"));
  EXPECT_TRUE(missing_fields(Response{}, want).empty());
}

}  // namespace
}  // namespace enfold::model
