// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/options.h"

#include "enfold/net/process.h"

namespace enfold::client {

Result<HttpTarget> http_target(std::string_view url) {
  Result<net::Url> parsed = net::parse_url(url);
  if (!parsed) {
    Error error = parsed.error();
    if (error.hint.empty()) error.hint = "write it like http://127.0.0.1:8080/mcp";
    return tl::unexpected(std::move(error));
  }
  return HttpTarget{std::move(*parsed), {}, {}};
}

Status check_program(const Target& target) {
  const auto* stdio = std::get_if<StdioTarget>(&target);
  if (stdio == nullptr) return {};
  net::ProcessOptions options;
  options.arguments = stdio->command;
  options.folder = stdio->folder;
  return net::check_program(options);
}

std::string describe(const Target& target) {
  if (const auto* stdio = std::get_if<StdioTarget>(&target)) {
    return stdio->command.empty() ? "no program" : stdio->command.front();
  }
  const net::Url& url = std::get_if<HttpTarget>(&target)->url;
  return (url.secure ? "https://" : "http://") + url.authority() +
         url.target.substr(0, url.target.find('?'));
}

}  // namespace enfold::client
