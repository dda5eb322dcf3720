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
    std::string cookie_name;
  };
  Access(serve::Host& host, Rules rules) : host_(host), rules_(std::move(rules)) {}

  /// The token of a new link. The token of the previous link is not valid any more.
  [[nodiscard]] std::string make_token();
  [[nodiscard]] bool needs_key() const { return rules_.needs_key(); }

  /// Logs in with the token, which is valid once; returns the value of Set-Cookie. nullopt: the
  /// token is wrong, or a key is needed.
  [[nodiscard]] std::optional<std::string> log_in_with_token(std::string_view token);
  /// Logs in with the key of an operator; returns the value of Set-Cookie. nullopt: no operator has
  /// this key.
  [[nodiscard]] std::optional<std::string> log_in_with_key(std::string_view key);
  /// Ends the session of the request; returns the value of Set-Cookie that removes the cookie.
  [[nodiscard]] std::string log_out(const net::HttpHead& head);

  struct Login {
    std::string principal;  ///< empty: the holder of the link
    /// The session's CSRF token; empty: the request has a key (Authorization) and needs no token,
    /// because browsers never add a key by themselves.
    std::string csrf;
    std::string key_sha256{};  ///< of the principal's key
    std::string session{};     ///< the hash of the cookie; empty: the request has a key
  };
  /// Who sends the request; nullopt: it has no valid login.
  [[nodiscard]] std::optional<Login> login_of(const net::HttpHead& head);
  /// Whether an earlier login is still valid: its session has not ended, and its principal is still
  /// an operator with the same key. Counts as a use of the session.
  [[nodiscard]] bool is_valid(const Login& login);

 private:
  static constexpr std::size_t kMaxSessions = 64;
  static constexpr mcp::Time kIdleTimeout = std::chrono::hours(12);
  static constexpr mcp::Time kMaxSessionTime = std::chrono::hours(24 * 7);

  struct Session {
    Operator user;  ///< empty: the holder of the link
    std::string csrf;
    mcp::Time opened{};
    mcp::Time last_used{};
  };
  /// Returns the value of Set-Cookie. Ends the least recently used session if there are too many.
  [[nodiscard]] std::string open_session(Operator login);
  /// The session of this hash of a cookie; renews its idle timeout. nullptr: there is none, or it
  /// is not valid any more.
  [[nodiscard]] const Session* use_session(const std::string& hash);
  /// 128 random bits as hexadecimal digits.
  [[nodiscard]] std::string random_text() const;
  /// The value of Set-Cookie. `attributes`: further ones, such as "; Max-Age=0"; may be empty.
  [[nodiscard]] std::string set_cookie(std::string_view value, std::string_view attributes) const;

  serve::Host& host_;
  Rules rules_;
  std::string token_hash_;                   ///< empty: the token was used, or there is none
  std::map<std::string, Session> sessions_;  ///< by the hash of the cookie
};

/// The key of a request (Authorization: Bearer), which counts in place of a cookie, right or wrong.
[[nodiscard]] std::optional<std::string_view> bearer_key(const net::HttpHead& head);

/// Whether a request comes from a page of this server or from no page. The header fields Origin and
/// Sec-Fetch-Site decide; a request without them counts as one from no page.
[[nodiscard]] bool is_same_origin(const net::HttpHead& head);

}  // namespace enfold::gateway
