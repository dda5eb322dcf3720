// SPDX-License-Identifier: Apache-2.0
// The pages of the admin API that run the rules of `enfold check` on an upstream, and keep the last
// runs in memory with what changed between them.
#pragma once

#include "enfold/gateway/admin/pages/check_run.h"
#include "enfold/gateway/admin/pages/source.h"
#include "enfold/serve/loop_host.h"

#include <deque>

namespace enfold::gateway {

class CheckPages {
 public:
  CheckPages(const AdminSource& source, const Recorder& recorder)
      : source_(source), recorder_(recorder) {}
  CheckPages(const CheckPages&) = delete;
  CheckPages& operator=(const CheckPages&) = delete;
  ~CheckPages() { stop(); }

  /// Checks the definitions of the upstream's tools and the recorded answers. With `"call": true`
  /// in the body it also calls the tools that declare readOnlyHint, with sample arguments and over
  /// a connection that is only for the check. 503 while another check runs.
  void run(const AdminRequest& request, const Respond& respond);
  void list(const Respond& respond) const;
  /// Ends the running check, so that the server can drain.
  void stop() { stop_ = true; }

 private:
  static constexpr std::size_t kMaxRuns = 50;
  struct Run {
    std::uint64_t id = 0;
    RecordTime time;
    std::string upstream;
    std::size_t answers = 0;  ///< recorded answers that were checked
    check::Report report;
  };
  /// `calls`: whether the check makes sample calls.
  [[nodiscard]] CheckSubject subject_of(const Upstream& upstream, bool calls) const;
  /// Starts the check on its thread; calls `keep` on the loop's thread when it has ended.
  void start(CheckSubject subject, const Respond& respond);
  /// Adds an ended run to `runs_` and responds with it.
  void keep(Run run, const Respond& respond);
  /// The members of a run, into an open object.
  void write_run(json::Writer& writer, const Run& run) const;

  const AdminSource& source_;
  const Recorder& recorder_;
  std::deque<Run> runs_;  ///< the newest first
  std::uint64_t last_id_ = 0;
  bool is_running_ = false;
  Lifetime lifetime_;
  std::atomic<bool> stop_ = false;  ///< read by the thread of the check
  /// A check may wait long for its upstream, so it uses none of the workers that answer clients.
  serve::Workers thread_{/*count=*/1, /*max_waiting=*/1};
};

}  // namespace enfold::gateway
