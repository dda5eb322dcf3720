// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/local_tools.h"

#include "enfold/base/text.h"
#include "enfold/contract/contract.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/mcp/wire/protocol.h"
#include "enfold/tools/call/tool_run.h"
#include "enfold/tools/fetch_tool.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::tools {
namespace {

// The values of the argument `action` of `server`.
constexpr std::array<std::string_view, 5> kActions{"capabilities", "capability-negotiate", "tools",
                                                   "schema", "flags"};

constexpr std::size_t kMaxWaitingFetches = 100;  // calls of enfold_fetch of one principal
constexpr std::chrono::seconds kFetchDeadline{30};

// The name of the action; empty: none is stated. `_` is accepted for `-`, because models confuse
// them.
std::string action_of(json::View arguments) {
  const auto named = arguments.find("action");
  if (!named || !named->is_string()) return {};
  std::string action = named->string();
  std::replace(action.begin(), action.end(), '_', '-');
  return action;
}

std::vector<std::string> action_names() { return {kActions.begin(), kActions.end()}; }

model::Response list_tools(const ServerFacts& facts) {
  json::Writer data;
  data.begin_object().key("tools").begin_array();
  for (const ToolFact& tool : facts.tools) {
    data.begin_object().member("name", tool.name).member("description", tool.description);
    data.end_object();
  }
  data.end_array().end_object();
  model::Response response;
  response.payload = std::move(data).finish_value();
  return response;
}

// The tool that the argument `tool` names, or why there is none.
tl::expected<const ToolFact*, model::Response> named_tool(json::View arguments,
                                                          const ServerFacts& facts) {
  const auto named = arguments.find("tool");
  if (!named || !named->is_string()) {
    return tl::unexpected(
        contract::make_failure(contract::failures::MissingRequired{.field = "tool"}));
  }
  const std::string name = named->string();
  const auto found = std::find_if(facts.tools.begin(), facts.tools.end(),
                                  [&](const ToolFact& tool) { return tool.name == name; });
  if (found != facts.tools.end()) return &*found;
  std::vector<std::string> known;
  known.reserve(facts.tools.size());
  for (const ToolFact& tool : facts.tools) known.push_back(tool.name);
  return tl::unexpected(contract::make_failure(contract::failures::NotFound{
      .resource_type = "Tool",
      .resource_id = name,
      .extra = {
          .remediation = {did_you_mean(name, known, "The action `tools` lists what there is.")}}}));
}

std::optional<json::View> argument_of(const ToolFact& tool, std::string_view name) {
  const auto declared = tool.input_schema->find("properties");
  return declared ? declared->find(name) : std::nullopt;
}

bool takes_cursor(const ToolFact& tool) { return argument_of(tool, "cursor").has_value(); }

// What one tool supports, as its schemas tell.
model::Response capabilities_of_tool(const ToolFact& tool) {
  json::Writer data;
  data.begin_object().member("tool", tool.name).member("pagination", takes_cursor(tool));
  for (const std::string_view name : {"limit", "page_size"}) {
    const auto size = argument_of(tool, name);
    if (!size || !takes_cursor(tool)) continue;
    data.key("page_size").begin_object().member("argument", name);
    if (const auto usual = size->find("default")) data.member("default", *usual);
    if (const auto most = size->find("maximum")) data.member("maximum", *most);
    data.end_object();
    break;
  }
  data.member("response_levels", argument_of(tool, level::kLevelArgument).has_value());
  data.member("output_schema", !tool.output_schema->is_null()).end_object();
  model::Response response;
  response.payload = std::move(data).finish_value();
  return response;
}

model::Response schema_of_tool(json::View arguments, const ServerFacts& facts) {
  const auto named = named_tool(arguments, facts);
  if (!named) return named.error();
  const ToolFact* const found = *named;
  json::Writer data;
  data.begin_object().member("name", found->name).member("input_schema", found->input_schema);
  if (!found->output_schema->is_null()) data.member("output_schema", found->output_schema);
  data.end_object();
  model::Response response;
  response.payload = std::move(data).finish_value();
  return response;
}

model::Response list_flags(const ServerFacts& facts) {
  json::Writer data;
  data.begin_object().key("flags");
  data.value(contract::to_json(facts.flags->list(facts.client, facts.now))).end_object();
  model::Response response;
  response.payload = std::move(data).finish_value();
  return response;
}

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
  spec.description = fetch_tool_description(retrieve::has_sql());
  spec.input_schema = fetch_tool_input_schema();
  spec.payload_schema = json::parse_own("{}");
  spec.announces_output = false;  // the schema would describe only the envelope
  // Without this, clients that load tools on demand do not find it when a cut answer names it.
  spec.meta = json::parse_own(R"({"anthropic/alwaysLoad":true})");
  spec.annotations = {{"readOnlyHint", true}};
  spec.deadline = kFetchDeadline;
  return spec;
}

class FetchRun final : public ToolRun {
 public:
  template <class... All>
  explicit FetchRun(const std::shared_ptr<FairLane>& lane, All&&... all)
      : ToolRun(std::forward<All>(all)...), lane_(lane) {}

 private:
  void answer() override {
    start_deadline(*tool().spec.deadline);
    const bool has_entered =
        lane_.lock()->enter(plan().principal, [self = shared_from_this(), this] { run(); });
    if (!has_entered) refuse_for_load();
  }

  // Called when the call has got its place in the lane.
  void run() {
    const auto leave = [lane = lane_, principal = plan().principal] {
      if (const std::shared_ptr<FairLane> open = lane.lock()) open->leave(principal);
    };
    const bool is_over = is_answered() || cancellation()->is_cancelled();
    const bool is_queued =
        !is_over && on_worker([self = shared_from_this(),
                               this] { return fetch_reply(plan(), services(), elapsed()); },
                              [leave](ToolRun& self, ToolReply reply) {
                                leave();
                                static_cast<FetchRun&>(self).deliver(std::move(reply));
                              });
    // Posted, because leave() starts the next waiting call, which may end here too: without this
    // such calls would end inside each other.
    if (!is_queued) host().post(leave);
  }

  std::weak_ptr<FairLane> lane_;  ///< weak, because the lane holds this call while it waits
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
    answer::BeginResult begun =
        answer::process_tool_response(plan(), request(), std::move(answer.response), {});
    if (auto* shaped = std::get_if<answer::ShapedAnswer>(&begun)) {
      deliver(reply_of(std::move(*shaped)));
      return;
    }
    deliver_from_worker(
        [self = shared_from_this(), this,
         prepared = std::move(*std::get_if<answer::PreparedAnswer>(&begun))]() mutable {
          return store_and_finish(std::move(prepared), plan(), services());
        });
  }

  [[nodiscard]] ServerFacts facts() const {
    ServerFacts facts;
    facts.name = services().name;
    facts.version = services().version;
    facts.flags = &services().settings->flags;
    facts.client = plan().client;
    facts.now = seconds_of(host());
    facts.contract = plan().contract ? contract::name(*plan().contract) : "none";
    if (others_) facts.tools = others_(plan().contract);
    for (const OfferedTool& tool : tools_) facts.tools.push_back(fact_of(tool, plan().contract));
    facts.has_session = has_session();
    // Without rate_limit_headers: the state of rate limits is in the envelope, not in HTTP headers.
    facts.features = {.streaming = true,
                      .batch = call().caller && mcp::has_batches(call().caller->version),
                      .pagination = std::ranges::any_of(facts.tools, takes_cursor),
                      .feature_flags = true,
                      .allows_none = may_choose_none(*services().settings, plan().client)};
    return facts;
  }

  [[nodiscard]] bool has_session() const {
    return call().caller && call().caller->era == mcp::Era::sessions;
  }

  // Keeps the negotiated contract in the session; nullopt: nothing was negotiated. A stateless
  // client has no session and states its contract with each call.
  void remember(const std::optional<std::string>& contract) const {
    const std::shared_ptr<serve::ClientChannel> open = channel();
    if (!contract || !open || !has_session() || open->state().contract == contract) return;
    open->state().contract = contract;
    open->list_changed(mcp::ListKind::tools);  // their output schemas have changed
  }

  const std::vector<OfferedTool>& tools_;
  const LocalTools::OtherTools& others_;
};

}  // namespace

ServerAnswer answer_server_tool(json::View arguments, const ServerFacts& facts) {
  const std::string action = action_of(arguments);
  const bool has_v2 = facts.flags
                          ->evaluate(contract::kResponseContractFlag, facts.client, facts.now,
                                     /*fallback=*/true)
                          .enabled;
  if (action == "capabilities" && arguments.find("tool")) {
    const auto named = named_tool(arguments, facts);
    return {named ? capabilities_of_tool(**named) : named.error(), std::nullopt};
  }
  if (action == "capabilities") {
    return {contract::capabilities(facts.version, facts.features, has_v2), std::nullopt};
  }
  if (action == "capability-negotiate") {
    contract::CapabilityAnswer answer = contract::negotiate_capabilities(
        arguments, facts.features, has_v2, facts.contract, facts.has_session);
    return {std::move(answer.response), std::move(answer.contract)};
  }
  if (action == "tools") return {list_tools(facts), std::nullopt};
  if (action == "schema") return {schema_of_tool(arguments, facts), std::nullopt};
  if (action == "flags") return {list_flags(facts), std::nullopt};
  if (action.empty()) {
    return {contract::make_failure(contract::failures::MissingRequired{.field = "action"}),
            std::nullopt};
  }
  return {contract::make_failure(contract::failures::UnknownAction{
              .tool = std::string(kServerTool), .action = action, .allowed = action_names()}),
          std::nullopt};
}

std::string_view server_tool_description() {
  return "About this server: its capabilities, the response contract (capability-negotiate), its "
         "tools, the schema of one tool, its feature flags.";
}

json::Value server_tool_input_schema() {
  json::Writer writer;
  writer.begin_object().member("type", "object").key("properties").begin_object();
  writer.key("action").begin_object().member("type", "string").key("enum").begin_array();
  for (const std::string_view action : kActions) writer.string(action);
  writer.end_array().end_object();
  writer.key("tool").begin_object().member("type", "string");
  writer.member("description", "Actions schema and capabilities: name of a tool.").end_object();
  writer.key("client_capabilities").begin_object().member("type", "object");
  writer.member("description", R"(Negotiation: {"response_contract": "v2"}.)").end_object();
  // anyOf, not two types: some clients support only one type per schema.
  writer.key("requested_version").begin_object().key("anyOf").begin_array();
  writer.begin_object().member("type", "string").end_object();
  writer.begin_object().member("type", "number").end_object().end_array();
  writer.member("description", "Negotiation: a contract or its version, such as response-v2.");
  writer.end_object();
  writer.key("requested_features").begin_object().key("anyOf").begin_array();
  writer.begin_object().member("type", "array").end_object();
  writer.begin_object().member("type", "string").end_object().end_array();
  writer.member("description", "Negotiation: names of features.").end_object();
  writer.end_object().key("required").begin_array().string("action").end_array().end_object();
  return std::move(writer).finish_value();
}

json::Value server_tool_payload_schema() {
  json::Writer writer;
  writer.begin_object().member("type", "object").end_object();
  return std::move(writer).finish_value();
}

ToolFact fact_of(const OfferedTool& tool, AnswerContract contract) {
  return {tool.spec.name, tool.spec.description, tool.spec.input_schema,
          tool.output_schema(contract)};
}

Result<std::unique_ptr<LocalTools>> LocalTools::create(const AnswerServices& services,
                                                       const std::set<std::string>& taken,
                                                       OtherTools others) {
  std::unique_ptr<LocalTools> made(new LocalTools(services, std::move(others)));
  const ServiceSettings& settings = *services.settings;
  // Calls of enfold_fetch leave one worker to other tools, and those of one principal leave one
  // place in the lane to the others.
  const std::size_t running = std::max<std::size_t>(settings.workers, 2) - 1;
  made->fetch_lane_ = std::make_shared<FairLane>(
      FairLane::Bounds{.running = running,
                       .running_per_principal = std::max<std::size_t>(running, 2) - 1,
                       .waiting_per_principal = kMaxWaitingFetches});
  if (!settings.local_tools) return made;
  const auto add = [&](ToolSpec spec, bool rate_limited) -> Status {
    if (taken.contains(spec.name)) return {};
    ENFOLD_TRY(OfferedTool tool,
               offer(std::move(spec), ArgumentPolicy::read, services.version, settings.redaction));
    tool.rate_limited = rate_limited;
    made->tools_.push_back(std::move(tool));
    return {};
  };
  if (settings.server_tool) ENFOLD_TRY(add(server_spec(), /*rate_limited=*/false));
  if (settings.keeps_originals) ENFOLD_TRY(add(fetch_spec(), /*rate_limited=*/true));
  return made;
}

Status check_tool_name(std::string_view name, const ServiceSettings& settings) {
  const bool is_server = name == kServerTool && settings.server_tool;
  const bool is_fetch = name == kFetchTool && settings.keeps_originals;
  if (!settings.local_tools || (!is_server && !is_fetch)) return {};
  return fail(
      ErrorCode::invalid_input,
      fmt::format("tool {}: expected another name, because Enfold offers a tool of this name",
                  name),
      "tools",
      is_server ? "rename it, or leave Enfold's out with settings.server_tool = false"
                : "rename it: enfold_fetch returns what was cut from answers");
}

const OfferedTool* LocalTools::find(std::string_view name) const {
  const auto found = std::find_if(tools_.begin(), tools_.end(),
                                  [&](const OfferedTool& tool) { return tool.spec.name == name; });
  return found == tools_.end() ? nullptr : &*found;
}

std::shared_ptr<serve::OpenCall> LocalTools::begin(
    const OfferedTool& tool, mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel,
    ClientTerms client) {
  auto cancellation = std::make_shared<serve::Cancellation>();
  if (tool.spec.name == kServerTool) {
    std::make_shared<ServerRun>(tools_, others_, tool, services_, running_, std::move(call),
                                channel, std::move(client), cancellation)
        ->start();
  } else {
    std::make_shared<FetchRun>(fetch_lane_, tool, services_, running_, std::move(call), channel,
                               std::move(client), cancellation)
        ->start();
  }
  return cancellation;
}

}  // namespace enfold::tools
