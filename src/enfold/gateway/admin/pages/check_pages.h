// SPDX-License-Identifier: Apache-2.0
// The pages of the admin API that run the rules of `enfold check` on an upstream, and keep the last
// runs in memory with what changed between them.
#pragma once

#include "enfold/check/report.h"
#include "enfold/gateway/admin/pages/source.h"

#include <deque>

namespace enfold::gateway {

class CheckPages {
 public:
  CheckPages(const AdminSource& source, const Recorder& recorder, AdminJobs& jobs)
      : source_(source), recorder_(recorder), jobs_(jobs) {}

  /// The definitions of the upstream's tools and the recorded answers are checked; with `call` in
  /// the body also answers to sample calls of tools that declare readOnlyHint, which a connection
  /// of its own makes.
  void run(const AdminRequest& request, const Respond& respond);
  void list(const Respond& respond) const;

 private:
  static constexpr std::size_t kMaxRuns = 50;
  struct Run {
    std::uint64_t id = 0;
    RecordTime time;
    std::string upstream;
    check::Report report;
  };
  void keep(Run run, const Respond& respond);
  /// The members of a run, into an open object.
  static void write_run(json::Writer& writer, const Run& run);

  const AdminSource& source_;
  const Recorder& recorder_;
  AdminJobs& jobs_;
  std::deque<Run> runs_;  ///< the newest first
  std::uint64_t last_id_ = 0;
  Lifetime lifetime_;
};

}  // namespace enfold::gateway
