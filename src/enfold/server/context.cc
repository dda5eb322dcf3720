// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/context.h"

#include "enfold/contract/cursor.h"
#include "enfold/contract/failures.h"
#include "enfold/contract/warning_codes.h"

#include <utility>

namespace enfold::server {
namespace {

model::Number number(std::size_t value) {
  return model::Number::of(static_cast<std::int64_t>(value));
}

json::Value media_block(std::string_view type, std::string_view data, std::string_view mime_type) {
  json::Writer writer;
  writer.begin_object().member("type", type).member("data", data);
  writer.member("mimeType", mime_type).end_object();
  return std::move(writer).finish_value();
}

}  // namespace

tl::expected<std::size_t, model::Response> PageArguments::offset() const {
  if (!cursor) return std::size_t{0};
  const auto refuse = [&](std::string reason) {
    return tl::unexpected(contract::make_failure(
        contract::failures::InvalidCursor{.cursor = *cursor, .reason = std::move(reason)}));
  };
  const Result<json::Value> position = contract::decode_cursor(*cursor);
  if (!position) return refuse(position.error().message);
  const auto offset = (*position)->find("offset");
  const auto value = offset ? offset->integer() : std::nullopt;
  if (!value || *value < 0) return refuse("decode_failed: expected an offset");
  return static_cast<std::size_t>(*value);
}

std::size_t PageArguments::size() const {
  return static_cast<std::size_t>(contract::clamp_page_size(limit));
}

Context::Context(CallFacts facts, std::shared_ptr<Cancellation> cancellation,
                 std::shared_ptr<Outbox> outbox)
    : facts_(std::move(facts)),
      cancellation_(std::move(cancellation)),
      outbox_(std::move(outbox)) {}

bool Context::is_enabled(std::string_view flag) const {
  return facts_.is_enabled && facts_.is_enabled(flag);
}

bool Context::client_can(std::string_view capability) const {
  return facts_.caller != nullptr && facts_.caller->capabilities.has(capability);
}

void Context::warn(std::string_view code, std::string message, std::optional<json::Value> context) {
  additions_.warnings.push_back(
      contract::make_warning(code, std::move(message), std::move(context)));
}

void Context::suggest_upgrade(std::string feature, model::Tier tier, std::string reason) {
  additions_.upgrade_hints.push_back(
      {std::move(feature), std::string(model::name(tier)), std::move(reason)});
}

void Context::set_page(const PageArguments& asked, std::size_t returned, std::size_t total) {
  const std::size_t offset = asked.offset().value_or(0);
  const std::size_t next = offset + returned;
  model::Page page{.has_more = next < total && returned > 0,
                   .total = number(total),
                   .page_size = number(asked.size()),
                   .offset = number(offset),
                   .returned = number(returned)};
  if (*page.has_more) {
    page.next_offset = number(next);
    page.cursor = contract::encode_offset_cursor(std::to_string(next));
  }
  additions_.page = std::move(page);
}

void Context::attach_image(std::string_view data, std::string_view mime_type) {
  attach(media_block("image", data, mime_type));
}

void Context::attach_audio(std::string_view data, std::string_view mime_type) {
  attach(media_block("audio", data, mime_type));
}

void Context::attach_text_resource(std::string_view uri, std::string_view mime_type,
                                   std::string_view text) {
  json::Writer writer;
  writer.begin_object().member("type", "resource").key("resource").begin_object();
  writer.member("uri", uri).member("mimeType", mime_type).member("text", text);
  writer.end_object().end_object();
  attach(std::move(writer).finish_value());
}

void Context::attach_link(std::string_view uri, std::string_view name, std::string_view mime_type) {
  json::Writer writer;
  writer.begin_object().member("type", "resource_link").member("uri", uri).member("name", name);
  if (!mime_type.empty()) writer.member("mimeType", mime_type);
  writer.end_object();
  attach(std::move(writer).finish_value());
}

void Context::progress(double done, std::optional<double> total,
                       std::optional<std::string> message) {
  outbox_->progress({done, total, std::move(message)});
}

void Context::log(mcp::LogLevel level, std::string_view text) {
  log(level, json::string_value(text));
}

void Context::log(mcp::LogLevel level, json::Value data) {
  outbox_->log({level, facts_.tool, std::move(data)});
}

const json::Value* Context::input(std::string_view key) const { return facts_.inputs.find(key); }

}  // namespace enfold::server
