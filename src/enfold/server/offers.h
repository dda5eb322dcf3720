// SPDX-License-Identifier: Apache-2.0
// The tools, resources and prompts of a server: a handle whose copies share them. They may be added
// and removed from any thread, also while the server runs; clients are told that the lists changed.
//   server::Offers offers = server;  // for a thread that outlives the Server object
//   offers.tool("refund", "Refunds an order", refund);
//   offers.remove_tool("order");
//   offers.resource_updated("shop://about");
#pragma once

#include "enfold/mcp/types/notifications.h"
#include "enfold/mcp/types/uri_template.h"
#include "enfold/server/resource.h"
#include "enfold/server/tool.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::server {

/// A tool, resource or prompt that is offered. One that replaces another of the same name or URI
/// gets the number of that one.
template <class Spec>
struct Offered {
  std::uint64_t number = 0;          ///< larger: added later
  std::shared_ptr<const Spec> spec;  ///< never nullptr
};

/// A resource template, with its URI template compiled.
struct TemplateSpec {
  ResourceSpec resource;  ///< as it was registered
  mcp::UriTemplate uri;   ///< finds the variables of a URI
};

/// Everything that is offered at one moment, each list in the order in which it was added.
struct OfferLists {
  std::vector<Offered<ToolSpec>> tools;          ///< of tools/list
  std::vector<Offered<ResourceSpec>> resources;  ///< of resources/list
  std::vector<Offered<TemplateSpec>> templates;  ///< of resources/templates/list
  std::vector<Offered<PromptSpec>> prompts;      ///< of prompts/list
};

namespace detail {
class OfferState;
}  // namespace detail

/// The tools, resources and prompts of a server; copies share them. May be used from any thread.
///
/// Before the server runs, a name or URI that is taken or not valid ends the program. While it
/// runs, a new declaration replaces that of the same name; one that is not valid is logged
/// (offer_refused) and not added.
class Offers {
 public:
  Offers();
  explicit Offers(std::shared_ptr<detail::OfferState> state) : state_(std::move(state)) {}

  /// A handler is a function, or an object whose operator() is const; it may own what can only be
  /// moved. It takes a struct with fields() (or a json::Value: any object) and a Context&, one of
  /// them, or nothing, and returns a struct with fields(), a variant of several, or a Result or an
  /// Answer of these. One that answers later takes a Reply as its last parameter and returns
  /// nothing (reply.h).
  template <class Function>
  Tool tool(std::string name, std::string description, Function handler) {
    if constexpr (decltype(detail::handler_fault<Function>())::report()) {
      return add(detail::make_tool(std::move(name), std::move(description), std::move(handler)));
    }
    std::abort();  // never reached: a handler with a fault does not compile
  }
  /// A handler that is a member function of `object`: an object or a pointer to one, which must
  /// outlive the server, or a shared_ptr that the tool keeps.
  template <class Class, class Method, class Object>
  Tool tool(std::string name, std::string description, Method Class::* method, Object&& object) {
    auto held = detail::object_of(std::forward<Object>(object));
    if (held == nullptr) {  // the server does not start with a tool that has no handler
      ToolSpec spec;
      spec.name = std::move(name);
      return add(std::move(spec));
    }
    return tool(std::move(name), std::move(description), detail::bound(method, std::move(held)));
  }

  // Resources and prompts run on workers, so they may wait; several may run at once. A member
  // function takes its object as further parameter, as with tools.
  /// `read` takes a Context& or nothing and returns a text, std::vector<std::byte>, a
  /// ResourceContent, or a Result or an Answer of these.
  template <class Function, class... Object>
  Resource resource(std::string uri, std::string name, Function read, Object&&... object) {
    const bool has_no_object = detail::is_null(object...);
    auto function = detail::function_of(read, std::forward<Object>(object)...);
    using Fault = decltype(detail::reader_fault<decltype(function), detail::ToContent>());
    if constexpr (Fault::report()) {
      ResourceSpec spec =
          detail::make_resource(std::move(uri), std::move(name), std::move(function));
      if (has_no_object) spec.read = nullptr;
      return resource(std::move(spec));
    }
    std::abort();
  }
  /// `read` takes the variables of the URI template (RFC 6570) as a struct with fields(), and a
  /// Context& if it wants one. Variables of a query ({?a,b}) may be missing; each variable must be
  /// a field, and each required field a variable.
  template <class Function, class... Object>
  Resource resource_template(std::string uri, std::string name, Function read, Object&&... object) {
    const bool has_no_object = detail::is_null(object...);
    auto function = detail::function_of(read, std::forward<Object>(object)...);
    using Fault = decltype(detail::reader_fault<decltype(function), detail::ToContent>());
    if constexpr (Fault::report()) {
      ResourceSpec spec =
          detail::make_resource(std::move(uri), std::move(name), std::move(function));
      if (has_no_object) spec.read = nullptr;
      return resource_template(std::move(spec));
    }
    std::abort();
  }
  /// `get` takes the arguments as a struct with fields(), and a Context& if it wants one, and
  /// returns a text, a PromptText, or a Result or an Answer of these.
  template <class Function, class... Object>
  Prompt prompt(std::string name, std::string description, Function get, Object&&... object) {
    const bool has_no_object = detail::is_null(object...);
    auto function = detail::function_of(get, std::forward<Object>(object)...);
    using Fault = decltype(detail::reader_fault<decltype(function), detail::ToPrompt>());
    if constexpr (Fault::report()) {
      PromptSpec spec =
          detail::make_prompt(std::move(name), std::move(description), std::move(function));
      if (has_no_object) spec.get = nullptr;
      return prompt(std::move(spec));
    }
    std::abort();
  }
  Resource resource(ResourceSpec spec);
  Resource resource_template(ResourceSpec spec);
  Prompt prompt(PromptSpec spec);

  /// False: there is no such tool. Calls of it that have begun run to their end.
  bool remove_tool(std::string_view name);
  /// Removes a resource, or a template by its URI template. False: there is no such resource.
  bool remove_resource(std::string_view uri);
  /// False: there is no such prompt.
  bool remove_prompt(std::string_view name);

  /// Tells every client that has subscribed to the resource that it has changed.
  void resource_updated(std::string uri) const;
  /// Clients are told when they connect whether there are resources and prompts at all. Call this
  /// before the server runs if there are none yet and some will be added.
  void will_offer(mcp::ListKind kind);

  /// The lists at this moment; later changes do not alter them.
  [[nodiscard]] std::shared_ptr<const OfferLists> lists() const;
  /// For the library: what the copies share.
  [[nodiscard]] const std::shared_ptr<detail::OfferState>& state() const { return state_; }

 private:
  Tool add(ToolSpec spec);

  std::shared_ptr<detail::OfferState> state_;
};

}  // namespace enfold::server
