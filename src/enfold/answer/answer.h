// SPDX-License-Identifier: Apache-2.0
// How every tool answer is made: read ▶ outcome ▶ redact ▶ level ▶ measure ▶ store ▶ cut ▶ write.
// `begin` does everything before storing and `finish` everything after it; the caller stores in
// between, because this module does no I/O. Neither fails: an answer that cannot be written becomes
// a failed answer. Answers of other servers (foreign) enter as JSON; answers of typed tools (own),
// which Enfold or a program with its server library implements, enter as model::Response. The
// caller decides contract, level, budget and warnings once, before the tool runs: AnswerPlan.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/answer/output_check.h"
#include "enfold/answer/tool_context.h"
#include "enfold/level/decide.h"
#include "enfold/level/render.h"

#include <chrono>
#include <variant>

namespace enfold::answer {

/// Makes the content block that links to an archived answer. `finish` calls it.
using ArchiveLink = json::Value (*)(std::string_view handle, std::string_view tool);

/// What a call decides about its answer before the tool runs.
struct AnswerPlan {
  // How the answer is written.
  /// nullopt: contract `none`, the tool's result without an envelope, neither cut nor redacted.
  std::optional<contract::Id> contract = contract::Id::response_v2;
  /// Its settings for writing, `fit.shape`, name the same contract, if there is one.
  FitSettings fit;
  model::Tool tool;            ///< as envelopes name it
  bool tool_is_clean = false;  ///< name and version were searched for secrets and hold none
  /// For answers of a typed tool in contract `none`: whether the tool declares an output schema.
  /// Then the payload is written as JSON; else only its member `text` is.
  bool structured = true;
  json::View input_schema;  ///< the tool's; the value it views must outlive the plan; null: unknown
  OutputCheck output_check = OutputCheck::off;
  DeclaredOutput declared;     ///< the schema that `output_check` checks answers against
  ArchiveLink link = nullptr;  ///< nullptr: a cut answer gets no link to its original

  // What is known about the call.
  std::string request_id;
  /// false: the envelope has the request id only in a failure or if the contract requires it,
  /// because the result's `_meta` has it too.
  bool request_id_in_envelope = true;
  std::string called_as;       ///< the tool's name as the client wrote it
  level::LevelDecision level;  ///< the level, and warnings about the request for it
  json::Value arguments;       ///< a cut answer shows first the records with words of these
  bool cache_hit = false;      ///< shown in the telemetry of an answer of a foreign server
  std::vector<model::Warning> warnings;            ///< added to the answer
  std::optional<model::Warning> fallback_warning;  ///< another upstream answered; nullopt: none did
  std::optional<model::RateLimit> rate_limit;      ///< shown unless the answer has its own
  std::optional<model::Warning> rate_warning;      ///< few calls are left; only shown in a success
};

/// How a call ended, for logs and metrics.
enum class CallOutcome {
  ok,
  partial,
  failed,
  input_required,  ///< the server asks for input before it answers
  refused,         ///< the call ended with a JSON-RPC error instead of a result
  cancelled,       ///< before it was answered
};
[[nodiscard]] constexpr std::string_view name(CallOutcome outcome) {
  constexpr std::array<std::string_view, 6> names{"ok",      "partial",  "failed", "input_required",
                                                  "refused", "cancelled"};
  return names.at(static_cast<std::size_t>(outcome));
}
[[nodiscard]] CallOutcome outcome_of(const model::Response& response);

/// What an operator is shown of an answer beside its outcome.
struct AnswerFacts {
  /// The result that was read, after redaction; null: Enfold or a typed tool made the answer.
  json::Value source{};
  std::size_t redactions = 0;  ///< number of replaced secrets
  bool is_repaired = false;    ///< the structured content was missing; the text had it
  bool is_text = false;  ///< the payload is the one text of the result; envelopes hold it as JSON
  std::optional<model::ErrorKind> kind{};  ///< of a failure; nullopt: a success
  std::string error{};                     ///< the beginning of the message of a failure
  Receipt receipt{};  ///< of the archived original; handle empty: it was not archived
};
inline constexpr std::size_t kLongestFactError = 200;  // bytes of AnswerFacts::error

/// A finished answer and what logs and metrics need of it.
struct ShapedAnswer {
  json::Output result;    ///< the MCP result
  bool has_meta = false;  ///< `result` has `_meta`, as its last member
  CallOutcome outcome = CallOutcome::ok;
  std::string code;  ///< of a failure; empty: none, or a foreign failure in contract `none`
  model::Fidelity fidelity = model::Fidelity::full;
  std::size_t tokens = 0;  ///< of the part that a model reads: text or structured; 0: not counted
  std::size_t archived_bytes = 0;  ///< 0: the answer was not archived
  AnswerFacts facts{};
};

/// The finished answer; or one that is over its budget, or that breaks its output schema with
/// OutputCheck::strict, so that `finish` sends a failure which names the stored answer. The caller
/// then stores the bytes of `PreparedAnswer::to_store` and calls `finish`.
using BeginResult = std::variant<ShapedAnswer, PreparedAnswer>;

/// How long the tool took.
using Duration = std::chrono::microseconds;

/// The answer of a foreign server. `result`: its MCP result; contract `none` returns it unchanged,
/// except for what pass_through (provenance.h) changes.
[[nodiscard]] BeginResult begin(const json::Value& result, const AnswerPlan& plan,
                                Duration duration);

/// Cuts and writes the answer. `stored`: the handle of the stored original, or why it could not be
/// stored. `cursors` signs the cursor to the records that are left out; without a key: no cursor.
/// If the budget has no room for any answer, writes the smallest one, which is over the budget.
[[nodiscard]] ShapedAnswer finish(const PreparedAnswer& prepared, const Result<Receipt>& stored,
                                  const AnswerPlan& plan,
                                  const contract::CursorSigner& cursors = {});

/// An answer before and after it is fitted.
struct ExplainedAnswer {
  ReadAnswer before;
  budget::Size whole;     ///< size of `before`
  FittedAnswer finished;  ///< FitResult::parts says how each part of the payload is shown
  bool fits = true;       ///< `before` is within its budget, so nothing was cut
};
/// The same as `begin` and `finish` for an answer in a contract, but the caller stores nothing.
/// `receipt`: where the original was stored when the call was answered; handle empty: it was not.
/// Fails for an answer that the call replaced by a failure.
[[nodiscard]] Result<ExplainedAnswer> explain(const json::Value& result, const AnswerPlan& plan,
                                              Duration duration, const Receipt& receipt,
                                              const contract::CursorSigner& cursors = {});

/// A failure that Enfold reports itself, such as a refused call. It is never cut.
[[nodiscard]] ShapedAnswer answer_failure(model::Response failed, const AnswerPlan& plan,
                                          Duration duration);

/// An error of Enfold as a failed answer; `internal` and `protocol_violation` lose their message.
[[nodiscard]] model::Response failure_of(const Error& error);
/// The message after the place, if the error has one.
[[nodiscard]] std::string place_and_message(const Error& error);

/// Writes an answer that is within its budget, such as a page of `enfold_fetch`.
[[nodiscard]] ShapedAnswer write_fitted(ReadAnswer answer, const AnswerPlan& plan);

/// The facts of a call that reading its answer needs.
[[nodiscard]] Call call_of(const AnswerPlan& plan, Duration duration);

/// The call of a typed tool, beside the plan.
struct ToolRequest {
  model::Level level = level::kBuiltInLevel;  ///< the same as AnswerPlan::level
  Duration duration{0};                       ///< how long the tool ran
};

/// Like `begin`, for the answer of a typed tool. `response` has the payload as level::render made
/// it, or a failure that was made by the constructors of contract/errors/failures.h.
[[nodiscard]] BeginResult process_tool_response(const AnswerPlan& plan, const ToolRequest& request,
                                                model::Response response, ToolContext context);

/// The size of the answer of a typed tool as process_tool_response would write it whole.
[[nodiscard]] Result<budget::Size> size_of_response(const AnswerPlan& plan,
                                                    const ToolRequest& request,
                                                    model::Response response, ToolContext context);

/// Replaces the secrets in a text that level::render shortens; empty if the plan redacts nothing.
/// The filter refers to the plan, which must outlive it.
[[nodiscard]] level::TextFilter redaction_of(const AnswerPlan& plan);

/// process_tool_response for a response whose fields are declared (level/): renders it first.
template <level::Declared Response>
[[nodiscard]] BeginResult process_tool_response(const AnswerPlan& plan, const ToolRequest& request,
                                                const Response& response, ToolContext context) {
  model::Response shown;
  shown.payload = level::render(response, request.level, {.filter = redaction_of(plan)});
  return process_tool_response(plan, request, std::move(shown), std::move(context));
}

}  // namespace enfold::answer
