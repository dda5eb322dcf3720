// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/local_tools.h"

#include "enfold/tools/call/tool_run.h"
#include "enfold/tools/fetch_tool.h"

#include <algorithm>

namespace enfold::tools {
namespace {

ToolSpec server_spec() {
  ToolSpec spec;
  spec.name = kServerTool;
  spec.description = server_tool_description();
  spec.input_schema = server_tool_input_schema();
  spec.payload_schema = server_tool_payload_schema();
  spec.annotations = {{"readOnlyHint", true}};
  return spec;
}

ToolSpec fetch_spec() {
  ToolSpec spec;
  spec.name = kFetchTool;
  spec.description = fetch_tool_description();
  spec.input_schema = fetch_tool_input_schema();
  spec.payload_schema = json::parse_own("{}");
  spec.annotations = {{"readOnlyHint", true}, {"idempotentHint", true}};
  spec.deadline = std::chrono::seconds(30);
  return spec;
}

class FetchRun final : public ToolRun {
 public:
  using ToolRun::ToolRun;

 private:
  void answer() override {
    deliver_from_worker([self = shared_from_this(), this] { return fetched(); },
                        tool().spec.deadline);
  }

  // Its fields are those of the archived answer: there is no schema to keep to but the envelope's.
  [[nodiscard]] ToolReply fetched() const {
    const FetchSource source{.archive = services().archive.get(),
                             .key = &services().key,
                             .principal = plan().principal,
                             .now = store_time(host())};
    answer::FitSettings fit = plan().fit;
    fit.schema = nullptr;
    fit.policy.terms = budget::terms_of(plan().arguments.view());
    const answer::ReadAnswer found =
        fetch(plan().arguments.view(), source, fit, answer::call_of(plan(), elapsed()));
    return reply_of(answer::write_fitted(found, plan()));
  }
};

class ServerRun final : public ToolRun {
 public:
  template <class... All>
  ServerRun(const std::vector<OfferedTool>& tools, const LocalTools::OtherTools& others,
            All&&... all)
      : ToolRun(std::forward<All>(all)...), tools_(tools), others_(others) {}

 private:
  void answer() override {
    ServerAnswer answer = answer_server_tool(plan().arguments.view(), facts());
    remember(answer.contract);
    answer::BeginResult begun = answer::begin(std::move(answer.response), {}, plan(), elapsed());
    if (auto* shaped = std::get_if<answer::ShapedAnswer>(&begun)) {
      deliver(reply_of(std::move(*shaped)));
      return;
    }
    deliver_from_worker([self = shared_from_this(), this,
                         prepared = std::move(*std::get_if<answer::Prepared>(&begun))]() mutable {
      return store_and_finish(std::move(prepared), plan(), services());
    });
  }

  [[nodiscard]] ServerFacts facts() const {
    ServerFacts facts;
    facts.name = services().name;
    facts.version = services().version;
    facts.features.streaming = true;
    facts.flags = &services().settings->flags;
    facts.client = plan().client;
    facts.now = seconds_of(host());
    facts.contract = plan().contract ? contract::name(*plan().contract) : "none";
    if (others_) facts.tools = others_(plan().contract);
    for (const OfferedTool& tool : tools_) facts.tools.push_back(fact_of(tool, plan().contract));
    return facts;
  }

  // A stateless client says what it wants with each call; it has no session to remember it.
  void remember(const std::optional<std::string>& contract) const {
    const std::shared_ptr<serve::Port> open = port();
    const bool has_session = call().caller && call().caller->era == mcp::Era::sessions;
    if (!contract || !open || !has_session || open->memory().contract == contract) return;
    open->memory().contract = contract;
    open->list_changed(mcp::ListKind::tools);  // their output schemas have changed
  }

  const std::vector<OfferedTool>& tools_;
  const LocalTools::OtherTools& others_;
};

}  // namespace

ToolFact fact_of(const OfferedTool& tool, AnswerContract contract) {
  return {tool.spec.name, tool.spec.description, tool.spec.input_schema,
          tool.output_schema(contract)};
}

Result<std::unique_ptr<LocalTools>> LocalTools::create(const AnswerServices& services,
                                                       const std::set<std::string>& taken,
                                                       OtherTools others) {
  std::unique_ptr<LocalTools> made(new LocalTools(services, std::move(others)));
  const ServiceSettings& settings = *services.settings;
  if (!settings.local_tools) return made;
  const auto add = [&](ToolSpec spec) -> Status {
    if (taken.contains(spec.name)) return {};
    ENFOLD_TRY(OfferedTool tool,
               offer(std::move(spec), ArgumentPolicy::read, services.version, settings.redaction));
    made->tools_.push_back(std::move(tool));
    return {};
  };
  ENFOLD_TRY(add(server_spec()));
  if (!made->tools_.empty()) made->tools_.back().rate_limited = false;
  if (settings.keeps_originals) ENFOLD_TRY(add(fetch_spec()));
  return made;
}

const OfferedTool* LocalTools::find(std::string_view name) const {
  const auto found = std::find_if(tools_.begin(), tools_.end(),
                                  [&](const OfferedTool& tool) { return tool.spec.name == name; });
  return found == tools_.end() ? nullptr : &*found;
}

std::shared_ptr<serve::OpenCall> LocalTools::begin(const OfferedTool& tool, mcp::Call&& call,
                                                   const std::shared_ptr<serve::Port>& port) {
  auto cancellation = std::make_shared<serve::Cancellation>();
  if (tool.spec.name == kServerTool) {
    std::make_shared<ServerRun>(tools_, others_, tool, services_, running_, std::move(call), port,
                                cancellation)
        ->start();
  } else {
    std::make_shared<FetchRun>(tool, services_, running_, std::move(call), port, cancellation)
        ->start();
  }
  return cancellation;
}

}  // namespace enfold::tools
