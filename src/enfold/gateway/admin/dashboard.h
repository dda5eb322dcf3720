// SPDX-License-Identifier: Apache-2.0
// The dashboard of a gateway: the web page below /ui/ and the admin API below /api/v1/. It records
// the finished calls from its creation to its end. Used on the loop's thread only.
#pragma once

#include "enfold/gateway/admin/http/access.h"
#include "enfold/gateway/admin/pages/answer_pages.h"
#include "enfold/gateway/admin/pages/archive_pages.h"
#include "enfold/gateway/admin/pages/check_pages.h"
#include "enfold/gateway/admin/pages/config_pages.h"
#include "enfold/gateway/admin/pages/state_pages.h"
#include "enfold/gateway/admin/pages/tool_pages.h"
#include "enfold/gateway/admin/record/event_stream.h"
#include "enfold/serve/http/http.h"

namespace enfold::gateway {

struct DashboardOptions {
  std::size_t recording_bytes = RecordingLimits{}.bytes;
  bool is_secure = false;  ///< served over TLS
  /// Called with each link that logs in: the first, and a new one after each use. With principals
  /// it has no token.
  std::function<void(const std::string& link)> on_link;
};

class Dashboard {
 public:
  Dashboard(AdminSource source, DashboardOptions options);
  Dashboard(const Dashboard&) = delete;
  Dashboard& operator=(const Dashboard&) = delete;
  ~Dashboard();

  /// For the HTTP server; they refer to this object.
  [[nodiscard]] std::vector<serve::Page> pages();
  /// Called when the server listens: makes the first link. `origin`: "http://127.0.0.1:8080".
  void start(std::string origin);
  /// Ends what takes long, event streams and a check, so that the server can drain.
  void stop();

  [[nodiscard]] const Recorder& recorder() const { return recorder_; }

 private:
  [[nodiscard]] std::optional<net::HttpResponse> check(const net::HttpHead& head);
  void show_page(const net::HttpRequest& request, net::Responder responder);
  void answer(const net::HttpRequest& request, net::Responder responder);
  void log_in(const AdminRequest& request, const Respond& respond);
  void route(const AdminRequest& request, const Access::Login& login, const Respond& respond);
  void make_link();
  void renew_link();
  void sample_sessions();

  AdminSource source_;
  DashboardOptions options_;
  Recorder recorder_;
  AdminJobs jobs_;
  AnswerPages answers_;
  ArchivePages archive_;
  ToolPages tools_;
  CheckPages checks_;
  ConfigPages config_;
  StatePages state_;
  EventStream events_;
  std::unique_ptr<Access> access_;
  std::string origin_;
  bool link_has_token_ = false;
  net::Timer sampling_;
};

}  // namespace enfold::gateway
