// SPDX-License-Identifier: Apache-2.0
// The server of the verbs `tools`, `call` and `check`: its options, and the connection to it.
// Standard error gets the progress, and the standard error of a server that fails or, with
// --server-log, of any server.
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
  std::string url;                     ///< empty: `command` starts the server
  std::vector<std::string> command;    ///< empty: the server runs at `url`
  std::vector<std::string> headers;    ///< "Name: value"
  std::size_t timeout = 60;            ///< seconds: idle timeout and longest startup timeout
  std::string protocol = "auto";       ///< auto, stateless or sessions
  std::string client_name = "enfold";  ///< sent to the server as the name of the client
  bool shows_log = false;  ///< show the standard error of a server that `command` starts
};

void declare_server_options(Arguments& arguments, ServerOptions& options);
/// The part of the help page that explains how to name a server.
extern const char* const kServerHelp;

/// A connection to a server, after the handshake (`initialize` or `server/discover`). The
/// destructor closes it.
class ServerLink {
 public:
  /// nullptr: an error was reported, and `code` was set to its exit code.
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
  std::unique_ptr<net::Signals> signals_;  ///< SIGINT and SIGTERM interrupt a running call
  mcp::ServerIdentity server_;
};

/// Name, version and protocol revision: "hello 1.0.0, protocol 2026-07-28".
[[nodiscard]] std::string describe(const mcp::ServerIdentity& server);

/// The arguments by which a command line selects its server: a URL or a command.
struct ServerSelection {
  std::string_view option;  ///< the option that takes the URL: "--url" or "--upstream"
  const std::string& url;
  const std::vector<std::string>& command;
  const std::vector<std::string>& headers;  ///< "Name: value"
};

/// The server that the arguments select. `invalid_input` for both URL and command or none of them,
/// and for headers without a URL.
[[nodiscard]] Result<client::Target> find_target(const ServerSelection& selection);

/// The eras for the value of --protocol: auto, stateless or sessions.
[[nodiscard]] Result<client::ClientOptions::Eras> find_protocol(std::string_view name);

}  // namespace enfold::cli
