// SPDX-License-Identifier: Apache-2.0
// A tool of the library that fails with source code in every part of its answer: scalpel-v1 shows
// none of it, with and without an archive, within any budget.
#include "enfold/answer/answer.h"
#include "enfold/contract/errors/failures.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"

#include <array>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using testing::draw_below;

constexpr std::string_view kCanary = "cnry_7x";

// One line of code in each of twelve languages.
constexpr std::array<std::string_view, 12> kLines{
    "def cnry_7x(a):",        "const cnry_7x = load();", "let x: cnry_7x = make<T>();",
    "private int cnry_7x;",   "cnry_7x := make([]int)",  "pub fn cnry_7x() -> u32 {",
    "free(cnry_7x);",         "std::move(cnry_7x)",      "puts cnry_7x",
    "$cnry_7x = $this->one;", "SELECT cnry_7x FROM t",   "export cnry_7x=1"};

std::string draw_line() {
  return std::string(kLines[static_cast<std::size_t>(draw_below(static_cast<int>(kLines.size())))]);
}

// Prose with code below, behind or inside it, or code alone.
std::string draw_words() {
  switch (draw_below(5)) {
    case 0: return "Cannot parse a.py\n" + draw_line();
    case 1: return "Cannot parse a.py ```" + draw_line() + "```";
    case 2: return "Cannot parse a.py: " + draw_line();
    case 3: return "Cannot parse '" + draw_line() + "'";
    default: return draw_line();
  }
}

json::Value draw_facts() {
  json::Writer writer;
  writer.begin_object().member("line", draw_words()).member("source", draw_line());
  writer.key("lines").begin_array().string(draw_line()).end_array();
  writer.member(draw_line(), true).member("column", std::int64_t{3});
  return std::move(writer.end_object()).finish_value();
}

model::Response draw_failure() {
  model::Response failed = contract::make_failure(contract::failures::Other{
      .message = draw_words(),
      .code = draw_below(2) == 0 ? "PARSE_ERROR" : draw_line(),
      .payload = draw_facts(),
      .extra = {.remediation = {draw_words(), draw_line()}, .details = draw_facts()}});
  failed.upgrade_hints = {{draw_line(), "pro", draw_words()}};
  return failed;
}

ToolContext draw_context() {
  ToolContext context;
  context.message = draw_words();
  context.warnings = {{.code = "W", .message = draw_words(), .context = draw_facts()}};
  json::Writer block;
  block.begin_object().member("type", "text").member("text", draw_line()).end_object();
  context.blocks = {std::move(block).finish_value()};
  return context;
}

TEST(SourceCode, of_a_failing_tool_of_the_library_is_not_shown) {
  testing::check_property("library_shows_no_code", testing::property_cases(400, 20'000), [] {
    AnswerPlan plan;
    plan.contract = contract::Id::scalpel_v1;
    plan.fit.shape.contract = contract::Id::scalpel_v1;
    plan.fit.shape.extensions = draw_below(2) == 0;
    plan.fit.budget.tokens = draw_below(2) == 0 ? 200 : 10'000;
    plan.tool.id = "extract_code";
    plan.request_id = "req_1";
    BeginResult begun = process_tool_response(plan, {}, draw_failure(), draw_context());
    ShapedAnswer* shaped = std::get_if<ShapedAnswer>(&begun);
    ShapedAnswer finished;
    if (shaped == nullptr) {
      auto& prepared = std::get<PreparedAnswer>(begun);
      RC_ASSERT(prepared.to_store().find(kCanary) != std::string_view::npos);
      Result<Receipt> stored = Receipt{"513226998735", "sha256:" + std::string(64, 'a')};
      if (draw_below(2) == 0) stored = fail(ErrorCode::unavailable, "the archive is full");
      finished = finish(std::move(prepared), stored, plan);
      shaped = &finished;
    }
    const std::string out = shaped->result.str();
    if (out.find(kCanary) != std::string::npos) RC_FAIL(out);
    RC_ASSERT(shaped->outcome == CallOutcome::failed);
    RC_ASSERT(json::parse(out)->root().find("isError")->boolean());
  });
}

}  // namespace
}  // namespace enfold::answer
