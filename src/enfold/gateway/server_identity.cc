// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/server_identity.h"

#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/protocol.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

// Merges the members of all objects; the first of several with the same name wins.
json::Value united(const std::vector<json::Value>& objects) {
  json::Writer writer;
  writer.begin_object();
  std::vector<std::string> seen;
  for (const json::Value& object : objects) {
    for (const json::Member& member : object->members()) {
      std::string key = member.key.string();
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
      writer.key(member.key).begin_object();
      std::vector<std::string> inner_seen;
      for (const json::Value& other : objects) {
        const auto same = other->find(key);
        if (!same || !same->is_object()) continue;
        for (const json::Member& inner : same->members()) {
          std::string inner_key = inner.key.string();
          if (std::find(inner_seen.begin(), inner_seen.end(), inner_key) != inner_seen.end()) {
            continue;
          }
          writer.key(inner.key).value(inner.value);
          inner_seen.push_back(std::move(inner_key));
        }
      }
      writer.end_object();
      seen.push_back(std::move(key));
    }
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

std::string joined_instructions(const UpstreamSet::List& upstreams) {
  std::string text;
  for (const auto& upstream : upstreams) {
    if (!upstream->identity || upstream->identity->instructions.empty()) continue;
    const std::string& instructions = upstream->identity->instructions;
    if (upstreams.size() == 1) return instructions;
    text +=
        fmt::format("{}{}: {}", text.empty() ? "" : "\n\n", upstream->settings.name, instructions);
  }
  return text;
}

}  // namespace

json::Value own_info(const std::string& version) {
  json::Writer writer;
  writer.begin_object().member("name", "enfold").member("version", version).end_object();
  return std::move(writer).finish_value();
}

std::shared_ptr<const mcp::Caller> caller_in(std::string_view first_message) {
  auto caller = std::make_shared<mcp::Caller>();
  const auto read = mcp::read_messages(json::Buffer(first_message));
  if (!read || read->messages.empty()) return caller;
  const auto* request = std::get_if<mcp::Request>(&read->messages.front());
  if (request == nullptr) return caller;
  json::View said = request->params.view();
  const bool begins_session = mcp::method_from_name(request->method) == mcp::Method::initialize;
  const auto meta = mcp::object_member(said, "_meta");
  if (!begins_session && meta) {
    caller->era = mcp::Era::stateless;
    said = *meta;
  }
  const auto take = [&](std::string_view session_key, std::string_view stateless_key) {
    return mcp::object_member(said, begins_session ? session_key : stateless_key);
  };
  if (const auto info = take("clientInfo", mcp::meta::client_info)) {
    caller->client_info = json::Value(*info);
  }
  if (const auto capabilities = take("capabilities", mcp::meta::client_capabilities)) {
    caller->capabilities = mcp::Capabilities(json::Value(*capabilities));
  }
  return caller;
}

std::shared_ptr<mcp::ServerConfig> server_identity(const UpstreamSet::List& upstreams,
                                                   const Settings& settings) {
  auto config = std::make_shared<mcp::ServerConfig>();
  config->relay_unknown_requests = true;
  config->instructions = joined_instructions(upstreams);
  if (upstreams.size() == 1 && upstreams.front()->identity) {
    config->info = upstreams.front()->identity->info;
    config->capabilities = upstreams.front()->identity->capabilities;
  } else {
    config->info = own_info(settings.version);
    std::vector<json::Value> capabilities;
    // With several upstreams one may reconnect with other tools, even if it does not announce
    // changes.
    if (upstreams.size() > 1) {
      capabilities.push_back(json::parse_own(R"({"tools":{"listChanged":true}})"));
    }
    for (const auto& upstream : upstreams) {
      if (upstream->identity) capabilities.push_back(upstream->identity->capabilities.value());
    }
    config->capabilities = mcp::Capabilities(united(capabilities));
  }
  if (settings.archive_resources && settings.answers.contract != "none" &&
      !config->capabilities.has("resources")) {
    json::Writer more;
    mcp::Overlay()
        .member("resources", [](json::Writer& out) { out.begin_object().end_object(); })
        .write(more, config->capabilities.value().view());
    config->capabilities = mcp::Capabilities(std::move(more).finish_value());
  }
  return config;
}

}  // namespace enfold::gateway
