// SPDX-License-Identifier: Apache-2.0
// Envelopes that are nearly right are read as what they are: the failure wins, nothing disappears,
// and a warning names each place that breaks the contract.
#include "tests/support/near_envelopes.h"

#include "enfold/contract/errors/error_codes.h"
#include "enfold/schema/schema.h"
#include "tests/contract/parse_any.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

using ::testing::HasSubstr;
using testing::NearEnvelope;
using ::testing::UnorderedElementsAreArray;

std::string code_of(const model::Failure& failure) {
  return failure.code.empty() ? std::string(traits(failure.kind).code) : failure.code;
}

bool has_warning(const model::Response& response, std::string_view code) {
  return std::ranges::find(response.warnings, code, &model::Warning::code) !=
         response.warnings.end();
}

std::vector<std::string> places_of(const model::Response& response) {
  std::vector<std::string> places;
  for (const model::Warning& warning : response.warnings) {
    if (warning.code != "CONTRACT_VIOLATION") continue;
    places.push_back(warning.context->view().find("pointer")->string());
  }
  return places;
}

void expect_read_as(const NearEnvelope& want, const Reading& reading) {
  const model::Response& response = reading.response;
  EXPECT_EQ(reading.origin.contract, want.contract);
  EXPECT_EQ(model::name(response.outcome), want.outcome);
  EXPECT_THAT(places_of(response), UnorderedElementsAreArray(want.violations));
  EXPECT_EQ(has_warning(response, "CONTRADICTORY_OUTCOME"), want.contradiction);
  ASSERT_EQ(response.failure.has_value(), want.outcome == "failed");
  if (!response.failure) return;
  EXPECT_TRUE(want.code.empty() || want.code == code_of(*response.failure))
      << code_of(*response.failure);
  EXPECT_TRUE(want.message.empty() || want.message == response.failure->message)
      << response.failure->message;
}

TEST(NearEnvelopes, are_read_as_what_they_are) {
  for (const NearEnvelope& want : testing::near_envelopes()) {
    SCOPED_TRACE(want.name + ": " + want.answer);
    const auto document = json::parse(std::string_view(want.answer));
    const Id id = want.from ? *from_name(*want.from) : detect(document->root());
    const Result<Reading> reading = read(id, document->root());
    ASSERT_TRUE(reading);
    expect_read_as(want, *reading);
    if (!want.is_detected_in_result()) continue;
    const Result<Reading> inside = read(Id::mcp, want.as_result().view());
    ASSERT_TRUE(inside);
    expect_read_as(want, *inside);
  }
}

TEST(NearEnvelopes, keep_everything_in_a_valid_envelope) {
  for (const NearEnvelope& want : testing::near_envelopes()) {
    SCOPED_TRACE(want.name + ": " + want.answer);
    const auto document = json::parse(std::string_view(want.answer));
    const Id id = want.from ? *from_name(*want.from) : detect(document->root());
    const Result<Reading> reading = read(id, document->root());
    const Result<json::Output> written = write(*reading, Id::response_v2, {});
    ASSERT_TRUE(written);
    const std::string text = written->str();
    for (const std::string& kept : want.kept) EXPECT_THAT(text, HasSubstr(kept));
    const auto output = json::parse(std::string_view(text));
    EXPECT_TRUE(validate(Id::response_v2, output->root())->valid) << text;
    EXPECT_EQ(read(Id::response_v2, output->root())->response.outcome, reading->response.outcome);
  }
}

TEST(NearEnvelopes, an_envelope_can_be_read_as_data) {
  const json::Value result = json::parse_own(
      R"({"content":[{"type":"text","text":"{\"success\":true,\"data\":{\"id\":7},\"error\":null,)"
      R"(\"meta\":{\"version\":\"response-v2\"}}"}]})");
  const Result<Reading> reading = read(Id::mcp, result.view(), {.detect_envelopes = false});
  EXPECT_EQ(reading->origin.contract, "mcp");
  EXPECT_TRUE(reading->response.payload->view().find("meta"));
}

}  // namespace
}  // namespace enfold::contract
