// SPDX-License-Identifier: Apache-2.0
// A request to the admin API in parts, and the responses to it. The headers of every response
// forbid pages of other origins to load or frame it, and scripts in the content that the page
// shows.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/write.h"
#include "enfold/net/http/server.h"

#include <map>

namespace enfold::gateway {

struct AdminRequest {
  std::string method;
  std::vector<std::string> path;  ///< the segments, decoded: {"api", "v1", "answers", "17"}
  std::map<std::string, std::string, std::less<>> query;
  json::Value body;  ///< an object; null: the request has no body

  /// A parameter of the query; empty: the query does not have it.
  [[nodiscard]] const std::string& parameter(std::string_view name) const;
  /// A parameter that is a number; `otherwise` if it is missing or no number.
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t otherwise) const;
  /// The fourth segment of the path as a number: 17 of /api/v1/answers/17; 0: it is no number.
  [[nodiscard]] std::uint64_t id() const;
  /// A member of the body that is a string; empty: the body has no such string.
  [[nodiscard]] std::string text(std::string_view member) const;
};

/// `invalid_input` for a body that is no JSON object.
[[nodiscard]] Result<AdminRequest> read_admin_request(const net::HttpRequest& request);
/// Adds the path and query of a request target to `request`.
void read_target(std::string_view target, AdminRequest& request);

/// The value of a cookie of this name; nullopt: there is none.
[[nodiscard]] std::optional<std::string_view> cookie_of(const net::HttpHead& head,
                                                        std::string_view name);

/// The headers of every response of the dashboard.
void add_security_headers(net::HeaderLines& headers);
[[nodiscard]] net::HttpResponse json_reply(json::Writer&& writer, int status = 200);
/// {"error":{"code":…,"message":…,"hint":…}}
[[nodiscard]] net::HttpResponse error_reply(int status, std::string_view code,
                                            std::string_view message, std::string_view hint = {});
/// An error of Enfold, with the HTTP status of its code.
[[nodiscard]] net::HttpResponse error_reply(const Error& error);

}  // namespace enfold::gateway
