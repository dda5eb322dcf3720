// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/context.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/serve/service.h"
#include "enfold/server/detail/page_fit.h"
#include "enfold/server/offers.h"

#include <algorithm>
#include <fmt/core.h>
#include <stdexcept>
#include <utility>

namespace enfold::server {
namespace {

json::Value media_block(std::string_view type, std::string_view data, std::string_view mime_type) {
  json::Writer writer;
  writer.begin_object().member("type", type).member("data", data);
  writer.member("mimeType", mime_type).end_object();
  return std::move(writer).finish_value();
}

// The failure of a call with a wrong cursor. `reason` starts with a code that the contract defines,
// such as bad_signature.
tl::unexpected<model::Response> refuse_cursor(const std::string& cursor, std::string reason) {
  return tl::unexpected(contract::make_failure(
      contract::failures::InvalidCursor{.cursor = cursor, .reason = std::move(reason)}));
}

}  // namespace

json::Value image_block(std::string_view data, std::string_view mime_type) {
  return media_block("image", data, mime_type);
}

json::Value audio_block(std::string_view data, std::string_view mime_type) {
  return media_block("audio", data, mime_type);
}

json::Value text_resource_block(std::string_view uri, std::string_view mime_type,
                                std::string_view text) {
  json::Writer writer;
  writer.begin_object().member("type", "resource").key("resource").begin_object();
  writer.member("uri", uri).member("mimeType", mime_type).member("text", text);
  writer.end_object().end_object();
  return std::move(writer).finish_value();
}

json::Value link_block(std::string_view uri, std::string_view name, std::string_view mime_type) {
  json::Writer writer;
  writer.begin_object().member("type", "resource_link").member("uri", uri).member("name", name);
  if (!mime_type.empty()) writer.member("mimeType", mime_type);
  writer.end_object();
  return std::move(writer).finish_value();
}

Call::Call(CallFacts&& facts, std::shared_ptr<serve::Cancellation> cancellation,
           std::shared_ptr<Outbox> outbox)
    : facts_(std::move(facts)),
      cancellation_(std::move(cancellation)),
      outbox_(std::move(outbox)) {}

bool Call::is_enabled(std::string_view flag) const {
  return facts_.is_enabled && facts_.is_enabled(flag);
}

bool Call::client_can(std::string_view capability) const {
  return facts_.caller != nullptr && facts_.caller->capabilities.has(capability);
}

Offers Call::offers() const { return Offers(facts_.offers); }

void Context::warn(std::string_view code, std::string message, std::optional<json::Value> context) {
  additions_.warnings.push_back(
      contract::make_warning(code, std::move(message), std::move(context)));
  if (facts().kept) facts().kept->add_warnings(additions_.warnings);
}

void Context::say(std::string message, model::Level from) {
  if (level() >= from) additions_.message = std::move(message);
}

void Context::attach(json::Value block) { additions_.blocks.push_back(std::move(block)); }

void Context::suggest_upgrade(std::string feature, model::Tier tier, std::string reason) {
  additions_.upgrade_hints.push_back(
      {std::move(feature), std::string(model::name(tier)), std::move(reason)});
}

void Context::warn(model::Severity severity, std::string_view code, std::string message,
                   std::optional<json::Value> context) {
  additions_.warnings.push_back(
      contract::make_warning(code, std::move(message), std::move(context)));
  additions_.warnings.back().severity = severity;
  if (facts().kept) facts().kept->add_warnings(additions_.warnings);
}

void Context::set_telemetry(std::optional<bool> cache_hit,
                            std::optional<std::int64_t> downstream_calls) {
  if (!additions_.telemetry) additions_.telemetry.emplace();
  if (cache_hit) additions_.telemetry->cache_hit = cache_hit;
  if (downstream_calls) {
    additions_.telemetry->downstream_calls = model::Number::of(*downstream_calls);
  }
}

void Context::add_meta(std::string name, json::Value value) {
  additions_.meta.emplace_back(std::move(name), std::move(value));
}

void detail::refuse_kept() {
  throw std::logic_error(
      "Context::keep: expected the response type of the tool, found another one");
}

tl::expected<PageStart, model::Response> PageAccess::start(const Context& context,
                                                           const PageRequest& asked,
                                                           std::string_view list) {
  const CallFacts& facts = context.facts();
  PageStart start{.size = static_cast<std::size_t>(contract::clamp_page_size(asked.limit))};
  if (!asked.cursor || asked.cursor->empty()) return start;
  const Result<json::Value> position =
      contract::verify_cursor(*asked.cursor, *facts.cursor_key, facts.principal);
  if (!position) return refuse_cursor(*asked.cursor, position.error().message);
  const auto made_for = (*position)->find("list");
  if (!made_for || !made_for->equals(name_of_list(facts.tool, list))) {
    return refuse_cursor(*asked.cursor,
                         "bad_signature: the cursor belongs to another list, or to the same list "
                         "with other arguments");
  }
  start.after = json::string_member(position->view(), "after");
  const auto offset = (*position)->find("offset");
  const auto value = offset ? offset->integer() : std::nullopt;
  if (value && *value > 0) start.offset = static_cast<std::size_t>(*value);
  return start;
}

model::Response PageAccess::bad_key(const PageRequest& asked) {
  return refuse_cursor(asked.cursor.value_or(""),
                       "decode_failed: the key of the row is not one of "
                       "this list")
      .value();
}

std::optional<Error> PageAccess::key_fault(const PageStart& start,
                                           const std::vector<std::optional<std::string>>& keys,
                                           bool begins_before) {
  const auto fault = [&](std::string_view key, std::string_view rule) {
    return Error{ErrorCode::internal, fmt::format("key {}: {}", json::quote(key), rule), {}, {}};
  };
  if (begins_before || (start.after && std::ranges::find(keys, start.after) != keys.end())) {
    return fault(*start.after,
                 "the source did not begin after it; `find` of a keyset must return only rows "
                 "after `after`");
  }
  const std::optional<std::string>* previous = nullptr;
  for (const std::optional<std::string>& key : keys) {
    if (!key || utf8::first_invalid(*key)) {
      return fault(key.value_or(""), "a cursor cannot hold it exactly");
    }
    if (previous != nullptr && key == *previous) {
      return fault(*key, "two rows have it; the key of a keyset must be unique");
    }
    previous = &key;
  }
  return std::nullopt;
}

std::optional<std::string> Call::header(std::string_view name) const {
  for (const auto& [header_name, value] : facts_.headers) {
    if (equals_ignoring_case(header_name, name)) return value;
  }
  return std::nullopt;
}

bool Call::is_cancelled() const { return cancellation_->is_cancelled(); }

bool Call::deadline_passed() const {
  return facts_.kept ? facts_.kept->deadline_passed() : time_left() == std::chrono::milliseconds(0);
}

std::chrono::milliseconds Call::time_left() const {
  constexpr std::chrono::milliseconds without_deadline = std::chrono::hours(24 * 365 * 100);
  if (!facts_.deadline) return without_deadline;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*facts_.deadline - facts_.clock());
  return std::max(left, std::chrono::milliseconds(0));
}

void Call::progress(double done, std::optional<double> total, std::optional<std::string> message) {
  outbox_->progress({done, total, std::move(message)});
}

void Call::log(mcp::LogLevel level, std::string_view text) { log(level, json::string_value(text)); }

void Call::log(mcp::LogLevel level, json::Value data) {
  outbox_->log({level, facts_.tool, std::move(data)});
}

const json::Value* Call::input(std::string_view key) const { return facts_.inputs.find(key); }

const json::Value* Call::answer_to(const mcp::InputRequest& request) const {
  const auto found =
      std::ranges::find(facts_.answers, name_of_question(request), &GivenAnswer::question);
  return found == facts_.answers.end() ? nullptr : &found->result;
}

std::string name_of_question(const mcp::InputRequest& request) {
  constexpr std::size_t digits = 32;  // of the hash: 128 bits
  const std::string text =
      json::quote(request.key) + request.method + json::to_text(request.params.view());
  return sha256_name(text).substr(std::string_view("sha256:").size(), digits);
}

}  // namespace enfold::server
