// SPDX-License-Identifier: Apache-2.0
// The check of servers: starts several at a time on one event loop.
#include "cli/doctor/checks.h"
#include "cli/input/server_link.h"
#include "enfold/base/text.h"
#include "enfold/client/client.h"
#include "enfold/redact/redact.h"

#include <fmt/core.h>
#include <memory>

namespace enfold::cli {
namespace {

constexpr std::size_t kMaxAtOnce = 8;

// The error's message, with the last line that the server has written to its standard error.
std::string reason(const Error& error) {
  if (!error.hint.starts_with(client::kSaidLast)) return error.message;
  const std::string_view output =
      trimmed(std::string_view(error.hint).substr(client::kSaidLast.size()), " \n");
  const std::string_view line = trimmed(output.substr(output.rfind('\n') + 1));
  return fmt::format("{}; {} {}", error.message, client::kSaidLast, redact::redact_text(line, {}));
}

// What the user should type or do.
std::string advice(const Error& error, const ServerToStart& server) {
  const std::string& program = server.target.command.front();
  const bool is_missing =
      error.code == ErrorCode::not_found || error.code == ErrorCode::unauthorized;
  if (is_missing && error.where == program) {
    return fmt::format("install {}, or correct its command in {}", program, server.file);
  }
  const bool is_slow = error.code == ErrorCode::timed_out;
  return is_slow ? "enfold doctor --timeout 120, or " + server.log_command : server.log_command;
}

// Starts the servers, at most kMaxAtOnce at a time; closes each after its first answer or failure.
class Starter {
 public:
  Starter(net::Loop& loop, std::vector<ServerToStart> servers, std::chrono::seconds timeout,
          Terminal& terminal)
      : loop_(loop),
        servers_(std::move(servers)),
        timeout_(timeout),
        terminal_(terminal),
        clients_(servers_.size()),
        answers_(servers_.size()) {}

  void run() {
    for (std::size_t i = 0; i < kMaxAtOnce; ++i) start_next();
    if (ended_ < servers_.size()) loop_.run();
    terminal_.end_progress();
  }

  void report_to(DoctorReport& report) const {
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      const auto& answer = answers_[i];
      const std::string& label = servers_[i].label;
      if (answer && *answer) {
        report.ok("servers", fmt::format("{}: {}", label, describe(**answer)));
        continue;
      }
      const Error error = answer ? answer->error() : Error{.message = "no answer"};
      report.problem("servers", fmt::format("{}: {}", label, reason(error)),
                     advice(error, servers_[i]));
    }
  }

 private:
  void start_next() {
    if (next_ == servers_.size()) return;
    const std::size_t index = next_++;
    client::ClientOptions options;
    options.startup_timeout = timeout_;
    options.idle_timeout = timeout_;
    clients_[index] =
        std::make_unique<client::Client>(loop_, servers_[index].target, std::move(options));
    show_progress();
    clients_[index]->connect([this, index](Result<mcp::ServerIdentity> server) {
      answers_[index] = std::move(server);
      clients_[index]->close([this] { end_one(); });
    });
  }

  void end_one() {
    ++ended_;
    show_progress();
    if (ended_ == servers_.size()) return loop_.stop();
    start_next();
  }

  void show_progress() {
    terminal_.progress(fmt::format("starting servers: {} of {}", ended_, servers_.size()));
  }

  net::Loop& loop_;
  std::vector<ServerToStart> servers_;
  std::chrono::seconds timeout_;
  Terminal& terminal_;
  // By index in `servers_`.
  std::vector<std::unique_ptr<client::Client>> clients_;             ///< null: not started yet
  std::vector<std::optional<Result<mcp::ServerIdentity>>> answers_;  ///< nullopt: none yet
  std::size_t next_ = 0;   ///< index of the next server to start
  std::size_t ended_ = 0;  ///< number of servers that were closed
};

}  // namespace

void check_servers(std::vector<ServerToStart> servers, std::size_t seconds, DoctorReport& report,
                   Terminal& terminal) {
  if (servers.empty()) return;
  const auto loop = net::Loop::create();
  if (!loop) {
    report.problem("servers", loop.error());
    return;
  }
  Starter starter(**loop, std::move(servers), std::chrono::seconds(seconds), terminal);
  starter.run();
  starter.report_to(report);
}

}  // namespace enfold::cli
