// SPDX-License-Identifier: Apache-2.0
// One run of the rules on a server: on the definitions of its tools, and on the answers to calls,
// which the owner of the run makes. `enfold check` and the dashboard use it.
#pragma once

#include "enfold/check/report.h"
#include "enfold/check/rules.h"
#include "enfold/redact/redact.h"

#include <deque>
#include <functional>
#include <variant>

namespace enfold::check {

/// A result, which may report a failure; a JSON-RPC error; or why there is no answer.
using CallReply = std::variant<json::Value, mcp::RpcError, Error>;

struct CheckedTool {
  ToolReport report;  ///< grows with each call
  json::Value input_schema{};
  std::optional<schema::Schema> output_schema{};  ///< nullopt: none, or it cannot be compiled
  bool only_reads = false;                        ///< it declares readOnlyHint

  [[nodiscard]] bool requires_arguments() const;
};

class Runner {
 public:
  /// Calls a tool. `name`: of the call, in findings.
  using Call = std::function<CallReply(const CheckedTool& tool, const std::string& name,
                                       const json::Value& arguments)>;

  /// `every_call`: the options of every call; `call`, `tool` and the schema are added. `redaction`:
  /// of the answers, before findings quote them; nullopt: only that of the rules themselves.
  explicit Runner(CheckOptions every_call, std::optional<redact::Policy> redaction = std::nullopt)
      : every_call_(std::move(every_call)), redaction_(std::move(redaction)) {}

  /// Checks a definition, an entry of `tools/list`. Adds the tool, unless it was added without a
  /// definition.
  CheckedTool& add_definition(json::View definition);
  /// The first tool with this name; nullptr: there is none.
  [[nodiscard]] CheckedTool* find(std::string_view name);
  /// The same; a tool without a definition is added if there is none.
  [[nodiscard]] CheckedTool& find_or_add(const std::string& name);

  /// Checks an answer. Tasks and requests for input are ignored.
  void check(CheckedTool& tool, const std::string& name, json::View result,
             bool expects_failure = false);
  /// Makes a call and checks the reply. `fails`: whether a failure is expected; nullopt: either.
  CallReply call(CheckedTool& tool, const std::string& name, const json::Value& arguments,
                 std::optional<bool> fails, const Call& make);

  using OnResult = std::function<void(CheckedTool& tool, const json::Value& arguments,
                                      const json::Value& result)>;
  struct SampleCalls {
    Call call;
    /// Whether a tool is called at all; empty: all are.
    std::function<bool(const CheckedTool& tool)> includes{};
    bool calls_all = false;             ///< also tools that do not declare readOnlyHint
    std::string reason_to_omit;         ///< ToolReport::not_called of tools that do not declare it
    bool leaves_out_arguments = false;  ///< calls tools that require arguments without any, too
    /// Why no further tool is called; empty: go on. Asked before each tool.
    std::function<std::string()> reason_to_end{};
    /// Called after a call without an answer; false: the server can no longer be reached.
    std::function<bool()> reconnect;
    /// Called after a call with sample arguments that had a result. May be empty.
    OnResult on_result{};
  };
  /// Calls each tool once with sample arguments.
  void make_sample_calls(const SampleCalls& calls);

  [[nodiscard]] std::deque<CheckedTool>& tools() { return tools_; }
  /// Adds the reports of the tools to `report`, in their order.
  void move_to(Report& report);

 private:
  [[nodiscard]] CheckOptions options_for(const CheckedTool& tool, const std::string& name) const;
  /// The findings of an answer; they quote only what the redaction leaves.
  [[nodiscard]] Findings check_redacted(json::View result, const CheckOptions& options) const;

  CheckOptions every_call_;
  std::optional<redact::Policy> redaction_;
  std::set<std::string> names_;    ///< of the definitions
  std::deque<CheckedTool> tools_;  ///< references to them stay valid
};

inline constexpr const char* kSampleCall = "with sample arguments";
inline constexpr const char* kCallWithoutArguments = "without arguments";

}  // namespace enfold::check
