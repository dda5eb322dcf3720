// SPDX-License-Identifier: Apache-2.0
#include "tests/transcripts/line.h"

#include "enfold/json/document.h"
#include "tests/mcp/transcript.h"

#include <algorithm>

namespace enfold::transcripts {

json::Value value_at(json::View line, std::string_view key) {
  const auto found = line.find(key);
  return found ? json::Value(*found) : json::Value();
}

std::int64_t number_at(json::View line, std::string_view key) {
  const auto found = line.find(key);
  return found ? found->integer().value_or(0) : 0;
}

bool flag_at(json::View line, std::string_view key) {
  const auto found = line.find(key);
  return found && found->boolean();
}

std::string text_at(json::View line, std::string_view key) {
  return json::string_member(line, key).value_or("");
}

mcp::CallKey call_at(json::View line) { return static_cast<mcp::CallKey>(number_at(line, "call")); }

std::optional<mcp::CallKey> maybe_call(json::View line) {
  return line.find("call") ? std::optional(call_at(line)) : std::nullopt;
}

std::string message_at(json::View line) {
  const auto bytes = line.find("bytes");
  return bytes ? bytes->string() : json::to_text(value_at(line, "message").view());
}

mcp::ResultOrError outcome_at(json::View line) {
  if (const auto error = line.find("error")) return tl::unexpected(mcp::read_error(*error));
  return value_at(line, "result");
}

mcp::Reply reply_at(json::View line) {
  if (const auto error = line.find("error")) return mcp::read_error(*error);
  if (const auto required = line.find("input_required")) {
    mcp::InputRequired out = *mcp::read_input_required(*required);
    out.original = {};
    return out;
  }
  if (const auto relayed = line.find("relayed")) return mcp::UpstreamResult{json::Value(*relayed)};
  // Both forms of a result of our own must give the same.
  const json::Value result = value_at(line, "result");
  if (result->find("_meta")) return mcp::complete(result);
  json::Writer writer;
  writer.value(result);
  return mcp::complete(std::move(writer).finish());
}

mcp::ListKind list_at(json::View line) {
  const std::string list = text_at(line, "list");
  return list == "tools"     ? mcp::ListKind::tools
         : list == "prompts" ? mcp::ListKind::prompts
                             : mcp::ListKind::resources;
}

mcp::ServerConfig server_config(json::View setup) {
  mcp::ServerConfig config = mcp::testing::fixture_config();
  if (const auto versions = setup.find("versions")) {
    config.versions.clear();
    for (const json::View version : versions->items()) config.versions.push_back(version.string());
  }
  if (const auto capabilities = setup.find("capabilities")) {
    config.capabilities = mcp::Capabilities(json::Value(*capabilities));
  }
  config.relay_unknown_requests = flag_at(setup, "relay_unknown_requests");
  config.ask_timeout = mcp::Time(60'000);
  config.max_rounds = 3;
  config.max_open_calls = 4;
  return config;
}

std::string complaint(const Error& error) {
  json::Writer writer;
  writer.begin_object().member("see", "complaint").member("error", mapping(error.code).name);
  writer.end_object();
  return std::move(writer).finish().str();
}

bool same(json::View line, json::View found, std::initializer_list<std::string_view> left_out) {
  const auto counts = [&](const json::Member& member) {
    const std::string key = member.key.string();
    return key != "over" && std::find(left_out.begin(), left_out.end(), key) == left_out.end();
  };
  const auto covers = [&](json::View one, json::View other) {
    for (const json::Member& member : one.members()) {
      if (!counts(member)) continue;
      const auto value = other.find(member.key.string());
      if (!value || !json::equal(member.value, *value)) return false;
    }
    return true;
  };
  return covers(line, found) && covers(found, line);
}

}  // namespace enfold::transcripts
