// SPDX-License-Identifier: Apache-2.0
#include "tests/transcripts/socket_stage.h"

#include "tests/mcp/transcript.h"
#include "tests/transcripts/line.h"

namespace enfold::transcripts {

namespace {

class LoopAlarm final : public server::Alarm {
 public:
  LoopAlarm(net::Loop& loop, std::chrono::milliseconds wait, net::Task task)
      : timer_(loop, std::move(task)) {
    timer_.set_after(wait);
  }

 private:
  net::Timer timer_;
};

}  // namespace

std::unique_ptr<server::Alarm> ScriptedHost::after(std::chrono::milliseconds wait, net::Task task) {
  return std::make_unique<LoopAlarm>(loop_, wait, std::move(task));
}

std::chrono::microseconds ScriptedHost::clock() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(loop_.now().time_since_epoch());
}

void ScriptedHost::fill_with_chance(std::span<std::uint8_t> bytes) {
  for (std::uint8_t& byte : bytes) byte = ++last_;
}

ScriptedService::ScriptedService(mcp::ServerConfig config, server::Host& host)
    : config_(std::make_shared<const mcp::ServerConfig>(std::move(config))), host_(host) {
  settings_.log = [](const server::LogLine&) {};
}

void ScriptedService::begin(const mcp::Call& call, const std::shared_ptr<server::Port>& port,
                            const std::shared_ptr<server::Cancellation>& cancellation) {
  begun.push_back({call, port, cancellation});
}

SocketStage::SocketStage(json::View setup) : host_(*loop_), service_(server_config(setup), host_) {}

bool SocketStage::act_on_call(const std::string& what, json::View line) {
  const auto found = calls_.find(number_at(line, "call"));
  if (found == calls_.end()) return false;
  auto& [call, port, cancellation, replied] = found->second;
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
             !act_on_call(what, line)) {
    complain("this cannot be done here: " + json::to_text(line));
  }
}

std::optional<std::string> SocketStage::see(json::View line) {
  const std::string kind = text_at(line, "see");
  if (kind == "send") return see_send(line);
  if (kind == "call") return see_call(line);
  if (kind == "cancelled") return see_cancelled(line);
  return std::nullopt;  // between the state machine and its owner: nobody sees it from outside
}

std::optional<std::string> SocketStage::see_call(json::View line) {
  loop_.until_quiet([&] { return !service_.begun.empty(); });
  if (service_.begun.empty()) return "nothing";
  ScriptedService::Begun begun = std::move(service_.begun.front());
  service_.begun.pop_front();
  std::string found = mcp::testing::describe(mcp::ServerAction(begun.call));
  bind(number_at(line, "call"));
  calls_.insert_or_assign(number_at(line, "call"), std::move(begun));
  if (same(line, json::parse_own(found).view(), {"call"})) return std::nullopt;
  return found;
}

std::optional<std::string> SocketStage::see_cancelled(json::View line) {
  const auto found = calls_.find(number_at(line, "call"));
  // No service is told of a subscription, nor of a call between a question and its answer.
  if (found == calls_.end() || found->second.replied) return std::nullopt;
  const auto& cancellation = *found->second.cancellation;
  loop_.until_quiet([&] { return cancellation.is_cancelled(); });
  return cancellation.is_cancelled() ? std::nullopt : std::optional<std::string>("nothing");
}

std::vector<std::string> SocketStage::take_rest() {
  loop_.until_quiet([] { return false; });
  std::vector<std::string> rest = std::move(complaints_);
  complaints_.clear();
  for (const ScriptedService::Begun& begun : service_.begun) {
    rest.push_back(mcp::testing::describe(mcp::ServerAction(begun.call)));
  }
  service_.begun.clear();
  for (std::string& message : take_messages()) rest.push_back(std::move(message));
  return rest;
}

}  // namespace enfold::transcripts
