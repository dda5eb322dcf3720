// SPDX-License-Identifier: Apache-2.0
// The dashboard of a gateway: the web page below /ui/ and the admin API below /api/v1/. It records
// the finished calls from its creation to its end. Used on the loop's thread only.
#pragma once

#include "enfold/gateway/admin/archive/archive_pages.h"
#include "enfold/gateway/admin/http/access.h"
#include "enfold/gateway/admin/http/login_limit.h"
#include "enfold/gateway/admin/pages/answer_pages.h"
#include "enfold/gateway/admin/pages/check_pages.h"
#include "enfold/gateway/admin/pages/config_pages.h"
#include "enfold/gateway/admin/pages/state_pages.h"
#include "enfold/gateway/admin/pages/tool_pages.h"
#include "enfold/gateway/admin/record/event_stream.h"
#include "enfold/serve/http/http.h"

namespace enfold::gateway {

struct DashboardOptions {
  std::size_t recording_bytes = RecordingLimits{}.bytes;
  bool is_secure = false;       ///< served over TLS
  bool trusts_loopback = true;  ///< see LoginLimit
  /// Called with the first link to the dashboard, and with a new one after each use. The link has a
  /// token that logs in once; with principals it has none, because operators log in with a key.
  std::function<void(const std::string& link)> on_link;
};

class Dashboard {
 public:
  Dashboard(AdminSource source, DashboardOptions options);
  Dashboard(const Dashboard&) = delete;
  Dashboard& operator=(const Dashboard&) = delete;
  ~Dashboard();

  /// /ui, /api/v1/login and /api/v1, for the HTTP server; the pages refer to this object.
  [[nodiscard]] std::vector<serve::Page> pages();
  /// Limits the keys of operators at the MCP endpoint together with those of the admin API.
  [[nodiscard]] serve::WaitOfKey wait_of_key();
  /// Called when the server listens: makes the first link. `origin`: "http://127.0.0.1:8080".
  void start(std::string origin);
  /// Ends what takes long, event streams and a check, so that the server can drain.
  void stop();

  [[nodiscard]] const Recorder& recorder() const { return recorder_; }

 private:
  /// The refusal of a request to the admin API; nullopt: it is allowed.
  [[nodiscard]] std::optional<net::HttpResponse> check(const net::HttpHead& head,
                                                       const net::Peer& peer);
  /// Answers a request for a file of the web page; logs in if the query has a token.
  void show_page(const net::HttpRequest& request, net::Responder responder);
  /// Answers a request to the admin API that `check` has allowed.
  void answer(const net::HttpRequest& request, net::Responder responder);
  void log_in(const AdminRequest& request, net::Responder responder);
  /// The session that a key or token opened, as the value of Set-Cookie; else the refusal.
  [[nodiscard]] tl::expected<std::string, net::HttpResponse> open_session(
      const AdminRequest& request, const net::Peer& peer);
  /// The refusal of any key of this client; nullopt: its key is checked.
  [[nodiscard]] std::optional<net::HttpResponse> refuse_key(const net::Peer& peer) const;
  /// Calls the page of the admin API that the path and method name.
  void route(const AdminRequest& request, const Access::Login& login, const Respond& respond);
  void make_link();
  /// Makes a new link if, since the last one, the need of a token has changed.
  void renew_link();
  /// Once a minute: adds a point to the trend of each client session, drops what is old.
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
  std::unique_ptr<Access> access_;  ///< set by `start`, like `origin_`
  LoginLimit login_limit_;
  std::string origin_;
  bool link_has_token_ = false;
  net::Timer sampling_;  ///< calls `sample_sessions`
};

}  // namespace enfold::gateway
