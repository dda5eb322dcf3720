// SPDX-License-Identifier: Apache-2.0
// A server as its author writes it: a name, settings, and what it offers. Nothing here opens or
// starts anything; run.h serves it.
//   server::Server hello("hello", "1.0.0");
//   hello.tool("greet", "Says hello to a person", greet).read_only();
//   return server::run(hello, argc, argv);
#pragma once

// These headers check declarations. A compiler error lists the chain of includes that led to the
// check. Each header is included here before another header includes it, so that the chain is
// short.
// clang-format off
#include "enfold/level/fields.h"
#include "enfold/level/faults.h"
#include "enfold/server/signature.h"
#include "enfold/server/elicit.h"
#include "enfold/server/context_page.h"
#include "enfold/server/resource.h"
// clang-format on
#include "enfold/server/offers.h"
#include "enfold/tools/settings.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace enfold::server {

/// How a server answers and what it allows. Every member has a default that is safe on a laptop.
using Settings = tools::ServiceSettings;

/// A server before it runs. server::run() or server::serve_stdio() serves it, Tester tests it.
class Server : public Offers {
 public:
  Server(std::string name, std::string version);
  Server(std::string name, std::string version, Settings settings);
  // A copy would share the tools and nothing else: for other threads, copy the Offers.
  Server(Server&&) = default;
  Server& operator=(Server&&) = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() = default;

  std::string title;         ///< for people; clients show it instead of the name
  std::string instructions;  ///< for the model: how the tools belong together

  /// Over HTTP: the principal that the key of a request belongs to (nullopt: it has no key). The
  /// result nullopt refuses the request with 401. Not set: every caller is Settings::principal.
  std::function<std::optional<std::string>(std::optional<std::string_view> key)> identify;

  /// How many tools, resources, templates or prompts are listed at a time; clients get a cursor for
  /// the others.
  std::size_t list_page = 1'000;

  /// The name that clients get in `initialize` or `server/discover`.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The version that clients get, also that of each tool without its own.
  [[nodiscard]] const std::string& version() const { return version_; }
  /// May be changed until the server runs.
  [[nodiscard]] Settings& settings() { return settings_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  std::string name_;
  std::string version_;
  Settings settings_;
};

}  // namespace enfold::server
