// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/detail/peer_config.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::client::detail {
namespace {

constexpr std::chrono::seconds kChildStartupTimeout{60};
constexpr std::chrono::seconds kUrlStartupTimeout{10};
// A child that has not answered server/discover within this time gets `initialize` too: some
// servers answer nothing before `initialize`.
constexpr std::chrono::seconds kProbeTimeout{10};

}  // namespace

mcp::ClientConfig peer_config(const Target& target, const ClientOptions& options,
                              ClientOptions::Eras eras) {
  mcp::ClientConfig config;
  config.info = options.info;
  config.capabilities = options.capabilities;
  config.eras = eras;
  config.over_http = std::holds_alternative<HttpTarget>(target);
  config.relay_unknown_requests = options.relay_unknown_requests;
  config.startup_timeout = std::chrono::duration_cast<mcp::Time>(options.startup_timeout.value_or(
      config.over_http ? kUrlStartupTimeout : kChildStartupTimeout));
  config.probe_timeout = std::min<mcp::Time>(kProbeTimeout, config.startup_timeout / 2);
  config.max_open_calls = options.max_open_calls;
  return config;
}

Error error_of(const mcp::RpcError& refusal) {
  ErrorCode code = ErrorCode::unavailable;
  if (refusal.code == mcp::code::method_not_found) code = ErrorCode::unsupported;
  if (refusal.code == mcp::code::invalid_params || refusal.code == mcp::code::invalid_request ||
      refusal.code == mcp::code::resource_not_found) {
    code = ErrorCode::invalid_input;
  }
  if (refusal.code == mcp::code::missing_capability) code = ErrorCode::unsupported;
  return {code,
          fmt::format("the server refused: {} (error {})", refusal.message, refusal.code),
          {},
          {}};
}

}  // namespace enfold::client::detail
