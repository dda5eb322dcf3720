// SPDX-License-Identifier: Apache-2.0
// A server as its author writes it: a name, settings, and what it offers. Nothing here opens or
// starts anything; run.h serves it.
//   server::Server hello("hello", "1.0.0");
//   hello.tool("greet", "Says hello to a person", greet).read_only();
//   return server::run(hello, argc, argv);
#pragma once

#include "enfold/mcp/types/catalog.h"
#include "enfold/mcp/types/result.h"
#include "enfold/mcp/types/uri_template.h"
#include "enfold/server/tool.h"
#include "enfold/tools/settings.h"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace enfold::server {

/// How a server answers and what it allows. Every member has a default that is safe on a laptop.
using Settings = tools::ServiceSettings;

/// The texts of a prompt's arguments by name, or the variables of a template.
using Texts = std::map<std::string, std::string, std::less<>>;

/// Completions of what the user has typed so far.
using Complete = std::function<std::vector<std::string>(const std::string& typed)>;

struct ResourceContent {
  std::string mime_type;
  std::string text;
  std::string blob;  ///< Base64; instead of the text when it is not empty
};
using ReadResource = std::function<Answer<ResourceContent>(const std::string& uri,
                                                           const Texts& variables, Context&)>;

struct ResourceSpec {
  std::string uri;  ///< or a URI template
  std::string name;
  std::string description;
  std::string mime_type;
  std::optional<mcp::CacheHint> cache{};
  std::map<std::string, Complete, std::less<>> complete{};  ///< variables of a template
  ReadResource read{};
};

struct PromptMessage {
  std::string role = "user";
  json::Value content;  ///< a content block
};
struct PromptText {
  std::string description;
  std::vector<PromptMessage> messages;
};
using GetPrompt = std::function<Answer<PromptText>(const Texts& arguments, Context&)>;

struct PromptArgumentSpec {
  std::string name;
  std::string description;
  bool required = true;
  Complete complete{};
};
struct PromptSpec {
  std::string name;
  std::string description;
  std::vector<PromptArgumentSpec> arguments{};
  GetPrompt get{};
};

class Server {
 public:
  Server(std::string name, std::string version, Settings settings = {});

  /// What `initialize` tells about the server beside name and version.
  std::string title;
  std::string instructions;

  /// Over HTTP: the principal that the key of a request belongs to; nullopt refuses it with 401.
  /// Not set: every caller is Settings::principal.
  std::function<std::optional<std::string>(std::optional<std::string_view> key)> identify;

  /// A handler is a function, or an object whose operator() is const: it takes a struct with
  /// arguments(), and a Context& if it wants one, and returns a struct with fields(), a variant of
  /// several, or a Result or an Answer of these. A name that is taken, or that is not valid for a
  /// tool, ends the program.
  template <class Function>
  Tool tool(std::string name, std::string description, Function handler) {
    return add(detail::make_tool(std::move(name), std::move(description), std::move(handler)));
  }
  void resource(ResourceSpec spec) { resources_.push_back(std::move(spec)); }
  /// Ends the program if `uri` is not a valid URI template.
  void resource_template(ResourceSpec spec);
  void prompt(PromptSpec spec) { prompts_.push_back(std::move(spec)); }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] Settings& settings() { return settings_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

  struct Template {
    ResourceSpec spec;
    mcp::UriTemplate uri;
  };
  [[nodiscard]] const std::deque<ToolSpec>& tools() const { return tools_; }
  [[nodiscard]] const std::vector<ResourceSpec>& resources() const { return resources_; }
  [[nodiscard]] const std::vector<Template>& templates() const { return templates_; }
  [[nodiscard]] const std::vector<PromptSpec>& prompts() const { return prompts_; }

 private:
  Tool add(ToolSpec spec);

  std::string name_;
  std::string version_;
  Settings settings_;
  std::deque<ToolSpec> tools_;  // stay where they are while the author goes on describing them
  std::vector<ResourceSpec> resources_;
  std::vector<Template> templates_;
  std::vector<PromptSpec> prompts_;
};

/// A text block of a message.
[[nodiscard]] PromptMessage user_text(std::string_view text);

}  // namespace enfold::server
