// SPDX-License-Identifier: Apache-2.0
// Tools that need several round trips: questions in one answer, answers with the next call, and a
// state that the client carries between them.
#include "enfold/json/document.h"
#include "fixtures.h"

namespace conformance {
namespace {

using namespace enfold;
using server::Answer;
using server::Context;
using server::NeedsInput;
using server::NoArguments;
using server::Text;

mcp::InputRequest form(std::string key, std::string_view message, std::string_view field,
                       std::string_view type) {
  json::Writer schema;
  schema.begin_object().member("type", "object").key("properties").begin_object();
  schema.key(field).begin_object().member("type", type).end_object().end_object();
  schema.key("required").begin_array().string(field).end_array().end_object();
  return mcp::ask_form(std::move(key), message, std::move(schema).finish_value().view());
}

mcp::InputRequest ask_name() { return form("user_name", "What is your name?", "name", "string"); }

mcp::InputRequest sampling(std::string key, std::string_view text, std::int64_t tokens) {
  json::Writer writer;
  writer.begin_object().key("messages").begin_array().begin_object().member("role", "user");
  writer.member("content", mcp::text_block(text)).end_object().end_array();
  writer.key("maxTokens").integer(tokens).end_object();
  return mcp::ask_sampling(std::move(key), std::move(writer).finish_value());
}

json::Value step(std::int64_t number) {
  json::Writer writer;
  writer.begin_object().key("step").integer(number).end_object();
  return std::move(writer).finish_value();
}

Answer<Text> elicit(const NoArguments&, Context& context) {
  if (const json::Value* said = context.input("user_name")) {
    const auto elicited = mcp::read_elicit_result(said->view());
    const auto name =
        elicited ? json::string_member(elicited->content.view(), "name") : std::nullopt;
    if (name) return Text{"Hello, " + *name + "!"};
  }
  return NeedsInput{{ask_name()}, {}};
}

Answer<Text> sample(const NoArguments&, Context& context) {
  const json::Value* said = context.input("capital_question");
  const auto content = said != nullptr ? (*said)->find("content") : std::nullopt;
  if (content) return Text{"Sampled: " + json::to_text(*content)};
  return NeedsInput{{sampling("capital_question", "What is the capital of France?", 100)}, {}};
}

Answer<Text> list_roots(const NoArguments&, Context& context) {
  const json::Value* said = context.input("client_roots");
  if (said == nullptr || !(*said)->find("roots")) {
    return NeedsInput{{mcp::ask_roots("client_roots")}, {}};
  }
  std::string text = "Roots:";
  for (const mcp::Root& root : mcp::read_roots(said->view())) text += " " + root.uri;
  return Text{text};
}

Answer<Text> with_state(const NoArguments&, Context& context) {
  if (context.state() && context.input("confirm") != nullptr) return Text{"state-ok"};
  return NeedsInput{{form("confirm", "Please confirm", "ok", "boolean")}, step(1)};
}

Answer<Text> several(const NoArguments&, Context& context) {
  if (context.input("user_name") != nullptr && context.input("greeting") != nullptr &&
      context.input("client_roots") != nullptr) {
    return Text{"all inputs received"};
  }
  return NeedsInput{
      {ask_name(), sampling("greeting", "Generate a greeting", 50), mcp::ask_roots("client_roots")},
      step(1)};
}

Answer<Text> two_rounds(const NoArguments&, Context& context) {
  const auto number = context.state() ? (*context.state())->find("step") : std::nullopt;
  if (!number) {
    return NeedsInput{{form("step1", "Step 1: What is your name?", "name", "string")}, step(1)};
  }
  if (number->integer() == 1) {
    return NeedsInput{{form("step2", "Step 2: What is your favorite color?", "color", "string")},
                      step(2)};
  }
  return Text{"multi-round complete"};
}

Answer<Text> by_capability(const NoArguments&, Context& context) {
  NeedsInput needs;
  if (context.client_can("sampling")) needs.requests.push_back(sampling("q", "hi", 100));
  if (context.client_can("elicitation")) needs.requests.push_back(ask_name());
  if (needs.requests.empty()) return Text{"no capability"};
  return needs;
}

Answer<Text> always_asks(const NoArguments&, Context&) { return NeedsInput{{ask_name()}, {}}; }

Answer<Text> needs_sampling(const NoArguments&, Context& context) {
  const bool stateless = context.facts().caller->era == mcp::Era::stateless;
  if (!stateless || context.input("q") != nullptr) return Text{"ok"};
  return NeedsInput{{sampling("q", "hi", 100)}, {}};
}

}  // namespace

void add_input_tools(server::Server& server) {
  const std::string prefix = "test_input_required_result_";
  server.tool(prefix + "elicitation", "Asks for a name", elicit);
  server.tool(prefix + "sampling", "Asks the client's model", sample);
  server.tool(prefix + "list_roots", "Asks for the client's roots", list_roots);
  server.tool(prefix + "request_state", "Asks and keeps a state", with_state);
  server.tool(prefix + "tampered_state", "Asks and keeps a state", with_state);
  server.tool(prefix + "multiple_inputs", "Asks three questions at once", several);
  server.tool(prefix + "multi_round", "Asks twice", two_rounds);
  server.tool(prefix + "capabilities", "Asks what the client can answer", by_capability);
  server.tool("test_streaming_elicitation", "Always asks for a name", always_asks);
  server.tool("test_missing_capability", "Needs a client with a model", needs_sampling);
}

}  // namespace conformance
