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

/// The configuration file of a gateway; the functions are empty if it has none.
struct ConfigSource {
  std::string path;
  /// Reads the file again and returns its errors, without using it.
  std::function<std::vector<Error>()> check;
  /// Uses the file if it has no errors; `done` gets them.
  std::function<void(std::function<void(std::vector<Error>)> done)> reload;
};

/// Everything must outlive the dashboard.
struct AdminSource {
  const CallServices& calls;
  CallLog& log;
  std::function<Report()> report;
  ConfigSource config{};
};

/// Sends the response to one request, once.
using Respond = std::function<void(net::HttpResponse response)>;

/// Runs the long requests of the dashboard on workers, a few at a time, so that the answers to
/// clients have the others.
class AdminJobs {
 public:
  /// `workers`: how many the gateway has.
  AdminJobs(serve::Host& host, std::size_t workers)
      : host_(host),
        lane_({.running = std::clamp<std::size_t>(workers / 2, 1, 2), .each = 2, .waiting = 32}) {}

  /// `work` runs on a worker and must use nothing of the loop's thread. 503 if too many wait.
  void run(std::function<net::HttpResponse()> work, Respond respond);

 private:
  serve::Host& host_;
  tools::FairLane lane_;
  Lifetime lifetime_;
};

}  // namespace enfold::gateway
