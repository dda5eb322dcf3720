// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/client_session.h"

namespace enfold::gateway {
namespace {

// Some servers add a thousand tools and send a notification for each.
constexpr std::chrono::seconds kNoticePause{1};

}  // namespace

void ClientSession::tell_list_changed(mcp::ListKind kind) {
  std::unique_ptr<Throttle>& notices = list_notices_[kind];
  if (!notices) {
    notices = std::make_unique<Throttle>(loop, kNoticePause, [&to = port, kind](const auto& done) {
      done();
      to.list_changed(kind);
    });
  }
  notices->request();
}

ClientSession& ClientSessions::of(serve::Port& port) {
  std::unique_ptr<ClientSession>& session = sessions_[&port];
  if (!session) session = std::make_unique<ClientSession>(loop_, port);
  return *session;
}

ClientSession* ClientSessions::find(const serve::Port* port) const {
  const auto found = sessions_.find(port);
  return found != sessions_.end() ? found->second.get() : nullptr;
}

std::unique_ptr<ClientSession> ClientSessions::remove(serve::Port& port) {
  const auto found = sessions_.find(&port);
  if (found == sessions_.end()) return nullptr;
  std::unique_ptr<ClientSession> session = std::move(found->second);
  sessions_.erase(found);
  return session;
}

std::vector<ClientSession*> ClientSessions::all() const {
  std::vector<ClientSession*> out;
  out.reserve(sessions_.size());
  for (const auto& [port, session] : sessions_) out.push_back(session.get());
  return out;
}

void ClientSessions::tell_list_changed(mcp::ListKind kind, const serve::Port* except) {
  std::vector<const serve::Port*> ports;
  for (const auto& [port, session] : sessions_) {
    if (port != except) ports.push_back(port);
  }
  // Sending to a client may close its connection, or those of others.
  for (const serve::Port* const port : ports) {
    if (ClientSession* const session = find(port)) session->tell_list_changed(kind);
  }
}

}  // namespace enfold::gateway
