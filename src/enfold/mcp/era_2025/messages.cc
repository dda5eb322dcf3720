// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2025/messages.h"

#include "enfold/mcp/types/catalog.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/protocol.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::mcp::era_2025 {
namespace {

// An entry that is not a valid tool is copied unchanged; the client will say what is wrong.
void write_tool_list(json::Writer& writer, json::View tools) {
  writer.begin_array();
  for (const json::View item : tools.items()) {
    const Result<Tool> tool = read_tool(item);
    if (tool) {
      write(writer, *tool, Era::sessions);
    } else {
      writer.value(item);
    }
  }
  writer.end_array();
}

// A result of the stateless era in the form of the session era.
json::Value as_session_result(Method method, json::View result) {
  Overlay overlay;
  overlay.without("resultType").without("ttlMs").without("cacheScope");
  const auto structured = result.find("structuredContent");
  if (structured && !structured->is_object()) {
    overlay.member("structuredContent", [view = *structured](json::Writer& writer) {
      writer.begin_object().member("result", view).end_object();
    });
  }
  const auto tools = result.find("tools");
  if (method == Method::tools_list && tools) {
    overlay.member("tools", [view = *tools](json::Writer& out) { write_tool_list(out, view); });
  }
  const auto meta_object = object_member(result, "_meta");
  if (meta_object && meta_object->find(meta::server_info)) {
    if (meta_object->size() == 1) {
      overlay.without("_meta");
    } else {
      overlay.member("_meta", [view = *meta_object](json::Writer& writer) {
        Overlay().without(meta::server_info).write(writer, view);
      });
    }
  }
  json::Writer writer;
  overlay.write(writer, result);
  return std::move(writer).finish_value();
}

}  // namespace

json::Output write_initialize(const Id& id, const ClientConfig& config) {
  return write_request(id, name(Method::initialize), [&](json::Writer& writer) {
    writer.member("protocolVersion", negotiate_session_version("", config.versions));  // the newest
    writer.member("capabilities", config.capabilities.value());
    writer.member("clientInfo", config.info);
  });
}

Result<ServerIdentity> read_initialize_result(json::View result, const ClientConfig& config) {
  ServerIdentity server;
  server.era = Era::sessions;
  server.version = json::string_member(result, "protocolVersion").value_or("");
  const std::vector<std::string> supported = versions_of_era(config.versions, Era::sessions);
  if (std::find(supported.begin(), supported.end(), server.version) == supported.end()) {
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
  // Keys of the application's `_meta` that are not sent: those of the stateless era, and a progress
  // token, which is valid only on the connection that it came from.
  constexpr std::array<std::string_view, 5> removed{meta::progress_token, meta::version,
                                                    meta::client_info, meta::client_capabilities,
                                                    meta::log_level};
  const json::View params = options.params.view();
  const auto meta_object = params.is_object() ? object_member(params, "_meta") : std::nullopt;
  const bool is_clean = !meta_object || std::none_of(removed.begin(), removed.end(), [&](auto key) {
    return meta_object->find(key).has_value();
  });
  // Most requests need no change.
  if (!progress_token && is_clean) return write_request(id, options.method, params);
  Overlay meta_overlay;
  for (const std::string_view key : removed) {
    if (key != meta::progress_token || !progress_token) meta_overlay.without(key);
  }
  if (progress_token) {
    meta_overlay.member(meta::progress_token,
                        [&](json::Writer& writer) { write_id(writer, *progress_token); });
  }
  return write_request(id, options.method, [&](json::Writer& writer) {
    Overlay params_overlay;
    params_overlay.member("_meta", [&](json::Writer& out) {
      meta_overlay.write(out, meta_object ? *meta_object : json::View());
    });
    params_overlay.write_members(writer, params);
  });
}

std::vector<Header> session_headers(std::string_view version, std::string_view session) {
  std::vector<Header> out;
  if (!version.empty()) out.push_back({std::string(header::version), std::string(version)});
  if (!session.empty()) out.push_back({std::string(header::session), std::string(session)});
  return out;
}

json::Output write_initialize_result(const Id& id, std::string_view version,
                                     const ServerConfig& config) {
  return write_response(id, [&](json::Writer& writer) {
    writer.member("protocolVersion", version);
    writer.key("serverInfo");
    if (config.info->is_null()) {
      writer.begin_object().member("name", "").member("version", "").end_object();
    } else {
      writer.value(config.info);
    }
    write_identity(writer, config);  // capabilities and instructions
  });
}

json::Output write_complete(const Id& id, CompleteResult result) {
  if (const auto* value = std::get_if<json::Value>(&result.object)) {
    return write_response(id, value->view());
  }
  return write_response(id, [&](json::Writer& writer) {
    writer.splice_members(std::get<json::Output>(std::move(result.object)));
  });
}

json::Output write_upstream_result(const Id& id, Method method, const UpstreamResult& upstream) {
  const json::View result = upstream.result.view();
  // If the era is not known, `resultType` shows it. If the era is known, `resultType` is ignored: a
  // result of the session era may have a member of this name with another meaning.
  const bool is_same_era =
      upstream.era ? *upstream.era == Era::sessions : !result.find("resultType");
  if (is_same_era) return write_response(id, result);
  return write_response(id, as_session_result(method, result).view());
}

}  // namespace enfold::mcp::era_2025
