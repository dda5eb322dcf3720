// SPDX-License-Identifier: Apache-2.0
// Who may use the dashboard: the holder of the link with the one-time token, or, if the
// configuration has principals, an operator. A login gives a cookie; a request that changes
// anything needs the session's CSRF token too. Used on the loop's thread only.
#pragma once

#include "enfold/net/http/message.h"
#include "enfold/serve/host.h"

#include <functional>
#include <map>

namespace enfold::gateway {

class Access {
 public:
  /// An operator with the key that logged in.
  struct Operator {
    std::string principal;
    std::string key_sha256;
  };
  struct Rules {
    /// The operator with this key; nullopt: no operator has it.
    std::function<std::optional<Operator>(std::string_view key)> find_operator;
    /// Whether this principal is an operator still, with the same key.
    std::function<bool(const Operator& one)> is_operator;
    /// Whether the configuration has principals, so that a token is not enough.
    std::function<bool()> needs_key;
    bool is_secure = false;  ///< over TLS: browsers send the cookie over TLS only
    std::string cookie;      ///< its name
  };
  Access(serve::Host& host, Rules rules) : host_(host), rules_(std::move(rules)) {}

  /// The token of a new link. The one before is not valid any more.
  [[nodiscard]] std::string make_token();
  [[nodiscard]] bool needs_key() const { return rules_.needs_key(); }

  /// Logs in with the token, which is then used up; the value of Set-Cookie. nullopt: it is wrong.
  [[nodiscard]] std::optional<std::string> log_in_with_token(std::string_view token);
  /// Logs in with the key of an operator; the value of Set-Cookie. nullopt: it is wrong.
  [[nodiscard]] std::optional<std::string> log_in_with_key(std::string_view key);
  /// Ends the session of the request; the value of Set-Cookie that removes the cookie.
  [[nodiscard]] std::string log_out(const net::HttpHead& head);

  struct Login {
    std::string principal;  ///< empty: the holder of the link
    std::string csrf;       ///< empty: the request shows a key, which no page of another origin can
    std::string key_sha256{};  ///< of the principal's key
    std::string session{};     ///< the hash of the cookie; empty: the request shows a key
  };
  /// Who sends the request; nullopt: it has no valid login.
  [[nodiscard]] std::optional<Login> login_of(const net::HttpHead& head);
  /// Whether an earlier login is valid still: no logout, and the principal is an operator with the
  /// same key. Counts as a use of its session.
  [[nodiscard]] bool is_valid(const Login& login);

 private:
  static constexpr std::size_t kMaxSessions = 64;
  static constexpr mcp::Time kIdleTimeout = std::chrono::hours(12);

  static constexpr mcp::Time kLongestSession = std::chrono::hours(24 * 7);

  struct Session {
    Operator one;  ///< empty: the holder of the link
    std::string csrf;
    mcp::Time opened{};
    mcp::Time last_used{};
  };
  [[nodiscard]] std::string open_session(Operator login);
  /// The session of a cookie's hash, which is used now; nullptr: it is not valid any more.
  [[nodiscard]] const Session* use_session(const std::string& hash);
  [[nodiscard]] std::string random_text() const;
  [[nodiscard]] std::string cookie(std::string_view value, std::string_view more) const;

  serve::Host& host_;
  Rules rules_;
  std::string token_hash_;                   ///< empty: the token was used, or there is none
  std::map<std::string, Session> sessions_;  ///< by the hash of the cookie
};

/// Whether a request comes from a page of this server, or from no page: by the fields Origin and
/// Sec-Fetch-Site, if it has them.
[[nodiscard]] bool is_same_origin(const net::HttpHead& head);

}  // namespace enfold::gateway
