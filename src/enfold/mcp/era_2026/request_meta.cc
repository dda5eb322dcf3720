// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2026/request_meta.h"

#include "enfold/mcp/meta.h"
#include "enfold/mcp/overlay.h"

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

}  // namespace

bool has_version(json::View params) {
  const auto found = object_member(params, "_meta");
  return found && found->find(meta::version).has_value();
}

tl::expected<RequestMeta, RpcError> read_request_meta(json::View params) {
  const auto found = object_member(params, "_meta");
  if (!found) return missing("_meta", "params");
  auto version = text_member(*found, meta::version);
  if (!version) return missing(meta::version);
  const auto capabilities = object_member(*found, meta::client_capabilities);
  if (!capabilities) return missing(meta::client_capabilities);
  auto caller = std::make_shared<Caller>();
  caller->era = Era::stateless;
  caller->version = std::move(*version);
  caller->capabilities = Capabilities(json::Value(*capabilities));
  if (const auto info = object_member(*found, meta::client_info)) {
    caller->client_info = json::Value(*info);
  }
  RequestMeta out;
  out.caller = std::move(caller);
  out.progress_token = read_progress_token(params);
  if (const auto level = found->find(meta::log_level)) {
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
