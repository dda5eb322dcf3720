// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/document.h"
#include "fixtures.h"

namespace conformance {
namespace {

using namespace enfold;
using server::Answer;
using server::Context;
using server::PromptText;
using server::ResourceContent;

struct DataId {
  std::string id;
  static constexpr auto fields() { return server::fields<&DataId::id>(); }
};

std::string data_of(const DataId& asked) {
  json::Writer writer;
  writer.begin_object().member("id", asked.id).member("templateTest", true);
  writer.member("data", "Data for ID: " + asked.id).end_object();
  return std::move(writer).finish().str();
}

struct TwoArguments {
  std::string arg1;
  std::string arg2;
  static constexpr auto fields() {
    return server::fields(server::field<&TwoArguments::arg1>().describe("The first"),
                          server::field<&TwoArguments::arg2>().describe("The second"));
  }
};

std::string with_arguments(const TwoArguments& asked) {
  return "Prompt with arguments: arg1='" + asked.arg1 + "', arg2='" + asked.arg2 + "'";
}

struct Embedded {
  std::string uri;
  static constexpr auto fields() {
    return server::fields(server::field<&Embedded::uri>("resourceUri").describe("Its address"));
  }
};

PromptText with_resource(const Embedded& asked) {
  return {"",
          {{"user", server::text_resource_block(asked.uri, "text/plain",
                                                "Embedded resource content for testing.")},
           server::user_text("Please process the embedded resource above.")}};
}

PromptText with_image() {
  return {"",
          {{"user", server::image_block(kPng, "image/png")},
           server::user_text("Please analyze the image above.")}};
}

struct UserContext {
  std::string context;
  static constexpr auto fields() { return server::fields<&UserContext::context>(); }
};

Answer<PromptText> with_context(Context& context) {
  const auto user =
      context.elicit<UserContext>("What context should the prompt use?", "user_context");
  if (!user.is_answered()) return user.question();
  return PromptText{
      "", {server::user_text("Context: " + (user.is_accepted() ? user->context : "none"))}};
}

}  // namespace

void add_resources(server::Server& server) {
  const mcp::CacheHint minute{std::chrono::minutes(1), mcp::CacheHint::Scope::for_everyone};
  server
      .resource("test://static-text", "static-text",
                [] { return "This is the content of the static text resource."; })
      .describe("A text that never changes")
      .mime_type("text/plain")
      .cache(minute);
  server
      .resource("test://static-binary", "static-binary",
                [] { return ResourceContent{"", "", std::string(kPng)}; })
      .describe("A picture of one pixel")
      .mime_type("image/png")
      .cache(minute);
  server
      .resource("test://watched-resource", "watched-resource",
                [] { return "Watched resource content"; })
      .describe("A resource to subscribe to")
      .mime_type("text/plain");
  server.resource_template("test://template/{id}/data", "template", data_of)
      .describe("Data by its id")
      .mime_type("application/json");
}

void add_prompts(server::Server& server) {
  server.prompt("test_simple_prompt", "Takes nothing",
                [] { return "This is a simple prompt for testing."; });
  server.prompt("test_prompt_with_arguments", "Repeats its arguments", with_arguments)
      .complete("arg1", {"paris", "park", "party"});
  server.prompt("test_prompt_with_embedded_resource", "Holds a resource", with_resource);
  server.prompt("test_prompt_with_image", "Holds a picture", with_image);
  server.prompt("test_input_required_result_prompt", "Asks the user before it answers",
                with_context);
}

}  // namespace conformance
