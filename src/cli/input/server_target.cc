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
  ENFOLD_TRY(client::check_header(header.name, header.value));
  return header;
}

}  // namespace

Result<client::Target> find_target(const ServerSelection& selection) {
  if (selection.url.empty() == selection.command.empty()) {
    return usage(
        selection.url.empty()
            ? fmt::format("expected a server: {} URL, or its command after --", selection.option)
            : fmt::format("expected one server, found both {} and a command", selection.option),
        fmt::format("for example `{} http://127.0.0.1:8080/mcp` or `-- npx -y some-server`",
                    selection.option));
  }
  if (selection.url.empty()) {
    if (!selection.headers.empty()) {
      return usage(fmt::format("--header is only for servers with {}", selection.option),
                   "pass secrets to a program in its environment");
    }
    client::StdioTarget target;
    target.command = selection.command;
    return target;
  }
  Result<client::HttpTarget> target = client::http_target(selection.url);
  if (!target) return tl::unexpected(target.error());
  for (const std::string& text : selection.headers) {
    Result<mcp::Header> header = read_header(text);
    if (!header) return tl::unexpected(header.error());
    target->headers.push_back(std::move(*header));
  }
  return std::move(*target);
}

Result<client::ClientOptions::Eras> find_protocol(std::string_view name) {
  using Eras = client::ClientOptions::Eras;
  if (name == "auto") return Eras::both;
  if (name == "stateless") return Eras::stateless;
  if (name == "sessions") return Eras::sessions;
  return usage(fmt::format("expected auto, stateless or sessions as protocol, found \"{}\"", name));
}

}  // namespace enfold::cli
