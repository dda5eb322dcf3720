// SPDX-License-Identifier: Apache-2.0
// Which server a client talks to, and its timeouts and limits. Plain values, copied by each client.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/mcp/peer/client_action.h"
#include "enfold/net/endpoint.h"
#include "enfold/net/loop.h"
#include "enfold/net/process_limits.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace enfold::net {
class TlsContext;
}  // namespace enfold::net

namespace enfold::client {

/// Begins the hint of an error about a server that ended; the last lines that it wrote to its
/// standard error follow, each on a line.
inline constexpr std::string_view kSaidLast = "it said last:";

/// A program that is started as a child and uses its standard input and output.
struct StdioTarget {
  std::vector<std::string> command;  ///< the program, looked up in PATH, and its arguments
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to the inherited one
  /// As in ProcessOptions: names of variables that it inherits; nullopt: all.
  std::optional<std::vector<std::string>> inherited_variables;
  net::ProcessLimits limits;
  std::string folder;                ///< working directory; empty: that of this process
  bool shares_error_output = false;  ///< the child inherits stderr; else its last lines are kept
  net::Duration stdin_timeout = std::chrono::seconds(2);    ///< from closed stdin to SIGTERM
  net::Duration sigterm_timeout = std::chrono::seconds(2);  ///< from SIGTERM to SIGKILL
};

/// An endpoint of Streamable HTTP.
struct HttpTarget {
  net::Url url;
  std::vector<mcp::Header> headers;      ///< sent with every request, such as Authorization
  std::shared_ptr<net::TlsContext> tls;  ///< for https; empty: the CA certificates of the system
  /// Connections that one client opens; further requests wait for one to become free.
  std::size_t max_connections = 64;
};

using Target = std::variant<StdioTarget, HttpTarget>;

/// `invalid_input` for anything but an http or https URL.
[[nodiscard]] Result<HttpTarget> http_target(std::string_view url);
/// Checks an additional header of an HTTP target: `invalid_input` for an invalid name, for a name
/// that every request has already, and for a value of several lines.
[[nodiscard]] Status check_header(std::string_view name, std::string_view value);
/// Whether the program of a target exists and may be executed. A URL is not checked.
[[nodiscard]] Status check_program(const Target& target);
/// The program, or the URL without its query, for messages.
[[nodiscard]] std::string describe(const Target& target);

struct ClientOptions {
  using Eras = mcp::ClientConfig::Eras;

  json::Value info;                ///< Implementation: name, version; null: "enfold"
  mcp::Capabilities capabilities;  ///< of this client
  Eras eras = Eras::both;
  std::optional<mcp::Era> known_era;  ///< the era that the server probably has: it is tried first
  /// Requests of the server with an unknown method are reported as ServerRequest; else they are
  /// refused.
  bool relay_unknown_requests = false;
  bool holds_requests = false;  ///< requests without a connection wait for one; else they fail
  /// For the handshake. nullopt: a minute for a program, which may have to be installed first; ten
  /// seconds for a URL. A program that has not answered server/discover after half of this time,
  /// at most ten seconds, also gets `initialize`, without being started again.
  std::optional<net::Duration> startup_timeout;
  net::Duration idle_timeout = std::chrono::seconds(60);  ///< of a call without progress
  net::Duration call_timeout = std::chrono::minutes(30);  ///< of a call, with progress too
  Limits limits;                                          ///< of one message
  std::size_t max_open_calls = 4096;  ///< another request fails with `limit_exceeded`
  std::size_t max_pages = 1000;       ///< of one list
  std::size_t max_items = 100'000;    ///< of one list; with more, no further page is requested
  /// How often at most one event stream is resumed in a row without an event arriving.
  std::size_t max_resumes = 16;
  /// Runs `job` on another thread, then `done` on the loop's thread, never inside this function.
  /// Messages of more than 64 KiB are read by it; `bytes` is their size. Empty: the loop reads
  /// them.
  std::function<void(std::size_t bytes, net::Task job, net::Task done)> work;
  /// Longer notifications that are read by `work` are dropped and reported as Noise.
  std::size_t max_notification_bytes = std::numeric_limits<std::size_t>::max();
  bool listens = true;  ///< sessions over HTTP: open the stream that belongs to no call
};

}  // namespace enfold::client
