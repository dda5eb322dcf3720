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

/// Sends the response to one request, once.
using Respond = std::function<void(net::HttpResponse response)>;

/// Runs the long requests of the dashboard on at most two of the gateway's workers at a time, so
/// that the other workers are free for the answers to clients.
class AdminJobs {
 public:
  /// `workers`: the number of workers of the gateway.
  AdminJobs(serve::Host& host, std::size_t workers)
      : host_(host),
        lane_({.running = std::clamp<std::size_t>(workers / 2, 1, 2), .each = 2, .waiting = 32}) {}

  /// Runs `work` on a worker and sends its response. `work` must use nothing of the loop's thread.
  /// Responds with 503 if too many requests wait.
  void run(std::function<net::HttpResponse()> work, Respond respond);

 private:
  serve::Host& host_;
  tools::FairLane lane_;
  Lifetime lifetime_;
};

}  // namespace enfold::gateway
