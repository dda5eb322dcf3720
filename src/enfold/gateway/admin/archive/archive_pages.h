// SPDX-License-Identifier: Apache-2.0
// The pages of the admin API about the archive: its entries, their tables, and queries. Each entry
// belongs to a principal; only the entries of the configuration's principals are shown. Everything
// runs on workers.
#pragma once

#include "enfold/gateway/admin/archive/archive_list.h"
#include "enfold/gateway/admin/pages/source.h"

namespace enfold::gateway {

class ArchivePages {
 public:
  ArchivePages(const AdminSource& source, const Recorder& recorder, AdminJobs& jobs)
      : source_(source), recorder_(recorder), jobs_(jobs) {}

  void list(const AdminRequest& request, const Respond& respond) const;
  void statistics(const Respond& respond) const;
  void tables(const AdminRequest& request, const Respond& respond) const;
  void query(const AdminRequest& request, const Respond& respond) const;
  /// Drops the lists that no page uses any more, on a worker; called once a minute.
  void drop_old_lists() const;

 private:
  /// The principals of the configuration; without any, the one that owns all answers.
  [[nodiscard]] std::vector<std::string> owners() const;
  /// Calls `work` on a worker and sends its response; responds with 404 if there is no archive.
  using Work = std::function<net::HttpResponse(const tools::AnswerServices& services,
                                               const IsAbandoned& is_abandoned)>;
  void with_archive(const Respond& respond, Work work) const;

  const AdminSource& source_;
  const Recorder& recorder_;
  AdminJobs& jobs_;
  std::shared_ptr<ArchiveList> list_ = std::make_shared<ArchiveList>();  ///< used by the jobs
};

}  // namespace enfold::gateway
