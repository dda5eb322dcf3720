// SPDX-License-Identifier: Apache-2.0
// A transport of the server library with a service behind it that does what the transcript says.
// Numbers of calls are the transcript's own here: each is bound to a call when it is first seen.
#pragma once

#include "enfold/serve/host.h"
#include "enfold/serve/service.h"
#include "tests/net/running_loop.h"
#include "tests/transcripts/stage.h"

#include <deque>
#include <map>

namespace enfold::transcripts {

/// Time is the loop's, which a transcript can advance; nothing works beside the loop.
class ScriptedHost final : public serve::Host {
 public:
  explicit ScriptedHost(net::Loop& loop) : loop_(loop) {}
  bool work(net::Task /*job*/) override { return false; }
  void post(net::Task task) override { loop_.post(std::move(task)); }
  std::unique_ptr<serve::Alarm> after(std::chrono::milliseconds wait, net::Task task) override;
  std::chrono::microseconds clock() const override;
  std::chrono::sys_time<std::chrono::microseconds> calendar() const override { return {}; }
  void fill_random(std::span<std::uint8_t> bytes) override;

 private:
  net::Loop& loop_;
  std::uint8_t last_ = 0;
};

/// Does nothing by itself and remembers what it was told.
class ScriptedService final : public serve::Service {
 public:
  ScriptedService(mcp::ServerConfig config, serve::Host& host);

  const std::shared_ptr<const mcp::ServerConfig>& config() const override { return config_; }
  const serve::Settings& settings() const override { return settings_; }
  serve::Host& host() const override { return host_; }
  std::shared_ptr<serve::OpenCall> begin(
      mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& port) override;
  void on_session(serve::ClientChannel& port, const std::shared_ptr<const mcp::Caller>& caller,
                  serve::SessionStage stage) override;
  void on_log_level(serve::ClientChannel& port, mcp::LogLevel level) override;
  std::shared_ptr<serve::OpenCall> on_listen(serve::ClientChannel& port,
                                             const mcp::SubscriptionOpened& listening) override;
  void on_client_response(serve::ClientChannel& port, mcp::ServerRequestKey ask,
                          const mcp::ResultOrError& outcome) override;
  void on_notification(serve::ClientChannel& port, const mcp::Notification& notification) override;
  void on_closed(serve::ClientChannel& port) override;

  struct Begun {
    mcp::Call call;
    std::shared_ptr<serve::ClientChannel> port;
    std::shared_ptr<const bool> is_cancelled;
    bool replied = false;
  };
  struct Event {
    std::string text;            ///< as a line of a transcript
    std::optional<Begun> begun;  ///< of a call
  };
  std::deque<Event> told;                   ///< and not seen yet
  serve::ClientChannel* session = nullptr;  ///< that was opened last

 private:
  class Open;
  void tell(const mcp::ServerAction& action);

  std::shared_ptr<const mcp::ServerConfig> config_;
  serve::Settings settings_;
  serve::Host& host_;
};

class SocketStage : public Stage {
 public:
  void act(const std::string& what, json::View line) final;
  std::optional<std::string> see(json::View line) final;
  std::vector<std::string> take_rest() final;
  ~SocketStage() override;

 protected:
  explicit SocketStage(json::View setup);

  virtual void receive(json::View line) = 0;
  virtual std::optional<std::string> see_send(json::View line) = 0;
  /// The messages that nobody saw.
  virtual std::vector<std::string> take_messages() = 0;
  /// The client is not interested in this call any more; false: it cannot say so.
  virtual bool close_stream(std::int64_t /*call*/) { return false; }
  /// The session is over, or the server is; false: not here.
  virtual bool close() { return false; }
  virtual bool end() = 0;
  /// The first call of a message may have this number from now on.
  virtual void bind(std::int64_t /*call*/) {}

  void complain(std::string what) { complaints_.push_back(std::move(what)); }

  net::RunningLoop loop_;
  ScriptedHost host_;
  ScriptedService service_;

 private:
  std::optional<std::string> see_told(json::View line);
  [[nodiscard]] bool act_on_call(const std::string& what, json::View line);
  [[nodiscard]] bool act_on_session(const std::string& what, json::View line);

  std::map<std::int64_t, ScriptedService::Begun> calls_;  ///< by the transcript's number
  std::vector<std::string> complaints_;
  mcp::ServerRequestKey last_ask_{};
  std::int64_t now_ = 0;
};

}  // namespace enfold::transcripts
