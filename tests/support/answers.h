// SPDX-License-Identifier: Apache-2.0
// Draws random payloads, responses and contract documents inside a RapidCheck property.
#pragma once

#include "enfold/contract/contract.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/model/response.h"

#include <algorithm>
#include <optional>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace enfold::testing {

/// Even, whatever size RapidCheck is at: its ranges grow with the size of a case.
[[nodiscard]] inline int draw_below(int limit) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, limit));
}
[[nodiscard]] inline bool draw_chance(int of_ten) { return draw_below(10) < of_ten; }

[[nodiscard]] inline std::string draw_word() {
  static const std::vector<std::string> words{
      "id",       "name",   "items",     "status",  "data",       "error",   "success",
      "message",  "meta",   "result",    "total",   "count",      "hasMore", "content",
      "metadata", "error_", "success__", "details", "code",       "offset",  "limit",
      "Café",     "a/b~c",  "",          "type",    "remediation"};
  return words[static_cast<std::size_t>(draw_below(static_cast<int>(words.size())))];
}

[[nodiscard]] inline std::string draw_text() {
  static const std::vector<std::string> texts{
      "",      "ok",           "line one\nline two",   "\"quoted\\\"", "日本語😀",
      "\t",    "Not found: x", "2026-11-15T00:00:00Z", "req_abc123",   "{\"a\":1}",
      "error", "\u2028"};
  return texts[static_cast<std::size_t>(draw_below(static_cast<int>(texts.size())))];
}

[[nodiscard]] inline model::Number draw_number() {
  static const std::vector<std::string> numbers{
      "0", "1", "20", "-3", "1.0", "2.50", "1e3", "150", "12345678901234567890", "0.1"};
  return {numbers[static_cast<std::size_t>(draw_below(static_cast<int>(numbers.size())))]};
}

inline void draw_json(json::Writer& writer, int depth) {
  switch (draw_below(depth > 0 ? 8 : 5)) {
    case 0: writer.null(); return;
    case 1: writer.boolean(draw_chance(5)); return;
    case 2: writer.number(draw_number().text); return;
    case 3:
    case 4: writer.string(draw_text()); return;
    case 5: {
      writer.begin_array();
      for (int i = draw_below(4); i > 0; --i) draw_json(writer, depth - 1);
      writer.end_array();
      return;
    }
    default: {
      writer.begin_object();
      std::vector<std::string> used;
      for (int i = draw_below(4); i > 0; --i) {
        const std::string key = draw_word();
        if (std::find(used.begin(), used.end(), key) != used.end()) continue;
        used.push_back(key);
        writer.key(key);
        draw_json(writer, depth - 1);
      }
      writer.end_object();
    }
  }
}

[[nodiscard]] inline json::Value draw_value(int depth = 3) {
  json::Writer writer;
  draw_json(writer, depth);
  return std::move(writer).finish_value();
}

[[nodiscard]] inline json::Value draw_object(int depth = 3) {
  for (int i = 0; i < 20; ++i) {
    json::Value value = draw_value(depth);
    if (value->is_object()) return value;
  }
  return json::parse_own("{}");
}

template <class T, class Draw>
[[nodiscard]] std::optional<T> maybe(Draw draw) {
  return draw_chance(4) ? std::optional<T>(draw()) : std::nullopt;
}

[[nodiscard]] inline model::Failure draw_failure() {
  static const std::vector<std::string> codes{
      "",       "VALIDATION_ERROR",    "NOT_FOUND", "not_found",
      "-32603", "RATE_LIMIT_EXCEEDED", "MY_OWN",    "timeout"};
  model::Failure failure;
  failure.kind = static_cast<model::ErrorKind>(draw_below(16));
  failure.code = codes[static_cast<std::size_t>(draw_below(static_cast<int>(codes.size())))];
  failure.type =
      maybe<model::ErrorType>([] { return static_cast<model::ErrorType>(draw_below(9)); });
  failure.message = draw_chance(9) ? "It failed: " + draw_text() : draw_text();
  for (int i = draw_below(3); i > 0; --i) failure.remediation.push_back("Do " + draw_text());
  failure.details = maybe<json::Value>([] { return draw_object(2); });
  failure.retry_after = maybe<model::Number>([] { return model::Number{"45"}; });
  return failure;
}

[[nodiscard]] inline model::Page draw_page() {
  model::Page page;
  page.has_more = maybe<bool>([] { return draw_chance(5); });
  page.total = maybe<model::Number>([] { return model::Number{"150"}; });
  page.page_size = maybe<model::Number>([] { return model::Number{"20"}; });
  page.offset = maybe<model::Number>([] { return model::Number{"40"}; });
  if (draw_chance(4)) page.next_offset = model::Number{"60"};
  if (draw_chance(3)) page.cursor = draw_chance(5) ? "eyJvZmZzZXQiOjIwfQ==" : "opaque";
  if (draw_chance(2)) page.before = "m1";
  if (draw_chance(2)) page.after = "m2";
  page.returned = maybe<model::Number>([] { return model::Number{"3"}; });
  return page;
}

[[nodiscard]] inline model::Response draw_response() {
  model::Response response;
  if (draw_chance(8)) response.payload = draw_chance(7) ? draw_object() : draw_value();
  if (response.payload && response.payload->view().is_string() && draw_chance(5)) {
    response.wrapping = model::Wrapping::text;
  }
  if (draw_chance(3)) {
    response.outcome = model::Outcome::failed;
    response.failure = draw_failure();
  } else if (draw_chance(2)) {
    response.outcome = model::Outcome::partial;
  }
  for (int i = draw_below(3); i > 0; --i) {
    response.warnings.push_back({.message = "Careful: " + draw_text()});
    if (!draw_chance(5)) continue;
    response.warnings.back().code = draw_chance(5) ? "STALE_CACHE" : "OWN_CODE";
    response.warnings.back().severity = static_cast<model::Severity>(draw_below(3));
    response.warnings.back().context = maybe<json::Value>([] { return draw_object(1); });
  }
  response.page = maybe<model::Page>([] { return draw_page(); });
  response.rate_limit = maybe<model::RateLimit>([] {
    return model::RateLimit{.limit = model::Number{"100"},
                            .remaining = model::Number{"0"},
                            .reset_at = "2026-01-01T00:00:00Z"};
  });
  response.telemetry = maybe<model::Telemetry>([] {
    return model::Telemetry{.duration_ms = model::Number{draw_chance(5) ? "45" : "27.6"},
                            .cache_hit = maybe<bool>([] { return true; })};
  });
  if (draw_chance(2)) {
    response.reduction =
        model::Reduction{.level = static_cast<model::Fidelity>(1 + draw_below(3)),
                         .dropped_ids = {"finding-003"},
                         .archive = {{"000000000001", "sha256:" + std::string(64, 'a')}}};
  }
  response.tool = {
      .id = draw_chance(7) ? "discord_list_channels" : "security_scan",
      .version = draw_chance(5) ? "3.2.8" : "",
      .tier = maybe<model::Tier>([] { return static_cast<model::Tier>(draw_below(3)); })};
  if (draw_chance(3)) response.tool.capabilities = {"envelope-v1", "deep"};
  if (draw_chance(2)) response.upgrade_hints.push_back({"deep_scan", "pro", "needs a licence"});
  if (draw_chance(5)) response.request_id = "req_0123456789ab";
  if (draw_chance(3) && !response.failure) response.message = "Done " + draw_text();
  response.level = maybe<model::Level>([] { return static_cast<model::Level>(draw_below(3)); });
  return response;
}

/// A document of contract `id` as somebody else might have written it: rendered from a random
/// response, with unknown members and empty ones where the contract is open.
[[nodiscard]] inline json::Value draw_document(contract::Id id) {
  using contract::Id;
  json::Writer writer;
  contract::RenderOptions options;
  options.fallback_request_id = "8b3e5f6c0a2f4ed4a3fb9e0b2f8f8d3a";
  contract::render(id, draw_response(), options, writer);
  const json::Value plain = std::move(writer).finish_value();
  std::vector<json::Change> changes;
  const auto add = [&](const char* pointer, const char* text) {
    if (draw_chance(3)) changes.push_back({pointer, std::nullopt, json::parse_own(text)});
  };
  if (id == Id::response_v2) {
    add("/meta/trace_id", "\"abc\"");
    add("/meta/x-unknown", "{\"a\":null}");
    if (!plain->find("meta")->find("warnings")) add("/meta/warnings", "[]");
    if (const auto telemetry = plain->find("meta")->find("telemetry"))
      add("/meta/telemetry/rows", "7");
  } else {
    add("/x_unknown", "[1.0,{\"b\":null}]");
    add("/other", "1e2");
  }
  if (id == Id::generic) {
    if (!plain->find("pagination")) add("/pagination", "null");
    if (!plain->find("error")) add("/error", "null");
    if (!plain->find("status")) add("/status", "null");
    if (!plain->find("summary")) add("/summary", "\"three of nine\"");
    if (!plain->find("metadata")) add("/metadata", "{\"source\":\"cache\"}");
  }
  return json::apply(plain.view(), changes);
}

}  // namespace enfold::testing
