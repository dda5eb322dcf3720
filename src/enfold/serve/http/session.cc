// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/http/session.h"

#include "enfold/mcp/wire/sse.h"

#include <algorithm>

namespace enfold::serve {
namespace {

// How long a client is asked to wait before it resumes a stream.
constexpr std::chrono::milliseconds kRetry{500};

using mcp::era_2025::StreamKey;

// From this revision on a stream begins with an empty event, so that it can be resumed at once.
constexpr std::string_view kFirstPrimedRevision = "2025-11-25";

// From kFirstPrimedRevision on, an answer within this time is one JSON body. A slower answer gets
// an event stream, so that a client that loses the connection can resume the stream. Clients of
// earlier revisions get a stream only if another message precedes the answer. One alarm per session
// serves all its calls.
constexpr mcp::Time kStreamAfter{100};

void respond(net::Responder& responder, const mcp::Rejection& rejection) {
  responder.respond(json_response(rejection.status, rejection.body.str()));
}

void set_address(ConnectionState& state, const net::Peer& peer) {
  state.client_address = peer.address;
  state.client_network = peer.network;
}

}  // namespace

net::HttpResponse stream_head(std::string_view session) {
  net::HttpResponse head;
  head.headers.add("Content-Type", "text/event-stream").add("Cache-Control", "no-cache, no-store");
  head.headers.add("X-Accel-Buffering", "no");
  if (!session.empty()) head.headers.add(mcp::header::session, session);
  return head;
}

net::HttpResponse json_response(int status, std::string body) {
  net::HttpResponse response{.status = status, .body = std::move(body)};
  if (!response.body.empty()) response.headers = json_headers();
  return response;
}

net::HeaderLines json_headers(std::string_view session) {
  net::HeaderLines headers;
  headers.add("Content-Type", "application/json");
  if (!session.empty()) headers.add(mcp::header::session, session);
  return headers;
}

bool HttpExchange::send(const mcp::Send& send) {
  if (send.last && expected_ > 0) --expected_;
  const bool is_only_message = send.last && expected_ == 0 && !streams_;
  if (is_only_message) {
    respond(send);
    return true;
  }
  open_stream();
  write_event(send.message);
  if (expected_ > 0) return false;
  end_stream();
  return true;
}

void HttpExchange::withdraw() {
  if (expected_ == 0) return;
  --expected_;
  if (expected_ > 0) return;
  open_stream();
  end_stream();
}

void HttpExchange::end_stream() {
  // If the client has lost the stream, the log keeps the answer until the client resumes it.
  if (!body_.is_open()) return;
  body_.end();
  if (log_ != nullptr) log_->events.forget(key_);
}

void HttpExchange::respond(const mcp::Send& send) {
  static const net::HeaderLines stateless = json_headers();
  const net::HeaderLines& headers = log_ != nullptr ? log_->json_headers : stateless;
  if (const auto whole = send.message.whole()) {
    responder_.respond(send.status, headers, *whole);
  } else {
    responder_.respond({send.status, headers, send.message.str()});
  }
}

void HttpExchange::watch_close() {
  responder_.on_close([this] {
    if (on_close_) on_close_();
  });
}

void HttpExchange::open_stream() {
  if (streams_) return;
  streams_ = true;
  net::HttpResponse head = stream_head(log_ != nullptr ? std::string_view(log_->session) : "");
  if (log_ != nullptr && log_->primes) {
    head.body = mcp::priming_event(log_->events.append(key_, ""), kRetry);
  }
  body_ = responder_.stream(head);
  body_.on_close([this] {
    if (on_close_) on_close_();
  });
}

void HttpExchange::write_event(const json::Output& message) {
  if (log_ == nullptr) {
    body_.write(mcp::message_event(message.str()));
    return;
  }
  std::string text = message.str();
  const std::string id = log_->events.append(key_, text);
  if (body_.is_open()) {
    body_.write(mcp::message_event(text, id));
  }
}

void HttpExchange::close_stream() {
  if (log_ == nullptr) return;
  open_stream();
  if (body_.is_open()) body_.end();
}

void HttpExchange::resume(net::BodyWriter body) {
  body_ = std::move(body);
  body_.on_close([this] {
    if (on_close_) on_close_();
  });
}

void HttpExchange::keep_alive() {
  if (streams_ && body_.is_open()) body_.write(mcp::kSseKeepAlive);
}

HttpSession::HttpSession(Service& service, std::string id, const std::string& principal)
    : host_(service.host()), connection_(Connection::open(service, *this, principal)) {
  log_.json_headers = json_headers(id);
  log_.session = std::move(id);
}

HttpSession::~HttpSession() {
  on_activity_ = nullptr;
  connection_->detach();
  end_standalone();
  for (const auto& [call, exchange] : exchanges_) exchange->close_stream();
}

void HttpSession::post(mcp::SessionPost post, net::Responder responder) {
  if (post.batch && !mcp::has_batches(connection_->peer().session_version())) {
    respond(responder,
            mcp::rejection(400, mcp::invalid_request("Expected one message, found a batch")));
    return;
  }
  const auto requests = static_cast<std::size_t>(std::count_if(
      post.messages.begin(), post.messages.end(),
      [](const mcp::Message& message) { return std::holds_alternative<mcp::Request>(message); }));
  connection_->set_headers(post.fields);
  set_address(connection_->state(), responder.peer());
  if (requests == 0) {
    responder.respond({.status = 202});
    for (mcp::Message& message : post.messages) connection_->receive(std::move(message));
    return;
  }
  const auto exchange = std::make_shared<HttpExchange>(
      std::move(responder), &log_, static_cast<StreamKey>(++last_stream_), host_.now());
  exchange->expect(requests);
  current_ = exchange;
  for (mcp::Message& message : post.messages) connection_->receive(std::move(message));
  current_ = nullptr;
  report_activity();
  log_.primes = connection_->peer().session_version() >= kFirstPrimedRevision;
  if (!exchange->is_finished() && log_.primes && !alarm_) stream_after(kStreamAfter);
}

void HttpSession::stream_after(mcp::Time wait) {
  alarm_ = host_.after(wait, [this] { open_late_streams(); });
}

void HttpSession::open_late_streams() {
  // The alarm is calling this function, so it is destroyed later.
  host_.post([alarm = std::move(alarm_)] {});
  const mcp::Time late = host_.now() - kStreamAfter;  // calls that started by then are slow
  std::optional<mcp::Time> next;
  for (const auto& [call, exchange] : exchanges_) {
    if (exchange->started() <= late) {
      exchange->open_stream();
    } else if (!exchange->is_streaming()) {
      next = std::min(next.value_or(mcp::Time::max()), exchange->started() - late);
    }
  }
  if (next) stream_after(*next);
}

HttpSession::Exchanges::iterator HttpSession::find(mcp::CallKey call) {
  return std::ranges::find(exchanges_, call, &Exchanges::value_type::first);
}

void HttpSession::report_activity() {
  if (on_activity_ && !current_) on_activity_();
}

void HttpSession::on_call(mcp::CallKey call) {
  if (!current_ || find(call) != exchanges_.end()) return;
  exchanges_.emplace_back(call, current_);
  report_activity();
}

void HttpSession::send(mcp::Send send) {
  if (!send.about) {
    if (!had_standalone_) return;
    std::string text = send.message.str();
    const std::string id = log_.events.append(StreamKey::standalone, text);
    // A client that has lost the stream gets the event when it resumes the stream.
    if (!standalone_.is_open()) return;
    standalone_.write(mcp::message_event(text, id));
    return;
  }
  on_call(*send.about);
  const auto found = find(*send.about);
  if (found == exchanges_.end()) return;
  const std::shared_ptr<HttpExchange> exchange =
      send.last ? std::move(found->second) : found->second;
  if (send.last) {
    exchanges_.erase(found);
    report_activity();
  }
  exchange->send(send);
}

void HttpSession::on_cancelled(mcp::CallKey call) {
  const auto found = find(call);
  if (found == exchanges_.end()) return;
  const std::shared_ptr<HttpExchange> exchange = std::move(found->second);
  exchanges_.erase(found);
  report_activity();
  exchange->withdraw();
}

void HttpSession::close_stream(mcp::CallKey call) {
  const auto found = find(call);
  if (found != exchanges_.end()) found->second->close_stream();
}

void HttpSession::open_stream(const mcp::SessionStream& asked, net::Responder responder) {
  if (asked.last_event_id) {
    if (const auto replay = log_.events.replay_after(*asked.last_event_id)) {
      resume(*replay, responder.stream(stream_head(log_.session)));
      return;
    }
  }
  if (standalone_.is_open()) {
    respond(responder,
            mcp::rejection(409, {mcp::code::bad_request,
                                 "Conflict: this session has a stream already", std::nullopt}));
    return;
  }
  net::HttpResponse head = stream_head(log_.session);
  // Some clients wait for the first byte of the body.
  head.body = log_.primes
                  ? mcp::priming_event(log_.events.append(StreamKey::standalone, ""), /*retry=*/{})
                  : std::string(mcp::kSseKeepAlive);
  listen_on(responder.stream(head));
}

void HttpSession::listen_on(net::BodyWriter body) {
  standalone_ = std::move(body);
  standalone_.on_close(alive_.guarded([this] { set_listening(false); }));
  had_standalone_ = true;
  set_listening(standalone_.is_open());
}

void HttpSession::set_listening(bool listens) {
  if (listens_ != listens) touch(host_.now());
  listens_ = listens;
  report_activity();
}

void HttpSession::resume(const mcp::era_2025::EventLog::Replay& replay, net::BodyWriter body) {
  for (const auto& event : replay.events) {
    if (event.message.empty()) {
      body.write(mcp::priming_event(event.id, /*retry=*/{}));
    } else {
      body.write(mcp::message_event(event.message, event.id));
    }
  }
  if (replay.stream == StreamKey::standalone) {
    listen_on(std::move(body));
    return;
  }
  for (const auto& [call, exchange] : exchanges_) {
    if (exchange->key() == replay.stream) {
      exchange->resume(std::move(body));
      return;
    }
  }
  body.end();  // no call is open on this stream: its answer, if any, was among the events
}

void HttpSession::end_standalone() {
  if (standalone_.is_open()) standalone_.end();
  set_listening(false);
}

void HttpSession::keep_alive() {
  if (standalone_.is_open()) standalone_.write(mcp::kSseKeepAlive);
  for (const auto& [call, exchange] : exchanges_) exchange->keep_alive();
}

StatelessRequest::StatelessRequest(Service& service, const std::string& principal,
                                   net::Responder responder, net::Task on_done)
    : exchange_(std::move(responder), /*log=*/nullptr, StreamKey::standalone),
      connection_(Connection::open(service, *this, principal)),
      on_done_(std::move(on_done)) {
  set_address(connection_->state(), exchange_.peer());
}

StatelessRequest::~StatelessRequest() { connection_->detach(); }

bool StatelessRequest::start(mcp::Message message, mcp::HeaderFields fields) {
  connection_->set_headers(fields);
  connection_->receive(std::move(message), fields);
  starting_ = false;
  if (exchange_.is_finished()) return true;
  // In the stateless era a client cancels a call by closing its stream.
  exchange_.on_close([this] {
    if (call_) connection_->stream_closed(*call_);
    if (on_done_) std::exchange(on_done_, nullptr)();
  });
  exchange_.watch_close();
  return false;
}

void StatelessRequest::send(mcp::Send send) {
  if (send.about) call_ = send.about;
  const bool done = exchange_.send(send);
  if (done && !starting_ && on_done_) std::exchange(on_done_, nullptr)();
}

}  // namespace enfold::serve
