// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/dashboard.h"

#include "enfold/base/hash.h"
#include "enfold/gateway/admin/http/assets.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::string_view kPagePath = "/ui";
constexpr std::string_view kApiPath = "/api/v1";
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
  serve::Page api{.path = std::string(kApiPath), .has_children = true};
  api.check = [this](const net::HttpHead& head) { return check(head); };
  api.show = [this](net::HttpRequest& request, net::Responder responder) {
    answer(request, std::move(responder));
  };
  return {std::move(page), std::move(api)};
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
  const std::string& network = responder.peer().network;
  if (auto refusal = refuse_login(network)) return responder.respond(std::move(*refusal));
  net::HttpResponse response = redirect("/ui/");
  if (const auto cookie = access_->log_in_with_token(token)) {
    response.headers.add("Set-Cookie", *cookie);
    make_link();
  } else {
    count_failed_login(network);
  }
  responder.respond(std::move(response));
}

std::optional<net::HttpResponse> Dashboard::refuse_login(const std::string& network) const {
  const auto wait = login_limit_.wait_of(network, source_.calls.environment.host.now());
  if (!wait) return std::nullopt;
  net::HttpResponse response =
      error_reply(429, "limit_exceeded", "too many failed logins from this address",
                  fmt::format("try again in {} seconds", wait->count()));
  response.headers.add("Retry-After", std::to_string(wait->count()));
  return response;
}

void Dashboard::count_failed_login(const std::string& network) {
  login_limit_.count_failure(network, source_.calls.environment.host.now());
}

// Refuses before the body is read. Pages of other origins cannot use the API: browsers do not send
// the cookie with their requests (SameSite=Strict), and name the page's origin in the header. A
// request with a key is checked when it has been read (`answer`), because only then it is known
// where it comes from, and failed logins are counted by that; its body must be small until then.
std::optional<net::HttpResponse> Dashboard::check(const net::HttpHead& head) {
  const bool reads = head.method() == "GET";
  if (!reads && head.method() != "POST") return not_allowed("GET, POST");
  if (!is_same_origin(head)) {
    return error_reply(403, "unauthorized", "a page of another origin may not use the admin API");
  }
  if (!reads && head.path() == "/api/v1/login") return std::nullopt;
  constexpr std::uint64_t kMaxBodyBytes = 65'536;
  if (has_key(head)) {
    const bool is_small =
        head.body_kind() != net::BodyKind::chunked && head.content_length() <= kMaxBodyBytes;
    return is_small ? std::nullopt
                    : std::optional(error_reply(413, "limit_exceeded",
                                                "the body of the request is too long"));
  }
  const auto login = access_->login_of(head);
  if (!login) return unauthorized();
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
  if (path == "/api/v1/login" && read->method == "POST") {
    const std::string network = responder.peer().network;
    log_in(*read, network, Respond(std::move(responder)));
    return;
  }
  const std::string& network = responder.peer().network;
  auto refusal = has_key(request.head) ? refuse_login(network) : std::nullopt;
  if (refusal) return responder.respond(std::move(*refusal));
  const auto login = access_->login_of(request.head);
  if (!login) {
    if (has_key(request.head)) count_failed_login(network);
    responder.respond(unauthorized());
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

// The login form of the page has one field and sends it as `key`: without principals the operator
// enters the token of the link there.
void Dashboard::log_in(const AdminRequest& request, const std::string& network,
                       const Respond& respond) {
  renew_link();
  if (auto refusal = refuse_login(network)) return respond(std::move(*refusal));
  const std::string key = request.text("key");
  const std::string token = request.text("token");
  const bool uses_key = access_->needs_key() && token.empty();
  const auto cookie = uses_key ? access_->log_in_with_key(key)
                               : access_->log_in_with_token(token.empty() ? key : token);
  if (!cookie) {
    count_failed_login(network);
    respond(error_reply(401, "unauthorized",
                        uses_key ? "this is not the key of an operator"
                                 : "this token was used, or is not of this program",
                        uses_key ? "set operator = true for a principal of the configuration"
                                 : "the program prints a new link after each use"));
    return;
  }
  if (!uses_key) make_link();
  json::Writer writer;
  writer.begin_object().member("logged_in", true).end_object();
  net::HttpResponse response = json_reply(std::move(writer));
  response.headers.add("Set-Cookie", *cookie);
  respond(std::move(response));
}

void Dashboard::route(const AdminRequest& request, const Access::Login& login,
                      const Respond& respond) {
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
  const auto now = source_.calls.environment.host.calendar();
  for (ClientSession* session : source_.calls.sessions.all()) {
    if (session->has_session) session->sample(now);
  }
}

}  // namespace enfold::gateway
