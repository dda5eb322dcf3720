// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/http/request.h"

#include "enfold/base/text.h"

#include <charconv>

namespace enfold::gateway {
namespace {

// The text without percent-encoding; unchanged if an escape is wrong.
std::string decoded(std::string_view text, bool plus_is_space) {
  std::string spaced(text);
  if (plus_is_space) std::ranges::replace(spaced, '+', ' ');
  return percent_decode(spaced).value_or(spaced);
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                    : std::nullopt;
}

// Calls `use` with each part between the separators that is not empty.
template <class Use>
void split(std::string_view text, char separator, const Use& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

const std::string& AdminRequest::parameter(std::string_view name) const {
  static const std::string kNone;
  const auto found = query.find(name);
  return found != query.end() ? found->second : kNone;
}

std::uint64_t AdminRequest::number(std::string_view name, std::uint64_t otherwise) const {
  return number_in(parameter(name)).value_or(otherwise);
}

std::uint64_t AdminRequest::id() const {
  return path.size() > 3 ? number_in(path[3]).value_or(0) : 0;
}

std::string AdminRequest::text(std::string_view member) const {
  return json::string_member(body.view(), member).value_or("");
}

void read_target(std::string_view target, AdminRequest& request) {
  const std::size_t path_end = std::min(target.find('?'), target.size());
  split(target.substr(0, path_end), '/',
        [&](std::string_view part) { request.path.push_back(decoded(part, false)); });
  split(target.substr(std::min(path_end + 1, target.size())), '&', [&](std::string_view part) {
    const std::size_t equals = std::min(part.find('='), part.size());
    request.query.emplace(decoded(part.substr(0, equals), true),
                          decoded(part.substr(std::min(equals + 1, part.size())), true));
  });
}

Result<AdminRequest> read_admin_request(const net::HttpRequest& request) {
  AdminRequest out;
  out.method = request.head.method();
  read_target(request.head.target(), out);
  if (request.body.empty()) return out;
  ENFOLD_TRY(const json::Document document, json::parse(json::Buffer(request.body)));
  if (!document.root().is_object()) {
    return fail(ErrorCode::invalid_input, "expected a JSON object in the body of the request");
  }
  out.body = document.value();
  return out;
}

std::optional<std::string_view> cookie_of(const net::HttpHead& head, std::string_view name) {
  for (std::size_t i = 0; i < head.field_count(); ++i) {
    if (!equals_ignoring_case(head.field(i).name, "Cookie")) continue;
    std::optional<std::string_view> found;
    split(head.field(i).value, ';', [&](std::string_view part) {
      const std::string_view cookie = trimmed(part);
      const std::size_t equals = std::min(cookie.find('='), cookie.size());
      if (!found && cookie.substr(0, equals) == name && equals < cookie.size()) {
        found = cookie.substr(equals + 1);
      }
    });
    if (found) return found;
  }
  return std::nullopt;
}

void add_security_headers(net::HeaderLines& headers) {
  headers
      .add("Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
           "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
      .add("X-Content-Type-Options", "nosniff")
      .add("Referrer-Policy", "no-referrer")
      .add("Cross-Origin-Opener-Policy", "same-origin")
      .add("Cross-Origin-Resource-Policy", "same-origin");
}

net::HttpResponse json_reply(json::Writer&& writer, int status) {
  net::HttpResponse response{.status = status, .body = std::move(writer).finish().str()};
  response.headers.add("Content-Type", "application/json").add("Cache-Control", "no-store");
  add_security_headers(response.headers);
  return response;
}

net::HttpResponse error_reply(int status, std::string_view code, std::string_view message,
                              std::string_view hint) {
  json::Writer writer;
  writer.begin_object().key("error").begin_object();
  writer.member("code", code).member("message", message);
  if (!hint.empty()) writer.member("hint", hint);
  writer.end_object().end_object();
  return json_reply(std::move(writer), status);
}

net::HttpResponse error_reply(const Error& error) {
  // Status 401 would say that the login has ended. What an operation may not do, such as a
  // statement of SQL, is refused for every login.
  const bool is_refused = error.code == ErrorCode::unauthorized;
  const ErrorMapping& mapped = mapping(is_refused ? ErrorCode::invalid_input : error.code);
  std::string message = error.message;
  if (!error.where.empty()) message += " (" + error.where + ")";
  return error_reply(mapped.http_status, mapped.name, message, error.hint);
}

}  // namespace enfold::gateway
