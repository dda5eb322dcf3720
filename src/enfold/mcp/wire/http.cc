// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/http.h"

#include "enfold/base/text.h"
#include "enfold/json/document.h"
#include "enfold/mcp/era_2026/messages.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::mcp {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kEvents = "text/event-stream";
constexpr std::string_view kAccept = "Accept";
// What most clients send: needs no parsing.
constexpr std::string_view kUsualAccept = "application/json, text/event-stream";
constexpr std::string_view kContentType = "Content-Type";

// Whether `text` is this name in any case. Compares the bytes first, which is quicker: most clients
// spell names and types as here.
bool is_name(std::string_view text, std::string_view known) {
  return text == known || equals_ignoring_case(text, known);
}

// The type without its parameters, such as charset.
std::string_view media_type(std::string_view value) {
  return trimmed(value.substr(0, value.find(';')));
}

Rejection refuse(int status, std::string message) {
  return rejection(status, {code::bad_request, std::move(message), std::nullopt});
}

// nullptr: the message is a response.
const std::string* method_of(const Message& message) {
  if (const auto* request = std::get_if<Request>(&message)) return &request->method;
  if (const auto* notification = std::get_if<Notification>(&message)) return &notification->method;
  return nullptr;
}

json::View params_of(const Message& message) {
  if (const auto* request = std::get_if<Request>(&message)) return request->params.view();
  if (const auto* notification = std::get_if<Notification>(&message)) {
    return notification->params.view();
  }
  return {};
}

std::optional<Id> id_of(const Message& message) {
  const auto* request = std::get_if<Request>(&message);
  return request != nullptr ? std::optional(request->id) : std::nullopt;
}

// Visible ASCII, as the specification asks.
bool is_session_id(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 0x21 && c <= 0x7E; });
}

// Empty: there is no such header.
std::string_view header_text(HeaderFields fields, std::string_view name) {
  return find_header(fields, name).value_or("");
}

// The headers of a POST that `route` uses. nullopt: absent.
struct PostHeaders {
  HeaderFields all;
  std::optional<std::string_view> content_type;
  std::optional<std::string_view> accept;
  std::optional<std::string_view> session;
  std::optional<std::string_view> version;
};

// Reads the headers in one pass; of repeated ones the first. Compares only names of equal length.
PostHeaders read_post_headers(HeaderFields fields) {
  PostHeaders out{.all = fields, .content_type = {}, .accept = {}, .session = {}, .version = {}};
  const auto set_if = [](const HeaderField& field, std::string_view name,
                         std::optional<std::string_view>& value) {
    if (!value && is_name(field.name, name)) value = trimmed(field.value);
  };
  for (const HeaderField& field : fields) {
    switch (field.name.size()) {
      case kAccept.size(): set_if(field, kAccept, out.accept); break;
      case kContentType.size(): set_if(field, kContentType, out.content_type); break;
      case header::session.size(): set_if(field, header::session, out.session); break;
      case header::version.size(): set_if(field, header::version, out.version); break;
      default: break;
    }
  }
  return out;
}

// Every request in a session needs a session id, and a supported revision if it names one. nullopt:
// both are right.
std::optional<Rejection> check_session(const std::optional<std::string_view>& session,
                                       const std::optional<std::string_view>& version,
                                       const ServerConfig& config) {
  if (!session) return refuse(400, "Bad Request: expected the header MCP-Session-Id, found none");
  if (!is_session_id(*session)) return session_not_found();
  const bool is_supported = !version || (era_of(*version) == Era::sessions &&
                                         std::find(config.versions.begin(), config.versions.end(),
                                                   *version) != config.versions.end());
  if (is_supported) return std::nullopt;
  return refuse(400, fmt::format("Bad Request: unsupported protocol version {} (supported: {})",
                                 json::quote(*version),
                                 fmt::join(versions_of_era(config.versions, Era::sessions), ", ")));
}

// Messages of the session era.
Route route_session(Messages read, const PostHeaders& headers, const ServerConfig& config) {
  const std::string_view accept = headers.accept.value_or("");
  if (accept != kUsualAccept && (!accepts(accept, kJson) || !accepts(accept, kEvents))) {
    return refuse(406,
                  "Not Acceptable: the client must accept both application/json and "
                  "text/event-stream");
  }
  const auto is_initialize = [](const Message& message) {
    const std::string* method = method_of(message);
    return method != nullptr && method_from_name(*method) == Method::initialize;
  };
  const bool initializes = std::any_of(read.messages.begin(), read.messages.end(), is_initialize);
  if (initializes && read.messages.size() > 1) {
    return rejection(400, invalid_request("Expected initialize alone, found a batch"));
  }
  SessionPost post{std::nullopt, std::move(read.messages), read.batch};
  if (initializes) return post;
  if (auto refused = check_session(headers.session, headers.version, config)) {
    return std::move(*refused);
  }
  post.session = headers.session;
  post.fields = headers.all;
  return post;
}

// A message of the stateless era. The peer checks the headers of requests, but not those of
// notifications.
Route route_stateless(Message message, HeaderFields fields) {
  if (std::holds_alternative<Notification>(message)) {
    // The body of a notification need not name a version, so the header is compared with itself: it
    // must be there exactly once.
    const std::string_view version = header_text(fields, header::version);
    if (auto error = check_headers(fields, version, *method_of(message), params_of(message))) {
      return rejection(400, *error);
    }
  }
  return StatelessPost{std::move(message)};
}

// The body is one message, not a batch: finds its era.
Route route_message(Messages read, HeaderFields fields, const PostHeaders& headers,
                    const ServerConfig& config) {
  Message& message = read.messages.front();
  const std::string* method = method_of(message);
  const bool is_stateless_body = era_2026::has_version(params_of(message));
  const bool has_stateless_header = is_stateless(headers.version.value_or(""));
  const bool initializes = method != nullptr && method_from_name(*method) == Method::initialize;
  const bool has_sessions = has_era(config.versions, Era::sessions);
  // Only sessions have responses of a client.
  if (method == nullptr || !has_era(config.versions, Era::stateless)) {
    return route_session(std::move(read), headers, config);
  }
  if (is_stateless_body) return route_stateless(std::move(message), fields);
  if (initializes && has_stateless_header) {
    return rejection(400,
                     header_mismatch(header::version,
                                     "Expected a revision with sessions in MCP-Protocol-Version "
                                     "beside initialize"),
                     id_of(message));
  }
  if (initializes && !has_sessions) {
    const auto requested = json::string_member(params_of(message), "protocolVersion");
    return rejection(400,
                     requested
                         ? unsupported_version(*requested, config.versions)
                         : invalid_params("Invalid params: expected a string as protocolVersion"),
                     id_of(message));
  }
  // The peer refuses a request without `_meta` and names what is missing.
  if (has_stateless_header || !has_sessions) return route_stateless(std::move(message), fields);
  return route_session(std::move(read), headers, config);
}

Route route_post(HeaderFields fields, json::Buffer body, const ServerConfig& config,
                 const Limits& limits) {
  const PostHeaders headers = read_post_headers(fields);
  if (!is_name(media_type(headers.content_type.value_or("")), kJson)) {
    return refuse(415, "Unsupported Media Type: Content-Type must be application/json");
  }
  auto read = read_messages(std::move(body), limits);
  if (!read) return rejection(400, read.error().error, read.error().id);
  if (!read->bad.empty()) {  // one bad message refuses the whole batch
    return rejection(400, read->bad.front().error, read->bad.front().id);
  }
  if (!read->batch) return route_message(std::move(*read), fields, headers, config);
  if (!has_era(config.versions, Era::sessions)) {
    return rejection(400, invalid_request("Expected one message, found a batch"));
  }
  return route_session(std::move(*read), headers, config);
}

}  // namespace

Route route(std::string_view http_method, HeaderFields fields, json::Buffer body,
            const ServerConfig& config, const Limits& limits) {
  if (http_method == "POST") return route_post(fields, std::move(body), config, limits);
  const bool sessions = has_era(config.versions, Era::sessions);
  if ((http_method != "GET" && http_method != "DELETE") || !sessions) {
    Rejection out = refuse(405, "Method not allowed");
    out.allow = sessions ? "GET, POST, DELETE" : "POST";
    return out;
  }
  if (http_method == "GET" && !accepts(header_text(fields, kAccept), kEvents)) {
    return refuse(406, "Not Acceptable: the client must accept text/event-stream");
  }
  const auto session_id = find_header(fields, header::session);
  if (auto refused = check_session(session_id, find_header(fields, header::version), config)) {
    return std::move(*refused);
  }
  const std::string session(*session_id);
  if (http_method == "DELETE") return SessionEnd{session};
  SessionStream stream{session, std::nullopt};
  if (const auto last = find_header(fields, header::last_event_id)) {
    stream.last_event_id = std::string(*last);
  }
  return stream;
}

Rejection session_not_found() {
  return rejection(404, {code::session_not_found, "Session not found", std::nullopt});
}

Rejection rejection(int status, const RpcError& error, const std::optional<Id>& id) {
  return {status, write_response(id, error), {}};
}

bool accepts(std::string_view accept, std::string_view wanted) {
  const std::string_view main_type = wanted.substr(0, wanted.find('/'));
  while (!accept.empty()) {
    const std::size_t comma = accept.find(',');
    const std::string_view range = media_type(accept.substr(0, comma));
    if (is_name(range, wanted) || range == "*/*" ||
        (range.ends_with("/*") &&
         equals_ignoring_case(range.substr(0, range.size() - 2), main_type))) {
      return true;
    }
    if (comma == std::string_view::npos) return false;
    accept.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace enfold::mcp
