// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/detail/http_transport.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace enfold::client {
namespace detail {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxRefusalBytes = std::size_t{64} << 10;  // of the body; the rest is skipped
constexpr auto kNotificationTimeout = 10s;  // for the response to a message that needs no answer
constexpr auto kSessionEndTimeout = 2s;     // for the DELETE that ends a session
constexpr auto kStreamTimeout = 500ms;      // how long the gate waits for the standalone stream
// Delays before the standalone stream, which belongs to no call, is requested again.
constexpr std::chrono::milliseconds kInitialRetryDelay{1000};
constexpr std::chrono::milliseconds kMaxRetryDelay{30'000};

std::string_view media_type(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find(';'));
  return type.substr(0, type.find_last_not_of(" \t") + 1);
}

// Reads only the form in seconds; a date would need a clock that both sides agree on. nullopt:
// another form, or more than a year.
std::optional<std::chrono::seconds> read_retry_after(std::string_view text) {
  constexpr std::int64_t kYear = 31'536'000;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || seconds < 0 || seconds > kYear) return std::nullopt;
  return std::chrono::seconds(seconds);
}

}  // namespace

HttpTransport::HttpTransport(net::Loop& loop, HttpTarget target, const ClientOptions& options,
                             TransportOwner& owner)
    : loop_(loop),
      target_(std::move(target)),
      max_bytes_(options.limits.max_bytes),
      max_resumes_(options.max_resumes),
      owner_(owner),
      http_(loop, {.limits = {.max_connections_per_origin = target_.max_connections},
                   .tls = target_.tls}),
      gate_timeout_(loop, [this] {
        if (gate_ != nullptr) open_gate(*gate_);
      }) {}

HttpTransport::~HttpTransport() = default;

Error HttpTransport::make_error(ErrorCode code, std::string message, std::string hint) const {
  return {code, std::move(message), describe(Target(target_)), std::move(hint)};
}

net::ClientRequest HttpTransport::request(std::string method,
                                          const std::vector<mcp::Header>& headers) const {
  net::ClientRequest request;
  request.method = std::move(method);
  request.url = target_.url;
  for (const mcp::Header& header : headers) request.headers.add(header.name, header.value);
  for (const mcp::Header& header : target_.headers) request.headers.add(header.name, header.value);
  return request;
}

Status HttpTransport::send(mcp::Transmit message) {
  if (gate_ != nullptr) {
    behind_gate_.push_back(std::move(message));
  } else {
    post(std::move(message));
  }
  return {};
}

void HttpTransport::post(mcp::Transmit message) {
  auto exchange = std::make_shared<Exchange>();
  exchange->purpose = message.call ? Exchange::Purpose::call : Exchange::Purpose::notification;
  exchange->call = message.call;
  net::ClientRequest post = request("POST", message.headers);
  post.headers.add("Content-Type", "application/json");
  post.headers.add("Accept", "application/json, text/event-stream");
  post.body = message.message.str();
  if (message.call) {
    // No timeouts here: the owner watches those of a call, and calls forget() when one has passed.
    post.head_timeout = net::Duration::max();
    post.stall_timeout = net::Duration::max();
    forget(*message.call);  // the former request of a call that required input
    calls_[*message.call] = exchange;
  } else {
    post.head_timeout = kNotificationTimeout;
    if (message.opens_session) gate_ = exchange.get();
    others_.push_back(exchange);
  }
  run(exchange, std::move(post));
}

void HttpTransport::run(const ExchangePtr& exchange, net::ClientRequest request) {
  exchange->kind = Exchange::Body::nothing;
  exchange->status = 0;
  exchange->refusal = {};
  exchange->text.clear();
  exchange->decoder.emplace(max_bytes_);
  exchange->failure.reset();
  exchange->events = 0;
  net::CallEvents events;
  events.on_head = [this, exchange](const net::HttpHead& head) { on_head(*exchange, head); };
  events.on_data = [this, exchange](std::string_view bytes) { on_data(exchange, bytes); };
  events.on_end = [this, exchange](const Status& status) { on_end(exchange, status); };
  exchange->http = http_.send(std::move(request), std::move(events));
}

void HttpTransport::drop(const ExchangePtr& exchange) {
  exchange->dropped = true;
  exchange->http.cancel();
  // The timer may be calling this function, so it is destroyed later.
  if (exchange->wait) loop_.defer([wait = std::move(exchange->wait)] {});
}

bool HttpTransport::is_sent(mcp::CallKey call) const {
  const auto found = calls_.find(call);
  if (found == calls_.end()) return false;
  // Between two attempts to resume no HTTP request is open, but the server knows the call.
  const bool is_resumed = !found->second->last_event_id.empty();
  return is_resumed || found->second->http.is_sent();
}

// Cancelled calls keep their connections only while half of all connections are free: those are for
// calls whose clients wait, and for the notifications that cancel calls.
bool HttpTransport::may_keep_cancelled_calls() const {
  return http_.calls() * 2 <= target_.max_connections;
}

void HttpTransport::forget(mcp::CallKey call) {
  std::erase_if(behind_gate_, [&](const mcp::Transmit& message) { return message.call == call; });
  const auto found = calls_.find(call);
  if (found == calls_.end()) return;
  const ExchangePtr exchange = std::move(found->second);
  calls_.erase(found);
  drop(exchange);
}

void HttpTransport::on_head(Exchange& exchange, const net::HttpHead& head) {
  using Body = Exchange::Body;
  exchange.status = head.status();
  if (gate_ == &exchange && exchange.purpose == Exchange::Purpose::standalone) {
    loop_.defer(lifetime_.guarded([this, which = &exchange] { open_gate(*which); }));
  }
  exchange.content_type = head.find("Content-Type").value_or("");
  if (head.status() < 200 || head.status() > 299) {
    exchange.kind = Body::refusal;
    exchange.refusal.status = head.status();
    exchange.refusal.location = head.find("Location").value_or("");
    if (const auto wait = head.find("Retry-After")) {
      exchange.refusal.retry_after = read_retry_after(*wait);
    }
    return;
  }
  if (const auto session = head.find(mcp::header::session);
      session && exchange.purpose == Exchange::Purpose::call) {
    owner_.on_session(std::string(*session));
  }
  const std::string_view type = media_type(exchange.content_type);
  if (equals_ignoring_case(type, "application/json")) {
    exchange.kind = Body::json;
  } else if (equals_ignoring_case(type, "text/event-stream")) {
    exchange.kind = Body::events;
  } else if (head.status() != 202 && head.status() != 204) {
    exchange.kind = Body::other;
  }
}

void HttpTransport::on_data(const ExchangePtr& exchange, std::string_view bytes) {
  if (exchange->dropped || exchange->failure) return;
  switch (exchange->kind) {
    case Exchange::Body::events: on_events(exchange, bytes); return;
    case Exchange::Body::refusal:
      exchange->text.append(bytes.substr(0, kMaxRefusalBytes - exchange->text.size()));
      return;
    case Exchange::Body::json: break;
    case Exchange::Body::nothing:
    case Exchange::Body::other: return;
  }
  if (bytes.size() <= max_bytes_ - exchange->text.size()) {
    exchange->text.append(bytes);
    return;
  }
  exchange->failure = make_error(ErrorCode::limit_exceeded,
                                 fmt::format("the answer is longer than {} bytes", max_bytes_),
                                 "raise the limit, or ask for less");
  exchange->http.cancel();
  on_end(exchange, {});
}

void HttpTransport::on_events(const ExchangePtr& exchange, std::string_view bytes) {
  std::vector<mcp::SseEvent> events;
  const Status fed = exchange->decoder->feed(bytes, events);
  if (!exchange->decoder->last_event_id().empty()) {
    exchange->last_event_id = exchange->decoder->last_event_id();
  }
  if (exchange->decoder->retry()) exchange->retry = exchange->decoder->retry();
  for (const mcp::SseEvent& event : events) {
    ++exchange->events;
    if (event.data.empty() || (!event.event.empty() && event.event != "message")) continue;
    owner_.on_message(event.data, exchange->call);
    if (exchange->dropped) return;
  }
  if (fed) return;
  exchange->failure = fed.error();
  exchange->failure->where = describe(Target(target_));
  exchange->http.cancel();
  on_end(exchange, {});
}

void HttpTransport::on_end(const ExchangePtr& exchange, const Status& status) {
  if (exchange->dropped) return;
  std::erase(others_, exchange);
  switch (exchange->purpose) {
    case Exchange::Purpose::call: end_call(exchange, status); return;
    case Exchange::Purpose::standalone:
      if (!closing_) open_gate(*exchange);
      end_standalone(exchange);
      return;
    case Exchange::Purpose::session_end:
      if (on_closed_) std::exchange(on_closed_, nullptr)();
      return;
    case Exchange::Purpose::notification: break;
  }
  const bool was_gate = gate_ == exchange.get();
  if (exchange->kind == Exchange::Body::refusal && !closing_) {
    exchange->refusal.body = std::move(exchange->text);
    owner_.on_refused(std::nullopt, exchange->refusal);
  }
  if (was_gate && !closing_) open_gate(*exchange);
}

void HttpTransport::open_gate(const Exchange& exchange) {
  if (gate_ != &exchange) return;
  gate_ = nullptr;
  gate_timeout_.cancel();
  // A server may send requests on the standalone stream; they are lost if it is not open yet.
  if (standalone_ && !std::exchange(stream_was_tried_, true)) {
    gate_ = standalone_.get();
    gate_timeout_.set_after(kStreamTimeout);
    get(standalone_, standalone_headers_);
    return;
  }
  std::deque<mcp::Transmit> waiting = std::move(behind_gate_);
  behind_gate_.clear();
  for (mcp::Transmit& message : waiting) post(std::move(message));
}

void HttpTransport::end_call(const ExchangePtr& exchange, const Status& status) {
  using Body = Exchange::Body;
  const mcp::CallKey call = *exchange->call;
  if (exchange->failure) {
    owner_.on_undelivered(call, *exchange->failure);
    return;
  }
  if (exchange->kind == Body::events && (status || !exchange->last_event_id.empty())) {
    exchange->empty_attempts = exchange->events > 0 ? 0 : exchange->empty_attempts + 1;
    if (exchange->empty_attempts <= max_resumes_) {
      owner_.on_stream_end(call, exchange->last_event_id, exchange->retry);
      return;
    }
    owner_.on_undelivered(
        call, make_error(ErrorCode::unavailable,
                         fmt::format("the stream of the answer broke off {} times without bringing "
                                     "anything",
                                     exchange->empty_attempts)));
    return;
  }
  if (!status) {
    owner_.on_undelivered(call, status.error());
    return;
  }
  if (exchange->kind == Body::refusal) {
    exchange->refusal.body = std::move(exchange->text);
    exchange->refusal.was_accepted = !exchange->last_event_id.empty();
    owner_.on_refused(call, exchange->refusal);
    return;
  }
  if (exchange->kind == Body::other) {
    owner_.on_undelivered(
        call, make_error(ErrorCode::protocol_violation,
                         fmt::format("expected an answer in JSON or as an event stream, found {}",
                                     exchange->content_type.empty() ? "no content type"
                                                                    : exchange->content_type),
                         "check that this is the address of an MCP endpoint; most end in /mcp"));
    return;
  }
  if (exchange->kind == Body::json) owner_.on_message(exchange->text, call);
  // If the message was the answer, the call has ended and this does nothing.
  if (!exchange->dropped) owner_.on_stream_end(call, {}, std::nullopt);
}

void HttpTransport::get(const ExchangePtr& exchange, const std::vector<mcp::Header>& headers) {
  net::ClientRequest get = request("GET", headers);
  get.headers.add("Accept", "text/event-stream");
  if (!exchange->last_event_id.empty()) {
    get.headers.add(mcp::header::last_event_id, exchange->last_event_id);
  }
  get.head_timeout = net::Duration::max();
  get.stall_timeout = net::Duration::max();
  run(exchange, std::move(get));
}

void HttpTransport::resume(const mcp::Resume& resume, std::vector<mcp::Header> headers) {
  const auto found = calls_.find(resume.call);
  if (found == calls_.end()) return;
  const ExchangePtr exchange = found->second;
  exchange->last_event_id = resume.last_event_id;
  exchange->wait = std::make_unique<net::Timer>(
      loop_, [this, weak = std::weak_ptr(exchange), headers = std::move(headers)] {
        if (const ExchangePtr pending = weak.lock(); pending && !pending->dropped)
          get(pending, headers);
      });
  exchange->wait->set_at(net::TimePoint(resume.at));
}

void HttpTransport::listen(std::vector<mcp::Header> headers) {
  if (standalone_) return;
  standalone_ = std::make_shared<Exchange>();
  standalone_->purpose = Exchange::Purpose::standalone;
  standalone_headers_ = std::move(headers);
  if (gate_ != nullptr) return;
  stream_was_tried_ = true;
  get(standalone_, standalone_headers_);
}

// The server may end the stream at any time. It is requested again, with growing delays while no
// event comes; not if the server has answered with anything but an event stream.
void HttpTransport::end_standalone(const ExchangePtr& exchange) {
  if (exchange->kind != Exchange::Body::events && exchange->status != 0) return;
  exchange->empty_attempts = exchange->events > 0 ? 0 : exchange->empty_attempts + 1;
  if (exchange->failure || exchange->empty_attempts > max_resumes_) return;
  const auto backoff =
      kInitialRetryDelay * (1U << std::min<std::size_t>(exchange->empty_attempts, 5));
  exchange->wait = std::make_unique<net::Timer>(loop_, [this, weak = std::weak_ptr(exchange)] {
    if (const ExchangePtr pending = weak.lock(); pending && !pending->dropped)
      get(pending, standalone_headers_);
  });
  exchange->wait->set_after(exchange->empty_attempts == 0
                                ? exchange->retry.value_or(kInitialRetryDelay)
                                : std::min(kMaxRetryDelay, backoff));
}

void HttpTransport::close(std::vector<mcp::Header> headers, net::Task done) {
  closing_ = true;
  gate_ = nullptr;
  gate_timeout_.cancel();
  behind_gate_.clear();
  for (const auto& [call, exchange] : calls_) drop(exchange);
  calls_.clear();
  if (standalone_) drop(standalone_);
  standalone_ = nullptr;
  const bool has_session =
      std::any_of(headers.begin(), headers.end(), [](const mcp::Header& header) {
        return equals_ignoring_case(header.name, mcp::header::session);
      });
  if (!has_session) {
    loop_.defer(std::move(done));
    return;
  }
  on_closed_ = std::move(done);
  auto exchange = std::make_shared<Exchange>();
  exchange->purpose = Exchange::Purpose::session_end;
  others_.push_back(exchange);
  net::ClientRequest end = request("DELETE", headers);
  end.head_timeout = kSessionEndTimeout;
  end.stall_timeout = kSessionEndTimeout;
  run(exchange, std::move(end));
}

}  // namespace detail

std::unique_ptr<Transport> make_transport(net::Loop& loop, const HttpTarget& target,
                                          const ClientOptions& options, TransportOwner& owner) {
  return std::make_unique<detail::HttpTransport>(loop, target, options, owner);
}

}  // namespace enfold::client
