// SPDX-License-Identifier: Apache-2.0
#include "tests/transcripts/socket_stage.h"

#include "tests/mcp/transcript.h"
#include "tests/transcripts/line.h"

namespace enfold::transcripts {

using mcp::testing::describe;

namespace {

class LoopAlarm final : public serve::Alarm {
 public:
  LoopAlarm(net::Loop& loop, std::chrono::milliseconds wait, net::Task task)
      : timer_(loop, std::move(task)) {
    timer_.set_after(wait);
  }

 private:
  net::Timer timer_;
};

}  // namespace

std::unique_ptr<serve::Alarm> ScriptedHost::after(std::chrono::milliseconds wait, net::Task task) {
  return std::make_unique<LoopAlarm>(loop_, wait, std::move(task));
}

std::chrono::microseconds ScriptedHost::clock() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(loop_.now().time_since_epoch());
}

void ScriptedHost::fill_random(std::span<std::uint8_t> bytes) {
  for (std::uint8_t& byte : bytes) byte = ++last_;
}

ScriptedService::ScriptedService(mcp::ServerConfig config, serve::Host& host)
    : config_(std::make_shared<const mcp::ServerConfig>(std::move(config))), host_(host) {
  settings_.log = [](const serve::LogLine&) {};
}

void ScriptedService::tell(const mcp::ServerAction& action) {
  told.push_back({describe(action), std::nullopt});
}

/// Says when its client cancels it.
class ScriptedService::Open final : public serve::OpenCall {
 public:
  Open(ScriptedService& service, mcp::CallKey call) : service_(service), call_(call) {}
  [[nodiscard]] std::shared_ptr<const bool> is_cancelled() const { return is_cancelled_; }
  void cancel(serve::CancelCause cause) override {
    *is_cancelled_ = true;
    if (cause != serve::CancelCause::client_cancelled) return;
    service_.tell(mcp::Cancellation{call_, ""});
  }

 private:
  ScriptedService& service_;
  mcp::CallKey call_;
  std::shared_ptr<bool> is_cancelled_ = std::make_shared<bool>(false);
};

std::shared_ptr<serve::OpenCall> ScriptedService::begin(
    mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& port) {
  auto open = std::make_shared<Open>(*this, call.key);
  const std::string text = describe(mcp::ServerAction(call));
  told.push_back({text, Begun{std::move(call), port, open->is_cancelled()}});
  return open;
}

void ScriptedService::on_session(serve::ClientChannel& port,
                                 const std::shared_ptr<const mcp::Caller>& caller,
                                 serve::SessionStage stage) {
  if (stage == serve::SessionStage::started) return;
  session = &port;
  tell(mcp::SessionReady{caller});
}

void ScriptedService::on_log_level(serve::ClientChannel& /*port*/, mcp::LogLevel level) {
  tell(mcp::LogLevelChange{level});
}

std::shared_ptr<serve::OpenCall> ScriptedService::on_listen(
    serve::ClientChannel& /*port*/, const mcp::SubscriptionOpened& listening) {
  tell(listening);
  return std::make_shared<Open>(*this, listening.call);
}

void ScriptedService::on_client_response(serve::ClientChannel& /*port*/, mcp::ServerRequestKey ask,
                                         const mcp::ResultOrError& outcome) {
  tell(mcp::ClientResponse{ask, outcome});
}

void ScriptedService::on_notification(serve::ClientChannel& /*port*/,
                                      const mcp::Notification& notification) {
  tell(mcp::ClientNotification{notification});
}

void ScriptedService::on_closed(serve::ClientChannel& port) {
  if (session == &port) session = nullptr;
}

SocketStage::SocketStage(json::View setup) : host_(*loop_), service_(server_config(setup), host_) {}

// Connections take their leave of the service.
SocketStage::~SocketStage() { service_.told.clear(); }

bool SocketStage::act_on_call(const std::string& what, json::View line) {
  const auto found = calls_.find(number_at(line, "call"));
  if (found == calls_.end()) return false;
  auto& [call, port, is_cancelled, replied] = found->second;
  if (what == "reply") {
    replied = true;
    port->reply(call.key, reply_at(line));
  } else if (what == "progress") {
    port->progress(call.key, *mcp::read_progress(line));
  } else if (what == "log") {
    port->log(call.key, *mcp::read_log_message(line));
  } else {
    return false;
  }
  return true;
}

bool SocketStage::act_on_session(const std::string& what, json::View line) {
  if (service_.session == nullptr) return false;
  if (what == "ask") {
    const auto asked = service_.session->request_input(
        maybe_call(line), {"k", text_at(line, "method"), value_at(line, "params")});
    if (asked) {
      last_ask_ = *asked;
    } else {
      service_.told.push_back({complaint(asked.error()), std::nullopt});
    }
  } else if (what == "withdraw") {
    service_.session->withdraw(last_ask_, text_at(line, "reason"));
  } else if (what == "notify") {
    service_.session->notify(maybe_call(line), text_at(line, "method"),
                             value_at(line, "params").view());
  } else {
    return false;
  }
  return true;
}

void SocketStage::act(const std::string& what, json::View line) {
  if (what == "receive") {
    receive(line);
  } else if (what == "changed") {
    service_.list_changed(list_at(line));
  } else if (what == "updated") {
    service_.resource_updated(text_at(line, "uri"));
  } else if (what == "time") {
    loop_->advance(std::chrono::milliseconds(number_at(line, "ms") - now_));
    now_ = number_at(line, "ms");
  } else if (!(what == "stream_closed" && close_stream(number_at(line, "call"))) &&
             !(what == "closed" && close()) && !(what == "end" && end()) &&
             !act_on_session(what, line) && !act_on_call(what, line)) {
    complain("this cannot be done here: " + json::to_text(line));
  }
}

std::optional<std::string> SocketStage::see(json::View line) {
  return text_at(line, "see") == "send" ? see_send(line) : see_told(line);
}

std::optional<std::string> SocketStage::see_told(json::View line) {
  const auto call = calls_.find(number_at(line, "call"));
  loop_.until_quiet([&] { return !service_.told.empty(); });
  const bool is_cancelled = call != calls_.end() && *call->second.is_cancelled;
  if (service_.told.empty()) {
    // Only the handler is told, and none is left after a reply.
    const bool is_replied = call != calls_.end() && call->second.replied;
    const bool gone = text_at(line, "see") == "cancelled" && (is_cancelled || is_replied);
    return gone ? std::nullopt : std::optional<std::string>("nothing");
  }
  ScriptedService::Event event = std::move(service_.told.front());
  service_.told.pop_front();
  if (!same(line, json::parse_own(event.text).view(), {"call", "ask", "reason"})) {
    return std::move(event.text);
  }
  if (event.begun) {
    bind(number_at(line, "call"));
    calls_.insert_or_assign(number_at(line, "call"), *std::move(event.begun));
  } else if (text_at(line, "see") == "cancelled" && call != calls_.end() && !call->second.replied &&
             !is_cancelled) {
    return event.text + ", but its handler does not know";
  }
  return std::nullopt;
}

std::vector<std::string> SocketStage::take_rest() {
  loop_.until_quiet([] { return false; });
  std::vector<std::string> rest = std::move(complaints_);
  complaints_.clear();
  for (const ScriptedService::Event& event : service_.told) rest.push_back(event.text);
  service_.told.clear();
  for (std::string& message : take_messages()) rest.push_back(std::move(message));
  return rest;
}

}  // namespace enfold::transcripts
