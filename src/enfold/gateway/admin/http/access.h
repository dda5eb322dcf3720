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
  /// The name of the operator with this key; nullopt: no operator has it.
  using FindOperator = std::function<std::optional<std::string>(std::string_view key)>;
  /// Whether the configuration has principals, so that a token is not enough.
  using NeedsKey = std::function<bool()>;
  /// Whether this principal is an operator still.
  using IsOperator = std::function<bool(const std::string& principal)>;

  struct Rules {
    FindOperator find_operator;
    IsOperator is_operator;
    NeedsKey needs_key;
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
  };
  /// Who sends the request; nullopt: it has no valid login.
  [[nodiscard]] std::optional<Login> login_of(const net::HttpHead& head);

 private:
  static constexpr std::size_t kMaxSessions = 64;
  static constexpr mcp::Time kIdleTimeout = std::chrono::hours(12);

  struct Session {
    std::string principal;
    std::string csrf;
    mcp::Time last_used{};
  };
  [[nodiscard]] std::string open_session(std::string principal);
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
