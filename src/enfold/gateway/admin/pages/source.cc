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

// For a client that only closed its sending side, and still reads.
net::HttpResponse abandoned_reply() {
  return error_reply(503, "unavailable", "the client closed the connection before its turn",
                     "keep the connection open until the response arrives");
}

}  // namespace

void AdminJobs::run(Work work, Respond respond, std::function<void()> before_response) {
  const auto is_abandoned = std::make_shared<std::atomic<bool>>(false);
  respond.on_close([is_abandoned] { *is_abandoned = true; });
  const auto start = [this, work = std::move(work), respond,
                      before_response = std::move(before_response), is_abandoned] {
    const auto done =
        lifetime_.guarded([this, respond, before_response](net::HttpResponse response) {
          if (before_response) before_response();
          respond(std::move(response));
          lane_.leave(kDashboard);
        });
    // `leave` is posted, so that it does not run within `enter`.
    const auto leave = [this] {
      host_.post(lifetime_.guarded([this] { lane_.leave(kDashboard); }));
    };
    if (*is_abandoned) {
      respond(abandoned_reply());
      return leave();
    }
    const auto job = [work, is_abandoned] {
      return *is_abandoned ? abandoned_reply() : work(is_abandoned);
    };
    if (!serve::on_worker(host_, job, done)) {  // no worker takes the job
      respond(busy_reply());
      leave();
    }
  };
  if (!lane_.enter(kDashboard, start)) respond(busy_reply());
}

}  // namespace enfold::gateway
