// SPDX-License-Identifier: Apache-2.0
// Answers that come later: a handler whose last parameter is a Reply returns at once; later, any
// thread finishes the reply, exactly once.
//   void quote(const Order& asked, server::Reply<Quote> reply) {
//     broker.ask(asked.id, [reply = std::move(reply)](double price) { reply.finish(Quote{price});
//     });
//   }
#pragma once

#include "enfold/net/callback.h"
#include "enfold/server/answer.h"
#include "enfold/server/context.h"
#include "enfold/tools/declare/arguments.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace enfold::server {

/// An internal error of the tool; its message is only logged.
struct InternalError {
  std::string message;  ///< for the operator
};

/// The handler answers later, through its Reply.
struct Deferred {};

/// The result of calling a handler: a response or a failure, questions to the user, arguments that
/// could not be read (then the handler did not run), an internal error, or that it answers later.
using HandlerResult =
    std::variant<model::Response, NeedsInput, std::vector<tools::Problem>, InternalError, Deferred>;

namespace detail {

/// Arrays and objects inside each other in a response. Clients read 512, of which envelopes, pages
/// and messages have some.
inline constexpr std::uint32_t kMostLevels = 500;

/// The payload: the response at the level of the call.
template <class Response>
[[nodiscard]] json::Output rendered(const Response& response, const Context& context) {
  const level::RenderOptions options{.filter = context.facts().redact};
  json::Writer writer;
  const auto render = [&](const auto& one) {
    level::render(one, context.level(), writer, options);
  };
  if constexpr (level::detail::is_variant<Response>) {
    std::visit(render, response);
  } else {
    render(response);
  }
  return std::move(writer).finish();
}

/// For an answer that is no response: a failure, questions or an error.
[[nodiscard]] HandlerResult result_of(Trouble trouble);
/// An internal error if the payload has more than kMostLevels levels.
[[nodiscard]] HandlerResult result_of(json::Output&& payload);

template <class Response>
[[nodiscard]] HandlerResult result_of(Answer<Response>& answer, const Context& context) {
  if (Trouble* trouble = answer.trouble()) return result_of(std::move(*trouble));
  return result_of(rendered(*answer.response(), context));
}

/// The call that a Reply answers; its destructor fails a call that has no answer. May outlive
/// the client, the session and the server.
class PendingReply {
 public:
  /// Returns the rendered answer. Called on a worker of the server.
  using Finish = net::Callback<HandlerResult(Context& context)>;
  virtual ~PendingReply() = default;
  [[nodiscard]] virtual Context& context() = 0;
  /// Answers the call. False: the answer is dropped, because the call needs none any more. May be
  /// called from any thread.
  virtual bool finish(Finish finish) = 0;
};

}  // namespace detail

/// The answer that a call still needs; copies are the same reply. When the last copy is destroyed
/// without an answer, the call fails. Everything here stays safe when the client, its session or
/// the server has gone; no answer is sent then.
template <class Response>
class Reply {
 public:
  explicit Reply(std::shared_ptr<detail::PendingReply> pending) : pending_(std::move(pending)) {}

  /// Answers the call with a response, a failure, an error or questions. False: this answer is
  /// dropped, because the call was answered before, its deadline has passed, or its client has
  /// cancelled it or gone.
  bool finish(Answer<Response> answer) const {
    return pending_ && pending_->finish([answer = std::move(answer)](Context& context) mutable {
      return detail::result_of(answer, context);
    });
  }

  /// The context of the handler; valid as long as the reply. One thread at a time uses it. What it
  /// adds after finish() has no effect. Context::stop_token() tells when to stop.
  [[nodiscard]] Context& context() const { return pending_->context(); }

 private:
  /// nullptr after a move: then finish() returns false, and context() must not be called.
  std::shared_ptr<detail::PendingReply> pending_;
};

}  // namespace enfold::server
