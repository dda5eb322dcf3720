// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/answer.h"
#include "tests/answer/answers.h"
#include "tests/promises/pipeline_property.h"

#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

// What a reader is charged for, the envelope in one channel and every block beside it, is within
// all limits, in every contract, whatever the tool answered.
TEST(Promise, never_over_budget) {
  testing::check_pipeline("never_over_budget", {testing::check_never_over_budget});
}

// A link to the archived original stands beside a cut answer. It names the tool, and names of tools
// can be long.
TEST(Promise, never_over_budget_with_a_link_and_a_long_tool_name) {
  const auto link = [](std::string_view handle, std::string_view tool) {
    json::Writer writer;
    writer.begin_object().member("type", "resource_link");
    writer.member("uri", "enfold://archive/" + std::string(handle));
    writer.member("name", "The whole answer of " + std::string(tool)).end_object();
    return std::move(writer).finish_value();
  };
  for (const std::size_t length : {8U, 100U, 400U, 2'000U, 20'000U}) {
    std::string tool;
    for (std::size_t i = 0; tool.size() < length; ++i) tool += "_q" + std::to_string(i * 7919);
    AnswerPlan plan;
    plan.tool.id = "list";
    plan.link = link;
    plan.fit.budget.tokens = 1'200;
    plan.tool.id = tool;
    BeginResult begun = begin(large_answer(300).value(), plan, {});
    PreparedAnswer& prepared = std::get<PreparedAnswer>(begun);
    const Result<Receipt> receipt = receipt_for(prepared);
    const ShapedAnswer answer = finish(std::move(prepared), receipt, plan);
    const json::Value result = json::parse_own(answer.result.str());
    std::size_t tokens =
        plan.fit.tokenizer->count(result->find("content")->item(0)->find("text")->string());
    for (std::size_t i = 1; i < result->find("content")->size(); ++i) {
      tokens += plan.fit.tokenizer->count(json::to_text(*result->find("content")->item(i)));
    }
    EXPECT_LE(tokens, plan.fit.budget.tokens) << length;
    EXPECT_EQ(tokens, answer.tokens) << length;
    EXPECT_EQ(result->find("content")->size(), length <= 100 ? 2U : 1U) << length;
  }
}

}  // namespace
}  // namespace enfold::answer
