// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/answer.h"
#include "tests/json/texts.h"
#include "tests/promises/pipeline_property.h"
#include "tests/support/cases.h"
#include "tests/support/results.h"

#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

// With contract `none` every byte of the value leaves as it came: white space, number texts,
// escapes, key order, repeated keys.
TEST(Promise, exact_pass_through) {
  testing::check_property("exact_pass_through", testing::property_cases(2'000, 100'000), [] {
    const auto choices =
        *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
    const std::string text = json::testing::TextBuilder(choices).value().text;
    const auto document = json::parse(text);
    RC_ASSERT(document.has_value());
    AnswerPlan plan;
    plan.contract.reset();
    const BeginResult passed = begin(document->value(), plan, {});
    RC_ASSERT(std::get<ShapedAnswer>(passed).result.str() == text);
  });
}

// With a contract, members beside the answer and blocks are sent as they came.
TEST(Promise, exact_pass_through_beside_the_answer) {
  testing::check_pipeline("exact_pass_through_beside_the_answer",
                          {testing::check_exact_pass_through});
}

// With a contract, members that nobody knows come back from the extension slot.
TEST(Promise, exact_pass_through_of_unknown_members) {
  testing::check_property(
      "exact_pass_through_of_unknown_members", testing::property_cases(2'000, 100'000), [] {
        const testing::RawResult raw = testing::draw_result();
        const auto unknown = raw.result->find("futureMember");
        RC_PRE(unknown.has_value());
        answer::ShapeSettings settings;
        settings.extensions = true;
        settings.redaction.reset();
        const auto document = json::parse(json::to_text(raw.result.view()));
        const auto answer = answer::read_answer(*document, contract::Id::mcp, settings, {});
        const json::Value envelope =
            json::parse_own(answer::write_envelope(*answer, settings)->str());
        const auto again = contract::read(contract::Id::response_v2, envelope.view());
        RC_ASSERT(again->response.metadata.has_value());
        RC_ASSERT(json::equal(*again->response.metadata->view().find("futureMember"), *unknown));
      });
}

}  // namespace
}  // namespace enfold::answer
