// SPDX-License-Identifier: Apache-2.0
// The parts of a gateway that the admin API shows, and how its pages answer.
#pragma once

#include "enfold/gateway/admin/http/request.h"
#include "enfold/gateway/admin/record/recorder.h"
#include "enfold/gateway/admin/record/shown.h"
#include "enfold/gateway/call/services.h"
#include "enfold/tools/call/fair_lane.h"
#include "enfold/tools/declare/config.h"

#include <algorithm>
#include <atomic>

namespace enfold::gateway {

/// The configuration file of a gateway; without a file, path and functions are empty.
struct ConfigSource {
  std::string path;
  /// Reads the file again and returns its errors; the gateway keeps its settings.
  std::function<std::vector<Error>()> check;
  /// Reads the file again and, if it has no errors, applies it. Calls `done` with the errors.
  std::function<void(std::function<void(std::vector<Error>)> done)> reload;
};

/// What the dashboard reads of the gateway. Everything must outlive the dashboard.
struct AdminSource {
  const CallServices& calls;
  CallLog& log;
  std::function<Report()> report;  ///< the state of the gateway now
  ConfigSource config{};
};

/// Sends the response to one request, once. Copies belong to the same request. Used on the loop's
/// thread only.
class Respond {
 public:
  explicit Respond(net::Responder responder)
      : responder_(std::make_shared<net::Responder>(std::move(responder))) {}
  void operator()(net::HttpResponse response) const { responder_->respond(std::move(response)); }
  /// Called once if the connection closes before the response is sent.
  void on_close(net::Task task) const { responder_->on_close(std::move(task)); }

 private:
  std::shared_ptr<net::Responder> responder_;  ///< shared, because a Responder cannot be copied
};

/// Becomes true when the client of a request has gone, so that a job for it may stop.
using IsAbandoned = std::shared_ptr<const std::atomic<bool>>;

/// Runs the long requests of the dashboard on at most two of the gateway's workers at a time, and
/// on at most half of them, so that the others are free for the answers to clients. A single worker
/// does both. A job whose client has gone before
/// it starts is not run: the response is 503, because the client may still read.
class AdminJobs {
 public:
  /// `workers`: the number of workers of the gateway.
  AdminJobs(serve::Host& host, std::size_t workers)
      : host_(host),
        lane_({.running = std::clamp<std::size_t>(workers / 2, 1, 2),
               .running_per_principal = 2,
               .waiting_per_principal = 32}) {}

  using Work = std::function<net::HttpResponse(const IsAbandoned& is_abandoned)>;
  /// Runs `work` on a worker and sends its response. `work` must use nothing of the loop's thread.
  /// Between the two it calls `before_response` (may be empty), on the loop's thread. Responds with
  /// 503 if too many requests wait.
  void run(Work work, Respond respond, std::function<void()> before_response = {});

 private:
  serve::Host& host_;
  tools::FairLane lane_;
  Lifetime lifetime_;
};

}  // namespace enfold::gateway
