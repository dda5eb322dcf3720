// SPDX-License-Identifier: Apache-2.0
#include "cli/input/server_link.h"

#include "cli/exit_code.h"
#include "cli/input/server_target.h"
#include "enfold/json/document.h"

#include <algorithm>
#include <csignal>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

constexpr std::size_t kMaxTimeout = 86'400;
// A server that is running answers sooner; a program may have to be installed first.
constexpr std::chrono::seconds kUrlStartup{15};

Result<client::Target> target_for(const ServerOptions& options) {
  Result<client::Target> target =
      find_target({"--url", options.url, options.command, options.headers});
  if (!target) return target;
  if (auto* child = std::get_if<client::StdioTarget>(&*target)) {
    child->shares_error_output = options.shows_log;
  }
  return target;
}

Result<client::ClientOptions> client_options(const ServerOptions& options) {
  client::ClientOptions out;
  json::Writer info;
  info.begin_object().member("name", "enfold").member("version", ENFOLD_VERSION).end_object();
  out.info = std::move(info).finish_value();
  ENFOLD_TRY(out.eras, find_protocol(options.protocol));
  const std::chrono::seconds timeout(options.timeout);
  out.idle_timeout = timeout;
  out.startup_timeout = options.url.empty() ? timeout : std::min(timeout, kUrlStartup);
  return out;
}

}  // namespace

const char* const kServerHelp =
    "The server is --url URL, or a program that is started for the call: its command after --.\n"
    "Its standard error is shown when it fails, or at once with --server-log. With --protocol\n"
    "auto the stateless protocol (from 2026-07-28) is tried first, then sessions.\n\n";

void accept_server(Arguments& arguments, ServerOptions& options) {
  arguments.command(options.command);
  arguments.text("--url", "URL", options.url,
                 "Address of the server, such as http://HOST:PORT/mcp");
  arguments.texts("--header", "HEADER", options.headers,
                  "Send 'NAME: VALUE' with every request to --url");
  arguments.number("--timeout", options.timeout, {"a number of seconds", 1, kMaxTimeout},
                   "Seconds without an answer or progress after which a call fails");
  arguments.text("--protocol", "P", options.protocol,
                 "MCP revisions to use: auto, stateless or sessions");
  arguments.flag("--server-log", options.shows_log, "Show the standard error of the program");
}

std::unique_ptr<ServerLink> ServerLink::open(const ServerOptions& options, Terminal& terminal,
                                             int& code) {
  Result<client::Target> target = target_for(options);
  const Result<client::ClientOptions> settings = client_options(options);
  if (!target || !settings) {
    terminal.report(target ? settings.error() : target.error());
    code = kBadUsage;
    return nullptr;
  }
  std::unique_ptr<ServerLink> link(new ServerLink());
  auto opened = client::BlockingClient::open(std::move(*target), *settings);
  Status ready = opened ? Status() : tl::unexpected(opened.error());
  if (opened) {
    link->client_ = std::move(*opened);
    auto signals =
        net::Signals::catch_all(link->client_->loop(), {SIGINT, SIGTERM},
                                [client = link->client_.get()](int) { client->interrupt(); });
    if (signals) link->signals_ = std::move(*signals);
    terminal.progress("connecting");
    Result<mcp::ServerIdentity> server = link->client_->connect();
    terminal.end_progress();
    if (server) {
      link->server_ = std::move(*server);
      return link;
    }
    ready = tl::unexpected(server.error());
  }
  terminal.report(ready.error());
  code = exit_code_of(ready.error());
  return nullptr;
}

ServerLink::~ServerLink() {
  if (client_) client_->close();
}

int report(const client::CallFailure& failure, Terminal& terminal) {
  terminal.report(failure.error);
  return exit_code_of(failure.error);
}

std::string describe(const mcp::ServerIdentity& server) {
  const auto said = [&](std::string_view key) {
    return server.info->is_object() ? json::string_member(server.info.view(), key).value_or("")
                                    : "";
  };
  std::string name = said("name").empty() ? "a server without a name" : said("name");
  if (!said("version").empty()) name += " " + said("version");
  return fmt::format("{}, protocol {}", name, server.version);
}

}  // namespace enfold::cli
