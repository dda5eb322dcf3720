// SPDX-License-Identifier: Apache-2.0
// A server over Streamable HTTP, both eras at one URL. By default it listens on loopback only and
// checks Host and Origin. The number of sessions is limited, and idle ones end.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/base/shares.h"
#include "enfold/net/http/server.h"
#include "enfold/serve/http/refusal_log.h"
#include "enfold/serve/http/session.h"
#include "enfold/serve/loop_host.h"

#include <deque>
#include <list>

namespace enfold::serve {

/// The open sessions of a server, by id.
class HttpSessions {
 public:
  /// `owner_name`: whose share of the sessions it uses.
  void add(const std::string& id, const std::string& owner_name,
           std::unique_ptr<HttpSession> session);
  /// nullptr: there is none with this id, or it belongs to another principal.
  [[nodiscard]] HttpSession* find(std::string_view id, const std::string& principal);
  bool erase(std::string_view id);  ///< false: there is none with this id
  /// Erases the sessions for which `predicate` returns true.
  void erase_if(const std::function<bool(HttpSession& session)>& predicate);
  void for_each(const std::function<void(HttpSession& session)>& visit);
  void clear();
  [[nodiscard]] std::size_t size() const { return sessions_.size(); }

  /// Makes room for a new session of this owner: evicts the longest idle session of the owner with
  /// the most sessions, provided that it has more, so that each owner can have its share. Otherwise
  /// evicts the longest idle one of this owner. Busy sessions are never evicted. False: there was
  /// none to evict.
  [[nodiscard]] bool evict_for(const std::string& owner_name);

 private:
  struct Entry;
  /// A principal, or without keys an address.
  struct Owner {
    std::string name;
    std::size_t sessions = 0;
    std::list<Entry*> idle;  ///< the longest idle first
  };
  struct Entry {
    std::string id;
    std::unique_ptr<HttpSession> session;
    Owner* owner = nullptr;
    bool is_idle = false;
    std::uint64_t idle_since = 0;         ///< `idle_count_` when the session last became idle
    std::list<Entry*>::iterator place{};  ///< in Owner::idle
  };
  /// Orders owners: most sessions first, then longest idle.
  struct ByShare {
    bool operator()(const Owner* a, const Owner* b) const {
      if (a->sessions != b->sessions) return a->sessions > b->sessions;
      return a->idle.front()->idle_since < b->idle.front()->idle_since;
    }
  };
  struct IdHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Entries = std::unordered_map<std::string, std::unique_ptr<Entry>, IdHash, std::equal_to<>>;

  /// Calls `apply`, which changes the owner, while the owner is not in `with_idle_`: the change
  /// affects its place there.
  template <class Change>
  void change(Owner& owner, const Change& apply);
  /// Called when the session may have become idle or busy, or was used in between.
  void update(Entry& entry);
  /// Removes a session and returns it.
  [[nodiscard]] std::unique_ptr<HttpSession> take(Entries::iterator found);

  Entries sessions_;
  std::unordered_map<std::string, std::unique_ptr<Owner>> owners_;
  std::set<Owner*, ByShare> with_idle_;  ///< those that have an idle session
  std::uint64_t idle_count_ = 0;         ///< how often a session has become idle
};

inline constexpr std::string_view kHttpPath = "/mcp";

/// A page beside the MCP endpoint, such as /metrics. It needs no API key.
struct Page {
  /// Of a request from a client without a key: enough for a key, and not worth an attack.
  static constexpr std::size_t kMaxBodyBytes = std::size_t{4} << 10;

  std::string path;  ///< such as "/metrics"
  /// Called for each request; must respond, now or later.
  std::function<void(net::HttpRequest& request, net::Responder responder)> show;
  bool has_children = false;  ///< also serves every path below `path`
  /// Called before a body is read: nullopt accepts the request. Empty: only GET is accepted.
  std::function<std::optional<net::HttpResponse>(const net::HttpHead& head, const net::Peer& peer)>
      check{};
  std::size_t max_body_bytes = kMaxBodyBytes;  ///< a longer body gets 413 and is not read

  [[nodiscard]] bool serves(std::string_view requested) const {
    return requested == path ||
           (has_children && requested.starts_with(path) && requested[path.size()] == '/');
  }
};

/// Whether a request for the page is accepted.
[[nodiscard]] net::HeadCheck check_page(const Page& page, const net::HttpHead& head,
                                        const net::Peer& peer);

/// How long a client with this key must wait; nullopt: its request is accepted if the key is valid.
/// `principal`: of the key; null: the key is not valid.
using WaitOfKey = std::function<std::optional<std::chrono::seconds>(
    std::string_view key, const std::string* principal, const net::Peer& peer)>;

struct HttpOptions {
  std::string host = "127.0.0.1";         ///< the address to listen on, or unix:PATH
  std::uint16_t port = 0;                 ///< 0: the system chooses
  mode_t socket_mode = net::kSocketMode;  ///< rights of a Unix socket
  net::Listener listener;                 ///< listens on host and port; empty: one is opened
  net::HostPolicy policy;
  net::ServerLimits limits{.message = {.max_body_bytes = kMaxRequestBytes}};
  std::shared_ptr<net::TlsContext> tls;  ///< null: http
  std::vector<Page> pages;
  WaitOfKey wait_of_key{};  ///< for requests to the MCP endpoint; empty: no key must wait
};

/// The HTTP server of a Service.
class HttpFront {
 public:
  [[nodiscard]] static Result<std::unique_ptr<HttpFront>> listen(Service& service, net::Loop& loop,
                                                                 HttpOptions options);
  HttpFront(const HttpFront&) = delete;
  HttpFront& operator=(const HttpFront&) = delete;
  ~HttpFront();

  [[nodiscard]] std::string origin() const;  ///< http://127.0.0.1:8080
  [[nodiscard]] std::string url() const;     ///< of the MCP endpoint
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] std::size_t sessions() const { return sessions_.size(); }
  [[nodiscard]] const net::HttpServer& server() const { return *server_; }

  [[nodiscard]] bool is_draining() const { return draining_; }

  /// Uses this TLS context for new connections. The server must have been created with one.
  void renew(std::shared_ptr<net::TlsContext> tls) { server_->renew(std::move(tls)); }
  /// For principals whose keys are not valid any more: ends their GET streams, subscriptions and
  /// idle sessions. Open calls are still answered; their sessions end by the idle timeout.
  void dismiss(const std::set<std::string>& principals);

  /// Answers all accepted requests, then calls `done`. After Settings::drain it closes the
  /// connections that are left. A second call does nothing, and its `done` is not called.
  void drain(net::Task done);

 private:
  HttpFront(Service& service, net::Loop& loop, const net::ServerLimits& limits)
      : service_(service), loop_(loop), limits_(limits), open_requests_(limits.max_streams) {}

  /// Whether a request is accepted, before its body is read.
  [[nodiscard]] net::HeadCheck check(const net::HttpHead& head, const net::Peer& peer) const;
  void handle(net::HttpRequest& request, net::Responder responder);
  /// Reads the first of `large_requests_` on a thread, then starts it and reads the next.
  void read_large_request();
  void start(mcp::Route route, mcp::HeaderFields fields, const std::string& principal,
             net::Responder responder);
  [[nodiscard]] const Page* page_at(std::string_view path) const;  ///< nullptr: no page
  void start(mcp::StatelessPost post, mcp::HeaderFields fields, const std::string& principal,
             net::Responder responder);
  void start(mcp::SessionPost post, const std::string& principal, net::Responder responder);
  /// Whose share of sessions and open requests a client uses.
  [[nodiscard]] const std::string& owner_of(const std::string& principal,
                                            const net::Responder& responder) const {
    return needs_key() ? principal : responder.peer().network;
  }
  [[nodiscard]] bool needs_key() const { return !service_.identify(std::nullopt); }
  void open_session(mcp::SessionPost post, const std::string& principal, net::Responder responder);
  /// Counts the session as used. nullptr: there is none, or it belongs to another principal.
  [[nodiscard]] HttpSession* find(std::string_view session, const std::string& principal);
  void finish(std::uint64_t request);  ///< destroys it at the end of the loop iteration
  /// `principal`: empty if the request has none yet.
  void log_refusal(int status, const std::string& client_address, const std::string& principal) {
    refusals_.add({status, client_address, principal}, service_.host().now(),
                  service_.settings().log);
  }
  /// Ends idle sessions and sends keep-alive comments, every kTick or less.
  void tick();

  struct LargeRequest {
    net::HttpRequest request;
    std::string principal;
    net::Responder responder;
  };

  Service& service_;
  net::Loop& loop_;
  net::ServerLimits limits_;
  Shares open_requests_;  ///< owners are principals; without keys, addresses
  std::string host_;
  bool is_secure_ = false;
  std::vector<Page> pages_;
  WaitOfKey wait_of_key_;
  std::unique_ptr<net::HttpServer> server_;
  HttpSessions sessions_;
  RefusalLog refusals_;
  std::unordered_map<std::uint64_t, std::unique_ptr<StatelessRequest>> requests_;  ///< by number
  std::vector<mcp::HeaderField> fields_;  ///< of the request that is being handled
  std::uint64_t last_request_ = 0;        ///< number of the last StatelessRequest
  std::unique_ptr<net::Timer> ticker_;    ///< calls tick()
  bool draining_ = false;                 ///< drain() was called
  std::deque<std::unique_ptr<LargeRequest>> large_requests_;  ///< the first is being read
  Lifetime alive_;
  Workers reader_{1, 2};  ///< see read_large_request()
};

}  // namespace enfold::serve
