// SPDX-License-Identifier: Apache-2.0
// What a handler knows about its call and can do besides returning a response: add warnings, pages
// and media, report progress, log, ask the client or its user.
//
// Threads: a quick tool runs on the serving thread, a slow() one on a worker, and its context
// belongs to that thread until the handler returns. Other threads, which the handler may start,
// must not use it, except is_cancelled(), deadline_passed(), time_left() and stop_token(): any
// thread may call these while the handler runs. The context of a handler that answers later belongs
// to the thread that holds the Reply, until its finish().
#pragma once

#include "enfold/answer/tool_context.h"
#include "enfold/level/render.h"
#include "enfold/mcp/types/call.h"
#include "enfold/mcp/types/notifications.h"
#include "enfold/model/response.h"
#include "enfold/server/answer.h"
#include "enfold/server/elicit.h"
#include "enfold/server/page.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
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

class Offers;
namespace detail {
class OfferState;
}  // namespace detail

/// Sends a handler's messages to clients while it runs. Called on the thread of the handler.
class Outbox {
 public:
  virtual ~Outbox() = default;
  virtual void progress(mcp::Progress progress) = 0;  ///< see Call::progress()
  virtual void log(mcp::LogMessage message) = 0;      ///< see Call::log()
  /// Sessions over HTTP: ends the stream before the answer; the client reconnects to get the
  /// answer. Elsewhere: no effect.
  virtual void close_stream() = 0;
  virtual void start_task() {}  ///< see Call::start_task()
};

/// A content block for Context::attach(). `data` is Base64.
[[nodiscard]] json::Value image_block(std::string_view data, std::string_view mime_type);
/// A content block for Context::attach(). `data` is Base64.
[[nodiscard]] json::Value audio_block(std::string_view data, std::string_view mime_type);
/// A content block for Context::attach() that contains a resource with its text.
[[nodiscard]] json::Value text_resource_block(std::string_view uri, std::string_view mime_type,
                                              std::string_view text);
/// A content block for Context::attach() that names a resource, which the client may read.
[[nodiscard]] json::Value link_block(std::string_view uri, std::string_view name,
                                     std::string_view mime_type = {});

namespace detail {
class PendingReply;
}  // namespace detail

/// What Context::keep stored last. Shared with the serving thread.
class KeptAnswer;

/// The client's answer to a question that a run of this handler has asked.
struct GivenAnswer {
  std::string key;       ///< InputRequest::key
  std::string question;  ///< name_of_question() of the request
  json::Value result;    ///< that the client sent
};
/// A hash of the key and the content of a question.
[[nodiscard]] std::string name_of_question(const mcp::InputRequest& request);

/// What is known about a call before its handler runs.
struct CallFacts {
  std::string tool;        ///< the name of the tool or prompt, or the URI of the resource
  std::string request_id;  ///< in the log, and in the envelope or `_meta`: req_5f0c2a9e17bb
  std::string principal;   ///< who calls: the owner of the key, or Settings::principal
  std::string client = "anonymous";           ///< the name that the client gave; not verified
  std::string client_version;                 ///< empty: the client gave none
  std::shared_ptr<const mcp::Caller> caller;  ///< era, capabilities …; nullptr: not known
  std::string traceparent;                    ///< W3C trace context, unchecked
  std::string tracestate;                     ///< W3C trace context, unchecked
  std::vector<std::pair<std::string, std::string>> headers;  ///< HTTP, named by Settings::headers
  mcp::InputResponses inputs;                  ///< all that the client has sent, for Call::input
  std::vector<GivenAnswer> answers;            ///< to what was asked, for Call::elicit
  std::optional<json::Value> state;            ///< NeedsInput::state; nullopt: none was set
  std::optional<model::Tier> tier;             ///< of the service; nullopt: community
  model::Level level = model::Level::minimal;  ///< of the answer: how much it shows
  std::function<bool(std::string_view flag)> is_enabled;  ///< whether a feature flag is on
  const contract::CursorKey* cursor_key = nullptr;        ///< signs the cursors of pages
  std::optional<std::chrono::microseconds> deadline;      ///< on `clock`; nullopt: none
  std::function<std::chrono::microseconds()> clock{};     ///< monotonic; callable from any thread
  level::TextFilter redact{};  ///< replaces secrets before previews are cut; empty: no redaction
  std::shared_ptr<detail::OfferState> offers;  ///< for Call::offers()
  std::shared_ptr<KeptAnswer> kept;            ///< where Context::keep stores; nullptr: nowhere
  std::stop_token stop{};  ///< of a call with a deadline; else never asks to stop
  std::weak_ptr<detail::PendingReply> reply{};  ///< empty: the handler answers by returning
};

/// The call that a handler answers: who calls, how much time is left, and messages while it runs.
class Call {
 public:
  Call(CallFacts&& facts, std::shared_ptr<serve::Cancellation> cancellation,
       std::shared_ptr<Outbox> outbox);

  /// Everything that is known about the call; the functions below return parts of it.
  [[nodiscard]] const CallFacts& facts() const { return facts_; }
  /// The id of this call in the log and in the answer.
  [[nodiscard]] const std::string& request_id() const { return facts_.request_id; }
  /// Who calls: what Server::identify returned for the key of the request, or
  /// Settings::principal. Data of one principal is not shown to another.
  [[nodiscard]] const std::string& principal() const { return facts_.principal; }
  /// The name that the client gave, such as "claude-code"; it is not verified.
  [[nodiscard]] const std::string& client() const { return facts_.client; }
  /// The level of the answer. Return everything: fields() leaves out what the level does not show.
  /// Ask for the level to save work on fields that only a higher one shows.
  [[nodiscard]] model::Level level() const { return facts_.level; }
  /// A header of the HTTP request, in any letter case; nullopt: it has none, the call came over
  /// stdio, or Settings::headers does not name it.
  [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
  /// Whether the feature flag of this name (Settings::flags) is on for this client.
  [[nodiscard]] bool is_enabled(std::string_view flag) const;
  /// Whether the client declared a capability: "sampling", "elicitation", "roots".
  [[nodiscard]] bool client_can(std::string_view capability) const;

  /// The client has withdrawn the call or has gone: no client reads the answer.
  [[nodiscard]] bool is_cancelled() const;
  /// The time of the tool is over: Enfold has answered the client, with what was kept or a failure.
  /// What the handler does or returns from now on is not part of the answer.
  [[nodiscard]] bool deadline_passed() const;
  /// Cancelled or too late: stop and return.
  [[nodiscard]] bool should_stop() const { return is_cancelled() || deadline_passed(); }
  /// The standard's form of should_stop(), for std::stop_callback and waits. Callbacks run on the
  /// serving thread and must return at once. Of a tool without a deadline it never asks to stop.
  [[nodiscard]] const std::stop_token& stop_token() const { return facts_.stop; }
  /// The time until the deadline; never negative. Without a deadline, a hundred years, which can be
  /// added to the time of any clock. A handler that returns before deadline_passed() is answered
  /// with what it returns, even if no time is left.
  [[nodiscard]] std::chrono::milliseconds time_left() const;

  /// Tells the client how far the call is: `done` of `total`, in any unit. `done` must increase.
  /// Clients that did not ask for progress get none.
  void progress(double done, std::optional<double> total = std::nullopt,
                std::optional<std::string> message = std::nullopt);
  /// A log message for the client, which is not part of the answer. The client chooses the lowest
  /// level that it gets.
  void log(mcp::LogLevel level, std::string_view text);
  void log(mcp::LogLevel level, json::Value data);
  /// Of a task() tool that does not start at once: from now on the call is a task, if the client
  /// accepts tasks.
  void start_task() { outbox_->start_task(); }
  /// Where progress() and log() send; for messages that they cannot express.
  [[nodiscard]] Outbox& outbox() { return *outbox_; }
  /// To add and remove tools, resources and prompts, and to tell clients of updated resources. A
  /// handler must not keep a copy in what it captures, because the copy would keep the handler.
  [[nodiscard]] Offers offers() const;

  // Questions to the user's side (see NeedsInput).
  /// Asks the user to fill in a form, whose fields are texts, numbers, booleans and enums:
  ///   const auto address = context.elicit<Address>("Where shall we send it?");
  ///   if (!address.is_answered()) return address.question();
  /// Earlier answers are kept, so a handler may ask one question after the other. An answer counts
  /// only for a question with the same key, message and form.
  template <class Form>
  [[nodiscard]] Elicited<Form> elicit(std::string_view message, std::string key = "form") const;
  /// The last answer under this key; nullptr: there is none. A stateless client may send one
  /// without a question; check state(), or use elicit(), where that matters.
  [[nodiscard]] const json::Value* input(std::string_view key) const;
  /// NeedsInput::state of the call that asked; nullopt: the call was not repeated.
  [[nodiscard]] const std::optional<json::Value>& state() const { return facts_.state; }

 private:
  /// nullptr: this question was not asked, or the client has not answered it.
  [[nodiscard]] const json::Value* answer_to(const mcp::InputRequest& request) const;

  CallFacts facts_;
  std::shared_ptr<serve::Cancellation> cancellation_;
  std::shared_ptr<Outbox> outbox_;
};

/// The call, and what goes into its answer beside the response.
class Context : public Call {
 public:
  using Call::Call;

  /// The severity is that of the code in the contract, or `warning`.
  void warn(std::string_view code, std::string message,
            std::optional<json::Value> context = std::nullopt);
  void warn(model::Severity severity, std::string_view code, std::string message,
            std::optional<json::Value> context = std::nullopt);
  /// A sentence for the reader; replaces the one before. `from`: the lowest level that shows it.
  void say(std::string message, model::Level from = model::Level::minimal);
  /// The response contains only a part of what the call requested.
  void mark_partial() { additions_.partial = true; }
  /// Tells the caller that a higher tier has `feature`, and why that would help here.
  void suggest_upgrade(std::string feature, model::Tier tier, std::string reason);
  /// For `telemetry`: whether the answer came from a cache, and how many other systems were called.
  void set_telemetry(std::optional<bool> cache_hit, std::optional<std::int64_t> downstream_calls);
  /// Another member of `meta` in response-v2; those that the contract names are not replaced.
  void add_meta(std::string name, json::Value value);
  /// A content block that travels beside the envelope: an image_block(), for example.
  void attach(json::Value block);
  /// All of the above as a struct, and more: the state of a rate limit, a page with its own cursor.
  [[nodiscard]] answer::ToolContext& additions() { return additions_; }

  // Pages (page.h).
  /// One page for a request that derives from PageRequest. `source` is a function of the position
  /// of the first row and the number of rows (one more than on the page, to know whether others
  /// follow), or a keyset(); it returns a vector, a Page, or a Result of these.
  template <class Request, class Source>
  [[nodiscard]] auto page(const Request& asked, Source source);
  /// For a response of your own: `source` returns it, with the rows in the member `rows` and, if
  /// you name one, the size of the whole list in `total`.
  template <class Request, class Source, class Response, class Row, class Total = std::size_t>
  [[nodiscard]] Answer<Response> page(const Request& asked, Source source,
                                      std::vector<Row> Response::* rows,
                                      Total Response::* total = nullptr);

  /// What to answer if the deadline passes before the handler returns, marked as partial; replaces
  /// what was kept before. The answer also has the warnings that come later. No effect in a tool
  /// without a deadline, which is neither slow() nor has a Reply. `Response` is that of the tool,
  /// or one alternative of it; another type throws std::logic_error, so that the call fails.
  template <class Response>
  void keep(const Response& response);

 private:
  friend struct PageAccess;
  answer::ToolContext additions_;
  std::optional<PageDraft> draft_;  ///< of page(), to be fitted to the budget; nullopt: no page
  /// Whether the type with this type_tag is the response type of the tool, or one alternative of
  /// it; nullptr: the type is not known, and keep() takes any.
  bool (*is_response_)(const void* type) = nullptr;
};

}  // namespace enfold::server

#include "enfold/server/context_page.h"
