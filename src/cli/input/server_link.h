// SPDX-License-Identifier: Apache-2.0
// The server of the verbs `tools`, `call` and `check`: its options, and the connection to it.
// Progress and the standard error of the server go to standard error.
#pragma once

#include "cli/input/arguments.h"
#include "enfold/client/blocking.h"
#include "enfold/client/options.h"
#include "enfold/net/loop.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::cli {

struct ServerOptions {
  std::string url;
  std::vector<std::string> command;
  std::vector<std::string> headers;  ///< "Name: value"
  std::size_t timeout = 60;          ///< seconds
  std::string protocol = "auto";
  bool shows_log = false;
};

void declare_server_options(Arguments& arguments, ServerOptions& options);
/// The part of the help page that explains how to name a server.
extern const char* const kServerHelp;

/// A server that has answered `initialize`. The destructor closes the connection.
class ServerLink {
 public:
  /// nullptr after an error was reported; `code` is then the exit code.
  [[nodiscard]] static std::unique_ptr<ServerLink> open(const ServerOptions& options,
                                                        Terminal& terminal, int& code);
  ServerLink(const ServerLink&) = delete;
  ServerLink& operator=(const ServerLink&) = delete;
  ~ServerLink();

  [[nodiscard]] client::BlockingClient& operator*() { return *client_; }
  [[nodiscard]] client::BlockingClient* operator->() { return client_.get(); }
  [[nodiscard]] const mcp::ServerIdentity& server() const { return server_; }

 private:
  ServerLink() = default;
  std::unique_ptr<client::BlockingClient> client_;
  std::unique_ptr<net::Signals> signals_;
  mcp::ServerIdentity server_;
};

/// "hello 1.0.0, protocol 2026-07-28"
[[nodiscard]] std::string describe(const mcp::ServerIdentity& server);

struct ServerSelection {
  std::string_view option;  ///< the option that takes the URL: "--url"
  const std::string& url;
  const std::vector<std::string>& command;
  const std::vector<std::string>& headers;  ///< "Name: value"
};

/// `invalid_input` unless there is exactly one server, and headers only with a URL.
[[nodiscard]] Result<client::Target> find_target(const ServerSelection& selection);

/// auto, stateless or sessions.
[[nodiscard]] Result<client::ClientOptions::Eras> find_protocol(std::string_view name);

}  // namespace enfold::cli
