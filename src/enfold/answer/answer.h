// SPDX-License-Identifier: Apache-2.0
// How every tool answer is made: read ▶ outcome ▶ redact ▶ level ▶ measure ▶ store ▶ cut ▶ write.
// `begin` does everything before storing and `finish` everything after it; the caller stores in
// between, because this module does no I/O. Neither fails: what cannot be shaped becomes a failed
// answer. Answers of foreign servers
// enter as JSON, answers of typed tools as model::Response.
#pragma once

#include "enfold/answer/plan.h"

#include <variant>

namespace enfold::answer {

/// The finished answer, or one that is over its budget: then the caller stores the bytes of
/// `Prepared::to_store` and calls `finish`.
using BeginResult = std::variant<ShapedAnswer, Prepared>;

/// How long the tool took.
using Duration = std::chrono::microseconds;

/// `result` is the MCP result of a server that Enfold did not write. Contract `none`: as it came.
[[nodiscard]] BeginResult begin(const json::Value& result, const AnswerPlan& plan,
                                Duration duration);

/// `stored` says under which handle the original is, or why it could not be stored.
[[nodiscard]] ShapedAnswer finish(Prepared prepared, const Result<Receipt>& stored,
                                  const AnswerPlan& plan);

/// A failure of Enfold's own making, such as a refused call. It is never cut.
[[nodiscard]] ShapedAnswer answer_failure(model::Response failed, const AnswerPlan& plan,
                                          Duration duration);

/// An answer that is within its budget already, such as a page of `enfold_fetch`.
[[nodiscard]] ShapedAnswer write_fitted(const ReadAnswer& answer, const AnswerPlan& plan);

/// The facts of a call that reading its answer needs.
[[nodiscard]] Call call_of(const AnswerPlan& plan, Duration duration);

/// What a typed tool says beside its response.
struct ToolContext {
  std::vector<model::Warning> warnings;
  std::vector<model::UpgradeHint> upgrade_hints;
  std::optional<model::Page> page;
  std::vector<json::Value> blocks;
  std::string message;
  bool partial = false;
};

/// The answer of a typed tool; `response` is its rendered payload or its failure.
[[nodiscard]] BeginResult begin(model::Response&& response, ToolContext context,
                                const AnswerPlan& plan, Duration duration);

}  // namespace enfold::answer
