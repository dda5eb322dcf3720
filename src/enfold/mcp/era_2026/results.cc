// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2026/results.h"

#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/meta.h"

namespace enfold::mcp::era_2026 {
namespace {

void write_server_info(json::Writer& writer, const ServerConfig& config) {
  if (config.info->is_null()) return;
  writer.key("_meta").begin_object().member(meta::server_info, config.info).end_object();
}

// The given object with what every result of this era has.
void write_completed(json::Writer& writer, Method method, json::View object,
                     const std::optional<CacheHint>& own, const ServerConfig& config) {
  Overlay overlay;
  if (!object.find("resultType")) {
    overlay.member("resultType", [](json::Writer& out) { out.string("complete"); });
  }
  const bool has_hint = object.find("ttlMs") && object.find("cacheScope");
  if (info(method).cached && !has_hint) {
    const CacheHint hint = own ? *own : config.cache;
    overlay.member("ttlMs", [hint](json::Writer& out) { out.integer(hint.ttl.count()); });
    overlay.member("cacheScope", [hint](json::Writer& out) {
      out.string(hint.scope == CacheHint::Scope::for_everyone ? "public" : "private");
    });
  }
  const auto given = object_member(object, "_meta");
  if (!config.info->is_null() && !(given && given->find(meta::server_info))) {
    overlay.member("_meta", [&](json::Writer& out) {
      Overlay inside;
      inside.member(meta::server_info, [&](json::Writer& inner) { inner.value(config.info); });
      inside.write(out, given ? *given : json::View());
    });
  }
  overlay.write_members(writer, object);
}

}  // namespace

json::Output write_complete(const Id& id, Method method, Complete result,
                            const ServerConfig& config) {
  return write_response(id, [&](json::Writer& writer) {
    if (const auto* value = std::get_if<json::Value>(&result.object)) {
      write_completed(writer, method, value->view(), result.cache, config);
      return;
    }
    writer.splice_members(std::get<json::Output>(std::move(result.object)));
    writer.member("resultType", "complete");
    if (info(method).cached) write_cache_hint(writer, result.cache.value_or(config.cache));
    write_server_info(writer, config);
  });
}

json::Output write_relayed(const Id& id, Method method, const Relayed& relayed,
                           const ServerConfig& config) {
  const json::View result = relayed.result.view();
  if (relayed.era == Era::stateless) return write_response(id, result);
  const bool hinted = result.find("ttlMs") && result.find("cacheScope");
  const bool needs_hint = info(method).cached && result_type(result) == ResultType::complete;
  if (result.find("resultType") && (hinted || !needs_hint)) return write_response(id, result);
  return write_response(id, [&](json::Writer& writer) {
    write_completed(writer, method, result, std::nullopt, config);
  });
}

json::Output write_asking(const Id& id, const InputRequired& required, const ServerConfig& config) {
  if (!required.original->is_null()) return write_response(id, required.original.view());
  return write_response(id, [&](json::Writer& writer) {
    write_input_required(writer, required);
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

json::Output write_discovered(const Id& id, const ServerConfig& config) {
  return write_response(id, [&](json::Writer& writer) {
    writer.member("resultType", "complete").key("supportedVersions").begin_array();
    for (const std::string& version : of_era(config.versions, Era::stateless)) {
      writer.string(version);
    }
    writer.end_array();
    write_identity(writer, config);
    write_cache_hint(writer, config.discover_cache);
    write_server_info(writer, config);
  });
}

}  // namespace enfold::mcp::era_2026
