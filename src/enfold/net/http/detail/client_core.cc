// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/detail/client_core.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace enfold::net::detail {

Call* ClientCore::find(std::uint64_t id) const {
  const auto found = calls_.find(id);
  return found == calls_.end() ? nullptr : found->second.get();
}

std::size_t ClientCore::connections() const {
  std::size_t count = 0;
  for (const auto& [name, origin] : origins_) count += origin.connections.size();
  return count;
}

std::uint64_t ClientCore::send(ClientRequest request, CallEvents events) {
  auto call = std::make_unique<Call>();
  call->id = ++last_id_;
  call->origin = request.url.origin();
  call->request = std::move(request);
  call->events = std::move(events);
  Call& added = *calls_.emplace(call->id, std::move(call)).first->second;
  if (!is_token(added.request.method))
    fail_later(added.id, {ErrorCode::invalid_input, "the method is not a token", {}, {}});
  else
    start(added);
  return added.id;
}

void ClientCore::start(Call& call) {
  Origin& origin = origins_[call.origin];
  // The one that was used last is the least likely to have been closed meanwhile.
  for (std::size_t i = origin.connections.size(); i-- > 0;) {
    ClientConnection& connection = *origin.connections[i];
    if (!connection.is_idle()) continue;
    if (connection.is_alive()) {
      connection.run(call);
      return;
    }
    connection.close();
  }
  if (origin.connections.size() < options_.limits.max_connections_per_origin) {
    connect(origin, call);
  } else if (origin.waiting.size() < options_.limits.max_waiting_calls) {
    origin.waiting.push_back(call.id);
  } else {
    fail_later(call.id,
               {ErrorCode::limit_exceeded,
                fmt::format("{} calls wait for this server already", origin.waiting.size()),
                call.origin,
                {}});
  }
}

void ClientCore::connect(Origin& origin, Call& call) {
  origin.connections.push_back(std::make_unique<ClientConnection>(*this, call.request.url));
  origin.connections.back()->connect_for(call);
}

void ClientCore::fail_later(std::uint64_t id, Error error) {
  loop_.defer([weak = weak_from_this(), id, error = std::move(error)]() mutable {
    if (const auto core = weak.lock()) core->finish(id, tl::unexpected(std::move(error)));
  });
}

Call* ClientCore::next_waiting(Origin& origin) {
  while (!origin.waiting.empty()) {
    Call* call = find(origin.waiting.front());
    origin.waiting.pop_front();
    if (call != nullptr) return call;  // others were cancelled
  }
  return nullptr;
}

void ClientCore::offer(ClientConnection& connection) {
  if (Call* call = next_waiting(origins_[connection.origin()])) connection.run(*call);
}

// The connection is on the stack, so it is destroyed later. Its place is free for a call that
// waits.
void ClientCore::release(ClientConnection& connection) {
  Origin& origin = origins_[connection.origin()];
  const auto found = std::ranges::find_if(
      origin.connections, [&](const auto& one) { return one.get() == &connection; });
  if (found == origin.connections.end()) return;
  std::unique_ptr<ClientConnection> gone = std::move(*found);
  origin.connections.erase(found);
  loop_.defer([core = shared_from_this(), gone = std::move(gone)] {
    const auto place = core->origins_.find(gone->origin());
    if (place == core->origins_.end()) return;
    if (Call* call = core->next_waiting(place->second))
      core->start(*call);
    else if (place->second.connections.empty())
      core->origins_.erase(place);
  });
}

// Its callbacks may be on the stack, so the call is destroyed later as well.
void ClientCore::finish(std::uint64_t id, Status status) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  std::unique_ptr<Call> call = std::move(found->second);
  calls_.erase(found);
  Callback<void(Status)> on_end = std::move(call->events.on_end);
  loop_.defer([call = std::move(call)] {});
  if (on_end) on_end(std::move(status));
}

void ClientCore::repeat(std::uint64_t id) {
  Call* call = find(id);
  if (call == nullptr) return;
  call->was_repeated = true;
  call->connection = nullptr;
  connect(origins_[call->origin], *call);
}

void ClientCore::cancel(std::uint64_t id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  std::unique_ptr<Call> call = std::move(found->second);
  calls_.erase(found);
  ClientConnection* connection = call->connection;
  loop_.defer([call = std::move(call)] {});
  if (connection != nullptr) connection->close();
}

void ClientCore::give_up(std::uint64_t id, Error error) {
  Call* call = find(id);
  if (call == nullptr) return;
  if (ClientConnection* connection = std::exchange(call->connection, nullptr)) connection->close();
  finish(id, tl::unexpected(std::move(error)));
}

void ClientCore::set_paused(std::uint64_t id, bool paused) {
  Call* call = find(id);
  if (call == nullptr || call->is_paused == paused) return;
  call->is_paused = paused;
  if (call->connection != nullptr) call->connection->set_paused(paused);
}

void ClientCore::shut_down() {
  std::vector<std::uint64_t> ids;
  ids.reserve(calls_.size());
  for (const auto& [id, call] : calls_) ids.push_back(id);
  for (const std::uint64_t id : ids) cancel(id);
  std::vector<ClientConnection*> idle;
  for (const auto& [name, origin] : origins_)
    for (const auto& connection : origin.connections) idle.push_back(connection.get());
  for (ClientConnection* connection : idle) connection->close();
}

Result<std::shared_ptr<TlsContext>> ClientCore::tls() {
  if (!options_.tls) {
    Result<std::shared_ptr<TlsContext>> made = TlsContext::client({});
    if (!made) return made;
    options_.tls = std::move(*made);
  }
  return options_.tls;
}

}  // namespace enfold::net::detail
