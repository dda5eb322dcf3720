// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2026/messages.h"

#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/protocol.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp::era_2026 {
namespace {

// The error for a request without this member of the object `where`.
tl::unexpected<RpcError> missing_member(std::string_view key,
                                        std::string_view where = "params._meta") {
  RpcError error = invalid_params(fmt::format("Invalid params: expected {} in {}", key, where));
  error.data = make_object(
      [&](json::Writer& writer) { writer.key("missing").begin_array().string(key).end_array(); });
  return tl::unexpected(std::move(error));
}

// The keys of a request's `_meta`, read in one pass. A null View: the key is absent. For the log
// level absent is nullopt, because a log level that is null is an error.
struct MetaKeys {
  json::View version;
  json::View capabilities;
  json::View info;
  json::View progress_token;
  std::optional<json::View> log_level;
};

MetaKeys read_keys(json::View meta_object) {
  MetaKeys keys;
  for (const json::Member& member : meta_object.members()) {
    if (member.key.equals(meta::version)) {
      keys.version = member.value;
    } else if (member.key.equals(meta::client_capabilities)) {
      keys.capabilities = member.value;
    } else if (member.key.equals(meta::client_info)) {
      keys.info = member.value;
    } else if (member.key.equals(meta::progress_token)) {
      keys.progress_token = member.value;
    } else if (member.key.equals(meta::log_level)) {
      keys.log_level = member.value;
    }
  }
  return keys;
}

// Writes the member `_meta` with the server info.
void write_server_info(json::Writer& writer, const ServerConfig& config) {
  if (config.info->is_null()) return;
  writer.key("_meta").begin_object().member(meta::server_info, config.info).end_object();
}

// Writes the members of the object, and resultType, cache hint and server info if they are missing.
// `result_hint`: the cache hint to add; nullopt: that of the configuration.
void write_with_required_members(json::Writer& writer, Method method, json::View object,
                                 const std::optional<CacheHint>& result_hint,
                                 const ServerConfig& config) {
  Overlay overlay;
  if (!object.find("resultType")) {
    overlay.member("resultType", [](json::Writer& out) { out.string("complete"); });
  }
  const bool has_hint = object.find("ttlMs") && object.find("cacheScope");
  if (info(method).has_cache_hint && !has_hint) {
    const CacheHint hint = result_hint.value_or(config.cache);
    overlay.member("ttlMs", [hint](json::Writer& out) { out.integer(hint.ttl.count()); });
    overlay.member("cacheScope", [hint](json::Writer& out) {
      out.string(hint.scope == CacheHint::Scope::for_everyone ? "public" : "private");
    });
  }
  const auto meta_object = object_member(object, "_meta");
  if (!config.info->is_null() && !(meta_object && meta_object->find(meta::server_info))) {
    overlay.member("_meta", [&](json::Writer& out) {
      Overlay meta_overlay;
      meta_overlay.member(meta::server_info,
                          [&](json::Writer& inner) { inner.value(config.info); });
      meta_overlay.write(out, meta_object ? *meta_object : json::View());
    });
  }
  overlay.write_members(writer, object);
}

// The keys of `request_meta` replace those of the same name in the `_meta` of `params`; all other
// keys are kept.
void write_params(json::Writer& writer, json::View params, const RequestMeta& request_meta) {
  const Caller& caller = *request_meta.caller;
  Overlay meta_overlay;
  meta_overlay.text(meta::version, caller.version);
  if (!caller.client_info->is_null()) {
    meta_overlay.member(meta::client_info,
                        [&](json::Writer& out) { out.value(caller.client_info); });
  }
  meta_overlay.member(meta::client_capabilities,
                      [&](json::Writer& out) { out.value(caller.capabilities.value()); });
  if (request_meta.log_level) {
    meta_overlay.member(meta::log_level,
                        [&](json::Writer& out) { out.string(name(*request_meta.log_level)); });
  }
  if (request_meta.progress_token) {
    meta_overlay.member(meta::progress_token,
                        [&](json::Writer& out) { write_id(out, *request_meta.progress_token); });
  } else {
    meta_overlay.without(meta::progress_token);
  }
  const auto meta_object = params.is_object() ? object_member(params, "_meta") : std::nullopt;
  Overlay params_overlay;
  params_overlay.member("_meta", [&](json::Writer& out) {
    meta_overlay.write(out, meta_object ? *meta_object : json::View());
  });
  params_overlay.write_members(writer, params);
}

}  // namespace

tl::expected<RequestMeta, RpcError> read_request_meta(json::View params) {
  const auto found = object_member(params, "_meta");
  if (!found) return missing_member("_meta", "params");
  const MetaKeys keys = read_keys(*found);
  if (!keys.version.is_string()) return missing_member(meta::version);
  if (!keys.capabilities.is_object()) return missing_member(meta::client_capabilities);
  if (auto error =
          check_declared(keys.info.is_object() ? keys.info : json::View(), keys.capabilities)) {
    return tl::unexpected(std::move(*error));
  }
  auto caller = std::make_shared<Caller>();
  caller->era = Era::stateless;
  caller->version = keys.version.string();
  caller->capabilities = Capabilities(json::Value(keys.capabilities));
  if (keys.info.is_object()) caller->client_info = json::Value(keys.info);
  RequestMeta out;
  out.caller = std::move(caller);
  out.progress_token = read_id(keys.progress_token);
  if (const auto& level = keys.log_level) {
    out.log_level = log_level_from_name(level->string());
    if (!out.log_level) {
      return tl::unexpected(
          invalid_params(fmt::format("Invalid params: expected a log level as {}, found {}",
                                     meta::log_level, json::to_text(*level))));
    }
  }
  return out;
}

std::optional<std::string> common_version(json::View list, const ClientConfig& config) {
  std::optional<std::string> best;
  for (const std::string& version : versions_of_era(config.versions, Era::stateless)) {
    for (const json::View item : list.items()) {
      if (item.equals(version) && (!best || version > *best)) best = version;
    }
  }
  return best;
}

Result<ServerIdentity> read_discover_result(json::View result, const ClientConfig& config) {
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
    json::Writer with_inputs;
    with_inputs.begin_object();
    Overlay().without("inputResponses").without("requestState").write_members(with_inputs, params);
    write_input_responses(with_inputs, inputs);
    with_inputs.end_object();
    write_params(writer, std::move(with_inputs).finish_value().view(), request_meta);
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

json::Output write_complete(const Id& id, Method method, CompleteResult result,
                            const ServerConfig& config) {
  return write_response(id, [&](json::Writer& writer) {
    if (const auto* value = std::get_if<json::Value>(&result.object)) {
      write_with_required_members(writer, method, value->view(), result.cache, config);
      return;
    }
    auto object = std::get<json::Output>(std::move(result.object));
    if (result.has_meta) {  // the last member, `_meta`, stays open for the server info
      writer.splice_members(std::move(object), json::Writer::Last::open);
      if (!config.info->is_null()) writer.member(meta::server_info, config.info);
      writer.end_object();
    } else {
      writer.splice_members(std::move(object));
      write_server_info(writer, config);
    }
    writer.member("resultType", "complete");
    if (info(method).has_cache_hint) write_cache_hint(writer, result.cache.value_or(config.cache));
  });
}

json::Output write_upstream_result(const Id& id, Method method, const UpstreamResult& upstream,
                                   const ServerConfig& config) {
  const json::View result = upstream.result.view();
  if (upstream.era == Era::stateless) return write_response(id, result);
  if (upstream.era == Era::sessions && result.find("resultType")) {
    // In the session era this member may mean anything. It is removed, because "input_required"
    // would turn the result into a question.
    json::Writer without_type;
    Overlay().without("resultType").write(without_type, result);
    const json::Value finished = std::move(without_type).finish_value();
    return write_response(id, [&](json::Writer& writer) {
      write_with_required_members(writer, method, finished.view(), std::nullopt, config);
    });
  }
  const bool has_hint = result.find("ttlMs") && result.find("cacheScope");
  const bool needs_hint =
      info(method).has_cache_hint && result_type(result) == ResultType::complete;
  if (result.find("resultType") && (has_hint || !needs_hint)) return write_response(id, result);
  return write_response(id, [&](json::Writer& writer) {
    write_with_required_members(writer, method, result, std::nullopt, config);
  });
}

json::Output write_input_required(const Id& id, const InputRequired& required,
                                  const ServerConfig& config) {
  if (!required.original->is_null()) return write_response(id, required.original.view());
  return write_response(id, [&](json::Writer& writer) {
    mcp::write_input_required(writer, required);
    write_server_info(writer, config);
  });
}

json::Output write_listen_end(const Id& id, const ServerConfig& config) {
  return write_response(id, [&](json::Writer& writer) {
    writer.member("resultType", "complete").key("_meta").begin_object();
    writer.key(meta::subscription_id);
    write_id(writer, id);
    if (!config.info->is_null()) writer.member(meta::server_info, config.info);
    writer.end_object();
  });
}

json::Output write_acknowledged(const Id& id, const SubscriptionFilter& filter) {
  return write_notification(name(Method::acknowledged), [&](json::Writer& writer) {
    writer.key("notifications");
    write_filter(writer, filter);
    writer.key("_meta").begin_object().key(meta::subscription_id);
    write_id(writer, id);
    writer.end_object();
  });
}

json::Output write_discover_result(const Id& id, const ServerConfig& config) {
  return write_response(id, [&](json::Writer& writer) {
    writer.member("resultType", "complete").key("supportedVersions").begin_array();
    for (const std::string& version : versions_of_era(config.versions, Era::stateless)) {
      writer.string(version);
    }
    writer.end_array();
    write_identity(writer, config);  // capabilities and instructions
    write_cache_hint(writer, config.discover_cache);
    write_server_info(writer, config);
  });
}

}  // namespace enfold::mcp::era_2026
