// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/detail/client_connection.h"

#include "enfold/net/http/detail/client_core.h"

#include <cerrno>
#include <fmt/format.h>
#include <iterator>
#include <sys/socket.h>
#include <utility>

namespace enfold::net::detail {
namespace {

// A body below this size is sent in one piece with its head.
constexpr std::size_t kJoinBodyBelow = std::size_t{16} << 10;

// Whether a request without a body has the field Content-Length too.
bool needs_length(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

// The request line and the header lines, with the empty line.
std::string head_of(const ClientRequest& request) {
  std::string head;
  head.reserve(256 + request.headers.text().size() + request.url.target.size());
  fmt::format_to(std::back_inserter(head), "{} {} HTTP/1.1\r\nHost: {}\r\n", request.method,
                 request.url.target, request.url.authority());
  if (!request.body.empty() || needs_length(request.method))
    fmt::format_to(std::back_inserter(head), "Content-Length: {}\r\n", request.body.size());
  head += request.headers.text();
  head += "\r\n";
  return head;
}

}  // namespace

ClientConnection::ClientConnection(ClientCore& core, const Url& url)
    : core_(core),
      origin_(url.origin()),
      host_(url.host),
      port_(url.port),
      secure_(url.secure),
      stream_(core.loop(), *this),
      timer_(core.loop(), [this] { on_timeout(); }) {}

void ClientConnection::connect_for(Call& call) {
  call_ = call.id;
  call.connection = this;
  timer_.set_after(core_.limits().connect_timeout);
  // The lookup may end after this connection was destroyed; then the call has another connection.
  const std::weak_ptr<ClientCore> weak = core_.weak_from_this();
  core_.resolver().find(host_, port_,
                        [weak, id = call.id, self = this](Result<std::vector<Endpoint>> endpoints) {
                          const std::shared_ptr<ClientCore> core = weak.lock();
                          const Call* waiting = core ? core->find(id) : nullptr;
                          if (waiting != nullptr && waiting->connection == self)
                            self->on_resolved(std::move(endpoints));
                        });
}

void ClientConnection::on_resolved(Result<std::vector<Endpoint>> endpoints) {
  if (!endpoints) {
    give_up(endpoints.error());
    return;
  }
  endpoints_ = std::move(*endpoints);
  state_ = State::connecting;
  try_next_endpoint({ErrorCode::not_found, "the host has no address", host_, {}});
}

void ClientConnection::try_next_endpoint(const Error& last) {
  Error error = last;
  while (next_endpoint_ < endpoints_.size()) {
    Result<FileDescriptor> socket = start_connecting(endpoints_[next_endpoint_++]);
    Status opened =
        socket ? stream_.open_connecting(std::move(*socket)) : tl::unexpected(socket.error());
    if (!opened) {
      error = opened.error();
      continue;
    }
    if (!secure_) return;
    Result<std::shared_ptr<TlsContext>> tls = core_.tls();
    if (!tls) {
      give_up(tls.error());
      return;
    }
    std::unique_ptr<TlsSession> session = (*tls)->connect(stream_.descriptor(), host_);
    if (session) {
      stream_.use_tls(std::move(session));
      return;
    }
    stream_.close();
    error = {ErrorCode::invalid_input, "TLS cannot be used with this host", host_, {}};
  }
  give_up(std::move(error));
}

void ClientConnection::on_open() {
  std::vector<Endpoint>().swap(endpoints_);
  if (Call* call = core_.find(call_)) run(*call);
}

void ClientConnection::run(Call& call) {
  call_ = call.id;
  call.connection = this;
  state_ = State::head;
  has_answered_ = false;
  scanner_.restart();
  ClientRequest& request = call.request;
  std::string head = head_of(request);
  // The body is kept only if the request may be sent again.
  std::string body = request.is_safe_to_repeat ? request.body : std::move(request.body);
  if (body.size() < kJoinBodyBelow) {
    head += body;
    stream_.write(std::move(head));
  } else {
    stream_.write(std::move(head));
    stream_.write(std::move(body));
  }
  set_timeout(request.head_timeout.value_or(core_.limits().head_timeout));
  stream_.resume();
}

bool ClientConnection::is_alive() const {
  char byte = 0;
  const ssize_t got = ::recv(stream_.descriptor(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  // An idle connection receives nothing except, under TLS, a session ticket.
  return got < 0 ? errno == EAGAIN || errno == EWOULDBLOCK : got > 0 && secure_;
}

std::size_t ClientConnection::on_bytes(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size()) {
    const std::string_view rest = bytes.substr(used);
    switch (state_) {
      case State::head: {
        has_answered_ = true;
        const std::size_t taken = take_head(rest);
        if (taken == 0) return state_ == State::closed ? bytes.size() : used;
        used += taken;
        break;
      }
      case State::body: used += take_body(rest); break;
      case State::idle: close(); return bytes.size();  // an answer without a request
      case State::resolving:
      case State::connecting:
      case State::closed: return bytes.size();
    }
  }
  return used;
}

std::size_t ClientConnection::take_head(std::string_view bytes) {
  Call* call = core_.find(call_);
  const HttpLimits& limits = core_.limits().message;
  HeadOutcome found = scanner_.find_end(bytes, limits);
  if (!found.fault && found.head_bytes == 0) return 0;
  if (!found.fault) {
    scanner_.restart();
    found = parse_response_head(bytes.substr(0, found.head_bytes), limits,
                                call->request.method == "HEAD", head_);
  }
  std::optional<HttpFault> fault = found.fault;
  if (!fault && head_.status() == 101)
    fault = HttpFault{502, "no request asked to switch protocols"};
  if (fault) {
    give_up({ErrorCode::protocol_violation,
             fmt::format("the server did not answer in HTTP: {}", fault->message),
             where(),
             {}});
    return 0;
  }
  if (head_.status() < 200) return found.head_bytes;  // an interim response, such as 100 Continue
  state_ = State::body;
  decoder_ = BodyDecoder(head_);
  set_timeout(stall_timeout());
  if (call->events.on_head) call->events.on_head(head_);
  if (state_ == State::body && decoder_.is_done()) complete(bytes.size() == found.head_bytes);
  return found.head_bytes;
}

std::size_t ClientConnection::take_body(std::string_view bytes) {
  const BodyDecoder::Step step = decoder_.next(bytes);
  if (step.fault) {
    give_up({ErrorCode::protocol_violation,
             fmt::format("the body of the answer is broken: {}", step.fault->message),
             where(),
             {}});
    return bytes.size();
  }
  set_timeout(stall_timeout());
  if (!step.data.empty())
    if (Call* call = core_.find(call_); call != nullptr && call->events.on_data)
      call->events.on_data(step.data);
  if (state_ == State::body && decoder_.is_done()) complete(step.used == bytes.size());
  return step.used;
}

// Only a connection that is exactly between two messages may carry another call.
void ClientConnection::complete(bool at_end_of_bytes) {
  const std::uint64_t call = std::exchange(call_, 0);
  if (at_end_of_bytes && head_.keeps_alive() && stream_.queued() == 0) {
    state_ = State::idle;
    was_used_ = true;
    if (Call* done = core_.find(call)) done->connection = nullptr;
    timer_.set_after(core_.limits().idle_timeout);
    core_.offer(*this);
  } else {
    close();
  }
  core_.finish(call, Status());
}

void ClientConnection::on_sent() {
  // Sending a large request may take long: the timeout starts again while it progresses.
  if (state_ == State::head && stream_.queued() > 0)
    if (const Call* call = core_.find(call_))
      set_timeout(call->request.head_timeout.value_or(core_.limits().head_timeout));
}

void ClientConnection::on_end() {
  if (state_ == State::body && decoder_.ends_with_connection()) {
    complete(/*at_end_of_bytes=*/false);  // closes the connection
    return;
  }
  on_failure({ErrorCode::unavailable, "the server closed the connection", {}, {}});
}

void ClientConnection::on_failure(const Error& error) {
  if (state_ == State::idle) {
    close();
    return;
  }
  if (state_ == State::connecting && next_endpoint_ < endpoints_.size()) {
    try_next_endpoint(error);
    return;
  }
  // If nothing came back on a reused connection, the server has probably closed it before it read
  // the request.
  Call* call = core_.find(call_);
  if (call != nullptr && state_ == State::head && was_used_ && !has_answered_ &&
      call->request.is_safe_to_repeat && !call->was_repeated) {
    const std::uint64_t id = std::exchange(call_, 0);
    close();
    core_.repeat(id);
    return;
  }
  Error reported = error;
  if (state_ == State::head)
    reported.message += " before it answered; whether it did what was asked is not known";
  else if (state_ == State::body)
    reported.message += " in the middle of its answer";
  give_up(std::move(reported));
}

void ClientConnection::on_timeout() {
  switch (state_) {
    case State::idle: close(); return;
    case State::resolving:
    case State::connecting:
      give_up({ErrorCode::timed_out, "the server could not be reached in time", where(), {}});
      return;
    case State::head:
      give_up({ErrorCode::timed_out, "the server did not answer in time", where(), {}});
      return;
    case State::body:
      give_up({ErrorCode::timed_out, "the answer stopped coming", where(), {}});
      return;
    case State::closed: return;
  }
}

void ClientConnection::set_timeout(Duration after) {
  if (after == Duration::max())
    timer_.cancel();
  else
    timer_.set_after(after);
}

Duration ClientConnection::stall_timeout() const {
  const Call* call = core_.find(call_);
  const Duration default_timeout = core_.limits().stall_timeout;
  return call == nullptr ? default_timeout : call->request.stall_timeout.value_or(default_timeout);
}

std::string ClientConnection::where() const {
  const Call* call = core_.find(call_);
  return call == nullptr ? origin_ : call->request.url.shown();
}

void ClientConnection::give_up(Error error) {
  if (error.where.empty()) error.where = where();
  const std::uint64_t call = std::exchange(call_, 0);
  close();
  core_.finish(call, tl::unexpected(std::move(error)));
}

void ClientConnection::close() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  timer_.cancel();
  stream_.close();
  core_.release(*this);
}

}  // namespace enfold::net::detail
