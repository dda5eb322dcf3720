// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/server_connection.h"

#include "enfold/net/endpoint.h"
#include "enfold/net/http/server_core.h"

#include <utility>

namespace enfold::net::detail {
ServerConnection::ServerConnection(ServerCore& core, std::uint32_t slot)
    : core_(core),
      stream_(core.loop(), *this),
      timer_(core.loop(), [this] { on_due(); }),
      slot_(slot) {}

Status ServerConnection::open(FileDescriptor socket, const TlsContext* tls) {
  ENFOLD_TRY(stream_.open(std::move(socket)));
  if (tls != nullptr) {
    std::unique_ptr<TlsSession> session = tls->accept(stream_.descriptor());
    if (!session) return fail(ErrorCode::limit_exceeded, "OpenSSL gives no TLS session");
    stream_.use_tls(std::move(session));
  }
  set_timer();
  return {};
}

std::string ServerConnection::peer() const {
  const Result<Endpoint> endpoint = remote_endpoint(stream_.descriptor());
  return endpoint ? endpoint->text() : std::string();
}

std::size_t ServerConnection::on_bytes(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size()) {
    const std::string_view rest = bytes.substr(used);
    std::size_t taken = 0;
    switch (state_) {
      case State::head:
        if (stream_.queued() > core_.limits().high_water_bytes) {
          stream_.pause();  // no more requests until the client has read its answers
          return used;
        }
        taken = take_head(rest);
        if (taken == 0 && state_ == State::head) return used;
        break;
      case State::body: taken = take_body(rest); break;
      case State::handling:
      case State::streaming: stream_.pause(); return used;
      case State::lingering:
      case State::closed: return bytes.size();
    }
    used += taken;
  }
  if (state_ == State::handling || state_ == State::streaming) stream_.pause();
  return used;
}

std::size_t ServerConnection::take_head(std::string_view bytes) {
  if (!head_started_) {
    if (const std::size_t empty = count_leading_line_ends(bytes); empty > 0) return empty;
    if (bytes == "\r") return 0;
  }
  answers_head_ = false;
  // Nearly always the whole head is there at once. If it was not, its end is looked for first.
  const HttpLimits& limits = core_.limits().message;
  HttpRequest& request = core_.scratch_request();
  HeadOutcome outcome;
  if (!head_started_) outcome = parse_request_head(bytes, limits, request.head);
  if (outcome.head_bytes == 0 && !outcome.fault) {
    outcome = scanner_.find_end(bytes, limits);
    if (outcome.head_bytes > 0)
      outcome = parse_request_head(bytes.substr(0, outcome.head_bytes), limits, request.head);
  }
  if (outcome.fault) {
    refuse(*outcome.fault);
    return 0;
  }
  if (outcome.head_bytes > 0) return take_request(request, bytes, outcome.head_bytes);
  if (!std::exchange(head_started_, true)) set_timer();
  return 0;
}

std::size_t ServerConnection::take_request(HttpRequest& request, std::string_view bytes,
                                           std::size_t head_bytes) {
  scanner_.restart();
  head_started_ = false;
  const HttpLimits& limits = core_.limits().message;
  const HttpHead& head = request.head;
  speaks_1_0_ = head.minor_version() == 0;
  answers_head_ = head.method() == "HEAD";
  keeps_alive_ = head.keeps_alive();
  if (auto fault = core_.check(head)) {
    refuse(*fault);
    return 0;
  }
  if (head.body_kind() == BodyKind::length && head.content_length() > limits.max_body_bytes) {
    refuse({413, "the body is longer than this server reads"});
    return 0;
  }
  if (std::optional<HttpResponse> answer = core_.check_head(head)) {
    if (head.body_kind() != BodyKind::none) keeps_alive_ = false;
    ++core_.stats().refused;
    send_whole(std::move(*answer));
    finish_exchange();
    return head_bytes;
  }
  const std::string_view rest = bytes.substr(head_bytes);
  if (head.body_kind() == BodyKind::none) {
    request.body.clear();
    dispatch(request);
    return head_bytes;
  }
  if (head.body_kind() == BodyKind::length && rest.size() >= head.content_length()) {
    const auto size = static_cast<std::size_t>(head.content_length());
    request.body.assign(rest.substr(0, size));
    dispatch(request);
    return head_bytes + size;
  }
  begin_body(request, !rest.empty());
  return head_bytes;
}

void ServerConnection::begin_body(HttpRequest& request, bool body_has_come) {
  state_ = State::body;
  decoder_ = BodyDecoder(request.head);
  partial_ = std::make_unique<HttpRequest>();
  partial_->head = std::move(request.head);
  if (partial_->head.expects_continue() && !body_has_come)
    stream_.write("HTTP/1.1 100 Continue\r\n\r\n");
  progress_ = 0;
  set_timer();
}

std::size_t ServerConnection::take_body(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size()) {
    const BodyDecoder::Step step = decoder_.next(bytes.substr(used));
    used += step.used;
    if (step.fault) {
      refuse(*step.fault);
      return bytes.size();
    }
    if (!append_body(step.data)) return bytes.size();
    if (!decoder_.is_done()) continue;
    const std::unique_ptr<HttpRequest> request = std::move(partial_);
    core_.stats().unfinished_body_bytes -= request->body.size();
    dispatch(*request);
    return used;
  }
  progress_ += used;
  if (progress_ >= core_.limits().least_progress_bytes) {
    progress_ = 0;
    set_timer();
  }
  return used;
}

bool ServerConnection::append_body(std::string_view data) {
  const ServerLimits& limits = core_.limits();
  if (data.size() > limits.message.max_body_bytes - partial_->body.size()) {
    refuse({413, "the body is longer than this server reads"});
    return false;
  }
  if (core_.stats().unfinished_body_bytes + data.size() > limits.max_unfinished_body_bytes) {
    refuse({503, "too many large requests are on their way at once; try again later"});
    return false;
  }
  core_.stats().unfinished_body_bytes += data.size();
  partial_->body.append(data);
  return true;
}

void ServerConnection::dispatch(HttpRequest& request) {
  state_ = State::handling;
  exchange_ = core_.new_exchange();
  ++core_.stats().requests;
  timer_.cancel();
  core_.handle(request, Responder(core_.shared_from_this(), slot_, exchange_));
}

// The connection ends with the refusal: what follows the refused bytes cannot be trusted.
void ServerConnection::refuse(const HttpFault& fault) {
  ++core_.stats().refused;
  keeps_alive_ = false;
  drop_partial();
  send_whole(core_.refusal(fault));
  linger();
}

void ServerConnection::break_off() { close(); }

void ServerConnection::finish_exchange() {
  if (state_ == State::streaming) --core_.stats().streams;
  exchange_ = 0;
  full_ = false;
  on_close_ = nullptr;
  on_drain_ = nullptr;
  if (core_.is_draining()) keeps_alive_ = false;
  if (!keeps_alive_) {
    linger();
    return;
  }
  state_ = State::head;
  set_timer();
  stream_.resume();
}

// The client may still be sending. Closing now would reset the connection, and the client would
// lose the answer. So the server ends its side, and reads and discards input until linger_timeout.
void ServerConnection::linger() {
  state_ = State::lingering;
  exchange_ = 0;
  stream_.finish_output();
  stream_.resume();
  set_timer();
}

void ServerConnection::on_end() {
  input_ended_ = true;
  switch (state_) {
    case State::head:
      if (head_started_)
        refuse({400, "the connection ended inside a request"});
      else if (stream_.queued() > 0)
        linger();
      else
        close();
      break;
    case State::body: refuse({400, "the connection ended inside a body"}); break;
    case State::handling:
    case State::streaming: on_hang_up(); break;
    case State::lingering:
      if (stream_.queued() == 0) close();
      break;
    case State::closed: break;
  }
}

// The client of an open request is probably gone. An answer is still sent, because some clients
// only close their sending side.
void ServerConnection::on_hang_up() {
  if (state_ == State::streaming) {
    close();
  } else if (state_ == State::handling) {
    keeps_alive_ = false;
    notify_closed();
  }
}

void ServerConnection::on_failure(const Error&) { close(); }

void ServerConnection::on_sent() {
  const std::size_t queued = stream_.queued();
  const ServerLimits& limits = core_.limits();
  if (queued == 0) {
    stalling_ = false;
    set_timer();
  } else if (!stalling_ || stream_.sent() - sent_mark_ >= limits.least_progress_bytes) {
    stalling_ = true;
    sent_mark_ = stream_.sent();
    set_timer();
  }
  if (state_ == State::head && queued <= limits.high_water_bytes) stream_.resume();
  if (full_ && queued < limits.high_water_bytes / 2) run_on_drain();
  if (state_ == State::lingering && queued == 0 && input_ended_) close();
}

void ServerConnection::run_on_drain() {
  full_ = false;
  if (!on_drain_) return;
  const std::uint64_t exchange = exchange_;
  Task task = std::move(on_drain_);
  task();
  if (exchange_ == exchange && !on_drain_) on_drain_ = std::move(task);
}

void ServerConnection::notify_closed() {
  if (Task task = std::move(on_close_)) task();
}

void ServerConnection::drop_partial() {
  if (!partial_) return;
  core_.stats().unfinished_body_bytes -= partial_->body.size();
  partial_.reset();
}

void ServerConnection::close() {
  if (state_ == State::closed) return;
  if (state_ == State::streaming) --core_.stats().streams;
  state_ = State::closed;
  exchange_ = 0;
  timer_.cancel();
  drop_partial();
  stream_.close();
  on_drain_ = nullptr;
  core_.release(*this);
  notify_closed();
}

void ServerConnection::set_timer() {
  const ServerLimits& limits = core_.limits();
  if (state_ == State::closed) return;
  if (stream_.queued() > 0 && stalling_) {
    timer_.set_after(limits.stall_timeout);
    return;
  }
  switch (state_) {
    case State::head:
      if (head_started_)
        timer_.set_after(limits.head_timeout);
      else
        timer_.set_after(core_.is_draining() ? limits.drain_grace : limits.idle_timeout);
      break;
    case State::body: timer_.set_after(limits.stall_timeout); break;
    case State::lingering: timer_.set_after(limits.linger_timeout); break;
    case State::handling:
    case State::streaming:
    case State::closed: timer_.cancel(); break;
  }
}

void ServerConnection::on_due() {
  if (stream_.queued() > 0 && stalling_) {
    ++core_.stats().slow_readers;
    close();
    return;
  }
  if (state_ == State::body || (state_ == State::head && head_started_)) {
    ++core_.stats().timed_out;
    refuse({408, "the request took too long to arrive"});
    return;
  }
  close();
}

}  // namespace enfold::net::detail
