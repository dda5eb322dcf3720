// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/options.h"

#include "enfold/base/text.h"
#include "enfold/net/http/message.h"
#include "enfold/net/process.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

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

Status check_header(std::string_view name, std::string_view value) {
  constexpr std::array<std::string_view, 10> kReservedHeaders{
      "host",   "content-length",       "content-type",   "transfer-encoding", "connection",
      "accept", "mcp-protocol-version", "mcp-session-id", "mcp-method",        "last-event-id"};
  if (!net::is_token(name)) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected the name of a header, found \"{}\"", name), {},
                "letters, digits and -");
  }
  if (std::ranges::find(kReservedHeaders, to_lower(name)) != kReservedHeaders.end()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a header of your own, found {}, which is always sent", name),
                {}, "leave it out");
  }
  if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos) {
    return fail(ErrorCode::invalid_input, "expected one line, found several", {},
                "a header holds no line end");
  }
  return {};
}

std::string describe(const Target& target) {
  if (const auto* stdio = std::get_if<StdioTarget>(&target)) {
    return stdio->command.empty() ? "no program" : stdio->command.front();
  }
  const net::Url& url = std::get<HttpTarget>(target).url;
  return (url.secure ? "https://" : "http://") + url.authority() +
         url.target.substr(0, url.target.find('?'));
}

}  // namespace enfold::client
