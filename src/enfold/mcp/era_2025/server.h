// SPDX-License-Identifier: Apache-2.0
// The server side of one session (2025-11-25 and before): handshake, calls, log level, watched
// resources, and questions to the client. An application answers `InputRequired` here as in the
// stateless era; the session asks the client and then hands the call out again with the answers.
#pragma once

#include "enfold/mcp/era_2025/questions.h"
#include "enfold/mcp/era_2025/session_calls.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp::era_2025 {

class Server {
 public:
  explicit Server(std::shared_ptr<const ServerConfig> config) : config_(std::move(config)) {}

  [[nodiscard]] ServerActions receive(Request request, CallKey key);
  [[nodiscard]] ServerActions receive(Notification notification);
  [[nodiscard]] ServerActions receive(Response response);

  [[nodiscard]] bool is_open() const { return caller_ != nullptr; }  ///< initialize was answered
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const SessionCalls& calls() const { return calls_; }
  [[nodiscard]] const Questions& questions() const { return questions_; }

  /// All of these do nothing for a call that is not open any more.
  [[nodiscard]] ServerActions reply(CallKey call, Reply reply, Time now);
  [[nodiscard]] ServerActions progress(CallKey call, const Progress& progress);
  [[nodiscard]] ServerActions log(std::optional<CallKey> call, const LogMessage& message) const;
  [[nodiscard]] ServerActions notify(std::optional<CallKey> call, std::string_view method,
                                     json::View params) const;
  [[nodiscard]] ServerActions list_changed(ListKind kind) const;
  [[nodiscard]] ServerActions resource_updated(std::string_view uri) const;

  /// A request of ours, of any method. `unsupported` when the client did not declare what it needs.
  [[nodiscard]] Result<ServerActions> ask(ServerRequestKey key, std::optional<CallKey> about,
                                          const InputRequest& request, Time now);
  /// Takes a question back.
  [[nodiscard]] ServerActions withdraw(ServerRequestKey ask, std::string_view reason) {
    return questions_.withdraw(ask, reason);
  }
  /// Questions that waited too long fail.
  [[nodiscard]] ServerActions tick(Time now);
  /// The client is gone.
  [[nodiscard]] ServerActions closed(std::string_view reason);

 private:
  [[nodiscard]] ServerActions initialize(const Request& request);
  [[nodiscard]] ServerActions set_level(const Request& request);
  [[nodiscard]] ServerActions begin(Request request, CallKey key);
  [[nodiscard]] ServerActions cancel(const Notification& notification);
  [[nodiscard]] ServerActions require_input(SessionCall& open, const InputRequired& required,
                                            Time now);
  [[nodiscard]] ServerActions answered(const Question& question, Outcome outcome);
  [[nodiscard]] ServerActions finish(CallKey call, json::Output message);
  void note_watch(const Call& call);

  std::shared_ptr<const ServerConfig> config_;
  std::shared_ptr<const Caller> caller_;  ///< null: not initialized
  std::string version_;
  bool ready_ = false;  ///< the client has sent `initialized`
  std::optional<LogLevel> level_;
  std::vector<std::string> watched_;
  SessionCalls calls_;
  Questions questions_;
};

}  // namespace enfold::mcp::era_2025
