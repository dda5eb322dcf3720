// SPDX-License-Identifier: Apache-2.0
// The pages of the admin API about answers: the list, its export, and one answer before and after,
// as it was given and fitted again.
#pragma once

#include "enfold/gateway/admin/pages/answer_view.h"
#include "enfold/gateway/admin/pages/source.h"

namespace enfold::gateway {

class AnswerPages {
 public:
  AnswerPages(const AdminSource& source, const Recorder& recorder, AdminJobs& jobs)
      : source_(source), recorder_(recorder), jobs_(jobs) {}

  void list(const AdminRequest& request, const Respond& respond) const;
  /// JSON Lines, the newest last.
  void save(const AdminRequest& request, const Respond& respond) const;
  /// One answer as its client got it.
  void show(const AdminRequest& request, const Respond& respond) const;
  /// The same original, fitted again to the settings in the body.
  void fit(const AdminRequest& request, const Respond& respond) const;
  /// The files of a golden test of that fit; the settings are in the query.
  void golden(const AdminRequest& request, const Respond& respond) const;

 private:
  using Work = std::function<net::HttpResponse(const ViewedAnswer& answer, bool was_recorded)>;
  /// Calls `work` on a worker with the answer that the request names, or responds that there is
  /// none.
  void with_answer(const AdminRequest& request, const Respond& respond, Work work) const;
  /// The row of the answer, as JSON.
  [[nodiscard]] std::string row_of(const AdminRequest& request) const;

  const AdminSource& source_;
  const Recorder& recorder_;
  AdminJobs& jobs_;
};

}  // namespace enfold::gateway
