// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/source.h"

namespace enfold::gateway {
namespace {

net::HttpResponse busy_reply() {
  return error_reply(503, "unavailable", "too many requests of the dashboard wait already",
                     "try again in a few seconds");
}

}  // namespace

void AdminJobs::run(Work work, Respond respond, std::function<void()> then) {
  const auto is_abandoned = std::make_shared<std::atomic<bool>>(false);
  respond.on_close([is_abandoned] { *is_abandoned = true; });
  const auto start = [this, work = std::move(work), respond, then = std::move(then), is_abandoned] {
    const auto done = lifetime_.guarded([this, respond, then](net::HttpResponse response) {
      if (then) then();
      respond(std::move(response));
      lane_.leave({});
    });
    // `leave` is posted, so that it does not run within `enter`.
    const auto leave = [this] { host_.post(lifetime_.guarded([this] { lane_.leave({}); })); };
    if (*is_abandoned) return leave();
    const auto job = [work, is_abandoned] {
      return *is_abandoned ? net::HttpResponse() : work(is_abandoned);
    };
    if (!serve::on_worker(host_, job, done)) {  // no worker takes the job
      respond(busy_reply());
      leave();
    }
  };
  if (!lane_.enter({}, start)) respond(busy_reply());
}

}  // namespace enfold::gateway
