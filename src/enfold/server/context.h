// SPDX-License-Identifier: Apache-2.0
// What a handler knows about its call and can do besides returning a response: add warnings, pages
// and media, report progress, log, ask the client or its user. Belongs to one call and one thread.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/mcp/types/call.h"
#include "enfold/mcp/types/notifications.h"
#include "enfold/model/response.h"
#include "enfold/server/arguments.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::contract {
class CursorKey;
}  // namespace enfold::contract

namespace enfold::serve {
class Cancellation;
}  // namespace enfold::serve

namespace enfold::server {

/// Where a handler's messages go while it runs. Callable from the thread of the handler.
class Outbox {
 public:
  virtual ~Outbox() = default;
  virtual void progress(mcp::Progress progress) = 0;
  virtual void log(mcp::LogMessage message) = 0;
  virtual void list_changed(mcp::ListKind kind) = 0;
  virtual void resource_updated(std::string uri) = 0;
  /// Sessions over HTTP: ends the stream early; the client reconnects for the answer.
  virtual void close_stream() = 0;
};

// Content blocks for Context::attach(). `data` is Base64.
[[nodiscard]] json::Value image_block(std::string_view data, std::string_view mime_type);
[[nodiscard]] json::Value audio_block(std::string_view data, std::string_view mime_type);
[[nodiscard]] json::Value text_resource_block(std::string_view uri, std::string_view mime_type,
                                              std::string_view text);
[[nodiscard]] json::Value link_block(std::string_view uri, std::string_view name,
                                     std::string_view mime_type = {});

/// What is known about a call before its handler runs.
struct CallFacts {
  std::string tool;
  std::string request_id;
  std::string principal;
  std::string client = "anonymous";
  std::shared_ptr<const mcp::Caller> caller;
  mcp::InputResponses inputs;                  ///< answers to earlier questions (NeedsInput)
  std::optional<json::Value> state;            ///< that NeedsInput stored for the repeated call
  std::optional<model::Tier> tier;             ///< of the service, for tools that need a tier
  model::Level level = model::Level::minimal;  ///< of detail
  std::function<bool(std::string_view flag)> is_enabled;  ///< whether a feature flag is on
  const contract::CursorKey* cursor_key = nullptr;
  const answer::AnswerPlan* plan = nullptr;     ///< of a tool call
  std::function<answer::Duration()> elapsed{};  ///< since the call came; of a tool call
};

class Context {
 public:
  Context(CallFacts facts, std::shared_ptr<serve::Cancellation> cancellation,
          std::shared_ptr<Outbox> outbox);

  [[nodiscard]] const std::string& request_id() const { return facts_.request_id; }
  [[nodiscard]] const std::string& principal() const { return facts_.principal; }
  [[nodiscard]] const std::string& client() const { return facts_.client; }
  [[nodiscard]] model::Level level() const { return facts_.level; }
  [[nodiscard]] std::optional<model::Tier> tier() const { return facts_.tier; }
  [[nodiscard]] bool is_enabled(std::string_view flag) const;
  /// What the client has declared: "sampling", "elicitation", "roots".
  [[nodiscard]] bool client_can(std::string_view capability) const;

  // Beside the payload.
  void warn(std::string_view code, std::string message,
            std::optional<json::Value> context = std::nullopt);
  /// Sets the message of the response. `from`: the lowest level of detail that shows it.
  void say(std::string message, model::Level from = model::Level::minimal) {
    if (facts_.level >= from) additions_.message = std::move(message);
  }
  /// The response contains only a part of what the call requested.
  void mark_partial() { additions_.partial = true; }
  void suggest_upgrade(std::string feature, model::Tier tier, std::string reason);
  /// `returned` of `total` items are in the answer; adds the cursor to the next page.
  void set_page(const PageArguments& asked, std::size_t returned, std::size_t total);
  void set_page(model::Page page) { additions_.page = std::move(page); }
  /// As PageArguments::offset and set_page, but with signed cursors. `list` identifies the list
  /// with its filters; a cursor of another list, tool or principal is refused.
  [[nodiscard]] tl::expected<std::size_t, model::Response> signed_offset(
      const PageArguments& asked, std::string_view list) const;
  void set_signed_page(const PageArguments& asked, std::size_t offset, std::size_t returned,
                       std::size_t total, std::string_view list);

  /// Everything that stands beside the payload: also warnings with a severity of their own, the
  /// state of a rate limit, telemetry, and more members of `meta`.
  [[nodiscard]] answer::ToolContext& additions() { return additions_; }
  /// A content block that travels beside the envelope: an image_block(), for example.
  void attach(json::Value block) { additions_.blocks.push_back(std::move(block)); }

  // While it runs.
  /// True after the client has cancelled the call or its deadline has passed: stop and return.
  [[nodiscard]] bool is_cancelled() const;
  void progress(double done, std::optional<double> total = std::nullopt,
                std::optional<std::string> message = std::nullopt);
  void log(mcp::LogLevel level, std::string_view text);
  void log(mcp::LogLevel level, json::Value data);
  /// For messages that are not about this call: changed lists, updated resources.
  [[nodiscard]] Outbox& outbox() { return *outbox_; }

  // Answers to questions (see NeedsInput).
  /// nullptr: there is no answer under this key.
  [[nodiscard]] const json::Value* input(std::string_view key) const;
  [[nodiscard]] const std::optional<json::Value>& state() const { return facts_.state; }

  [[nodiscard]] const CallFacts& facts() const { return facts_; }

 private:
  CallFacts facts_;
  std::shared_ptr<serve::Cancellation> cancellation_;
  std::shared_ptr<Outbox> outbox_;
  answer::ToolContext additions_;
};

}  // namespace enfold::server
