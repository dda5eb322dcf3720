// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2026/request_meta.h"

#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/meta.h"

#include <fmt/core.h>

namespace enfold::mcp::era_2026 {
namespace {

tl::unexpected<RpcError> missing(std::string_view key, std::string_view where = "params._meta") {
  RpcError error = invalid_params(fmt::format("Invalid params: expected {} in {}", key, where));
  json::Writer writer;
  writer.begin_object().key("missing").begin_array().string(key).end_array().end_object();
  error.data = std::move(writer).finish_value();
  return tl::unexpected(std::move(error));
}

// Every request brings these, so they are found in one go. Null: not said.
struct Said {
  json::View version;
  json::View capabilities;
  json::View info;
  json::View progress_token;
  std::optional<json::View> log_level;
};

Said read_said(json::View meta_object) {
  Said said;
  for (const json::Member& member : meta_object.members()) {
    if (member.key.equals(meta::version)) {
      said.version = member.value;
    } else if (member.key.equals(meta::client_capabilities)) {
      said.capabilities = member.value;
    } else if (member.key.equals(meta::client_info)) {
      said.info = member.value;
    } else if (member.key.equals(meta::progress_token)) {
      said.progress_token = member.value;
    } else if (member.key.equals(meta::log_level)) {
      said.log_level = member.value;
    }
  }
  return said;
}

}  // namespace

bool has_version(json::View params) {
  const auto found = object_member(params, "_meta");
  return found && found->find(meta::version).has_value();
}

tl::expected<RequestMeta, RpcError> read_request_meta(json::View params) {
  const auto found = object_member(params, "_meta");
  if (!found) return missing("_meta", "params");
  const Said said = read_said(*found);
  if (!said.version.is_string()) return missing(meta::version);
  if (!said.capabilities.is_object()) return missing(meta::client_capabilities);
  auto caller = std::make_shared<Caller>();
  caller->era = Era::stateless;
  caller->version = said.version.string();
  caller->capabilities = Capabilities(json::Value(said.capabilities));
  if (said.info.is_object()) caller->client_info = json::Value(said.info);
  RequestMeta out;
  out.caller = std::move(caller);
  out.progress_token = read_id(said.progress_token);
  if (const auto& level = said.log_level) {
    out.log_level = log_level_from_name(level->string());
    if (!out.log_level) {
      return tl::unexpected(
          invalid_params(fmt::format("Invalid params: expected a log level as {}, found {}",
                                     meta::log_level, json::to_text(*level))));
    }
  }
  return out;
}

void write_params(json::Writer& writer, json::View params, const RequestMeta& request_meta) {
  const Caller& caller = *request_meta.caller;
  Overlay inside;
  inside.text(meta::version, caller.version);
  if (!caller.client_info->is_null()) {
    inside.member(meta::client_info, [&](json::Writer& out) { out.value(caller.client_info); });
  }
  inside.member(meta::client_capabilities,
                [&](json::Writer& out) { out.value(caller.capabilities.value()); });
  if (request_meta.log_level) {
    inside.member(meta::log_level,
                  [&](json::Writer& out) { out.string(name(*request_meta.log_level)); });
  }
  if (request_meta.progress_token) {
    inside.member(meta::progress_token,
                  [&](json::Writer& out) { write_id(out, *request_meta.progress_token); });
  } else {
    inside.without(meta::progress_token);
  }
  const auto given = params.is_object() ? object_member(params, "_meta") : std::nullopt;
  Overlay outside;
  outside.member("_meta",
                 [&](json::Writer& out) { inside.write(out, given ? *given : json::View()); });
  outside.write_members(writer, params);
}

}  // namespace enfold::mcp::era_2026
