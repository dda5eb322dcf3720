// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/detail/server_connection.h"

#include "enfold/net/http/detail/cors.h"
#include "enfold/net/http/detail/server_core.h"

#include <algorithm>
#include <utility>

namespace enfold::net::detail {
namespace {

constexpr HttpFault kBodyTooLong{413, "the body is longer than this server reads"};

}  // namespace

RequestReader::Step RequestReader::read(std::string_view bytes) {
  return is_inside_body() ? read_body(bytes) : read_head(bytes);
}

RequestReader::Step RequestReader::read_head(std::string_view bytes) {
  if (!head_started_) {
    if (const std::size_t empty = count_leading_line_ends(bytes); empty > 0) return {.used = empty};
    if (bytes == "\r") return {};  // perhaps half of an empty line
  }
  // Usually the head arrives complete and is parsed at once. If it does not, each further step
  // first searches its end.
  const HttpLimits& limits = core_.limits().message;
  // All connections share `request`, so start_request() moves the head out of it if the body is
  // incomplete.
  HttpRequest& request = core_.scratch_request();
  HeadOutcome outcome;
  if (!head_started_) outcome = parse_request_head(bytes, limits, request.head);
  if (outcome.head_bytes == 0 && !outcome.fault) {
    outcome = scanner_.find_end(bytes, limits);
    if (outcome.head_bytes > 0)
      outcome = parse_request_head(bytes.substr(0, outcome.head_bytes), limits, request.head);
  }
  if (outcome.fault) return {.fault = outcome.fault};
  // The deadline of a head starts with its first bytes and is not moved later.
  if (outcome.head_bytes == 0) return {.made_progress = !std::exchange(head_started_, true)};
  scanner_.restart();
  head_started_ = false;
  return start_request(request, bytes.substr(outcome.head_bytes),
                       {.used = outcome.head_bytes, .head = &request.head});
}

RequestReader::Step RequestReader::start_request(HttpRequest& request, std::string_view rest,
                                                 Step step) {
  const HttpHead& head = request.head;
  const bool has_length = head.body_kind() == BodyKind::length;
  step.fault = core_.check_host_and_origin(head);
  if (step.fault) return step;
  if (has_length && head.content_length() > core_.limits().message.max_body_bytes) {
    step.fault = kBodyTooLong;
    return step;
  }
  max_body_ = core_.limits().message.max_body_bytes;
  if (head.method() == "OPTIONS") step.answer = answer_preflight(head);
  if (!step.answer && core_.options().check_head) {
    HeadCheck checked = core_.options().check_head(head, peer_);
    step.answer = std::move(checked.refusal);
    max_body_ = std::min(max_body_, checked.max_body_bytes);
  }
  if (step.answer) return step;
  if (head.body_kind() == BodyKind::none) {
    request.body.clear();
    step.request = &request;
    return step;
  }
  if (has_length && head.content_length() > max_body_) {
    step.fault = kBodyTooLong;
    return step;
  }
  if (has_length && rest.size() >= head.content_length()) {
    const auto size = static_cast<std::size_t>(head.content_length());
    request.body.assign(rest.substr(0, size));
    step.request = &request;
    step.used += size;
    return step;
  }
  decoder_ = BodyDecoder(head);
  partial_ = std::make_unique<HttpRequest>();
  partial_->head = std::move(request.head);
  progress_ = 0;
  step.head = &partial_->head;
  step.wants_continue = partial_->head.expects_continue() && rest.empty();
  step.made_progress = true;
  return step;
}

RequestReader::Step RequestReader::read_body(std::string_view bytes) {
  Step step;
  while (step.used < bytes.size()) {
    const BodyDecoder::Step piece = decoder_.next(bytes.substr(step.used));
    step.used += piece.used;
    step.fault = piece.fault ? piece.fault : append(piece.data);
    if (step.fault) return step;
    if (!decoder_.is_done()) continue;
    core_.stats().unfinished_body_bytes -= partial_->body.size();
    step.owned = std::move(partial_);
    step.request = step.owned.get();
    return step;
  }
  progress_ += step.used;
  if (progress_ >= core_.limits().least_progress_bytes) {
    progress_ = 0;
    step.made_progress = true;
  }
  return step;
}

std::optional<HttpFault> RequestReader::append(std::string_view data) {
  const ServerLimits& limits = core_.limits();
  if (data.size() > max_body_ - partial_->body.size()) return kBodyTooLong;
  if (core_.stats().unfinished_body_bytes + data.size() > limits.max_unfinished_body_bytes) {
    return HttpFault{503, "too many large requests are on their way at once; try again later"};
  }
  core_.stats().unfinished_body_bytes += data.size();
  partial_->body.append(data);
  return std::nullopt;
}

void RequestReader::discard() {
  if (!partial_) return;
  core_.stats().unfinished_body_bytes -= partial_->body.size();
  partial_.reset();
}

void Exchange::notify_writable() {
  output_full = false;
  if (!on_writable) return;
  const std::uint64_t before = id;
  Task task = std::move(on_writable);
  task();
  if (id == before && !on_writable) on_writable = std::move(task);
}

void Exchange::notify_closed() {
  if (Task task = std::move(on_close)) task();
}

ServerConnection::ServerConnection(ServerCore& core, std::uint32_t slot,
                                   std::shared_ptr<const Peer> peer,
                                   std::shared_ptr<void> address_place)
    : core_(core),
      stream_(core.loop(), *this),
      reader_(core, *peer),
      writer_(core, stream_),
      timer_(core.loop(), [this] { on_timeout(); }),
      slot_(slot),
      peer_(std::move(peer)),
      address_place_(std::move(address_place)) {}

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

std::size_t ServerConnection::on_bytes(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && state_ == State::reading) {
    if (!reader_.is_inside_body() && stream_.queued() > core_.limits().high_water_bytes) {
      stream_.pause();  // reads no more requests until the client has read its answers
      return used;
    }
    const std::size_t taken = read_request(bytes.substr(used));
    if (taken == 0 && state_ == State::reading) return used;
    used += taken;
  }
  if (state_ == State::handling || state_ == State::streaming) stream_.pause();
  // A connection that lingers or is closed discards its input.
  return state_ == State::lingering || state_ == State::closed ? bytes.size() : used;
}

std::size_t ServerConnection::read_request(std::string_view bytes) {
  RequestReader::Step step = reader_.read(bytes);
  if (step.head != nullptr) {
    writer_.set_request(*step.head);
    if (!step.fault && step.head->find("Origin")) {
      writer_.add_lines(cors_lines(*step.head, core_.options().policy));
    }
    is_silent_ = false;
  }
  if (step.fault) {
    refuse(*step.fault);
  } else if (step.answer) {
    if (step.head->body_kind() != BodyKind::none) writer_.close_after_response();
    if (step.answer->status >= 400) core_.on_refusal(step.answer->status, *this);
    respond(std::move(*step.answer));
  } else if (step.request != nullptr) {
    dispatch(*step.request);
  } else {
    if (step.wants_continue) stream_.write("HTTP/1.1 100 Continue\r\n\r\n");
    if (step.made_progress) {
      core_.eviction_order().start_waiting(slot_);
      head_deadline_ = core_.loop().now() + core_.limits().head_timeout;
      set_timer();
    }
  }
  return step.used;
}

void ServerConnection::dispatch(HttpRequest& request) {
  state_ = State::handling;
  exchange_.id = core_.new_exchange_id();
  ++core_.stats().requests;
  core_.eviction_order().stop_waiting(slot_);
  timer_.cancel();
  core_.handle(request, Responder(core_.shared_from_this(), slot_, exchange_.id, peer_));
}

// The connection ends with the refusal: what follows the refused bytes cannot be trusted.
void ServerConnection::refuse(const HttpFault& fault) {
  core_.on_refusal(fault.status, *this);
  writer_.close_after_response();
  reader_.discard();
  writer_.send(core_.refusal(fault));
  linger();
}

void ServerConnection::respond(HttpResponse response) {
  writer_.send(std::move(response));
  finish_exchange();
}

void ServerConnection::respond(int status, const HeaderLines& headers, std::string_view body) {
  writer_.send(status, headers, body);
  finish_exchange();
}

bool ServerConnection::start_stream(const HttpResponse& response) {
  if (core_.stats().streams >= core_.limits().max_streams) {
    core_.on_refusal(503, *this);
    respond(core_.refusal({503, "too many streams are open; try again later"}));
    return false;
  }
  writer_.start_stream(response);
  if (writer_.answers_head_request()) {
    finish_exchange();
    return false;
  }
  state_ = State::streaming;
  ++core_.stats().streams;
  return response.body.empty() || write(response.body) != Flow::closed;
}

Flow ServerConnection::write(std::string_view bytes) {
  const auto flow = [&] { return exchange_.output_full ? Flow::full : Flow::open; };
  if (bytes.empty()) return flow();  // an empty chunk would be the last
  // Counts only the bytes that were queued before: the client had no time to read the new ones.
  const std::size_t queued_before = stream_.queued();
  writer_.send_part(bytes);
  if (queued_before > core_.limits().max_stream_queue_bytes) {
    ++core_.stats().slow_readers;
    close();
    return Flow::closed;
  }
  if (stream_.queued() > core_.limits().high_water_bytes) exchange_.output_full = true;
  return flow();
}

void ServerConnection::end_stream() {
  writer_.end_stream();
  finish_exchange();
}

void ServerConnection::finish_exchange() {
  if (state_ == State::streaming) --core_.stats().streams;
  exchange_ = {};
  writer_.finish();
  if (core_.is_draining() || !writer_.keeps_alive()) {
    linger();
    return;
  }
  state_ = State::reading;
  core_.eviction_order().start_waiting(slot_);
  set_timer();
  stream_.resume();
}

// The client may still be sending. Closing now would reset the connection, and the client would
// lose the answer. So the server ends its side, and reads and discards input until linger_timeout.
void ServerConnection::linger() {
  state_ = State::lingering;
  exchange_.id = 0;
  core_.eviction_order().start_waiting(slot_);
  stream_.finish_output();
  stream_.resume();
  set_timer();
}

void ServerConnection::on_end() {
  input_ended_ = true;
  switch (state_) {
    case State::reading:
      if (reader_.is_inside_body())
        refuse({400, "the connection ended inside a body"});
      else if (reader_.is_inside_head())
        refuse({400, "the connection ended inside a request"});
      else if (stream_.queued() > 0)
        linger();
      else
        close();
      break;
    case State::handling:
    case State::streaming: on_hang_up(); break;
    case State::lingering:
      if (stream_.queued() == 0) close();
      break;
    case State::closed: break;
  }
}

// The client of an open request is probably gone. A stream is closed. A single answer is still
// sent, because some clients only close their sending side.
void ServerConnection::on_hang_up() {
  if (state_ == State::streaming) {
    close();
  } else if (state_ == State::handling) {
    writer_.close_after_response();
    exchange_.notify_closed();
  }
}

void ServerConnection::on_failure(const Error&) { close(); }

void ServerConnection::on_sent() {
  const std::size_t queued = stream_.queued();
  const ServerLimits& limits = core_.limits();
  if (queued == 0) {
    send_is_blocked_ = false;
    set_timer();
  } else if (!send_is_blocked_ || stream_.sent() - sent_mark_ >= limits.least_progress_bytes) {
    send_is_blocked_ = true;
    sent_mark_ = stream_.sent();
    if (state_ == State::reading || state_ == State::lingering)
      core_.eviction_order().start_waiting(slot_);
    set_timer();
  }
  if (state_ == State::reading && queued <= limits.high_water_bytes) stream_.resume();
  if (exchange_.output_full && queued < limits.high_water_bytes / 2) exchange_.notify_writable();
  if (state_ == State::lingering && queued == 0 && input_ended_) close();
}

void ServerConnection::close() {
  if (state_ == State::closed) return;
  if (state_ == State::streaming) --core_.stats().streams;
  state_ = State::closed;
  exchange_.id = 0;
  timer_.cancel();
  reader_.discard();
  stream_.close();
  exchange_.on_writable = nullptr;
  // Now, not in the destructor: the next connection of this network may need the place.
  address_place_.reset();
  core_.release(*this);
  exchange_.notify_closed();
}

void ServerConnection::set_timer() {
  const ServerLimits& limits = core_.limits();
  if (state_ == State::closed) return;
  if (stream_.queued() > 0 && send_is_blocked_) {
    timer_.set_after(limits.stall_timeout);
    return;
  }
  switch (state_) {
    case State::reading:
      if (reader_.is_inside_body())
        timer_.set_after(limits.stall_timeout);
      else if (reader_.is_inside_head())
        timer_.set_at(head_deadline_);
      else
        timer_.set_after(core_.is_draining() ? limits.drain_grace
                         : is_silent_        ? limits.head_timeout
                                             : limits.idle_timeout);
      break;
    case State::lingering: timer_.set_after(limits.linger_timeout); break;
    case State::handling:
    case State::streaming:
    case State::closed: timer_.cancel(); break;
  }
}

void ServerConnection::on_timeout() {
  if (stream_.queued() > 0 && send_is_blocked_) {
    ++core_.stats().slow_readers;
    close();
    return;
  }
  if (state_ == State::reading && (reader_.is_inside_body() || reader_.is_inside_head())) {
    ++core_.stats().timed_out;
    refuse({408, "the request took too long to arrive"});
    return;
  }
  close();
}

}  // namespace enfold::net::detail
