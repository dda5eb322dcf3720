// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/server.h"

#include "enfold/net/http/detail/server_core.h"

#include <utility>

namespace enfold::net {

using detail::ServerConnection;
using detail::ServerCore;

Responder::Responder(std::shared_ptr<ServerCore> core, std::uint32_t slot, std::uint64_t exchange)
    : core_(std::move(core)), slot_(slot), exchange_(exchange) {}

Responder& Responder::operator=(Responder&& other) noexcept {
  if (this != &other) {
    Responder former(std::move(*this));
    core_ = std::move(other.core_);
    slot_ = other.slot_;
    exchange_ = other.exchange_;
  }
  return *this;
}

Responder::~Responder() {
  if (ServerConnection* waiting = connection())
    waiting->respond(core_->refusal({500, "the server found no answer to this request"}));
}

ServerConnection* Responder::connection() const {
  return core_ ? core_->find(slot_, exchange_) : nullptr;
}

bool Responder::is_open() const { return connection() != nullptr; }

std::string Responder::peer() const {
  const ServerConnection* waiting = connection();
  return waiting == nullptr ? std::string() : waiting->peer();
}

void Responder::on_close(Task task) {
  if (ServerConnection* waiting = connection()) waiting->exchange().on_close = std::move(task);
}

void Responder::respond(HttpResponse response) {
  ServerConnection* waiting = connection();
  core_.reset();
  if (waiting != nullptr) waiting->respond(std::move(response));
}

void Responder::respond(int status, const HeaderLines& headers, std::string_view body) {
  ServerConnection* waiting = connection();
  core_.reset();
  if (waiting != nullptr) waiting->respond(status, headers, body);
}

BodyWriter Responder::stream(const HttpResponse& head) {
  ServerConnection* waiting = connection();
  const std::shared_ptr<ServerCore> core = std::move(core_);
  if (waiting == nullptr || !waiting->start_stream(head)) return {};
  return BodyWriter{core, slot_, exchange_};
}

BodyWriter::BodyWriter(std::shared_ptr<ServerCore> core, std::uint32_t slot, std::uint64_t exchange)
    : core_(std::move(core)), slot_(slot), exchange_(exchange) {}

BodyWriter& BodyWriter::operator=(BodyWriter&& other) noexcept {
  if (this != &other) {
    BodyWriter former(std::move(*this));
    core_ = std::move(other.core_);
    slot_ = other.slot_;
    exchange_ = other.exchange_;
  }
  return *this;
}

BodyWriter::~BodyWriter() {
  ServerConnection* waiting = connection();
  if (waiting == nullptr) return;
  waiting->exchange().on_close = nullptr;  // only for clients that go away
  waiting->close();
}

ServerConnection* BodyWriter::connection() const {
  return core_ ? core_->find(slot_, exchange_) : nullptr;
}

bool BodyWriter::is_open() const { return connection() != nullptr; }

std::size_t BodyWriter::queued() const {
  const ServerConnection* waiting = connection();
  return waiting == nullptr ? 0 : waiting->queued();
}

Flow BodyWriter::write(std::string_view bytes) {
  ServerConnection* waiting = connection();
  return waiting == nullptr ? Flow::closed : waiting->write(bytes);
}

void BodyWriter::end() {
  ServerConnection* waiting = connection();
  core_.reset();
  if (waiting != nullptr) waiting->end_stream();
}

void BodyWriter::on_drain(Task task) {
  if (ServerConnection* waiting = connection()) waiting->exchange().on_drain = std::move(task);
}

void BodyWriter::on_close(Task task) {
  if (ServerConnection* waiting = connection()) waiting->exchange().on_close = std::move(task);
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
