// SPDX-License-Identifier: Apache-2.0
// Tools that ask the client: its model, or its user through a form.
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

struct Prompted {
  std::string prompt;
  static constexpr auto arguments() {
    return server::arguments(server::argument("prompt", &Prompted::prompt));
  }
};

struct Message {
  std::string message;
  static constexpr auto arguments() {
    return server::arguments(server::argument("message", &Message::message));
  }
};

json::Value sampling_params(std::string_view text) {
  json::Writer writer;
  writer.begin_object().key("messages").begin_array().begin_object().member("role", "user");
  writer.member("content", mcp::text_block(text)).end_object().end_array();
  writer.key("maxTokens").integer(100).end_object();
  return std::move(writer).finish_value();
}

Answer<Text> sample(const Prompted& asked, Context& context) {
  const json::Value* said = context.input("answer");
  if (said == nullptr) {
    return NeedsInput{{mcp::ask_sampling("answer", sampling_params(asked.prompt))}, {}};
  }
  const auto content = (*said)->find("content");
  return Text{"LLM response: " + (content ? json::to_text(*content) : std::string("none"))};
}

Answer<Text> ask(std::string_view message, std::string_view schema, Context& context) {
  const json::Value* said = context.input("form");
  if (said == nullptr) {
    return NeedsInput{{mcp::ask_form("form", message, json::parse_own(schema).view())}, {}};
  }
  const auto action = json::string_member(said->view(), "action").value_or("none");
  const auto content = (*said)->find("content");
  return Text{"Elicitation completed: action=" + action +
              ", content=" + (content ? json::to_text(*content) : std::string("{}"))};
}

constexpr std::string_view kUserForm = R"({"type": "object",
  "properties": {"username": {"type": "string"}, "email": {"type": "string"}},
  "required": ["username", "email"]})";

constexpr std::string_view kDefaultsForm = R"({"type": "object", "properties": {
  "name": {"type": "string", "default": "John Doe"},
  "age": {"type": "integer", "default": 30},
  "score": {"type": "number", "default": 95.5},
  "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
  "verified": {"type": "boolean", "default": true}}, "required": []})";

constexpr std::string_view kEnumsForm = R"({"type": "object", "properties": {
  "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
  "titledSingle": {"type": "string", "oneOf": [
    {"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"},
    {"const": "value3", "title": "Third Option"}]},
  "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
    "enumNames": ["Option One", "Option Two", "Option Three"]},
  "untitledMulti": {"type": "array", "items": {"type": "string",
    "enum": ["option1", "option2", "option3"]}},
  "titledMulti": {"type": "array", "items": {"anyOf": [
    {"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"},
    {"const": "value3", "title": "Third Choice"}]}}}, "required": []})";

}  // namespace

void add_session_tools(server::Server& server) {
  server.tool("test_sampling", "Asks the client's model", sample);
  server.tool("test_elicitation", "Asks the user for a name and an address",
              [](const Message& asked, Context& context) {
                return ask(asked.message, kUserForm, context);
              });
  server.tool("test_elicitation_sep1034_defaults", "Asks with a form that has defaults",
              [](const NoArguments&, Context& context) {
                return ask("Please review the values", kDefaultsForm, context);
              });
  server.tool("test_elicitation_sep1330_enums", "Asks with a form that has choices",
              [](const NoArguments&, Context& context) {
                return ask("Please choose", kEnumsForm, context);
              });
}

}  // namespace conformance
