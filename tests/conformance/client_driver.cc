// SPDX-License-Identifier: Apache-2.0
// The client under test of the official conformance suite. The suite starts a server for each
// scenario and this program with the server's address as its last argument; the environment says
// which scenario and which protocol revision. It does what the scenario is about and ends with 0.
#include "enfold/client/blocking.h"
#include "enfold/json/document.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace enfold;

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

int complain(const Error& error) {
  std::fprintf(stderr, "error: %s\n  at %s\nhint: %s\n", error.message.c_str(), error.where.c_str(),
               error.hint.c_str());
  return 1;
}

client::ClientOptions options_for(const std::string& version, const std::string& scenario) {
  client::ClientOptions options;
  options.info = json::parse_own(R"({"name":"enfold-conformance-driver","version":"1.0.0"})");
  options.capabilities = mcp::Capabilities(json::parse_own(
      R"({"elicitation":{"form":{"applyDefaults":true}},"sampling":{},"roots":{}})"));
  options.eras = mcp::is_stateless(version) ? client::ClientOptions::Eras::stateless
                                            : client::ClientOptions::Eras::sessions;
  options.idle_timeout = std::chrono::seconds(20);
  // It measures when a client comes back to the stream of its call; the stream that belongs to no
  // call, opened late on a busy machine, would be mistaken for that.
  options.listens = scenario != "sse-retry";
  return options;
}

// A user who accepts every form as it is proposed, and confirms what is to be confirmed.
json::Value fill_in(json::View params) {
  const auto schema = mcp::object_member(params, "requestedSchema");
  json::Writer content;
  content.begin_object();
  const auto properties = schema ? mcp::object_member(*schema, "properties") : std::nullopt;
  if (properties) {
    for (const json::Member& one : properties->members()) {
      const auto type = one.value.find("type");
      if (const auto value = one.value.find("default")) {
        content.member(one.key.string(), *value);
      } else if (type && type->equals("boolean")) {
        content.member(one.key.string(), true);
      }
    }
  }
  content.end_object();
  const json::Value given = std::move(content).finish_value();
  json::Writer writer;
  writer.begin_object().member("action", "accept").key("content");
  writer.value(given).end_object();
  return std::move(writer).finish_value();
}

mcp::ResultOrError answer_to(const mcp::InputRequest& request) {
  switch (mcp::method_from_name(request.method)) {
    case mcp::Method::elicitation: return fill_in(request.params.view());
    case mcp::Method::roots: return json::parse_own(R"({"roots":[]})");
    case mcp::Method::sampling:
      return json::parse_own(R"({"role":"assistant","model":"none","stopReason":"endTurn",)"
                             R"("content":{"type":"text","text":"a sample"}})");
    default: return tl::unexpected(mcp::method_not_found(request.method));
  }
}

class Driver {
 public:
  Driver(client::BlockingClient& client, std::string scenario, json::Value context)
      : client_(client), scenario_(std::move(scenario)), context_(std::move(context)) {}

  int run() {
    const auto tools = client_.tools();
    if (!tools) return complain(tools.error().error);
    for (const client::UnusableTool& one : tools->unusable) {
      std::fprintf(stderr, "not used: %s: %s\n", one.name.c_str(), one.why.message.c_str());
    }
    if (const auto calls = context_->is_object() ? context_->find("toolCalls") : std::nullopt) {
      return call_listed(*tools, *calls);
    }
    if (scenario_ == "json-schema-2020-12-preservation") return echo_schema(*tools);
    if (scenario_ == "http-standard-headers") return call_everything(*tools);
    const json::Value sum = json::parse_own(R"({"a":2,"b":3})");
    for (const client::OfferedTool& tool : tools->tools) {
      // A tool that is there to fail is called like the others; what counts is on the wire.
      (void)call(tool, takes(tool, "a") ? sum : json::parse_own("{}"));
    }
    return 0;
  }

 private:
  static bool takes(const client::OfferedTool& tool, std::string_view argument) {
    const auto properties = mcp::object_member(tool.tool.input_schema.view(), "properties");
    return properties && properties->find(argument);
  }

  bool call(const client::OfferedTool& tool, json::Value arguments) {
    const auto outcome = client_.call(client::request_for(tool, std::move(arguments)));
    if (!outcome) complain(outcome.error().error);
    return outcome.has_value();
  }

  int call_listed(const client::Toolbox& tools, json::View calls) {
    int failed = 0;
    for (const json::View one : calls.items()) {
      const std::string name = json::string_member(one, "name").value_or("");
      const auto tool = client::choose(tools, name);
      const auto arguments = one.find("arguments");
      if (!tool || !call(**tool, arguments ? json::Value(*arguments) : json::Value())) ++failed;
    }
    return failed == 0 ? 0 : 1;
  }

  // The schema that the server announces for one tool comes back as an argument of the other.
  int echo_schema(const client::Toolbox& tools) {
    const client::OfferedTool* echo = nullptr;
    const client::OfferedTool* described = nullptr;
    for (const client::OfferedTool& tool : tools.tools) {
      (tool.tool.name.find("echo") != std::string::npos ? echo : described) = &tool;
    }
    if (echo == nullptr || described == nullptr) return 1;
    json::Writer writer;
    writer.begin_object().member("schema", described->tool.input_schema).end_object();
    return call(*echo, std::move(writer).finish_value()) ? 0 : 1;
  }

  int call_everything(const client::Toolbox& tools) {
    for (const client::OfferedTool& tool : tools.tools) (void)call(tool, json::parse_own("{}"));
    each(mcp::Method::resources_list, "uri", "resources/read");
    each(mcp::Method::prompts_list, "name", "prompts/get");
    return 0;
  }

  void each(mcp::Method listing, std::string_view key, std::string_view method) {
    const auto listed = client_.list(listing);
    if (!listed) return;
    for (const json::Value& item : listed->items) {
      json::Writer writer;
      writer.begin_object().member(key, json::string_member(item.view(), key).value_or(""));
      writer.end_object();
      const auto got = client_.request(method, std::move(writer).finish_value());
      if (!got) complain(got.error().error);
    }
  }

  client::BlockingClient& client_;
  std::string scenario_;
  json::Value context_;
};

int drive(const char* url) {
  const std::string version = environment("MCP_CONFORMANCE_PROTOCOL_VERSION", "2025-11-25");
  const std::string scenario = environment("MCP_CONFORMANCE_SCENARIO", "");
  const auto context = json::parse(environment("MCP_CONFORMANCE_CONTEXT", "{}"));
  auto target = client::http_target(url);
  if (!target) return complain(target.error());
  client::BlockingClient* asked = nullptr;
  const auto on_event = [&asked](const client::Event& event) {
    const auto* ask = std::get_if<mcp::ServerRequest>(&event);
    if (ask != nullptr) asked->client().answer(ask->key, answer_to(ask->request));
  };
  auto opened =
      client::BlockingClient::open(std::move(*target), options_for(version, scenario), on_event);
  if (!opened) return complain(opened.error());
  client::BlockingClient& client = **opened;
  asked = &client;
  const auto server = client.connect();
  if (!server) return complain(server.error());
  const int code = Driver(client, scenario, context ? context->value() : json::Value()).run();
  client.close();
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: conformance_client URL, started by the conformance suite\n");
    return 5;
  }
  return drive(argv[argc - 1]);
}
