// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2025/client.h"

#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/meta.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::mcp::era_2025 {

json::Output write_initialize(const Id& id, const ClientConfig& config) {
  return write_request(id, name(Method::initialize), [&](json::Writer& writer) {
    writer.member("protocolVersion", negotiate_session("", config.versions));
    writer.member("capabilities", config.capabilities.value());
    writer.member("clientInfo", config.info);
  });
}

Result<ServerIdentity> read_initialized(json::View result, const ClientConfig& config) {
  ServerIdentity server;
  server.era = Era::sessions;
  server.version = json::string_member(result, "protocolVersion").value_or("");
  const std::vector<std::string> spoken = of_era(config.versions, Era::sessions);
  if (std::find(spoken.begin(), spoken.end(), server.version) == spoken.end()) {
    return fail(ErrorCode::unsupported,
                fmt::format("expected a protocol revision that is known here, found {}",
                            json::quote(server.version)),
                "/result/protocolVersion", "update the server or this program");
  }
  if (const auto info = object_member(result, "serverInfo")) server.info = json::Value(*info);
  if (const auto capabilities = object_member(result, "capabilities")) {
    server.capabilities = Capabilities(json::Value(*capabilities));
  }
  server.instructions = json::string_member(result, "instructions").value_or("");
  return server;
}

json::Output write_call(const Id& id, const CallOptions& options,
                        const std::optional<Id>& progress_token) {
  constexpr std::array<std::string_view, 5> foreign{meta::progress_token, meta::version,
                                                    meta::client_info, meta::client_capabilities,
                                                    meta::log_level};
  const json::View params = options.params.view();
  const auto given = params.is_object() ? object_member(params, "_meta") : std::nullopt;
  const bool clean = !given || std::none_of(foreign.begin(), foreign.end(),
                                            [&](auto key) { return given->find(key).has_value(); });
  // Most requests leave as they came.
  if (!progress_token && clean) return write_request(id, options.method, params);
  Overlay inside;
  for (const std::string_view key : foreign) {
    if (key != meta::progress_token || !progress_token) inside.without(key);
  }
  if (progress_token) {
    inside.member(meta::progress_token,
                  [&](json::Writer& writer) { write_id(writer, *progress_token); });
  }
  return write_request(id, options.method, [&](json::Writer& writer) {
    Overlay outside;
    outside.member("_meta",
                   [&](json::Writer& out) { inside.write(out, given ? *given : json::View()); });
    outside.write_members(writer, params);
  });
}

std::vector<Header> session_headers(std::string_view version, std::string_view session) {
  std::vector<Header> out;
  if (!version.empty()) out.push_back({std::string(header::version), std::string(version)});
  if (!session.empty()) out.push_back({std::string(header::session), std::string(session)});
  return out;
}

}  // namespace enfold::mcp::era_2025
