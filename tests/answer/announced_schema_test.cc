// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/announced_schema.h"

#include "enfold/answer/shape.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/schema/schema.h"

#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

const json::Value kPayload =
    json::parse_own(R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})");

json::Value written(contract::Id id, const model::Response& response) {
  const answer::ShapeSettings settings{.contract = id};
  const auto answer = answer::read_response(response, "test", settings, {.tool = "t"});
  return json::parse_own(answer::write_envelope(*answer, settings)->str());
}

class AnnouncedSchema : public testing::TestWithParam<contract::Id> {};

TEST_P(AnnouncedSchema, accepts_success_and_failure_of_its_contract) {
  const auto schema = schema::Schema::compile(announced_schema(GetParam(), kPayload.view()));
  ASSERT_TRUE(schema.has_value());
  model::Response good;
  good.tool = {"t", "1", model::Tier::pro, {}};
  good.request_id = "req_1";
  good.payload = json::parse_own(R"({"n":1})");
  EXPECT_TRUE(*schema->accepts(written(GetParam(), good).view()));
  model::Response failed = contract::make_failure(contract::failures::NotFound{"Task", "7"});
  failed.tool = good.tool;
  failed.request_id = "req_1";
  EXPECT_TRUE(*schema->accepts(written(GetParam(), failed).view()));
}

TEST_P(AnnouncedSchema, has_an_object_as_its_root_and_needs_nothing_else) {
  const json::Value schema = announced_schema(GetParam(), kPayload.view());
  EXPECT_TRUE(schema->find("type")->equals("object"));
  EXPECT_EQ(json::to_text(schema.view()).find("$ref"), std::string::npos);
  EXPECT_EQ(json::to_text(schema.view()).find("$id"), std::string::npos);
}

TEST_P(AnnouncedSchema, has_one_type_a_schema_and_no_schema_that_says_nothing) {
  const std::string text =
      json::to_text(announced_schema(GetParam(), json::parse_own("{}").view()).view());
  EXPECT_EQ(text.find(R"("type":[)"), std::string::npos) << text;
  EXPECT_EQ(text.find("{}"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(Contracts, AnnouncedSchema,
                         testing::Values(contract::Id::response_v2, contract::Id::response_v1,
                                         contract::Id::generic, contract::Id::scalpel_v1,
                                         contract::Id::memory));

TEST(AnnouncedSchema, refuses_another_payload_where_the_envelope_has_a_place_for_it) {
  for (const contract::Id id : {contract::Id::response_v2, contract::Id::scalpel_v1,
                                contract::Id::response_v1, contract::Id::memory}) {
    const auto schema = schema::Schema::compile(announced_schema(id, kPayload.view()));
    model::Response wrong;
    wrong.tool = {"t", "1", model::Tier::pro, {}};
    wrong.request_id = "req_1";
    wrong.payload = json::parse_own(R"({"n":"one"})");
    EXPECT_FALSE(*schema->accepts(written(id, wrong).view())) << contract::name(id);
  }
}

TEST(AnnouncedSchema, says_nothing_of_members_that_a_flat_contract_renames) {
  const json::Value payload = json::parse_own(
      R"({"type":"object","properties":{"message":{"type":"integer"}},"required":["message"]})");
  const auto schema =
      schema::Schema::compile(announced_schema(contract::Id::memory, payload.view()));
  model::Response good;
  good.payload = json::parse_own(R"({"message":1})");
  EXPECT_TRUE(*schema->accepts(written(contract::Id::memory, good).view()));
}

}  // namespace
}  // namespace enfold::answer
