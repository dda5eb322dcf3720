// SPDX-License-Identifier: Apache-2.0
// Enfold's own tools, `server` and `enfold_fetch`, as one object that lists them and answers calls
// of them. Servers of typed tools and the gateway both offer them beside other tools.
#pragma once

#include "enfold/contract/legacy/flags.h"
#include "enfold/contract/negotiation/negotiation.h"
#include "enfold/tools/call/call_plan.h"
#include "enfold/tools/call/fair_lane.h"

namespace enfold::tools {

inline constexpr std::string_view kServerTool = "server";

/// One tool as `server` lists it.
struct ToolFact {
  std::string name;
  std::string description;
  json::Value input_schema;
  json::Value output_schema;  ///< null: none is announced
};

/// What the tool `server` can tell about the service and the calling client.
struct ServerFacts {
  std::string name;
  std::string version;
  contract::ServerFeatures features;
  const contract::Flags* flags = nullptr;  ///< feature flags of contracts; never null in a call
  std::string client = std::string(contract::kAnonymousClient);
  std::int64_t now = 0;                 ///< time of the call, in seconds since 1970
  std::optional<std::string> contract;  ///< of answers to this client; nullopt: the default
  bool has_session = true;  ///< the client has a session, which keeps what it negotiates
  std::vector<ToolFact> tools;
};

struct ServerAnswer {
  model::Response response;
  std::optional<std::string> contract;  ///< newly negotiated, for the session; nullopt: no change
};

/// The answer to a call of `server`. Its argument `action` must be capabilities,
/// capability-negotiate, tools, schema or flags; else the response is a failure.
[[nodiscard]] ServerAnswer answer_server_tool(json::View arguments, const ServerFacts& facts);

[[nodiscard]] std::string_view server_tool_description();
[[nodiscard]] json::Value server_tool_input_schema();
[[nodiscard]] json::Value server_tool_payload_schema();

/// `contract`: of the answers that the output schema describes.
[[nodiscard]] ToolFact fact_of(const OfferedTool& tool, AnswerContract contract);

/// Fails for the name of a tool that LocalTools offers with these settings.
[[nodiscard]] Status check_tool_name(std::string_view name, const ServiceSettings& settings);

class LocalTools {
 public:
  /// Returns the other tools of the service, which `server` lists first. Called on the serving
  /// thread for each call of `server`.
  using OtherTools = std::function<std::vector<ToolFact>(AnswerContract contract)>;

  /// Leaves out tools whose names are `taken` or that the settings do not offer, and enfold_fetch
  /// if nothing is archived. `services` must outlive the result.
  [[nodiscard]] static Result<std::unique_ptr<LocalTools>> create(
      const AnswerServices& services, const std::set<std::string>& taken, OtherTools others);

  [[nodiscard]] const std::vector<OfferedTool>& all() const { return tools_; }
  /// nullptr: there is no such tool.
  [[nodiscard]] const OfferedTool* find(std::string_view name) const;

  /// Starts a call of `tool`, which is one of all(). The result can cancel the call.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(
      const OfferedTool& tool, mcp::Call&& call,
      const std::shared_ptr<serve::ClientChannel>& channel, ClientTerms client);

  /// Calls that wait for a worker or run on one.
  [[nodiscard]] std::size_t running() const { return running_; }

 private:
  LocalTools(const AnswerServices& services, OtherTools others)
      : services_(services), others_(std::move(others)) {}

  const AnswerServices& services_;
  OtherTools others_;  ///< may be empty: there are no other tools
  std::vector<OfferedTool> tools_;
  std::shared_ptr<FairLane> fetch_lane_;  ///< of the calls of enfold_fetch
  std::size_t running_ = 0;
};

}  // namespace enfold::tools
