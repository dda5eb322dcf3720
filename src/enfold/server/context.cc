// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/context.h"

#include "enfold/base/hash.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/serve/service.h"

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

using Offset = tl::expected<std::size_t, model::Response>;

// `reason` starts with the code that the contract defines.
tl::unexpected<model::Response> refuse_cursor(const std::string& cursor, std::string reason) {
  return tl::unexpected(contract::make_failure(
      contract::failures::InvalidCursor{.cursor = cursor, .reason = std::move(reason)}));
}

Offset offset_in(const Result<json::Value>& position, const std::string& cursor) {
  if (!position) return refuse_cursor(cursor, position.error().message);
  const auto offset = (*position)->find("offset");
  const auto value = offset ? offset->integer() : std::nullopt;
  if (!value || *value < 0) return refuse_cursor(cursor, "decode_failed: expected an offset");
  return static_cast<std::size_t>(*value);
}

// Identifies a list in a cursor. Short, because a model copies the cursor from call to call.
std::string name_of_list(const std::string& tool, std::string_view list) {
  constexpr std::size_t kPrefix = 7;  // "sha256:"
  return sha256_name(tool + '\n' + std::string(list)).substr(kPrefix, 12);
}

model::Page page_of(const PageArguments& asked, std::size_t offset, std::size_t returned,
                    std::size_t total) {
  const std::size_t next = offset + returned;
  model::Page page{.has_more = next < total && returned > 0,
                   .total = number(total),
                   .page_size = number(asked.size()),
                   .offset = number(offset),
                   .returned = number(returned)};
  if (*page.has_more) page.next_offset = number(next);
  return page;
}

}  // namespace

tl::expected<std::size_t, model::Response> PageArguments::offset() const {
  if (!cursor) return std::size_t{0};
  return offset_in(contract::decode_cursor(*cursor), *cursor);
}

std::size_t PageArguments::size() const {
  return static_cast<std::size_t>(contract::clamp_page_size(limit));
}

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

Context::Context(CallFacts facts, std::shared_ptr<serve::Cancellation> cancellation,
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
  model::Page page = page_of(asked, asked.offset().value_or(0), returned, total);
  if (page.next_offset) page.cursor = contract::encode_offset_cursor(page.next_offset->text);
  additions_.page = std::move(page);
}

tl::expected<std::size_t, model::Response> Context::signed_offset(const PageArguments& asked,
                                                                  std::string_view list) const {
  if (!asked.cursor) return std::size_t{0};
  if (facts_.cursor_key == nullptr) return asked.offset();  // without a key nothing is signed
  const Result<json::Value> position =
      contract::verify_cursor(*asked.cursor, *facts_.cursor_key, facts_.principal);
  if (position) {
    const auto made_for = (*position)->find("list");
    if (!made_for || !made_for->equals(name_of_list(facts_.tool, list))) {
      return refuse_cursor(*asked.cursor, "bad_signature: the cursor belongs to another list");
    }
  }
  return offset_in(position, *asked.cursor);
}

void Context::set_signed_page(const PageArguments& asked, std::size_t offset, std::size_t returned,
                              std::size_t total, std::string_view list) {
  model::Page page = page_of(asked, offset, returned, total);
  if (page.next_offset && facts_.cursor_key != nullptr) {
    json::Writer position;
    position.begin_object().key("offset").number(page.next_offset->text);
    position.member("list", name_of_list(facts_.tool, list)).end_object();
    const json::Value written = std::move(position).finish_value();
    page.cursor = contract::sign_cursor(written.view(), *facts_.cursor_key, facts_.principal);
  }
  additions_.page = std::move(page);
}

bool Context::is_cancelled() const { return cancellation_->is_cancelled(); }

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
