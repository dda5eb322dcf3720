// SPDX-License-Identifier: Apache-2.0
// The pages of the admin API about answers: the list, its export, and one answer before and after
// fitting: as the client got it, or fitted again to other settings.
#pragma once

#include "enfold/gateway/admin/pages/answer_view.h"
#include "enfold/gateway/admin/pages/source.h"

namespace enfold::gateway {

class AnswerPages {
 public:
  AnswerPages(const AdminSource& source, Recorder& recorder, AdminJobs& jobs)
      : source_(source), recorder_(recorder), jobs_(jobs) {}

  /// The newest rows that the filter in the query accepts, newest first.
  void list(const AdminRequest& request, const Respond& respond) const;
  /// The export: the rows that the filter accepts as JSON Lines, the newest last.
  void save(const AdminRequest& request, const Respond& respond) const;
  /// One answer as its client got it.
  void show(const AdminRequest& request, const Respond& respond) const;
  /// The same original, fitted again to the settings in the body.
  void fit(const AdminRequest& request, const Respond& respond) const;
  /// The files of a golden test that fits the original again; the settings are in the query.
  void golden(const AdminRequest& request, const Respond& respond) const;

 private:
  /// `was_recorded`: the answer is from the recorder; false: only its original, from the archive.
  using Work = std::function<net::HttpResponse(const ViewedAnswer& answer, bool was_recorded)>;
  /// Calls `work` on a worker with the answer that the request names, or responds that there is
  /// none. `before_response`: as in AdminJobs, for a recorded answer only.
  void with_answer(const AdminRequest& request, const Respond& respond, Work work,
                   std::function<void()> before_response = {}) const;
  /// The row of the answer that the request names, as JSON; "null" if it left the ring.
  [[nodiscard]] std::string row_of(const AdminRequest& request) const;

  const AdminSource& source_;
  Recorder& recorder_;
  AdminJobs& jobs_;
};

}  // namespace enfold::gateway
