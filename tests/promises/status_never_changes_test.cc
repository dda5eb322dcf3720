// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/shape.h"
#include "tests/promises/pipeline_property.h"
#include "tests/support/cases.h"
#include "tests/support/results.h"

#include <array>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using contract::Id;
using contract::Members;

constexpr std::array kContracts{Id::response_v2, Id::response_v1, Id::generic, Id::scalpel_v1,
                                Id::memory};

// Success or failure is decided before anything is changed, and no setting alters it.
TEST(Promise, status_never_changes) {
  testing::check_property("status_never_changes", testing::property_cases(2'000, 100'000), [] {
    const testing::RawResult raw = testing::draw_result();
    const auto document = json::parse(json::to_text(raw.result.view()));
    answer::ShapeSettings settings;
    settings.contract =
        kContracts[static_cast<std::size_t>(testing::draw_below(kContracts.size()))];
    settings.extensions = testing::draw_chance(5);
    settings.members = static_cast<Members>(testing::draw_below(5));
    if (testing::draw_chance(3)) settings.redaction.reset();
    const auto answer = answer::read_answer(*document, Id::mcp, settings, {.tool = "tool"});
    RC_ASSERT(answer.has_value());
    // Data may say that the call failed, too.
    const bool failed = !succeeded(answer->reading.response);
    RC_ASSERT(failed || !raw.failed);
    RC_ASSERT(answer->reading.response.failure.has_value() == failed);
    const auto result = answer::write_result(*answer, settings);
    RC_ASSERT(result.has_value());
    const json::Value written = json::parse_own(result->str());
    RC_ASSERT(written->find("isError")->boolean() == failed);
    if (settings.members != Members::strict)
      return;  // an operator may send less than a reader needs
    const auto again = contract::read(settings.contract, *written->find("structuredContent"));
    RC_ASSERT(again.has_value());
    RC_ASSERT(succeeded(again->response) == !failed);
  });
}

// Nor does cutting an answer, or an archive that refuses its original.
TEST(Promise, status_never_changes_when_cut) {
  testing::check_pipeline("status_never_changes_when_cut", {testing::check_status_never_changes});
}

TEST(Promise, status_never_changes_for_protocol_errors) {
  const auto document =
      json::parse(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"boom"}})");
  for (const Id id : kContracts) {
    answer::ShapeSettings settings;
    settings.contract = id;
    const auto answer = answer::read_answer(*document, std::nullopt, settings, {});
    ASSERT_TRUE(answer);
    EXPECT_FALSE(succeeded(answer->reading.response));
    EXPECT_NE(answer::write_result(*answer, settings)->str().find("\"isError\":true"),
              std::string::npos);
  }
}

// A success whose words sound like a failure stays a success and gets a warning.
TEST(Promise, status_never_changes_by_reading_prose) {
  for (const char* text : {"Error: connection refused", "failed to fetch", "Timeout after 30 s"}) {
    json::Writer writer;
    writer.begin_object().key("content").begin_array().begin_object();
    writer.member("type", "text").member("text", text).end_object().end_array().end_object();
    const auto document = json::parse(std::move(writer).finish().str());
    const auto answer = answer::read_answer(*document, std::nullopt, {}, {});
    EXPECT_TRUE(succeeded(answer->reading.response)) << text;
    ASSERT_EQ(answer->reading.response.warnings.size(), 1U) << text;
    EXPECT_EQ(answer->reading.response.warnings[0].code, "POSSIBLE_FAILURE");
  }
}

}  // namespace
}  // namespace enfold::answer
