// SPDX-License-Identifier: Apache-2.0
// Tools that answer at once, with each kind of content, and those that report while they run.
#include "enfold/contract/errors/failures.h"
#include "fixtures.h"

#include <chrono>
#include <thread>

namespace conformance {
namespace {

using namespace enfold;
using server::Answer;
using server::BlocksOnly;
using server::Context;
using server::NoArguments;
using server::Text;

constexpr std::chrono::milliseconds kStep{50};

Text simple_text(const NoArguments&) { return {"This is a simple text response for testing."}; }

BlocksOnly image(const NoArguments&, Context& context) {
  context.attach(server::image_block(kPng, "image/png"));
  return {};
}

BlocksOnly audio(const NoArguments&, Context& context) {
  context.attach(server::audio_block(kWav, "audio/wav"));
  return {};
}

BlocksOnly embedded(const NoArguments&, Context& context) {
  context.attach(server::text_resource_block("test://embedded-resource", "text/plain",
                                             "This is an embedded resource content."));
  return {};
}

Text mixed(const NoArguments&, Context& context) {
  context.attach(server::image_block(kPng, "image/png"));
  context.attach(server::text_resource_block("test://mixed-content-resource", "application/json",
                                             R"({"test":"data","value":123})"));
  return {"Multiple content types test:"};
}

Answer<Text> always_fails(const NoArguments&) {
  return contract::make_failure(
      contract::failures::Other{.message = "This tool intentionally returns an error for testing"});
}

Text log_thrice(const NoArguments&, Context& context) {
  for (const char* text :
       {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    context.log(mcp::LogLevel::info, text);
    std::this_thread::sleep_for(kStep);
  }
  return {"logged"};
}

Text progress(const NoArguments&, Context& context) {
  for (const double done : {0.0, 50.0, 100.0}) {
    context.progress(done, 100);
    std::this_thread::sleep_for(kStep);
  }
  return {"progress done"};
}

Text reconnect(const NoArguments&, Context& context) {
  context.outbox().close_stream();
  std::this_thread::sleep_for(2 * kStep);
  return {"reconnected"};
}

Text change_tools(const NoArguments&, Context& context) {
  server::Offers offers = context.offers();
  offers.tool("test_added_tool", "Was added while the server runs", simple_text);
  offers.remove_tool("test_added_tool");
  return {"changed"};
}

Text change_prompts(const NoArguments&, Context& context) {
  server::Offers offers = context.offers();
  offers.prompt("test_added_prompt", "Was added while the server runs", [] { return "Added"; });
  offers.remove_prompt("test_added_prompt");
  return {"changed"};
}

struct Region {
  std::optional<std::string> region;
  std::optional<std::int64_t> n;
  static constexpr auto arguments() {
    return server::arguments(server::argument("region", &Region::region).header("Region"),
                             server::argument("n", &Region::n).header("N"));
  }
};

Text echo_region(const Region& asked) { return {"region: " + asked.region.value_or("none")}; }

Text echo_arguments(const json::Value& arguments) { return {json::to_text(arguments.view())}; }

constexpr std::string_view kSchema2020 = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {
    "street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}},
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false})";

}  // namespace

void add_content_tools(server::Server& server) {
  server.tool("test_simple_text", "Answers with a text", simple_text);
  server.tool("test_image_content", "Answers with an image", image);
  server.tool("test_audio_content", "Answers with a sound", audio);
  server.tool("test_embedded_resource", "Answers with a resource", embedded);
  server.tool("test_multiple_content_types", "Answers with text, image and resource", mixed);
  server.tool("test_error_handling", "Always fails", always_fails);
  server.tool("test_tool_with_logging", "Logs three messages", log_thrice).slow();
  server.tool("test_logging_tool", "Logs three messages", log_thrice).slow();
  server.tool("test_tool_with_progress", "Reports 0, 50 and 100 of 100", progress).slow();
  server.tool("test_reconnection", "Closes its stream before it answers", reconnect).slow();
  server.tool("test_trigger_tool_change", "Says that the tools have changed", change_tools);
  server.tool("test_trigger_prompt_change", "Says that the prompts have changed", change_prompts);
  server.tool("test_x_mcp_header", "Takes arguments that are repeated in headers", echo_region);
  server.tool("json_schema_2020_12_tool", "Has an input schema with many keywords", echo_arguments)
      .input_schema(json::parse_own(kSchema2020));
}

}  // namespace conformance
