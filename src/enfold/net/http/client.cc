// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/client.h"

#include "enfold/net/http/detail/client_core.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <utility>

namespace enfold::net {
namespace detail {
namespace {

// A host name that the resolver's thread must look up.
struct Lookup {
  std::string host;
  std::uint16_t port = 0;
  Resolver::Answer answer;
};

}  // namespace

// Owned by the resolver, its thread and every posted answer. The loop is used under the lock and
// only while the resolver exists, so a slow lookup may end after resolver and loop are destroyed.
struct Resolver::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Lookup> lookups;
  Loop* loop = nullptr;  ///< null: the resolver is destroyed
  bool has_thread = false;

  // The resolver's thread runs this.
  static void work(const std::shared_ptr<Shared>& shared) {
    std::unique_lock lock(shared->mutex);
    for (;;) {
      shared->changed.wait(lock,
                           [&] { return shared->loop == nullptr || !shared->lookups.empty(); });
      if (shared->loop == nullptr) return;
      Lookup lookup = std::move(shared->lookups.front());
      shared->lookups.pop_front();
      lock.unlock();
      Result<std::vector<Endpoint>> found = resolve(lookup.host, lookup.port);
      lock.lock();
      if (shared->loop == nullptr) return;
      shared->loop->post([shared, answer = std::move(lookup.answer),
                          found = std::move(found)]() mutable { deliver(shared, answer, found); });
    }
  }

  // Calls `answer` on the loop's thread, unless the resolver is destroyed.
  static void deliver(const std::shared_ptr<Shared>& shared, Answer& answer,
                      Result<std::vector<Endpoint>>& found) {
    {
      const std::scoped_lock lock(shared->mutex);
      if (shared->loop == nullptr) return;
    }
    answer(std::move(found));
  }
};

Resolver::Resolver(Loop& loop) : loop_(loop), shared_(std::make_shared<Shared>()) {
  shared_->loop = &loop;
}

Resolver::~Resolver() {
  std::deque<Lookup> unanswered;
  {
    const std::scoped_lock lock(shared_->mutex);
    shared_->loop = nullptr;
    unanswered.swap(shared_->lookups);
  }
  shared_->changed.notify_all();
}

void Resolver::find(const std::string& host, std::uint16_t port, Answer answer) {
  if (resolves_at_once(host)) {
    loop_.defer(
        [shared = shared_, answer = std::move(answer), found = resolve(host, port)]() mutable {
          Shared::deliver(shared, answer, found);
        });
    return;
  }
  {
    const std::scoped_lock lock(shared_->mutex);
    shared_->lookups.push_back({host, port, std::move(answer)});
    if (!std::exchange(shared_->has_thread, true))
      std::thread([shared = shared_] { Shared::work(shared); }).detach();
  }
  shared_->changed.notify_all();
}

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
  // The connection that was used last is the least likely to have been closed.
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
    origin.waiting.insert(call.id);
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
  if (origin.waiting.empty()) return nullptr;
  return find(origin.waiting.extract(origin.waiting.begin()).value());
}

void ClientCore::offer(ClientConnection& connection) {
  if (Call* call = next_waiting(origins_[connection.origin()])) connection.run(*call);
}

// The connection is calling this function, so it is destroyed later. A waiting call may then start.
void ClientCore::release(ClientConnection& connection) {
  Origin& origin = origins_[connection.origin()];
  const auto found = std::ranges::find_if(
      origin.connections, [&](const auto& one) { return one.get() == &connection; });
  if (found == origin.connections.end()) return;
  std::unique_ptr<ClientConnection> gone = std::move(*found);
  origin.connections.erase(found);
  loop_.defer([core = shared_from_this(), gone = std::move(gone)] {
    const auto its_origin = core->origins_.find(gone->origin());
    if (its_origin == core->origins_.end()) return;
    if (Call* call = core->next_waiting(its_origin->second))
      core->start(*call);
    else if (its_origin->second.connections.empty())
      core->origins_.erase(its_origin);
  });
}

// One of the call's callbacks may be running, so the call is destroyed later.
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
  const auto origin = origins_.find(call->origin);
  if (connection == nullptr && origin != origins_.end()) origin->second.waiting.erase(id);
  loop_.defer([call = std::move(call)] {});
  if (connection != nullptr) connection->close();
}

void ClientCore::give_up(std::uint64_t id, Error error) {
  Call* call = find(id);
  if (call == nullptr) return;
  if (error.where.empty()) error.where = call->request.url.shown();
  if (ClientConnection* connection = std::exchange(call->connection, nullptr)) connection->close();
  finish(id, tl::unexpected(std::move(error)));
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

}  // namespace detail

namespace {

/// The answer that fetch() collects; the three callbacks of its call share it.
struct Collection {
  ClientResponse response;
  Callback<void(Result<ClientResponse>)> done;
  std::size_t max_body_bytes = 0;
  std::uint64_t id = 0;  ///< of the call in ClientCore
};

}  // namespace

HttpCall::HttpCall(std::shared_ptr<detail::ClientCore> core, std::uint64_t id)
    : core_(std::move(core)), id_(id) {}

HttpCall& HttpCall::operator=(HttpCall&& other) noexcept {
  if (this != &other) {
    cancel();
    core_ = std::move(other.core_);
    id_ = other.id_;
  }
  return *this;
}

HttpCall::~HttpCall() { cancel(); }

void HttpCall::cancel() {
  if (const std::shared_ptr<detail::ClientCore> core = std::move(core_)) core->cancel(id_);
}

bool HttpCall::is_sent() const {
  const detail::Call* const call = core_ ? core_->find(id_) : nullptr;
  return core_ && (call == nullptr || (call->connection != nullptr && call->connection->is_busy()));
}

HttpClient::HttpClient(Loop& loop, HttpClientOptions options)
    : core_(std::make_shared<detail::ClientCore>(loop, std::move(options))) {}

HttpClient::~HttpClient() { core_->shut_down(); }

HttpCall HttpClient::send(ClientRequest request, CallEvents events) {
  return HttpCall{core_, core_->send(std::move(request), std::move(events))};
}

HttpCall HttpClient::fetch(ClientRequest request, Callback<void(Result<ClientResponse>)> done) {
  auto collected = std::make_shared<Collection>();
  collected->done = std::move(done);
  collected->max_body_bytes = core_->limits().message.max_body_bytes;
  const auto fail_too_long = [collected, weak = std::weak_ptr(core_)] {
    if (const auto core = weak.lock())
      core->give_up(collected->id,
                    {ErrorCode::limit_exceeded,
                     fmt::format("the answer is longer than {} bytes", collected->max_body_bytes),
                     {},
                     "raise the limit, or take the answer piece by piece"});
  };
  CallEvents events;
  events.on_head = [collected, fail_too_long](const HttpHead& head) {
    collected->response.head = head;
    if (head.body_kind() == BodyKind::length && head.content_length() > collected->max_body_bytes)
      fail_too_long();
  };
  events.on_data = [collected, fail_too_long](std::string_view bytes) {
    std::string& body = collected->response.body;
    if (bytes.size() > collected->max_body_bytes - body.size())
      fail_too_long();
    else
      body.append(bytes);
  };
  events.on_end = [collected](Status status) {
    if (status)
      collected->done(std::move(collected->response));
    else
      collected->done(tl::unexpected(std::move(status.error())));
  };
  collected->id = core_->send(std::move(request), std::move(events));
  return HttpCall{core_, collected->id};
}

std::size_t HttpClient::connections() const { return core_->connections(); }
std::size_t HttpClient::calls() const { return core_->calls(); }

}  // namespace enfold::net
