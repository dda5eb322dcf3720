// SPDX-License-Identifier: Apache-2.0
// A server over Streamable HTTP, both eras on one path. Loopback, Host and Origin checks are the
// default; sessions have a limit and an end.
#pragma once

#include "enfold/net/http/server.h"
#include "enfold/serve/http/sessions.h"
#include "enfold/serve/loop_host.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace enfold::serve {

inline constexpr std::string_view kHttpPath = "/mcp";

/// Something to look at beside the endpoint, with GET.
struct Page {
  std::string path;
  std::function<void(net::Responder responder)> show;
};

struct HttpOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: the system chooses
  net::HostPolicy policy;
  net::ServerLimits limits;
  std::shared_ptr<net::TlsContext> tls;
  std::vector<Page> pages;
};

class HttpFront {
 public:
  [[nodiscard]] static Result<std::unique_ptr<HttpFront>> listen(Service& service, net::Loop& loop,
                                                                 HttpOptions options);
  HttpFront(const HttpFront&) = delete;
  HttpFront& operator=(const HttpFront&) = delete;
  ~HttpFront();

  [[nodiscard]] std::string url() const;
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] std::size_t sessions() const { return sessions_.size(); }
  [[nodiscard]] const net::HttpServer& server() const { return *server_; }

  [[nodiscard]] bool is_draining() const { return draining_; }

  /// Connections that come from now on are secured by this.
  void renew(std::shared_ptr<net::TlsContext> tls) { server_->renew(std::move(tls)); }
  /// Principals who may not call any more: their streams and idle sessions end now, their open
  /// calls with their answers.
  void dismiss(const std::set<std::string>& principals);

  /// Answers what has been accepted, then calls `done`.
  void drain(net::Task done);

 private:
  HttpFront(Service& service, net::Loop& loop) : service_(service), loop_(loop) {}

  void handle(net::HttpRequest& request, net::Responder responder);
  [[nodiscard]] const Page* page_at(std::string_view path) const;
  void start(mcp::StatelessPost post, mcp::HeaderFields fields, const std::string& principal,
             net::Responder responder);
  void start(mcp::SessionPost post, const std::string& principal, net::Responder responder);
  void open_session(mcp::SessionPost post, const std::string& principal, net::Responder responder);
  /// nullptr: there is none, or it is somebody else's.
  [[nodiscard]] HttpSession* find(std::string_view session, const std::string& principal);
  void finish(std::uint64_t request);
  void tick();

  Service& service_;
  net::Loop& loop_;
  std::string origin_;  ///< without its port
  std::vector<Page> pages_;
  std::unique_ptr<net::HttpServer> server_;
  HttpSessions sessions_;
  std::unordered_map<std::uint64_t, std::unique_ptr<StatelessRequest>> requests_;
  std::vector<mcp::HeaderField> fields_;  ///< of the request that is being looked at
  std::uint64_t last_request_ = 0;
  std::unique_ptr<net::Timer> ticker_;
  bool draining_ = false;
};

}  // namespace enfold::serve
