// SPDX-License-Identifier: Apache-2.0
#include "cli/input/server_target.h"

#include "enfold/net/http/message.h"

#include <fmt/core.h>

namespace enfold::cli {
namespace {

tl::unexpected<Error> usage(std::string message, std::string hint = {}) {
  return fail(ErrorCode::invalid_input, std::move(message), {}, std::move(hint));
}

Result<mcp::Header> read_header(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (colon == std::string::npos || !net::is_token(name)) {
    return usage(fmt::format("expected a header as NAME: VALUE, found \"{}\"", name),
                 "for example --header 'Authorization: Bearer TOKEN'");
  }
  const std::size_t begin = std::min(text.find_first_not_of(' ', colon + 1), text.size());
  mcp::Header header{name, text.substr(begin)};
  if (Status known = client::check_header(header.name, header.value); !known) {
    return tl::unexpected(known.error());
  }
  return header;
}

}  // namespace

Result<client::Target> target_of(const ServerNamed& named) {
  if (named.url.empty() == named.command.empty()) {
    return usage(
        named.url.empty()
            ? fmt::format("expected a server: {} URL, or its command behind --", named.option)
            : fmt::format("expected one server, found both {} and a command", named.option),
        fmt::format("for example `{} http://127.0.0.1:8080/mcp` or `-- npx -y some-server`",
                    named.option));
  }
  if (named.url.empty()) {
    if (!named.headers.empty()) {
      return usage(fmt::format("--header is for servers behind {}", named.option),
                   "give a program its secrets in the environment");
    }
    client::StdioTarget target;
    target.command = named.command;
    return target;
  }
  Result<client::HttpTarget> target = client::http_target(named.url);
  if (!target) return tl::unexpected(target.error());
  for (const std::string& text : named.headers) {
    Result<mcp::Header> header = read_header(text);
    if (!header) return tl::unexpected(header.error());
    target->headers.push_back(std::move(*header));
  }
  return std::move(*target);
}

Result<client::ClientOptions::Eras> eras_named(std::string_view name) {
  using Eras = client::ClientOptions::Eras;
  if (name == "auto") return Eras::both;
  if (name == "modern") return Eras::stateless;
  if (name == "legacy") return Eras::sessions;
  return usage(fmt::format("expected auto, modern or legacy as era, found \"{}\"", name));
}

}  // namespace enfold::cli
