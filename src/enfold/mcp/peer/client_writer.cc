// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/client_writer.h"

#include "enfold/mcp/era_2025/client.h"
#include "enfold/mcp/era_2026/client.h"

namespace enfold::mcp {

void ClientWriter::reset() {
  server_ = {};
  self_.reset();
  session_.clear();
}

void ClientWriter::set_server(ServerIdentity server, std::shared_ptr<const Caller> self) {
  server_ = std::move(server);
  self_ = std::move(self);
}

Transmit ClientWriter::call(CallKey key, const OpenCall& call) const {
  const CallOptions& options = call.options;
  std::optional<Id> token;
  if (options.wants_progress) token = Id(static_cast<std::int64_t>(key));
  const bool sessions = server_.era == Era::sessions;
  std::vector<Header> headers;
  if (over_http_) {
    headers = sessions ? session_headers() : era_2026::call_headers(server_.version, options);
    headers.insert(headers.end(), options.headers.begin(), options.headers.end());
  }
  json::Output message =
      sessions ? era_2025::write_call(call.id, options, token)
               : era_2026::write_call(call.id, options,
                                      {caller_for(options), options.log_level, token}, call.inputs);
  return {std::move(message), key, std::move(headers)};
}

std::shared_ptr<const Caller> ClientWriter::caller_for(const CallOptions& options) const {
  if (!options.on_behalf_of) return self_;
  auto caller = std::make_shared<Caller>(*options.on_behalf_of);
  caller->era = Era::stateless;
  caller->version = server_.version;
  return caller;
}

Transmit ClientWriter::notification(json::Output message, std::string_view method,
                                    json::View params) const {
  std::vector<Header> headers;
  if (over_http_) {
    headers = server_.era == Era::sessions ? session_headers()
                                           : standard_headers(server_.version, method, params);
  }
  return {std::move(message), std::nullopt, std::move(headers)};
}

Transmit ClientWriter::response(json::Output message) const {
  return notification(std::move(message), {});
}

std::vector<Header> ClientWriter::session_headers() const {
  return era_2025::session_headers(server_.version, session_);
}

}  // namespace enfold::mcp
