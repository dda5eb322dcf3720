// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2026/client.h"

#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/meta.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp::era_2026 {

std::optional<std::string> common_version(json::View list, const ClientConfig& config) {
  std::optional<std::string> best;
  for (const std::string& version : of_era(config.versions, Era::stateless)) {
    for (const json::View item : list.items()) {
      if (item.equals(version) && (!best || version > *best)) best = version;
    }
  }
  return best;
}

Result<ServerIdentity> read_discovered(json::View result, const ClientConfig& config) {
  const auto list = result.find("supportedVersions");
  const auto version = list ? common_version(*list, config) : std::nullopt;
  if (!version) {
    return fail(ErrorCode::unsupported,
                fmt::format("expected a protocol revision that is known here, found {}",
                            list ? json::to_text(*list) : "no list"),
                "/result/supportedVersions", "update the server or this program");
  }
  ServerIdentity server;
  server.era = Era::stateless;
  server.version = *version;
  if (const auto meta_object = object_member(result, "_meta")) {
    if (const auto info = object_member(*meta_object, meta::server_info)) {
      server.info = json::Value(*info);
    }
  }
  if (const auto capabilities = object_member(result, "capabilities")) {
    server.capabilities = Capabilities(json::Value(*capabilities));
  }
  server.instructions = json::string_member(result, "instructions").value_or("");
  return server;
}

json::Output write_call(const Id& id, const CallOptions& options, const RequestMeta& request_meta,
                        const InputResponses& inputs) {
  const json::View params = options.params.view();
  return write_request(id, options.method, [&](json::Writer& writer) {
    if (!inputs.any()) {
      write_params(writer, params, request_meta);
      return;
    }
    json::Writer again;
    again.begin_object();
    Overlay().without("inputResponses").without("requestState").write_members(again, params);
    write_input_responses(again, inputs);
    again.end_object();
    write_params(writer, std::move(again).finish_value().view(), request_meta);
  });
}

std::vector<Header> call_headers(std::string_view version, const CallOptions& options) {
  const json::View params = options.params.view();
  std::vector<Header> out = standard_headers(version, options.method, params);
  if (options.param_headers.empty() || !params.is_object()) return out;
  const auto arguments = params.find("arguments");
  for (Header& one : param_headers(options.param_headers, arguments ? *arguments : json::View())) {
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace enfold::mcp::era_2026
