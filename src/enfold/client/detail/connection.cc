// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/detail/connection.h"

#include "enfold/client/detail/peer_config.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::client::detail {
namespace {

constexpr std::size_t kShownNoiseBytes = 120;  // of the first unusable message, in a hint
constexpr std::size_t kMaxBeginning = std::size_t{1} << 20;  // of a message that is too long

mcp::Time now_of(const net::Loop& loop) {
  return std::chrono::duration_cast<mcp::Time>(loop.now().time_since_epoch());
}

Error with_place(Error error, const Target& target) {
  if (error.where.empty()) error.where = describe(target);
  return error;
}

}  // namespace

/// Keeps the connection alive during a call of one of its functions. The client may release the
/// connection in any report. Then the connection, and with it the transport that may be calling it,
/// is destroyed at the end of the loop iteration.
class Connection::Entry {
 public:
  explicit Entry(Connection& connection) : connection_(connection.shared_from_this()) {}
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  ~Entry() {
    if (connection_.use_count() > 1) return;
    net::Loop& loop = connection_->loop_;
    loop.defer([kept = std::move(connection_)] {});
  }

 private:
  std::shared_ptr<Connection> connection_;
};

Connection::Connection(net::Loop& loop, const Target& target, const ClientOptions& options,
                       ClientOptions::Eras eras, std::function<void(Report report)> on_report)
    : loop_(loop),
      target_(target),
      options_(options),
      on_report_(std::move(on_report)),
      peer_(peer_config(target, options, eras)),
      inbox_(loop, options_,
             {.on_message = [this](std::string_view bytes,
                                   std::optional<mcp::CallKey> about) { on_message(bytes, about); },
              .on_dropped =
                  [this](const Error& error, std::optional<mcp::CallKey> about) {
                    const Entry entry(*this);
                    on_noise(error);
                    if (about) on_undelivered(*about, error);
                  },
              .on_handled =
                  [this] {
                    if (!is_attached_) return;
                    const Entry entry(*this);
                    if (!inbox_.is_busy()) transport_->release();
                    if (std::exchange(is_deadline_late_, false)) perform(peer_.tick(now_of(loop_)));
                  }}),
      transport_(std::visit(
          [&](const auto& any) { return make_transport(loop, any, options, *this); }, target)),
      timer_(loop, [this] {
        // A call whose answer is being read has not timed out.
        is_deadline_late_ = inbox_.is_busy();
        if (is_deadline_late_) return;
        const Entry entry(*this);
        perform(peer_.tick(now_of(loop_)));
      }) {}

Connection::~Connection() = default;

Status Connection::start() {
  ENFOLD_TRY(transport_->start());
  perform(peer_.start(now_of(loop_)));
  return {};
}

Status Connection::call(mcp::CallKey call, mcp::CallOptions options) {
  ENFOLD_TRY(mcp::ClientActions actions, peer_.call(call, std::move(options), now_of(loop_)));
  perform(std::move(actions));
  return {};
}

bool Connection::cancel(mcp::CallKey call, std::string_view reason, mcp::LateAnswer late) {
  const Entry entry(*this);
  const bool is_sent = transport_->is_sent(call);
  if (late == mcp::LateAnswer::report) {
    if (!is_sent || !transport_->may_keep_cancelled_calls()) return false;
    mcp::ClientActions actions = peer_.cancel(call, reason, late, now_of(loop_));
    const bool stays_open = !actions.empty();
    perform(std::move(actions));
    return stays_open;
  }
  perform(peer_.cancel(call, is_sent ? std::optional(reason) : std::nullopt, late, now_of(loop_)));
  transport_->forget(call);
  return false;
}

void Connection::notify(std::string_view method, json::View params) {
  perform(peer_.notify(method, params));
}

void Connection::answer(mcp::ServerRequestKey request, mcp::ResultOrError outcome) {
  const Entry entry(*this);
  perform(peer_.answer(request, std::move(outcome), now_of(loop_)));
}

void Connection::close(net::Task done) {
  detach();
  timer_.cancel();
  if (std::exchange(closing_, true)) {
    transport_->terminate();
    return;
  }
  transport_->close(peer_.is_ready() ? peer_.session_headers() : std::vector<mcp::Header>(),
                    std::move(done));
}

void Connection::report(Report report) {
  if (is_attached_) on_report_(std::move(report));
}

void Connection::perform(mcp::ClientActions actions) {
  const Entry entry(*this);
  const auto perform_one = [this]<class Action>(Action& action) {
    if constexpr (std::is_same_v<Action, mcp::Transmit>) {
      transmit(std::move(action));
    } else if constexpr (std::is_same_v<Action, mcp::CloseStream>) {
      transport_->forget(action.call);
    } else if constexpr (std::is_same_v<Action, mcp::Resume>) {
      transport_->resume(action, peer_.session_headers());
    } else if constexpr (std::is_same_v<Action, mcp::ResultReport>) {
      transport_->forget(action.call);
      report(std::move(action));
    } else if constexpr (std::is_same_v<Action, mcp::ErrorReport>) {
      Error error = with_hints(error_of(action.error));
      fail_call(action.call, {std::move(error), std::move(action.error), std::nullopt});
    } else if constexpr (std::is_same_v<Action, mcp::NoAnswerReport>) {
      fail_call(action.call,
                {with_hints(loss_ ? *loss_ : std::move(action.error)), std::nullopt, std::nullopt});
    } else if constexpr (std::is_same_v<Action, mcp::ProgressReport> ||
                         std::is_same_v<Action, mcp::SubscriptionAcknowledged>) {
      report(std::move(action));
    } else if constexpr (std::is_same_v<Action, mcp::Broken>) {
      report(ConnectionEnd{.error = with_place(with_hints(std::move(action.error)), target_),
                           .http_status = refusal_ ? refusal_->status : 0});
    } else {
      if constexpr (std::is_same_v<Action, mcp::Ready>) {
        const bool has_sessions = action.server.era == mcp::Era::sessions;
        if (has_sessions && options_.listens) transport_->listen(peer_.session_headers());
      }
      report(Event(std::move(action)));
    }
  };
  for (mcp::ClientAction& action : actions) {
    if (!is_attached_) return;
    std::visit(perform_one, action);
  }
  const std::optional<mcp::Time> next = is_attached_ ? peer_.next_deadline() : std::nullopt;
  if (next) {
    timer_.set_at(net::TimePoint(*next));
  } else {
    timer_.cancel();
  }
}

void Connection::transmit(mcp::Transmit message) {
  const std::optional<mcp::CallKey> call = message.call;
  const Status sent = transport_->send(std::move(message));
  if (sent || !call) return;
  loop_.defer([weak = weak_from_this(), call = *call, error = sent.error()] {
    if (const auto self = weak.lock()) self->on_undelivered(call, error);
  });
}

void Connection::count_noise(std::string_view bytes) {
  if (noise_count_++ == 0) first_noise_ = bytes.substr(0, kShownNoiseBytes);
}

void Connection::fail_call(mcp::CallKey call, CallFailure failure) {
  transport_->forget(call);
  const bool is_refused = refusal_ && refused_call_ == call;
  if (is_refused) failure.retry_after = refusal_->retry_after;
  if (is_refused) failure.http_status = refusal_->status;
  // The server does not handle a request in a session that it has lost.
  const bool session_lost =
      is_refused && refusal_->status == 404 && !refusal_->was_accepted && !peer_.session().empty();
  report(FailureReport{call, std::move(failure), session_lost});
}

Error Connection::with_hints(Error error) const {
  const auto add = [&](std::string_view hint) {
    if (!error.hint.empty()) error.hint += "; ";
    error.hint += hint;
  };
  if (refusal_) {
    if (refusal_->status == 401 || refusal_->status == 403) {
      add("send credentials, such as a header Authorization: Bearer TOKEN");
    } else if (refusal_->status >= 300 && refusal_->status < 400 && !refusal_->location.empty()) {
      add(fmt::format("the server points to {}; use that address", refusal_->location));
    } else if (refusal_->status == 404 || refusal_->status == 405) {
      add("check the address; most MCP endpoints end in /mcp");
    }
  }
  // The hint does not fit `invalid_input`, an error about the request of the client.
  if (noise_count_ > 0 && error.code != ErrorCode::invalid_input) {
    add(fmt::format("{} of its messages could not be used; the first begins {}", noise_count_,
                    json::quote(first_noise_)));
  }
  return error;
}

void Connection::on_message(std::string_view bytes, std::optional<mcp::CallKey> about) {
  if (!is_attached_) return;
  const Entry entry(*this);
  if (inbox_.takes(bytes, about)) {
    transport_->hold();
    return;
  }
  const auto noise = [&](const mcp::BadMessage& problem) {
    count_noise(bytes);
    Error error{ErrorCode::protocol_violation, problem.error.message, describe(target_), {}};
    report(Event(Noise{error}));
    if (is_attached_) perform(peer_.receive_bad(problem, about));
    return error;
  };
  std::optional<ReadMessage> ahead = inbox_.take_read();
  auto read =
      ahead ? std::move(ahead->messages) : mcp::read_messages(json::Buffer(bytes), options_.limits);
  if (!read) {
    const Error error = noise(read.error());
    // Invalid JSON may begin like the answer to a call. Then the call fails: it gets no other
    // answer.
    if (!is_attached_ || about || read.error().error.code != mcp::code::parse_error) return;
    const mcp::CutMessage seen = ahead ? ahead->beginning : mcp::read_cut_beginning(bytes);
    if (!peer_.is_ready() || seen.kind != mcp::CutMessage::Kind::response) return;
    if (const auto call = call_of(seen)) on_undelivered(*call, error);
    return;
  }
  for (const std::string& why : ahead ? ahead->dropped : std::vector<std::string>()) {
    report(Event(Noise{{ErrorCode::limit_exceeded, why, describe(target_), {}}}));
    if (!is_attached_) return;
  }
  for (mcp::Message& message : read->messages) {
    const bool is_response = std::holds_alternative<mcp::Response>(message);
    mcp::ClientActions actions = peer_.receive(std::move(message), now_of(loop_), about);
    if (is_response && actions.empty()) count_noise(bytes);  // it answers no open call
    perform(std::move(actions));
    if (!is_attached_) return;
  }
  for (const mcp::BadMessage& problem : read->bad) {
    noise(problem);
    if (!is_attached_) return;
  }
}

// The call of an unreadable answer: the one with its id, or the only open one.
std::optional<mcp::CallKey> Connection::call_of(const mcp::CutMessage& seen) const {
  if (seen.kind == mcp::CutMessage::Kind::response && seen.id)
    return peer_.calls().awaiting(*seen.id);
  const std::vector<mcp::CallKey> calls = peer_.calls().keys();
  return calls.size() == 1 ? std::optional(calls.front()) : std::nullopt;
}

void Connection::on_session(std::string id) {
  if (inbox_.must_wait()) return inbox_.keep([this, id] { on_session(id); });
  if (!peer_.is_ready()) peer_.session_opened(std::move(id));
}

void Connection::on_refused(std::optional<mcp::CallKey> call, const Refusal& refusal) {
  if (inbox_.must_wait()) return inbox_.keep([this, call, refusal] { on_refused(call, refusal); });
  const Entry entry(*this);
  refusal_ = refusal;
  refused_call_ = call;
  perform(peer_.refused(call, refusal.status, refusal.body, now_of(loop_)));
  refusal_.reset();
}

void Connection::on_stream_end(mcp::CallKey call, std::string_view last_event_id,
                               std::optional<std::chrono::milliseconds> retry) {
  if (inbox_.must_wait()) {
    return inbox_.keep(
        [this, call, id = std::string(last_event_id), retry] { on_stream_end(call, id, retry); });
  }
  const Entry entry(*this);
  perform(peer_.stream_ended(call, last_event_id, retry, now_of(loop_)));
}

void Connection::on_undelivered(mcp::CallKey call, const Error& error) {
  if (!is_attached_) return;
  if (inbox_.must_wait()) return inbox_.keep([this, call, error] { on_undelivered(call, error); });
  const Entry entry(*this);
  if (peer_.calls().contains(call)) {
    CallFailure failure{with_hints(error), std::nullopt, std::nullopt};
    perform(peer_.cancel(call, "no answer could be read", mcp::LateAnswer::drop, now_of(loop_)));
    fail_call(call, std::move(failure));
  } else if (!peer_.is_ready()) {  // the undelivered call was the handshake
    perform(peer_.closed(error.message));
    report(ConnectionEnd{.error = with_place(with_hints(error), target_)});
  }
}

void Connection::on_noise(const Error& error) {
  if (inbox_.must_wait()) return inbox_.keep([this, error] { on_noise(error); });
  const Entry entry(*this);
  count_noise(error.message);
  report(Event(Noise{error}));
}

// Servers write the id of an answer at its beginning or at its end. Without an id at the beginning,
// the call is found by on_skipped().
void Connection::on_oversize(const Error& error, std::string_view beginning) {
  beginning = beginning.substr(0, kMaxBeginning);
  if (inbox_.must_wait()) {
    return inbox_.keep([this, error, text = std::string(beginning)] { on_oversize(error, text); });
  }
  const Entry entry(*this);
  on_noise(error);
  lost_answer_.reset();
  const mcp::CutMessage seen = mcp::read_cut_beginning(beginning);
  const bool may_be_answer = seen.kind != mcp::CutMessage::Kind::request_or_notification;
  if (!is_attached_ || !peer_.is_ready() || peer_.calls().size() == 0 || !may_be_answer) return;
  Error lost = error;
  lost.hint = "ask for less, or raise the limit";
  if (const auto call = call_of(seen)) {
    on_undelivered(*call, lost);
    return;
  }
  const bool is_unknown = seen.kind == mcp::CutMessage::Kind::response && seen.id;
  if (is_unknown || seen.kind == mcp::CutMessage::Kind::not_json_rpc) return;
  lost_answer_ = LostAnswer{std::move(lost), peer_.calls().keys()};
}

// If the end has no id either, the answer may have been for any call that was open when it began:
// all of those fail.
void Connection::on_skipped(std::string_view end) {
  if (inbox_.must_wait()) return inbox_.keep([this, text = std::string(end)] { on_skipped(text); });
  const Entry entry(*this);
  const std::optional<LostAnswer> lost = std::exchange(lost_answer_, std::nullopt);
  const mcp::CutMessage seen = mcp::read_cut_end(end);
  if (!lost || seen.kind == mcp::CutMessage::Kind::request_or_notification) return;
  const auto answered = seen.id ? peer_.calls().awaiting(*seen.id) : std::nullopt;
  for (const mcp::CallKey call : lost->candidates) {
    const bool may_be_answered = !seen.id || answered == call;
    if (may_be_answered && peer_.is_ready() && peer_.calls().contains(call))
      on_undelivered(call, lost->error);
  }
}

void Connection::on_error_line(std::string_view line) {
  const Entry entry(*this);
  report(Event(ErrorLine{std::string(line)}));
}

void Connection::on_lost(const Error& error) {
  if (inbox_.must_wait()) return inbox_.keep([this, error] { on_lost(error); });
  const Entry entry(*this);
  // After the handshake, only the errors of the calls get hints: perform() adds them.
  loss_ = peer_.is_ready() ? error : with_hints(error);
  const Error reported = *loss_;
  perform(peer_.closed(error.message));
  report(ConnectionEnd{.error = reported, .transport_lost = true});
}

}  // namespace enfold::client::detail
