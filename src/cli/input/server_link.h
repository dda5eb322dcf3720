// SPDX-License-Identifier: Apache-2.0
// How the verbs that talk to a server reach it: its address or its command, what to send along, how
// long to wait. Progress and the server's own words go to standard error.
#pragma once

#include "cli/input/arguments.h"
#include "enfold/client/blocking.h"
#include "enfold/net/loop.h"

#include <memory>
#include <string>
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

void accept_server(Arguments& arguments, ServerOptions& options);
/// How a server is named, for the help of a verb.
extern const char* const kServerHelp;

/// A server that has said who it is. Ends in good order when it goes.
class ServerLink {
 public:
  /// Reports what is wrong; `code` is then the exit code.
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

/// Says what became of a request that has no result; answers the exit code.
[[nodiscard]] int report(const client::CallFailure& failure, Terminal& terminal);

/// "hello 1.0.0, protocol 2026-07-28"
[[nodiscard]] std::string describe(const mcp::ServerIdentity& server);

}  // namespace enfold::cli
