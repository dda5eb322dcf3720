// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/dashboard.h"

#include "enfold/base/hash.h"
#include "enfold/gateway/admin/http/assets.h"
#include "enfold/gateway/admin/http/values.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::string_view kPagePath = "/ui";
constexpr std::string_view kApiPath = "/api/v1";
constexpr std::string_view kLoginPath = "/api/v1/login";
constexpr std::chrono::minutes kSamplingPeriod{1};

net::HttpResponse not_allowed(std::string_view methods) {
  net::HttpResponse response =
      error_reply(405, "unsupported", fmt::format("expected one of the methods {}", methods));
  response.headers.add("Allow", methods);
  return response;
}

net::HttpResponse unauthorized() {
  return error_reply(401, "unauthorized", "log in first",
                     "open the link that the program has printed, or send the key of an operator: "
                     "Authorization: Bearer KEY");
}

net::HttpResponse redirect(std::string_view to) {
  net::HttpResponse response{.status = 303};
  response.headers.add("Location", to).add("Cache-Control", "no-store");
  add_security_headers(response.headers);
  return response;
}

}  // namespace

Dashboard::Dashboard(AdminSource source, DashboardOptions options)
    : source_(std::move(source)),
      options_(std::move(options)),
      recorder_(source_.calls.environment, {.bytes = options_.recording_bytes}),
      jobs_(source_.calls.environment.host, source_.calls.environment.settings.answers.workers),
      answers_(source_, recorder_, jobs_),
      archive_(source_, recorder_, jobs_),
      tools_(source_, recorder_, jobs_),
      checks_(source_, recorder_),
      config_(source_),
      state_(source_, recorder_),
      events_(source_.calls.environment.loop, recorder_,
              [this](json::Writer& writer) { state_.write_state(writer); }),
      login_limit_(options_.trusts_loopback),
      sampling_(source_.calls.environment.loop, [this] { sample_sessions(); }) {
  source_.log.set_listener([this](const serve::LogLine& line, const CallDetails& details) {
    recorder_.add(line, details);
  });
  sampling_.set_after(kSamplingPeriod);
}

Dashboard::~Dashboard() { source_.log.set_listener({}); }

std::vector<serve::Page> Dashboard::pages() {
  serve::Page page{.path = std::string(kPagePath), .has_children = true};
  page.show = [this](net::HttpRequest& request, net::Responder responder) {
    show_page(request, std::move(responder));
  };
  serve::Page api{.path = std::string(kApiPath),
                  .has_children = true,
                  .max_body_bytes = serve::kMaxRequestBytes};
  api.check = [this](const net::HttpHead& head, const net::Peer& peer) {
    return check(head, peer);
  };
  api.show = [this](net::HttpRequest& request, net::Responder responder) {
    answer(request, std::move(responder));
  };
  // The only part of the API that needs no login has a page of its own, with a small body.
  serve::Page login{.path = std::string(kLoginPath), .show = api.show, .check = api.check};
  return {std::move(page), std::move(login), std::move(api)};
}

// Cookies are shared by all ports of a host, so the port is part of the name: two gateways on one
// machine do not log each other's operators out.
void Dashboard::start(std::string origin) {
  origin_ = std::move(origin);
  Access::Rules rules;
  const std::vector<Principal>& principals = source_.calls.environment.settings.principals;
  rules.find_operator = [&principals](std::string_view key) -> std::optional<Access::Operator> {
    const std::string hash = to_hex(sha256(key));
    std::optional<Access::Operator> found;
    for (const Principal& one : principals) {
      if (equal_in_constant_time(one.key_sha256, hash) && one.is_operator) found = {one.name, hash};
    }
    return found;
  };
  rules.is_operator = [&principals](const Access::Operator& login) {
    return std::ranges::any_of(principals, [&](const Principal& one) {
      return one.is_operator && one.name == login.principal && one.key_sha256 == login.key_sha256;
    });
  };
  rules.needs_key = [&principals] { return !principals.empty(); };
  rules.is_secure = options_.is_secure;
  rules.cookie_name = fmt::format("enfold_ui_{}", origin_.substr(origin_.rfind(':') + 1));
  access_ = std::make_unique<Access>(source_.calls.environment.host, std::move(rules));
  make_link();
}

void Dashboard::stop() {
  events_.close_all();
  checks_.stop();
}

// A reload of the configuration may have added the first principal, so that the link has no token
// any more, or removed the last, so that it needs one.
void Dashboard::renew_link() {
  if (link_has_token_ == access_->needs_key()) make_link();
}

void Dashboard::make_link() {
  link_has_token_ = !access_->needs_key();
  const std::string token = link_has_token_ ? "?token=" + access_->make_token() : "";
  if (options_.on_link) options_.on_link(fmt::format("{}{}/{}", origin_, kPagePath, token));
}

void Dashboard::show_page(const net::HttpRequest& request, net::Responder responder) {
  renew_link();
  if (request.head.path() == kPagePath) {
    responder.respond(redirect("/ui/"));
    return;
  }
  AdminRequest target;
  read_target(request.head.target(), target);
  const std::string& token = target.parameter("token");
  if (token.empty()) {
    responder.respond(web_page(request.head));
    return;
  }
  net::HttpResponse response = redirect("/ui/");
  if (const auto cookie = access_->log_in_with_token(token)) {
    response.headers.add("Set-Cookie", *cookie);
    make_link();
  }
  responder.respond(std::move(response));
}

serve::WaitOfKey Dashboard::wait_of_key() {
  return [this](std::string_view key, const std::string* principal, const net::Peer& peer) {
    const mcp::Time now = source_.calls.environment.host.now();
    const auto wait = login_limit_.wait_of(peer.network, now);
    if (!wait) {
      if (principal == nullptr) login_limit_.count_wrong_key(peer.network, key, now);
      return wait;
    }
    const auto is_operator = [&](const Principal& one) {
      return one.is_operator && one.name == *principal;
    };
    const bool is_limited =
        principal == nullptr ||
        std::ranges::any_of(source_.calls.environment.settings.principals, is_operator);
    return is_limited ? wait : std::nullopt;
  };
}

std::optional<net::HttpResponse> Dashboard::refuse_key(const net::Peer& peer) const {
  const auto wait = login_limit_.wait_of(peer.network, source_.calls.environment.host.now());
  if (!wait) return std::nullopt;
  net::HttpResponse response =
      error_reply(429, "limit_exceeded", "too many wrong keys from this network",
                  fmt::format("try again in {} seconds", wait->count()));
  response.headers.add("Retry-After", std::to_string(wait->count()));
  return response;
}

// Refuses before the body is read. Pages of other origins cannot use the API: browsers do not send
// the cookie with their requests (SameSite=Strict), and name the page's origin in the header.
std::optional<net::HttpResponse> Dashboard::check(const net::HttpHead& head,
                                                  const net::Peer& peer) {
  const bool reads = head.method() == "GET";
  if (!reads && head.method() != "POST") return not_allowed("GET, POST");
  if (!is_same_origin(head)) {
    return error_reply(403, "unauthorized", "a page of another origin may not use the admin API");
  }
  if (!reads && head.path() == kLoginPath) return std::nullopt;
  const auto key = bearer_key(head);
  if (auto refusal = key ? refuse_key(peer) : std::nullopt) return refusal;
  const auto login = access_->login_of(head);
  if (!login) {
    const mcp::Time now = source_.calls.environment.host.now();
    if (key) login_limit_.count_wrong_key(peer.network, *key, now);
    return unauthorized();
  }
  if (!reads && !login->csrf.empty() && head.find("X-Enfold-Csrf").value_or("") != login->csrf) {
    return error_reply(403, "unauthorized",
                       "expected the field X-Enfold-Csrf with the value of this session",
                       "GET /api/v1/session returns it as csrf");
  }
  return std::nullopt;
}

void Dashboard::answer(const net::HttpRequest& request, net::Responder responder) {
  const Result<AdminRequest> read = read_admin_request(request);
  if (!read) {
    responder.respond(error_reply(read.error()));
    return;
  }
  const std::string_view path = request.head.path();
  if (path == kLoginPath && read->method == "POST") return log_in(*read, std::move(responder));
  const auto login = access_->login_of(request.head);
  if (!login) {  // it has ended since `check`
    responder.refuse(unauthorized());
  } else if (path == "/api/v1/logout" && read->method == "POST") {
    json::Writer writer;
    writer.begin_object().member("logged_out", true).end_object();
    net::HttpResponse response = json_reply(std::move(writer));
    response.headers.add("Set-Cookie", access_->log_out(request.head));
    events_.end_refused();
    responder.respond(std::move(response));
  } else if (path == "/api/v1/events" && read->method == "GET") {
    events_.open(std::move(responder), [this, login = *login] { return access_->is_valid(login); });
  } else {
    route(*read, *login, Respond(std::move(responder)));
  }
}

void Dashboard::log_in(const AdminRequest& request, net::Responder responder) {
  renew_link();
  auto cookie = open_session(request, responder.peer());
  if (!cookie) return responder.refuse(std::move(cookie.error()));
  json::Writer writer;
  writer.begin_object().member("logged_in", true).end_object();
  net::HttpResponse response = json_reply(std::move(writer));
  response.headers.add("Set-Cookie", *cookie);
  responder.respond(std::move(response));
}

// The login form of the page has one field and sends it as `key`: without principals the operator
// enters the token of the link there. Tokens have no limit: they are random, and one guess is right
// with a probability of 2^-128.
tl::expected<std::string, net::HttpResponse> Dashboard::open_session(const AdminRequest& request,
                                                                     const net::Peer& peer) {
  const std::string key = request.text("key");
  const std::string token = request.text("token");
  if (!access_->needs_key() || !token.empty()) {
    auto cookie = access_->log_in_with_token(token.empty() ? key : token);
    if (cookie) make_link();
    if (cookie) return std::move(*cookie);
    return tl::unexpected(error_reply(401, "unauthorized",
                                      "this token was used, or is not of this program",
                                      "the program prints a new link after each use"));
  }
  if (auto refusal = refuse_key(peer)) return tl::unexpected(std::move(*refusal));
  if (auto cookie = access_->log_in_with_key(key)) return std::move(*cookie);
  login_limit_.count_wrong_key(peer.network, key, source_.calls.environment.host.now());
  return tl::unexpected(error_reply(401, "unauthorized", "this is not the key of an operator",
                                    "set operator = true for a principal of the configuration"));
}

void Dashboard::route(const AdminRequest& request, const Access::Login& login,
                      const Respond& respond) {
  if (const Status checked = check_values(request); !checked) {
    return respond(error_reply(checked.error()));
  }
  const std::vector<std::string>& path = request.path;
  const bool reads = request.method == "GET";
  // Whether these are the parts of the path after /api/v1; "*" matches any part.
  const auto is = [&](std::initializer_list<std::string_view> parts) {
    return path.size() == parts.size() + 2 &&
           std::equal(parts.begin(), parts.end(), path.begin() + 2,
                      [](std::string_view part, const std::string& given) {
                        return part == "*" || part == given;
                      });
  };
  if (reads && is({"session"})) return state_.session(login, respond);
  if (reads && is({"answers"})) return answers_.list(request, respond);
  if (reads && is({"answers", "export"})) return answers_.save(request, respond);
  if (reads && is({"answers", "*"})) return answers_.show(request, respond);
  if (!reads && is({"answers", "*", "fit"})) return answers_.fit(request, respond);
  if (reads && is({"answers", "*", "golden"})) return answers_.golden(request, respond);
  if (reads && is({"archive"})) return archive_.list(request, respond);
  if (reads && is({"archive", "stats"})) return archive_.statistics(respond);
  if (reads && is({"archive", "*", "tables"})) return archive_.tables(request, respond);
  if (!reads && is({"archive", "*", "query"})) return archive_.query(request, respond);
  if (reads && is({"tools"})) return tools_.list(respond);
  if (reads && is({"check"})) return checks_.list(respond);
  if (!reads && is({"check"})) return checks_.run(request, respond);
  if (reads && is({"config"})) return config_.show(respond);
  if (!reads && is({"config", "check"})) return config_.check(respond);
  if (!reads && is({"config", "reload"})) return config_.reload(respond);
  if (reads && is({"upstreams"})) return state_.upstreams(respond);
  if (reads && is({"sessions"})) return state_.sessions(respond);
  respond(error_reply(404, "not_found", "the admin API has no such path with this method",
                      "docs/reference/admin-api.md lists the paths"));
}

void Dashboard::sample_sessions() {
  sampling_.set_after(kSamplingPeriod);
  archive_.drop_old_lists();
  const auto now = source_.calls.environment.host.calendar();
  for (ClientSession* session : source_.calls.sessions.all()) {
    if (session->is_listed) session->sample(now);
  }
}

}  // namespace enfold::gateway
