// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/client.h"

#include "enfold/net/http/detail/client_core.h"

#include <fmt/format.h>
#include <utility>

namespace enfold::net {
namespace {

/// Collects an answer; the three callbacks of a call share it.
struct Collected {
  ClientResponse response;
  Callback<void(Result<ClientResponse>)> done;
  std::size_t max_body_bytes = 0;
  std::string where;
  std::uint64_t id = 0;
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
void HttpCall::pause() {
  if (core_) core_->set_paused(id_, true);
}
void HttpCall::resume() {
  if (core_) core_->set_paused(id_, false);
}
bool HttpCall::is_under_way() const { return core_ && core_->find(id_) != nullptr; }

HttpClient::HttpClient(Loop& loop, HttpClientOptions options)
    : core_(std::make_shared<detail::ClientCore>(loop, std::move(options))) {}

HttpClient::~HttpClient() { core_->shut_down(); }

HttpCall HttpClient::send(ClientRequest request, CallEvents events) {
  return HttpCall{core_, core_->send(std::move(request), std::move(events))};
}

HttpCall HttpClient::fetch(ClientRequest request, Callback<void(Result<ClientResponse>)> done) {
  auto collected = std::make_shared<Collected>();
  collected->done = std::move(done);
  collected->max_body_bytes = core_->limits().message.max_body_bytes;
  collected->where = request.url.origin() + request.url.target;
  const auto fail_too_long = [collected, weak = std::weak_ptr(core_)] {
    if (const auto core = weak.lock())
      core->give_up(collected->id,
                    {ErrorCode::limit_exceeded,
                     fmt::format("the answer is longer than {} bytes", collected->max_body_bytes),
                     collected->where, "raise the limit, or take the answer piece by piece"});
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
