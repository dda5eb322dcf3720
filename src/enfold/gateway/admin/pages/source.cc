// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/source.h"

namespace enfold::gateway {
namespace {

// All requests of the dashboard count as one principal of the lane.
constexpr const char* kDashboard = "dashboard";

net::HttpResponse busy_reply() {
  return error_reply(503, "unavailable", "too many requests of the dashboard wait already",
                     "try again in a few seconds");
}

}  // namespace

void AdminJobs::run(std::function<net::HttpResponse()> work, Respond respond) {
  const auto start = [this, work = std::move(work), respond] {
    const auto done = lifetime_.guarded([this, respond](net::HttpResponse response) {
      respond(std::move(response));
      lane_.leave(kDashboard);
    });
    // No worker takes the job. `leave` is posted, so that it does not run within `enter`.
    if (!serve::on_worker(host_, work, done)) {
      respond(busy_reply());
      host_.post(lifetime_.guarded([this] { lane_.leave(kDashboard); }));
    }
  };
  if (!lane_.enter(kDashboard, start)) respond(busy_reply());
}

}  // namespace enfold::gateway
