// SPDX-License-Identifier: Apache-2.0
// A server as its author writes it: a name, settings, and what it offers. Nothing here opens or
// starts anything; run.h serves it.
//   server::Server hello("hello", "1.0.0");
//   hello.tool("greet", "Says hello to a person", greet).read_only();
//   return server::run(hello, argc, argv);
#pragma once

#include "enfold/mcp/types/uri_template.h"
#include "enfold/server/offers.h"
#include "enfold/server/tool.h"
#include "enfold/tools/settings.h"

#include <cstdlib>
#include <deque>
#include <functional>
#include <optional>
#include <string>

namespace enfold::server {

/// How a server answers and what it allows. Every member has a default that is safe on a laptop.
using Settings = tools::ServiceSettings;

class Server {
 public:
  Server(std::string name, std::string version, Settings settings = {});

  /// What `initialize` tells about the server beside name and version.
  std::string title;
  std::string instructions;

  /// Over HTTP: the principal that the key of a request belongs to (nullopt: it has no key). The
  /// result nullopt refuses the request with 401. Not set: every caller is Settings::principal.
  std::function<std::optional<std::string>(std::optional<std::string_view> key)> identify;

  /// A handler is a function, or an object whose operator() is const; it may own what can only be
  /// moved. It takes a struct with fields() (or a json::Value: any object) and a Context&, one of
  /// them, or nothing, and returns a struct with fields(), a variant of several, or a Result or an
  /// Answer of these. One that answers later takes a Reply as its last parameter and returns
  /// nothing (reply.h). A name that is taken, or that is not valid for a tool, ends the program.
  template <class Function>
  Tool tool(std::string name, std::string description, Function handler) {
    using Fault = detail::HandlerFault;
    constexpr Fault fault = detail::fault_of<Function>();
    static_assert(fault != Fault::not_callable,
                  "a handler is a function, or an object with one const operator()");
    static_assert(fault != Fault::parameters,
                  "a handler takes (const Request&, server::Context&), one of them, or nothing; if "
                  "it answers later, a server::Reply<Response> by value as its last parameter");
    static_assert(fault != Fault::reply,
                  "a handler that takes a server::Reply returns void: it answers with "
                  "Reply::finish()");
    static_assert(
        fault != Fault::request,
        "the request of a handler is a struct that declares its members: static constexpr "
        "auto fields() { return server::fields<&Request::member>(); }");
    static_assert(fault != Fault::raw_json,
                  "raw JSON cannot be a response: declare a struct with fields()");
    static_assert(
        fault != Fault::response,
        "a handler returns a struct that declares its members, a variant of several, or a "
        "Result or server::Answer of these: a response type must declare its fields: static "
        "constexpr auto fields() { return server::fields<&Response::member>(); }");
    if constexpr (fault == Fault::none) {
      return add(detail::make_tool(std::move(name), std::move(description), std::move(handler)));
    } else {
      std::abort();
    }
  }
  /// A handler that is a member function of `object`, which must outlive the server, or is a
  /// shared_ptr that the tool keeps.
  template <class Class, class Method, class Object>
  Tool tool(std::string name, std::string description, Method Class::* method, Object& object) {
    return tool(std::move(name), std::move(description),
                detail::bound(method, static_cast<Class*>(&object)));
  }
  template <class Class, class Method, class Object>
  Tool tool(std::string name, std::string description, Method Class::* method,
            std::shared_ptr<Object> object) {
    return tool(std::move(name), std::move(description), detail::bound(method, std::move(object)));
  }
  // Resources and prompts run on workers, so they may wait; several may run at once.
  /// `read` takes a Context& or nothing and returns a text, a ResourceContent, or a Result or an
  /// Answer of these.
  template <class Function>
  Resource resource(std::string uri, std::string name, Function read) {
    return resource(detail::make_resource(std::move(uri), std::move(name), std::move(read)));
  }
  /// `read` takes the variables of the URI template as a struct with fields(), and a Context& if it
  /// wants one. Ends the program if `uri` is not a valid URI template.
  template <class Function>
  Resource resource_template(std::string uri, std::string name, Function read) {
    return resource_template(
        detail::make_resource(std::move(uri), std::move(name), std::move(read)));
  }
  /// `get` takes the arguments as a struct with fields(), and a Context& if it wants one, and
  /// returns a text, a PromptText, or a Result or an Answer of these.
  template <class Function>
  Prompt prompt(std::string name, std::string description, Function get) {
    return prompt(detail::make_prompt(std::move(name), std::move(description), std::move(get)));
  }
  Resource resource(ResourceSpec spec) {
    return Resource(resources_.emplace_back(std::move(spec)));
  }
  Resource resource_template(ResourceSpec spec);
  Prompt prompt(PromptSpec spec) { return Prompt(prompts_.emplace_back(std::move(spec))); }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] Settings& settings() { return settings_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

  struct Template {
    ResourceSpec spec;
    mcp::UriTemplate uri;
  };
  [[nodiscard]] const std::deque<ToolSpec>& tools() const { return tools_; }
  [[nodiscard]] const std::deque<ResourceSpec>& resources() const { return resources_; }
  [[nodiscard]] const std::deque<Template>& templates() const { return templates_; }
  [[nodiscard]] const std::deque<PromptSpec>& prompts() const { return prompts_; }

 private:
  Tool add(ToolSpec spec);

  std::string name_;
  std::string version_;
  Settings settings_;
  // Deques, because Tool, Resource and Prompt point to elements while others are added.
  std::deque<ToolSpec> tools_;
  std::deque<ResourceSpec> resources_;
  std::deque<Template> templates_;
  std::deque<PromptSpec> prompts_;
};

}  // namespace enfold::server
