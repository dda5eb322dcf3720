// SPDX-License-Identifier: Apache-2.0
// The state machines alone: what is done to a peer is a call of its function, what is seen is what
// it returned.
#include "tests/mcp/transcript.h"
#include "tests/transcripts/line.h"
#include "tests/transcripts/stage.h"

#include <deque>

namespace enfold::transcripts {
namespace {

using namespace mcp;
using mcp::testing::describe;

class ServerRun {
 public:
  explicit ServerRun(json::View setup) {
    peer_ =
        std::make_unique<ServerPeer>(std::make_shared<const ServerConfig>(server_config(setup)));
  }

  ServerActions act(const std::string& what, json::View line) {
    if (what == "receive") return peer_->receive_bytes(json::Buffer(message_at(line)));
    if (what == "reply") return peer_->reply(call_at(line), reply_at(line), now_);
    if (what == "progress") return peer_->progress(call_at(line), *read_progress(line));
    if (what == "log") return peer_->log(maybe_call(line), *read_log_message(line));
    if (what == "notify") {
      return peer_->notify(maybe_call(line), text_at(line, "method"),
                           value_at(line, "params").view());
    }
    if (what == "changed") return peer_->list_changed(list_at(line));
    if (what == "updated") return peer_->resource_updated(text_at(line, "uri"));
    if (what == "ask") {
      auto asked = peer_->ask(maybe_call(line),
                              {"k", text_at(line, "method"), value_at(line, "params")}, now_);
      if (!asked) {
        complaint_ = complaint(asked.error());
        return {};
      }
      return std::move(asked->actions);
    }
    if (what == "withdraw") {
      return peer_->withdraw(static_cast<ServerRequestKey>(number_at(line, "ask")),
                             text_at(line, "reason"));
    }
    if (what == "stream_closed") return peer_->stream_closed(call_at(line));
    if (what == "time") return peer_->tick(now_ = Time(number_at(line, "ms")));
    if (what == "end") return peer_->end_subscriptions();
    if (what == "closed") return peer_->closed(text_at(line, "reason"));
    complaint_ = "no such deed: " + what;
    return {};
  }
  std::string complaint_;

 private:
  std::unique_ptr<ServerPeer> peer_;
  Time now_{0};
};

class ClientRun {
 public:
  explicit ClientRun(json::View setup) {
    ClientConfig config;
    config.info = json::parse_own(R"({"name":"driver","version":"1"})");
    config.capabilities = Capabilities(value_at(setup, "capabilities"));
    config.over_http = flag_at(setup, "http");
    const std::string eras = text_at(setup, "eras");
    if (eras == "sessions") config.eras = ClientConfig::Eras::sessions;
    if (eras == "stateless") config.eras = ClientConfig::Eras::stateless;
    config.max_rounds = 3;
    config.relay_unknown_requests = flag_at(setup, "relay_unknown_requests");
    peer_ = std::make_unique<ClientPeer>(std::move(config));
  }

  ClientActions act(const std::string& what, json::View line) {
    if (what == "start") return peer_->start(now_);
    if (what == "receive") {
      return peer_->receive_bytes(json::Buffer(message_at(line)), now_, maybe_call(line));
    }
    if (what == "call") return call(line);
    if (what == "cancel") {
      return peer_->cancel(call_at(line), text_at(line, "reason"), LateAnswer::drop, now_);
    }
    if (what == "notify") {
      return peer_->notify(text_at(line, "method"), value_at(line, "params").view());
    }
    if (what == "answer") {
      return peer_->answer(static_cast<ServerRequestKey>(number_at(line, "ask")), outcome_at(line),
                           now_);
    }
    if (what == "session") {
      peer_->session_opened(text_at(line, "id"));
      return {};
    }
    if (what == "refused") {
      const auto body = line.find("message");
      return peer_->refused(maybe_call(line), static_cast<int>(number_at(line, "status")),
                            body ? json::to_text(*body) : "", now_);
    }
    if (what == "stream_ended") {
      const auto retry = number_at(line, "retry");
      return peer_->stream_ended(
          call_at(line), text_at(line, "last_event_id"),
          retry ? std::optional(std::chrono::milliseconds(retry)) : std::nullopt, now_);
    }
    if (what == "closed") return peer_->closed("gone");
    if (what == "time") return peer_->tick(now_ = Time(number_at(line, "ms")));
    complaint_ = "no such deed: " + what;
    return {};
  }
  std::string complaint_;

 private:
  ClientActions call(json::View line) {
    CallOptions options;
    options.method = text_at(line, "method");
    options.params = value_at(line, "params");
    options.wants_progress = flag_at(line, "wants_progress");
    options.relay_input_required = flag_at(line, "relay_input_required");
    if (line.find("idle_timeout")) options.idle_timeout = Time(number_at(line, "idle_timeout"));
    if (line.find("call_timeout")) options.call_timeout = Time(number_at(line, "call_timeout"));
    options.log_level = log_level_from_name(text_at(line, "log_level"));
    if (const auto schema = line.find("input_schema")) {
      options.param_headers = *read_param_headers(*schema);
    }
    if (const auto other = line.find("on_behalf_of")) {
      auto caller = std::make_shared<Caller>();
      caller->client_info = json::Value(*other);
      caller->capabilities = Capabilities(value_at(*other, "capabilities"));
      options.on_behalf_of = std::move(caller);
    }
    auto sent = peer_->call(static_cast<CallKey>(++last_call_), std::move(options), now_);
    if (sent) return std::move(*sent);
    complaint_ = complaint(sent.error());
    return {};
  }

  std::unique_ptr<ClientPeer> peer_;
  std::uint64_t last_call_ = 0;
  Time now_{0};
};

class MemoryStage final : public Stage {
 public:
  explicit MemoryStage(json::View setup) {
    if (text_at(setup, "peer") == "client") {
      client_.emplace(setup);
    } else {
      server_.emplace(setup);
    }
  }

  void act(const std::string& what, json::View line) override {
    if (server_) {
      for (const ServerAction& action : server_->act(what, line)) {
        // The answer to `initialize` tells the same.
        if (!std::holds_alternative<SessionStart>(action)) seen_.push_back(describe(action));
      }
      take(server_->complaint_);
    } else {
      for (const ClientAction& action : client_->act(what, line)) seen_.push_back(describe(action));
      take(client_->complaint_);
    }
  }
  std::optional<std::string> see(json::View line) override {
    if (seen_.empty()) return "nothing";
    std::string found = std::move(seen_.front());
    seen_.pop_front();
    if (same(line, json::parse_own(found).view())) return std::nullopt;
    return found;
  }
  std::vector<std::string> take_rest() override {
    std::vector<std::string> rest(seen_.begin(), seen_.end());
    seen_.clear();
    return rest;
  }

 private:
  void take(std::string& complaint) {
    if (!complaint.empty()) seen_.push_back(std::exchange(complaint, {}));
  }
  std::optional<ServerRun> server_;
  std::optional<ClientRun> client_;
  std::deque<std::string> seen_;
};

}  // namespace

std::unique_ptr<Stage> memory_stage(json::View setup) {
  return std::make_unique<MemoryStage>(setup);
}

}  // namespace enfold::transcripts
