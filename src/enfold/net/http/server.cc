// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/server.h"

#include "enfold/net/endpoint.h"
#include "enfold/net/http/detail/server_core.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <sys/socket.h>
#include <utility>

namespace enfold::net {
namespace detail {
namespace {

constexpr Duration kAcceptPause = std::chrono::milliseconds(100);  // after accept() has failed

FileDescriptor open_reserve() { return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

ServerCore::ServerCore(Loop& loop, HttpServerOptions options, HttpServer::Handler handler)
    : loop_(loop),
      options_(std::move(options)),
      handler_(std::move(handler)),
      by_address_(options_.limits.max_connections),
      accept_again_(loop, [this] { accept_some(); }),
      drain_deadline_(loop, [this] { shut_down(); }) {}

Status ServerCore::listen() {
  listener_ = std::move(options_.listener);
  if (!listener_) {
    ENFOLD_TRY(listener_, Listener::open(options_.host, options_.port));
  }
  ENFOLD_TRY(const Endpoint local, local_endpoint(listener_.get()));
  port_ = local.port();
  // Requests may name the host that the server listens on.
  options_.policy.hosts.push_back(options_.host);
  reserve_ = open_reserve();
  return watch_.add(loop_, listener_.get(), [this](Readiness) { accept_some(); });
}

void ServerCore::accept_some(int at_most) {
  for (int accepted = 0; listener_; ++accepted) {
    if (accepted == at_most) {
      watch_.wake();
      return;
    }
    FileDescriptor socket(
        ::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket) {
      adopt(std::move(socket));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (errno != EINTR && errno != ECONNABORTED && errno != EPROTO) {
      on_accept_failure(errno);
      return;
    }
  }
}

// Without free descriptors, a connection that stays in the backlog would wake the loop again and
// again. So the reserved descriptor is closed, and the connection accepted and rejected.
void ServerCore::on_accept_failure(int error_number) {
  if (error_number == EMFILE || error_number == ENFILE) {
    reserve_.reset();
    reject(FileDescriptor(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)));
    reserve_ = open_reserve();
  }
  accept_again_.set_after(kAcceptPause);
}

void ServerCore::reject(FileDescriptor socket) {
  if (!socket) return;
  ++stats_.rejected_connections;
  const Result<Endpoint> peer = remote_endpoint(socket.get());
  if (options_.on_refusal) options_.on_refusal(503, peer ? peer->text() : std::string());
  if (options_.tls) return;
  static constexpr std::string_view kBusy =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  ::send(socket.get(), kBusy.data(), kBusy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void ServerCore::adopt(FileDescriptor socket) {
  auto peer = std::make_shared<Peer>();
  if (const Result<Endpoint> remote = remote_endpoint(socket.get())) {
    *peer = {.address = remote->text(), .network = network_of(remote->host())};
  }
  const bool is_full = stats_.connections >= options_.limits.max_connections;
  ServerConnection* const evicted = is_full ? eviction_order_.first() : nullptr;
  const bool frees_place = evicted != nullptr && evicted->has_address_place();
  const bool is_exempt = options_.limits.exempts(peer->network);
  // Rejects if all places are taken, or the network of the client holds its share of them. Checked
  // before a connection is evicted: one that is rejected must not evict another.
  if ((is_full && evicted == nullptr) ||
      (!is_exempt && !by_address_.has_place(peer->network, Shares::Limit::fair_share,
                                            frees_place ? &evicted->peer().network : nullptr))) {
    reject(std::move(socket));
    return;
  }
  if (evicted != nullptr) {
    ++stats_.evicted;
    evicted->close();
  }
  if (free_slots_.empty()) {
    connections_.emplace_back();
    free_slots_.push_back(static_cast<std::uint32_t>(connections_.size() - 1));
  }
  std::shared_ptr<void> place = is_exempt ? nullptr : by_address_.take(peer->network);
  const std::uint32_t slot = free_slots_.back();
  auto connection =
      std::make_unique<ServerConnection>(*this, slot, std::move(peer), std::move(place));
  if (!connection->open(std::move(socket), options_.tls.get())) return;
  free_slots_.pop_back();
  eviction_order_.add(slot, *connection);
  connections_[slot] = std::move(connection);
  ++stats_.accepted;
  ++stats_.connections;
}

ServerConnection* ServerCore::find(std::uint32_t slot, std::uint64_t exchange) const {
  if (exchange == 0 || slot >= connections_.size()) return nullptr;
  ServerConnection* connection = connections_[slot].get();
  return connection != nullptr && connection->exchange().id == exchange ? connection : nullptr;
}

// The connection is calling this function, so it is destroyed at the end of the loop iteration.
void ServerCore::release(ServerConnection& connection) {
  const std::uint32_t slot = connection.slot();
  std::unique_ptr<ServerConnection> gone = std::move(connections_[slot]);
  eviction_order_.remove(slot);
  free_slots_.push_back(slot);
  --stats_.connections;
  loop_.defer([core = shared_from_this(), gone = std::move(gone)] {
    if (core->draining_ && core->stats_.connections == 0) core->finish_draining();
  });
}

void ServerCore::shut_down() {
  watch_.remove();
  listener_.reset();
  accept_again_.cancel();
  for (std::size_t i = 0; i < connections_.size(); ++i)
    if (connections_[i]) connections_[i]->close();
}

void ServerCore::drain(Duration at_most, Task done) {
  // Connections in the backlog are established already, so they are accepted and served. A backlog
  // of 0 keeps new ones out meanwhile.
  if (listener_) ::listen(listener_.get(), 0);
  accept_some(std::numeric_limits<int>::max());
  draining_ = true;
  on_drained_ = std::move(done);
  watch_.remove();
  listener_.reset();
  accept_again_.cancel();
  drain_deadline_.set_after(at_most);
  for (const std::unique_ptr<ServerConnection>& connection : connections_)
    if (connection) connection->begin_draining();
  if (stats_.connections == 0)
    loop_.defer([core = shared_from_this()] { core->finish_draining(); });
}

void ServerCore::finish_draining() {
  drain_deadline_.cancel();
  if (Task done = std::move(on_drained_)) done();
}

std::optional<HttpFault> ServerCore::check_host_and_origin(const HttpHead& head) {
  const std::string_view authority = head.authority();
  if (authority.empty() || authority != known_host_) {
    if (auto fault = check_host(head, options_.policy)) return fault;
    known_host_ = authority;
  }
  return check_origin(head, options_.policy);
}

HttpResponse ServerCore::refusal(const HttpFault& fault) {
  HttpResponse response;
  response.status = fault.status;
  if (options_.format_refusal) {
    options_.format_refusal(response, fault.message);
    return response;
  }
  response.headers.add("Content-Type", "text/plain; charset=utf-8");
  response.body = fmt::format("{}\n", fault.message);
  return response;
}

void ServerCore::on_refusal(int status, const ServerConnection& connection) {
  ++stats_.refused;
  if (options_.on_refusal) options_.on_refusal(status, connection.peer().address);
}

}  // namespace detail

namespace {

using detail::ServerConnection;
using detail::ServerCore;

// `part`: a part of `text` that may be listed instead, such as a host without its port; or empty.
bool allows(const std::vector<std::string>& allowed, std::string_view text, std::string_view part) {
  return std::ranges::any_of(allowed, [&](const std::string& one) {
    return one == "*" || equals_ignoring_case(one, text) ||
           (!part.empty() && equals_ignoring_case(one, part));
  });
}

bool is_loopback_origin(std::string_view origin) {
  const Result<Url> url = parse_url(origin);
  return url && url->target == "/" && is_loopback_name(url->host);
}

}  // namespace

std::optional<HttpFault> check_host(const HttpHead& head, const HostPolicy& policy) {
  const std::string_view authority = head.authority();
  if (authority.empty() && head.minor_version() == 0) return std::nullopt;
  const Result<HostAndPort> parts = parse_authority(authority);
  if (!parts) return HttpFault{400, "the Host field is not HOST or HOST:PORT"};
  if (!is_loopback_name(parts->host) && !allows(policy.hosts, authority, parts->host))
    return HttpFault{403, "this server does not answer to the name in the Host field"};
  return std::nullopt;
}

std::optional<HttpFault> check_origin(const HttpHead& head, const HostPolicy& policy) {
  for (std::size_t i = 0; i < head.field_count(); ++i) {
    const HeaderField field = head.field(i);
    if (!equals_ignoring_case(field.name, "origin")) continue;
    if (!is_loopback_origin(field.value) && !allows(policy.origins, field.value, {}))
      return HttpFault{403, "this server may not be called by pages of this Origin"};
  }
  return std::nullopt;
}

ServerConnection* ExchangeHandle::connection() const {
  return core_ ? core_->find(slot_, exchange_) : nullptr;
}

ServerConnection* ExchangeHandle::release() {
  ServerConnection* target = connection();
  core_.reset();
  return target;
}

void ExchangeHandle::on_close(Task task) {
  if (ServerConnection* target = connection()) target->exchange().on_close = std::move(task);
}

Responder& Responder::operator=(Responder&& other) noexcept {
  const Responder former(std::move(*this));
  ExchangeHandle::operator=(std::move(other));
  peer_ = std::move(other.peer_);
  return *this;
}

void Responder::abandon() {
  if (ServerConnection* target = connection())
    target->respond(core_->refusal({500, "the server found no answer to this request"}));
}

void Responder::hold(std::shared_ptr<void> until_end) {
  if (ServerConnection* target = connection()) target->exchange().held = std::move(until_end);
}

void Responder::respond(HttpResponse response) {
  if (ServerConnection* target = release()) target->respond(std::move(response));
}

void Responder::refuse(HttpResponse response) {
  if (ServerConnection* target = connection()) core_->on_refusal(response.status, *target);
  respond(std::move(response));
}

void Responder::respond(int status, const HeaderLines& headers, std::string_view body) {
  if (ServerConnection* target = release()) target->respond(status, headers, body);
}

BodyWriter Responder::stream(const HttpResponse& head) {
  const std::shared_ptr<ServerCore> core = core_;
  ServerConnection* target = release();
  if (target == nullptr || !target->start_stream(head)) return {};
  return BodyWriter{core, slot_, exchange_};
}

BodyWriter& BodyWriter::operator=(BodyWriter&& other) noexcept {
  const BodyWriter former(std::move(*this));
  ExchangeHandle::operator=(std::move(other));
  return *this;
}

void BodyWriter::abandon() {
  ServerConnection* target = connection();
  if (target == nullptr) return;
  target->exchange().on_close = nullptr;  // the handler itself gives up, so it is not notified
  target->close();
}

std::size_t BodyWriter::queued() const {
  const ServerConnection* target = connection();
  return target == nullptr ? 0 : target->queued();
}

Flow BodyWriter::write(std::string_view bytes) {
  ServerConnection* target = connection();
  return target == nullptr ? Flow::closed : target->write(bytes);
}

void BodyWriter::end() {
  if (ServerConnection* target = release()) target->end_stream();
}

void BodyWriter::on_writable(Task task) {
  if (ServerConnection* target = connection()) target->exchange().on_writable = std::move(task);
}

HttpServer::HttpServer(std::shared_ptr<ServerCore> core) : core_(std::move(core)) {}

Result<std::unique_ptr<HttpServer>> HttpServer::listen(Loop& loop, HttpServerOptions options,
                                                       Handler handler) {
  auto core = std::make_shared<ServerCore>(loop, std::move(options), std::move(handler));
  ENFOLD_TRY(core->listen());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(core)));
}

HttpServer::~HttpServer() { core_->shut_down(); }

std::uint16_t HttpServer::port() const { return core_->port(); }
const ServerStats& HttpServer::stats() const { return core_->stats(); }
void HttpServer::renew(std::shared_ptr<TlsContext> tls) { core_->renew(std::move(tls)); }
void HttpServer::drain(Duration at_most, Task done) { core_->drain(at_most, std::move(done)); }

}  // namespace enfold::net
