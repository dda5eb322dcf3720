// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/http/access.h"

#include "enfold/base/hash.h"
#include "enfold/gateway/admin/http/request.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

std::string hash_of(std::string_view secret) { return to_hex(sha256(secret)); }

}  // namespace

std::optional<std::string_view> bearer_key(const net::HttpHead& head) {
  constexpr std::string_view kScheme = "bearer ";
  const auto value = head.find("Authorization");
  if (!value || !equals_ignoring_case(value->substr(0, kScheme.size()), kScheme)) {
    return std::nullopt;
  }
  return trimmed(value->substr(kScheme.size()));
}

std::string Access::random_text() const {
  std::array<std::uint8_t, 16> random{};
  host_.fill_random(random);
  return to_hex(random);
}

std::string Access::set_cookie(std::string_view value, std::string_view attributes) const {
  return fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/{}{}", rules_.cookie_name, value,
                     rules_.is_secure ? "; Secure" : "", attributes);
}

std::string Access::make_token() {
  const std::string token = random_text();
  token_hash_ = hash_of(token);
  return token;
}

std::string Access::open_session(Operator login) {
  while (sessions_.size() >= kMaxSessions) {
    sessions_.erase(std::ranges::min_element(sessions_, {},
                                             [](const auto& one) { return one.second.last_used; }));
  }
  const std::string value = random_text();
  sessions_[hash_of(value)] = {std::move(login), random_text(), host_.now(), host_.now()};
  return set_cookie(value, "");
}

std::optional<std::string> Access::log_in_with_token(std::string_view token) {
  if (rules_.needs_key() || token_hash_.empty() ||
      !equal_in_constant_time(hash_of(token), token_hash_)) {
    return std::nullopt;
  }
  token_hash_.clear();
  return open_session({});
}

std::optional<std::string> Access::log_in_with_key(std::string_view key) {
  std::optional<Operator> one = rules_.find_operator(key);
  return one ? std::optional(open_session(std::move(*one))) : std::nullopt;
}

std::string Access::log_out(const net::HttpHead& head) {
  if (const auto value = cookie_of(head, rules_.cookie_name)) sessions_.erase(hash_of(*value));
  return set_cookie("", "; Max-Age=0");
}

const Access::Session* Access::use_session(const std::string& hash) {
  const auto found = sessions_.find(hash);
  if (found == sessions_.end()) return nullptr;
  Session& session = found->second;
  const mcp::Time now = host_.now();
  const bool is_allowed =
      session.user.principal.empty() ? !rules_.needs_key() : rules_.is_operator(session.user);
  if (!is_allowed || now - session.last_used > kIdleTimeout ||
      now - session.opened > kMaxSessionTime) {
    sessions_.erase(found);
    return nullptr;
  }
  session.last_used = now;
  return &session;
}

std::optional<Access::Login> Access::login_of(const net::HttpHead& head) {
  if (const auto key = bearer_key(head)) {
    std::optional<Operator> one = rules_.find_operator(*key);
    if (!one) return std::nullopt;
    return Login{.principal = std::move(one->principal),
                 .csrf = {},
                 .key_sha256 = std::move(one->key_sha256)};
  }
  const auto value = cookie_of(head, rules_.cookie_name);
  if (!value) return std::nullopt;
  std::string hash = hash_of(*value);
  const Session* const session = use_session(hash);
  if (session == nullptr) return std::nullopt;
  return Login{session->user.principal, session->csrf, session->user.key_sha256, std::move(hash)};
}

bool Access::is_valid(const Login& login) {
  if (!login.session.empty()) return use_session(login.session) != nullptr;
  return rules_.is_operator({login.principal, login.key_sha256});
}

// Schemes are not compared: behind a proxy that ends TLS, the origin has https and this server
// http.
bool is_same_origin(const net::HttpHead& head) {
  for (std::size_t i = 0; i < head.field_count(); ++i) {
    const net::HeaderField field = head.field(i);
    if (equals_ignoring_case(field.name, "Sec-Fetch-Site") && field.value != "same-origin" &&
        field.value != "none") {
      return false;
    }
    if (!equals_ignoring_case(field.name, "Origin")) continue;
    const std::size_t scheme = field.value.find("://");
    if (scheme == std::string_view::npos ||
        !equals_ignoring_case(field.value.substr(scheme + 3), head.authority())) {
      return false;
    }
  }
  return true;
}

}  // namespace enfold::gateway
