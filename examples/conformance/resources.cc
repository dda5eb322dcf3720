// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/document.h"
#include "fixtures.h"

#include <algorithm>

namespace conformance {
namespace {

using namespace enfold;
using server::Answer;
using server::Context;
using server::NeedsInput;
using server::PromptText;
using server::ResourceContent;
using server::Texts;

server::ReadResource always(ResourceContent content) {
  return [content = std::move(content)](const std::string&, const Texts&, Context&) {
    return Answer<ResourceContent>(content);
  };
}

Answer<ResourceContent> data_of(const std::string&, const Texts& variables, Context&) {
  const std::string& id = variables.at("id");
  json::Writer writer;
  writer.begin_object().member("id", id).member("templateTest", true);
  writer.member("data", "Data for ID: " + id).end_object();
  return ResourceContent{"application/json", std::move(writer).finish().str(), ""};
}

server::PromptMessage block(const json::Value& content) { return {"user", content}; }

json::Value embedded(std::string_view uri) {
  json::Writer writer;
  writer.begin_object().member("type", "resource").key("resource").begin_object();
  writer.member("uri", uri).member("mimeType", "text/plain");
  writer.member("text", "Embedded resource content for testing.").end_object().end_object();
  return std::move(writer).finish_value();
}

json::Value picture() {
  json::Writer writer;
  writer.begin_object().member("type", "image").member("data", kPng);
  writer.member("mimeType", "image/png").end_object();
  return std::move(writer).finish_value();
}

std::vector<std::string> towns(const std::string& typed) {
  std::vector<std::string> known{"paris", "park", "party"};
  std::erase_if(known, [&](const std::string& town) { return !town.starts_with(typed); });
  return known;
}

Answer<PromptText> with_context(const Texts&, Context& context) {
  if (const json::Value* said = context.input("user_context")) {
    const auto elicited = mcp::read_elicit_result(said->view());
    const auto text =
        elicited ? json::string_member(elicited->content.view(), "context") : std::nullopt;
    if (text) return PromptText{"", {server::user_text("Context: " + *text)}};
  }
  const json::Value schema = json::parse_own(
      R"({"type":"object","properties":{"context":{"type":"string"}},"required":["context"]})");
  return NeedsInput{
      {mcp::ask_form("user_context", "What context should the prompt use?", schema.view())}, {}};
}

}  // namespace

void add_resources(server::Server& server) {
  const mcp::CacheHint minute{std::chrono::minutes(1), mcp::CacheHint::Scope::for_everyone};
  server.resource({.uri = "test://static-text",
                   .name = "static-text",
                   .description = "A text that never changes",
                   .mime_type = "text/plain",
                   .cache = minute,
                   .read = always({"", "This is the content of the static text resource.", ""})});
  server.resource({.uri = "test://static-binary",
                   .name = "static-binary",
                   .description = "A picture of one pixel",
                   .mime_type = "image/png",
                   .cache = minute,
                   .read = always({"", "", std::string(kPng)})});
  server.resource({.uri = "test://watched-resource",
                   .name = "watched-resource",
                   .description = "A resource to subscribe to",
                   .mime_type = "text/plain",
                   .read = always({"", "Watched resource content", ""})});
  server.resource_template({.uri = "test://template/{id}/data",
                            .name = "template",
                            .description = "Data by its id",
                            .mime_type = "application/json",
                            .read = data_of});
}

void add_prompts(server::Server& server) {
  server.prompt({.name = "test_simple_prompt",
                 .description = "Takes nothing",
                 .get = [](const Texts&, Context&) -> Answer<PromptText> {
                   return PromptText{"",
                                     {server::user_text("This is a simple prompt for testing.")}};
                 }});
  server.prompt(
      {.name = "test_prompt_with_arguments",
       .description = "Repeats its arguments",
       .arguments = {{"arg1", "The first", true, towns}, {"arg2", "The second", true, {}}},
       .get = [](const Texts& given, Context&) -> Answer<PromptText> {
         return PromptText{"",
                           {server::user_text("Prompt with arguments: arg1='" + given.at("arg1") +
                                              "', arg2='" + given.at("arg2") + "'")}};
       }});
  server.prompt({.name = "test_prompt_with_embedded_resource",
                 .description = "Holds a resource",
                 .arguments = {{"resourceUri", "Its address", true, {}}},
                 .get = [](const Texts& given, Context&) -> Answer<PromptText> {
                   return PromptText{
                       "",
                       {block(embedded(given.at("resourceUri"))),
                        server::user_text("Please process the embedded resource above.")}};
                 }});
  server.prompt({.name = "test_prompt_with_image",
                 .description = "Holds a picture",
                 .get = [](const Texts&, Context&) -> Answer<PromptText> {
                   return PromptText{
                       "",
                       {block(picture()), server::user_text("Please analyze the image above.")}};
                 }});
  server.prompt({.name = "test_input_required_result_prompt",
                 .description = "Asks the user before it answers",
                 .get = with_context});
}

}  // namespace conformance
