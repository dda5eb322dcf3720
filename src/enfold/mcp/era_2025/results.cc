// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2025/results.h"

#include "enfold/mcp/types/catalog.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/meta.h"

namespace enfold::mcp::era_2025 {
namespace {

// A list that cannot be read as tools is left as it is; its reader will say what is wrong.
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

}  // namespace

json::Output write_initialized(const Id& id, std::string_view version, const ServerConfig& config) {
  return write_response(id, [&](json::Writer& writer) {
    writer.member("protocolVersion", version);
    writer.key("serverInfo");
    if (config.info->is_null()) {
      writer.begin_object().member("name", "").member("version", "").end_object();
    } else {
      writer.value(config.info);
    }
    write_identity(writer, config);
  });
}

json::Output write_complete(const Id& id, Complete result) {
  if (const auto* value = std::get_if<json::Value>(&result.object)) {
    return write_response(id, value->view());
  }
  return write_response(id, [&](json::Writer& writer) {
    writer.splice_members(std::get<json::Output>(std::move(result.object)));
  });
}

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
  const auto given = object_member(result, "_meta");
  if (given && given->find(meta::server_info)) {
    if (given->size() == 1) {
      overlay.without("_meta");
    } else {
      overlay.member("_meta", [view = *given](json::Writer& writer) {
        Overlay().without(meta::server_info).write(writer, view);
      });
    }
  }
  json::Writer writer;
  overlay.write(writer, result);
  return std::move(writer).finish_value();
}

json::Output write_relayed(const Id& id, Method method, const Relayed& relayed) {
  const json::View result = relayed.result.view();
  // In the result of a session `resultType` is an unknown member like any other.
  const bool is_same_era = relayed.era ? *relayed.era == Era::sessions : !result.find("resultType");
  if (is_same_era) return write_response(id, result);
  return write_response(id, as_session_result(method, result).view());
}

}  // namespace enfold::mcp::era_2025
