// SPDX-License-Identifier: Apache-2.0
#include "cli/input/server_link.h"

#include "cli/terminal/terminal.h"
#include "enfold/json/document.h"
#include "enfold/net/http/message.h"

#include <algorithm>
#include <csignal>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

constexpr std::size_t kMaxTimeout = 86'400;  // seconds: a day
// The longest startup timeout for a server at a URL, which runs already. A program may have to be
// installed first, so its startup timeout is all of --timeout.
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
  info.begin_object().member("name", options.client_name).member("version", ENFOLD_VERSION);
  info.end_object();
  out.info = std::move(info).finish_value();
  ENFOLD_TRY(out.eras, find_protocol(options.protocol));
  const std::chrono::seconds timeout(options.timeout);
  out.idle_timeout = timeout;
  out.startup_timeout = options.url.empty() ? timeout : std::min(timeout, kUrlStartup);
  return out;
}

tl::unexpected<Error> bad_usage(std::string message, std::string hint = {}) {
  return fail(ErrorCode::invalid_input, std::move(message), {}, std::move(hint));
}

Result<mcp::Header> read_header(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (colon == std::string::npos || !net::is_token(name)) {
    return bad_usage(fmt::format("expected a header as NAME: VALUE, found \"{}\"", name),
                     "for example --header 'Authorization: Bearer TOKEN'");
  }
  const std::size_t begin = std::min(text.find_first_not_of(' ', colon + 1), text.size());
  mcp::Header header{name, text.substr(begin)};
  ENFOLD_TRY(client::check_header(header.name, header.value));
  return header;
}

}  // namespace

const char* const kServerHelp =
    "The server is --url URL, or a program that is started for the call: its command after --.\n"
    "Its standard error is shown when it fails, or at once with --server-log. With --protocol\n"
    "auto the stateless protocol (from 2026-07-28) is tried first, then sessions.\n\n";

void declare_server_options(Arguments& arguments, ServerOptions& options) {
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
    code = terminal.report_usage(target ? settings.error() : target.error());
    return nullptr;
  }
  std::unique_ptr<ServerLink> link(new ServerLink());
  auto opened = client::BlockingClient::open(std::move(*target), *settings);
  Status connected = opened ? Status() : tl::unexpected(opened.error());
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
    connected = tl::unexpected(server.error());
  }
  code = terminal.report(connected.error());
  return nullptr;
}

ServerLink::~ServerLink() {
  if (client_) client_->close();
}

std::string describe(const mcp::ServerIdentity& server) {
  const auto info_member = [&](std::string_view key) {
    return server.info->is_object() ? json::string_member(server.info.view(), key).value_or("")
                                    : "";
  };
  std::string name = info_member("name").empty() ? "a server without a name" : info_member("name");
  if (!info_member("version").empty()) name += " " + info_member("version");
  return fmt::format("{}, protocol {}", name, server.version);
}

Result<client::Target> find_target(const ServerSelection& selection) {
  if (selection.url.empty() == selection.command.empty()) {
    return bad_usage(
        selection.url.empty()
            ? fmt::format("expected a server: {} URL, or its command after --", selection.option)
            : fmt::format("expected one server, found both {} and a command", selection.option),
        fmt::format("for example `{} http://127.0.0.1:8080/mcp` or `-- npx -y some-server`",
                    selection.option));
  }
  if (selection.url.empty()) {
    if (!selection.headers.empty()) {
      return bad_usage(fmt::format("--header is only for servers with {}", selection.option),
                       "pass secrets to a program in its environment");
    }
    client::StdioTarget target;
    target.command = selection.command;
    return target;
  }
  ENFOLD_TRY(client::HttpTarget target, client::http_target(selection.url));
  for (const std::string& text : selection.headers) {
    ENFOLD_TRY(mcp::Header header, read_header(text));
    target.headers.push_back(std::move(header));
  }
  return target;
}

Result<client::ClientOptions::Eras> find_protocol(std::string_view name) {
  using Eras = client::ClientOptions::Eras;
  if (name == "auto") return Eras::both;
  if (name == "stateless") return Eras::stateless;
  if (name == "sessions") return Eras::sessions;
  return bad_usage(
      fmt::format("expected auto, stateless or sessions as protocol, found \"{}\"", name));
}

}  // namespace enfold::cli
