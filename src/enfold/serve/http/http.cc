// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/http/http.h"

#include "enfold/base/text.h"

#include <algorithm>

namespace enfold::serve {
namespace {

// The interval of keep-alive comments, and of the check for idle sessions: shorter than the time
// after which proxies and clients give up an idle connection.
constexpr std::chrono::seconds kTick{15};

// Longer bodies are read on a thread of their own, one after the other.
constexpr std::size_t kMaxBytesOnLoop = std::size_t{64} << 10;

// Not longer than session_gone_timeout, so that sessions of lost clients end in time.
std::chrono::seconds tick_of(const Settings& settings) {
  return std::min(kTick, settings.session_gone_timeout);
}

net::HttpResponse refusal_response(const mcp::Rejection& rejection) {
  net::HttpResponse response = json_response(rejection.status, rejection.body.str());
  if (!rejection.allow.empty()) response.headers.add("Allow", rejection.allow);
  return response;
}

net::HttpResponse retry_later(int status, const char* message, std::chrono::seconds wait) {
  net::HttpResponse response =
      refusal_response(mcp::rejection(status, {mcp::code::bad_request, message, std::nullopt}));
  response.headers.add("Retry-After", std::to_string(wait.count()));
  return response;
}

net::HttpResponse busy(const char* message) {
  return retry_later(503, message, std::chrono::seconds(5));
}

// The API key of a request: `Authorization: Bearer KEY`, or X-API-Key if there is no Authorization.
std::optional<std::string_view> key_of(const net::HttpHead& head) {
  constexpr std::string_view kScheme = "bearer ";
  if (const auto value = head.find("Authorization")) {
    if (!equals_ignoring_case(value->substr(0, kScheme.size()), kScheme)) return std::nullopt;
    const std::size_t begin = value->find_first_not_of(' ', kScheme.size());
    return begin == std::string_view::npos ? std::nullopt : std::optional(value->substr(begin));
  }
  return head.find("X-API-Key");
}

// `has_key`: the request has a key, which is not valid.
net::HttpResponse unauthorized(bool has_key) {
  net::HttpResponse response = refusal_response(mcp::rejection(
      401, {mcp::code::bad_request,
            has_key ? "Unauthorized: the key that the request shows is not known here"
                    : "Unauthorized: expected a key, as Authorization: Bearer KEY",
            std::nullopt}));
  response.headers.add("WWW-Authenticate", has_key
                                               ? R"(Bearer realm="enfold", error="invalid_token")"
                                               : R"(Bearer realm="enfold")");
  return response;
}

void read_fields(const net::HttpHead& head, std::vector<mcp::HeaderField>& fields) {
  fields.clear();
  for (std::size_t i = 0; i < head.field_count(); ++i) {
    const net::HeaderField field = head.field(i);
    fields.push_back({field.name, field.value});
  }
}

}  // namespace

net::HeadCheck check_page(const Page& page, const net::HttpHead& head, const net::Peer& peer) {
  if (page.check) return {page.check(head, peer), page.max_body_bytes};
  if (head.method() == "GET") return {std::nullopt, page.max_body_bytes};
  net::HttpResponse response{.status = 405};
  response.headers.add("Allow", "GET");
  return response;
}

template <class Change>
void HttpSessions::change(Owner& owner, const Change& apply) {
  auto node = owner.idle.empty() ? decltype(with_idle_)::node_type() : with_idle_.extract(&owner);
  apply();
  if (owner.idle.empty()) return;
  node.empty() ? static_cast<void>(with_idle_.insert(&owner))
               : static_cast<void>(with_idle_.insert(std::move(node)));
}

void HttpSessions::add(const std::string& id, const std::string& owner_name,
                       std::unique_ptr<HttpSession> session) {
  std::unique_ptr<Owner>& owner = owners_[owner_name];
  if (!owner) owner = std::make_unique<Owner>(Owner{owner_name, 0, {}});
  auto entry = std::make_unique<Entry>();
  entry->id = id;
  entry->session = std::move(session);
  entry->owner = owner.get();
  Entry& added = *entry;
  change(*owner, [&] { ++owner->sessions; });
  sessions_.insert_or_assign(id, std::move(entry));
  added.session->on_activity([this, &added] { update(added); });
  update(added);
}

void HttpSessions::update(Entry& entry) {
  const bool is_idle = !entry.session->is_busy();
  if (!is_idle && !entry.is_idle) return;
  Owner& owner = *entry.owner;
  change(owner, [&] {
    if (!is_idle) {
      owner.idle.erase(entry.place);
    } else if (entry.is_idle) {  // used without becoming busy: it moves to the end of the list
      owner.idle.splice(owner.idle.end(), owner.idle, entry.place);
    } else {
      entry.place = owner.idle.insert(owner.idle.end(), &entry);
    }
    entry.is_idle = is_idle;
    if (is_idle) entry.idle_since = ++idle_count_;
  });
}

HttpSession* HttpSessions::find(std::string_view id, const std::string& principal) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return nullptr;
  HttpSession* const session = found->second->session.get();
  return session->principal() == principal ? session : nullptr;
}

// Destroying a session cancels its calls, which may call functions of this object. So the session
// is removed first, and the caller destroys it.
std::unique_ptr<HttpSession> HttpSessions::take(Entries::iterator found) {
  const std::unique_ptr<Entry> entry = std::move(found->second);
  sessions_.erase(found);
  entry->session->on_activity(nullptr);
  Owner& owner = *entry->owner;
  change(owner, [&] {
    if (entry->is_idle) owner.idle.erase(entry->place);
    --owner.sessions;
  });
  if (owner.sessions == 0) owners_.erase(std::string(owner.name));
  return std::move(entry->session);
}

bool HttpSessions::erase(std::string_view id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return false;
  take(found).reset();
  return true;
}

void HttpSessions::erase_if(const std::function<bool(HttpSession&)>& predicate) {
  std::vector<std::string> ids;
  for (const auto& [id, entry] : sessions_) {
    if (predicate(*entry->session)) ids.push_back(id);
  }
  for (const std::string& id : ids) erase(id);
}

void HttpSessions::for_each(const std::function<void(HttpSession&)>& visit) {
  for (const auto& [id, entry] : sessions_) visit(*entry->session);
}

void HttpSessions::clear() {
  while (!sessions_.empty()) take(sessions_.begin()).reset();
}

bool HttpSessions::evict_for(const std::string& owner_name) {
  const auto owner = owners_.find(owner_name);
  const bool has_idle = owner != owners_.end() && !owner->second->idle.empty();
  const Owner* from = has_idle ? owner->second.get() : nullptr;
  if (!with_idle_.empty()) {
    const std::size_t after = (owner != owners_.end() ? owner->second->sessions : 0) + 1;
    Owner* const most = *with_idle_.begin();
    // An owner with an idle session gets one of `most` only if it does not have more then.
    if (has_idle ? most->sessions > after : most->sessions >= after) from = most;
  }
  return from != nullptr && erase(std::string(from->idle.front()->id));
}

Result<std::unique_ptr<HttpFront>> HttpFront::listen(Service& service, net::Loop& loop,
                                                     HttpOptions options) {
  if (!options.listener) {
    ENFOLD_TRY(options.listener,
               net::Listener::open(options.host, options.port, options.socket_mode));
  }
  std::unique_ptr<HttpFront> front(new HttpFront(service, loop, options.limits));
  front->host_ = options.host;
  front->is_secure_ = options.tls != nullptr;
  front->pages_ = std::move(options.pages);
  front->wait_of_key_ = std::move(options.wait_of_key);
  net::HttpServerOptions server_options;
  server_options.host = options.host;
  server_options.port = options.port;
  server_options.listener = std::move(options.listener);
  server_options.policy = std::move(options.policy);
  server_options.limits = options.limits;
  server_options.tls = std::move(options.tls);
  server_options.check_head = [front = front.get()](const net::HttpHead& head,
                                                    const net::Peer& peer) {
    return front->check(head, peer);
  };
  server_options.format_refusal = [](net::HttpResponse& response, std::string_view message) {
    // A request that is too long has the same code as a line that is too long over stdio.
    const std::int64_t code =
        response.status == 413 ? mcp::code::invalid_request : mcp::code::bad_request;
    response.body = mcp::rejection(response.status, {code, std::string(message), {}}).body.str();
    response.headers.add("Content-Type", "application/json");
  };
  server_options.on_refusal = [front = front.get()](int status, const std::string& peer) {
    front->log_refusal(status, peer, /*principal=*/{});
  };
  auto server = net::HttpServer::listen(
      loop, std::move(server_options),
      [front = front.get()](net::HttpRequest& request, net::Responder responder) {
        front->handle(request, std::move(responder));
      });
  if (!server) return tl::unexpected(server.error());
  front->server_ = std::move(*server);
  front->ticker_ = std::make_unique<net::Timer>(loop, [front = front.get()] { front->tick(); });
  front->ticker_->set_after(tick_of(service.settings()));
  return front;
}

HttpFront::~HttpFront() {
  sessions_.clear();
  requests_.clear();
}

std::string HttpFront::origin() const { return net::origin_text(host_, port(), is_secure_); }

std::string HttpFront::url() const { return origin() + std::string(kHttpPath); }

const Page* HttpFront::page_at(std::string_view path) const {
  const auto found =
      std::ranges::find_if(pages_, [path](const Page& page) { return page.serves(path); });
  return found != pages_.end() ? &*found : nullptr;
}

net::HeadCheck HttpFront::check(const net::HttpHead& head, const net::Peer& peer) const {
  if (const Page* page = page_at(head.path())) return check_page(*page, head, peer);
  if (head.path() != kHttpPath) {
    return refusal_response(mcp::rejection(
        404, {mcp::code::bad_request, "Not found: the endpoint is /mcp", std::nullopt}));
  }
  const std::optional<std::string_view> key = key_of(head);
  const std::optional<std::string> principal = service_.identify(key);
  if (key && wait_of_key_) {
    const auto wait = wait_of_key_(*key, principal ? &*principal : nullptr, peer);
    if (wait)
      return retry_later(429, "Too many wrong keys from this network: try again later", *wait);
  }
  return principal ? std::nullopt : std::optional(unauthorized(key.has_value()));
}

void HttpFront::handle(net::HttpRequest& request, net::Responder responder) {
  if (const Page* page = page_at(request.head.path())) {
    page->show(request, std::move(responder));
    return;
  }
  const std::optional<std::string_view> key = key_of(request.head);
  const std::optional<std::string> principal = service_.identify(key);
  if (!principal) {  // a reload has removed the key since check_head accepted it
    log_refusal(401, responder.peer().address, /*principal=*/{});
    responder.respond(unauthorized(key.has_value()));
    return;
  }
  // Every request may become a stream, so it gets its place before anything runs.
  const std::string& owner = owner_of(*principal, responder);
  if (needs_key() || !limits_.exempts(owner)) {
    std::shared_ptr<void> place = open_requests_.take(owner);
    if (!place) {
      log_refusal(503, responder.peer().address, *principal);
      responder.respond(busy("Too many open requests of this client: try again later"));
      return;
    }
    responder.hold(std::move(place));
  }
  if (request.body.size() > kMaxBytesOnLoop) {
    auto large = std::make_unique<LargeRequest>();
    large->request = std::move(request);
    large->principal = *principal;
    large->responder = std::move(responder);
    large_requests_.push_back(std::move(large));
    if (large_requests_.size() == 1) read_large_request();
    return;
  }
  read_fields(request.head, fields_);
  start(mcp::route(request.head.method(), fields_, json::Buffer(request.body), *service_.config()),
        fields_, *principal, std::move(responder));
}

// Not on the workers of the host, which may wait for an archive. The thread never has more than one
// job, so it refuses none.
void HttpFront::read_large_request() {
  struct Job {
    net::HttpRequest request;
    std::shared_ptr<const mcp::ServerConfig> config;
    std::vector<mcp::HeaderField> fields;
    mcp::Route route;
  };
  const auto job = std::make_shared<Job>();
  job->request = std::move(large_requests_.front()->request);
  job->config = service_.config();
  read_fields(job->request.head, job->fields);
  const auto end = alive_.guarded([this, job] {
    const std::unique_ptr<LargeRequest> large = std::move(large_requests_.front());
    large_requests_.pop_front();
    if (!large_requests_.empty()) read_large_request();
    if (!large->responder.is_open()) return;  // the client has left
    start(std::move(job->route), job->fields, large->principal, std::move(large->responder));
  });
  static_cast<void>(reader_.run([job, end, &loop = loop_] {
    job->route = mcp::route(job->request.head.method(), job->fields,
                            json::Buffer(job->request.body), *job->config);
    std::string().swap(job->request.body);
    loop.post(end);
  }));
}

void HttpFront::start(mcp::Route route, mcp::HeaderFields fields, const std::string& principal,
                      net::Responder responder) {
  if (auto* post = std::get_if<mcp::StatelessPost>(&route)) {
    start(std::move(*post), fields, principal, std::move(responder));
  } else if (auto* message = std::get_if<mcp::SessionPost>(&route)) {
    start(std::move(*message), principal, std::move(responder));
  } else if (const auto* rejection = std::get_if<mcp::Rejection>(&route)) {
    responder.respond(refusal_response(*rejection));
  } else if (const auto* stream = std::get_if<mcp::SessionStream>(&route)) {
    HttpSession* session = find(stream->session, principal);
    session != nullptr ? session->open_stream(*stream, std::move(responder))
                       : responder.respond(refusal_response(mcp::session_not_found()));
  } else {
    const std::string& id = std::get_if<mcp::SessionEnd>(&route)->session;
    const bool ended = find(id, principal) != nullptr && sessions_.erase(id);
    ended ? responder.respond({.status = 200})
          : responder.respond(refusal_response(mcp::session_not_found()));
  }
}

void HttpFront::start(mcp::StatelessPost post, mcp::HeaderFields fields,
                      const std::string& principal, net::Responder responder) {
  if (!std::holds_alternative<mcp::Request>(post.message)) {
    responder.respond({.status = 202});
    return;
  }
  const std::uint64_t key = ++last_request_;
  auto request = std::make_unique<StatelessRequest>(service_, principal, std::move(responder),
                                                    [this, key] { finish(key); });
  if (request->start(std::move(post.message), fields)) return;
  requests_.emplace(key, std::move(request));
}

// The request that has ended is calling this function, so it is destroyed later.
void HttpFront::finish(std::uint64_t request) {
  loop_.defer([this, request] { requests_.erase(request); });
}

HttpSession* HttpFront::find(std::string_view session, const std::string& principal) {
  HttpSession* const found = sessions_.find(session, principal);
  if (found != nullptr) found->touch(service_.host().now());
  return found;
}

void HttpFront::start(mcp::SessionPost post, const std::string& principal,
                      net::Responder responder) {
  if (!post.session) {
    open_session(std::move(post), principal, std::move(responder));
    return;
  }
  HttpSession* session = find(*post.session, principal);
  if (session == nullptr) {
    responder.respond(refusal_response(mcp::session_not_found()));
  } else {
    session->post(std::move(post), std::move(responder));
  }
}

void HttpFront::open_session(mcp::SessionPost post, const std::string& principal,
                             net::Responder responder) {
  const bool is_full = sessions_.size() >= service_.settings().max_sessions;
  const std::string owner = owner_of(principal, responder);
  if (is_full && !sessions_.evict_for(owner)) {
    log_refusal(503, responder.peer().address, principal);
    responder.respond(busy("Too many sessions: try again later"));
    return;
  }
  std::array<std::uint8_t, 16> random{};
  service_.host().fill_random(random);
  const std::string id = to_hex(random);
  auto session = std::make_unique<HttpSession>(service_, id, principal);
  session->touch(service_.host().now());
  session->post(std::move(post), std::move(responder));
  // If post() has refused `initialize`, or got another request, the session ends here.
  if (session->is_open()) sessions_.add(id, owner, std::move(session));
}

void HttpFront::tick() {
  const mcp::Time now = service_.host().now();
  const Settings& settings = service_.settings();
  sessions_.erase_if([&](HttpSession& session) {
    const mcp::Time unused = now - session.last_used();
    const bool is_gone =
        session.has_lost_stream() && unused >= mcp::Time(settings.session_gone_timeout);
    return !session.is_busy() && (is_gone || unused >= mcp::Time(settings.session_idle_timeout));
  });
  sessions_.for_each([](HttpSession& session) { session.keep_alive(); });
  for (const auto& [key, request] : requests_) request->keep_alive();
  ticker_->set_after(tick_of(service_.settings()));
}

void HttpFront::dismiss(const std::set<std::string>& principals) {
  sessions_.erase_if([&](HttpSession& session) {
    if (!principals.contains(session.principal())) return false;
    session.end_standalone();
    return !session.is_busy();
  });
  for (const auto& [key, request] : requests_) {
    if (principals.contains(request->principal())) request->end_subscription();
  }
}

void HttpFront::drain(net::Task done) {
  if (std::exchange(draining_, true)) return;
  ticker_->cancel();
  sessions_.for_each([](HttpSession& session) { session.end_standalone(); });
  for (const auto& [key, request] : requests_) request->end_subscription();
  server_->drain(service_.settings().drain, std::move(done));
}

}  // namespace enfold::serve
