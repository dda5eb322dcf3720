// SPDX-License-Identifier: Apache-2.0
// Outcome, kind, shape and paging of the same answer are the same by every route: as a file
// (`parse`, `convert`), as the text or the structured content of a result (the gateway), in every
// contract. tests/promises/through_wrap has the route through the program.
#include "enfold/answer/answer.h"
#include "enfold/check/rules.h"
#include "tests/contract/parse_any.h"
#include "tests/promises/outcome_answers.h"
#include "tests/support/cases.h"
#include "tests/support/results.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using contract::Id;
using testing::draw_below;

using testing::kAnswerTools;

/// Outcome, kind and code, shape, paging.
std::string statement_of(const model::Response& response, json::View generic) {
  const auto text = [&](std::string_view key) {
    const auto found = generic.find(key);
    return found ? json::to_text(*found) : std::string("-");
  };
  return fmt::format("{}; {}; {}; {}; {}", model::name(response.outcome),
                     response.failure ? model::name(response.failure->kind) : "",
                     response.failure ? response.failure->message : "", text("responseType"),
                     text("pagination") + text("summary"));
}

std::string by_file(const std::string& answer, const std::string& tool) {
  const auto parsed =
      contract::parse_any(json::parse(answer)->root(), {.tool = tool, .limits = {}});
  return statement_of(parsed->reading.response, json::parse(parsed->output.buffer())->root());
}

// The first parts of a statement; they end in semicolons.
std::string first_parts(const std::string& statement, int count) {
  std::size_t end = 0;
  while (count-- > 0 && end != std::string::npos) end = statement.find("; ", end + 1);
  return statement.substr(0, end);
}

json::Value as_result(const std::string& answer, bool structured) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  writer.begin_object().member("type", "text").member("text", answer).end_object().end_array();
  if (structured) writer.member("structuredContent", json::parse(answer)->value());
  writer.end_object();
  return std::move(writer).finish_value();
}

// As the gateway shapes a result; in other contracts than generic the outcome and the code.
void check_gateway(const std::string& answer, const std::string& tool, bool structured,
                   Id contract) {
  AnswerPlan plan;
  plan.contract = contract;
  plan.fit.shape.contract = contract;
  plan.fit.shape.redaction.reset();
  plan.tool.id = tool;
  plan.called_as = tool;
  BeginResult begun = begin(as_result(answer, structured), plan, {});
  if (auto* const prepared = std::get_if<PreparedAnswer>(&begun)) {  // code was left out
    begun = finish(std::move(*prepared), fail(ErrorCode::unavailable, "no archive"), plan);
  }
  const ShapedAnswer* const shaped = std::get_if<ShapedAnswer>(&begun);
  RC_ASSERT(shaped != nullptr);
  const auto parsed =
      contract::parse_any(json::parse(answer)->root(), {.tool = tool, .limits = {}});
  const model::Response& want = parsed->reading.response;
  if (shaped->outcome != outcome_of(want)) {
    RC_FAIL(fmt::format("{} with {} in {}: {}, expected {}", answer, tool, contract::name(contract),
                        name(shaped->outcome), name(outcome_of(want))));
  }
  if (contract != Id::generic) return;
  const json::Value result = json::parse_own(shaped->result.str());
  const json::View envelope = *result->find("structuredContent");
  const json::Value expected = json::parse(parsed->output.buffer())->value();
  for (const char* key : {"responseType", "status", "pagination", "summary", "error"}) {
    const auto text = [&](json::View from) {
      const auto found = from.find(key);
      return found ? json::to_text(*found) : std::string("-");
    };
    if (text(envelope) != text(expected.view())) {
      RC_FAIL(fmt::format("{} with {}: {} is {}, expected {}", answer, tool, key, text(envelope),
                          text(expected.view())));
    }
  }
}

// As `enfold check` reports a failure without an error flag.
void check_report(const std::string& answer, const std::string& tool) {
  const auto parsed =
      contract::parse_any(json::parse(answer)->root(), {.tool = tool, .limits = {}});
  const auto findings = check::check_answer(as_result(answer, false).view(), {.tool = tool});
  const bool failed = std::ranges::any_of(findings, [](const check::Finding& one) {
    return one.rule == check::Rule::hidden_failure && one.severity == check::Severity::error;
  });
  if (failed != !succeeded(parsed->reading.response)) {
    RC_FAIL(fmt::format("{}: check says {}", answer, failed ? "failed" : "not failed"));
  }
}

TEST(Promise, one_outcome) {
  testing::check_property("one_outcome", testing::property_cases(2'000, 100'000), [] {
    const std::string answer = testing::make_answer([](int n) { return draw_below(n); });
    const std::string tool(
        kAnswerTools[static_cast<std::size_t>(draw_below(static_cast<int>(kAnswerTools.size())))]);
    // A file that is converted, where a flat contract may be detected.
    const auto document = json::parse(answer);
    ShapeSettings settings;
    settings.redaction.reset();
    settings.contract = Id::generic;
    const auto converted = read_answer(*document, std::nullopt, settings, {.tool = tool});
    RC_ASSERT(converted.has_value());
    // A flat contract takes the payload out from between its flags: counts speak of it alone, and
    // without members of its own it has another shape than the flags.
    const auto& payload = converted->reading.response.payload;
    const bool flat = converted->from == Id::memory || converted->from == Id::response_v1;
    const int parts = !flat ? 5 : payload && payload->view().is_object() ? 4 : 3;
    const std::string want = first_parts(by_file(answer, tool), parts);
    const std::string got = first_parts(
        statement_of(converted->reading.response,
                     json::parse_own(write_envelope(*converted, settings)->str()).view()),
        parts);
    if (got != want) RC_FAIL(answer + " with " + tool + "\nconvert: " + got + "\nparse:   " + want);
    check_report(answer, tool);
    for (const bool structured : {false, true}) {
      for (const Id contract :
           {Id::response_v2, Id::response_v1, Id::generic, Id::scalpel_v1, Id::memory}) {
        check_gateway(answer, tool, structured, contract);
      }
    }
  });
}

}  // namespace
}  // namespace enfold::answer
