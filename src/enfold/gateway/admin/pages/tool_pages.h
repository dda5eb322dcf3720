// SPDX-License-Identifier: Apache-2.0
// The page of the admin API about tools: what each costs, how it behaves, and advice.
#pragma once

#include "enfold/gateway/admin/pages/advice.h"
#include "enfold/gateway/admin/pages/source.h"

namespace enfold::gateway {

class ToolPages {
 public:
  ToolPages(const AdminSource& source, const Recorder& recorder, AdminJobs& jobs)
      : source_(source),
        recorder_(recorder),
        jobs_(jobs),
        started_(source.calls.environment.host.clock()) {}

  void list(const Respond& respond) const;

 private:
  const AdminSource& source_;
  const Recorder& recorder_;
  AdminJobs& jobs_;
  std::chrono::microseconds started_;  ///< on the host's clock
};

}  // namespace enfold::gateway
