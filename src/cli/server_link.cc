// SPDX-License-Identifier: Apache-2.0
#include "cli/server_link.h"

#include "cli/exit_code.h"
#include "enfold/net/http_message.h"

#include <algorithm>
#include <csignal>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

using Eras = client::ClientOptions::Eras;

constexpr std::size_t kLongestWait = 86'400;
// Beyond this a server is slow to start, not silent.
constexpr std::chrono::seconds kLongestGreeting{15};

Error usage(std::string message, std::string hint) {
  return {ErrorCode::invalid_input, std::move(message), {}, std::move(hint)};
}

Result<mcp::Header> read_header(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (colon == std::string::npos || !net::is_token(name)) {
    return tl::unexpected(usage(fmt::format("expected a header as NAME: VALUE, found \"{}\"", name),
                                "for example --header 'Authorization: Bearer TOKEN'"));
  }
  const std::size_t begin = text.find_first_not_of(' ', colon + 1);
  return mcp::Header{name, begin == std::string::npos ? "" : text.substr(begin)};
}

Result<client::Target> target_of(const ServerOptions& options) {
  if (options.url.empty() == options.command.empty()) {
    return tl::unexpected(
        usage(options.url.empty() ? "expected a server: --url URL, or its command behind --"
                                  : "expected one server, found both --url and a command",
              "for example `--url http://127.0.0.1:8080/mcp` or `-- npx -y some-server`"));
  }
  if (options.url.empty()) {
    if (!options.headers.empty()) {
      return tl::unexpected(usage("--header is for servers behind --url",
                                  "give a program its secrets in the environment"));
    }
    client::StdioTarget target;
    target.command = options.command;
    target.shares_error_output = options.shows_log;
    return target;
  }
  Result<client::HttpTarget> target = client::http_target(options.url);
  if (!target) return tl::unexpected(target.error());
  for (const std::string& text : options.headers) {
    Result<mcp::Header> header = read_header(text);
    if (!header) return tl::unexpected(header.error());
    target->headers.push_back(std::move(*header));
  }
  return std::move(*target);
}

Result<client::ClientOptions> client_options(const ServerOptions& options) {
  client::ClientOptions out;
  json::Writer info;
  info.begin_object().member("name", "enfold").member("version", ENFOLD_VERSION).end_object();
  out.info = std::move(info).finish_value();
  if (options.era == "modern") {
    out.eras = Eras::stateless;
  } else if (options.era == "legacy") {
    out.eras = Eras::sessions;
  } else if (options.era != "auto") {
    return tl::unexpected(usage(
        fmt::format("expected auto, modern or legacy as era, found \"{}\"", options.era), {}));
  }
  const std::chrono::seconds timeout(options.timeout);
  out.patience = timeout;
  out.greeting_patience = std::min<net::Duration>(
      out.eras == Eras::both ? net::Duration(timeout) / 2 : net::Duration(timeout),
      kLongestGreeting);
  return out;
}

}  // namespace

const char* const kServerHelp =
    "The server is --url URL, or a program that is started for the call: its command and "
    "arguments\n"
    "behind --. What it writes to standard error is shown when it fails, or at once with\n"
    "--server-log. Auto tries the stateless protocol (2026-07-28) first, then sessions.\n\n";

void accept_server(Arguments& arguments, ServerOptions& options) {
  arguments.command(options.command);
  arguments.text("--url", "URL", options.url,
                 "Address of the server, such as http://HOST:PORT/mcp");
  arguments.texts("--header", "HEADER", options.headers,
                  "Send 'NAME: VALUE' with every request to --url");
  arguments.number("--timeout", options.timeout, {"a number of seconds", 1, kLongestWait},
                   "Seconds that the server may be silent");
  arguments.text("--era", "ERA", options.era, "Protocol to speak: auto, modern or legacy");
  arguments.flag("--server-log", options.shows_log, "Pass on what the program writes to its log");
}

std::unique_ptr<ServerLink> ServerLink::open(const ServerOptions& options, Terminal& terminal,
                                             int& code) {
  Result<client::Target> target = target_of(options);
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
    return server.info->is_object() ? mcp::text_member(server.info.view(), key).value_or("") : "";
  };
  std::string name = said("name").empty() ? "a server without a name" : said("name");
  if (!said("version").empty()) name += " " + said("version");
  return fmt::format("{}, protocol {}", name, server.version);
}

}  // namespace enfold::cli
