// SPDX-License-Identifier: Apache-2.0
// Writes a client's messages for one server: in the server's era and revision, in its session, and
// over HTTP with the headers that belong to them.
#pragma once

#include "enfold/mcp/peer/open_calls.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

class ClientWriter {
 public:
  explicit ClientWriter(bool over_http) : over_http_(over_http) {}

  /// Forgets the server and its session. Ids go on.
  void reset();
  /// `self`: this client as it names itself in each request, in the stateless era.
  void set_server(ServerIdentity server, std::shared_ptr<const Caller> self);
  void set_session(std::string id) { session_ = std::move(id); }
  [[nodiscard]] const ServerIdentity& server() const { return server_; }
  [[nodiscard]] const std::string& session() const { return session_; }

  [[nodiscard]] Id next_id() { return Id(++last_id_); }
  [[nodiscard]] Transmit call(CallKey key, const OpenCall& call) const;
  [[nodiscard]] Transmit notification(json::Output message, std::string_view method,
                                      json::View params = {}) const;
  [[nodiscard]] Transmit response(json::Output message) const;
  [[nodiscard]] std::vector<Header> session_headers() const;

 private:
  [[nodiscard]] std::shared_ptr<const Caller> caller_for(const CallOptions& options) const;

  bool over_http_;
  ServerIdentity server_;
  std::shared_ptr<const Caller> self_;
  std::string session_;
  std::int64_t last_id_ = 0;
};

}  // namespace enfold::mcp
