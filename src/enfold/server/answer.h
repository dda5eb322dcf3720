// SPDX-License-Identifier: Apache-2.0
// What a handler may return: a response with declared fields, a failure, or questions to the client
// or its user. Raw JSON does not compile.
#pragma once

#include "enfold/base/result.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/level/fields.h"
#include "enfold/mcp/types/result.h"
#include "enfold/model/response.h"

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace enfold::server {

namespace failures = contract::failures;

/// Asks the client or its user. After the answers Enfold calls the handler again, from its
/// beginning: Context::input() then finds the answers by key, and Context::state() returns `state`.
/// `state` is signed in between: a call whose client has altered it is refused. Works in both eras.
struct NeedsInput {
  std::vector<mcp::InputRequest> requests;  ///< all of them are asked at once
  std::optional<json::Value> state{};       ///< nullopt: none
};

/// Every result of a handler that is not a response: an error, a failure (as model::Response), or
/// questions.
using Trouble = std::variant<Error, model::Response, NeedsInput>;

/// What a handler returns while its question to the user has no valid answer (Elicited::question).
struct Question {
  Trouble trouble;  ///< the question, or the failure of an answer that does not fit the form
};

namespace detail {

/// Whether T is an alternative of the variant.
template <class T, class Variant>
inline constexpr bool is_one_of = false;
template <class T, class... All>
inline constexpr bool is_one_of<T, std::variant<All...>> = (std::is_same_v<T, All> || ...);

}  // namespace detail

/// A response or trouble. Handlers return what converts to it.
template <class Response>
class Answer {
 public:
  using Type = Response;  ///< what the handler returns in a success

  Answer(Response response) : held_(std::move(response)) {}
  /// One alternative, if Response is a variant.
  template <class T>
    requires(detail::is_one_of<T, Response>)
  Answer(T response) : held_(Response(std::move(response))) {}
  Answer(model::Response failed) : held_(std::in_place_type<Trouble>, std::move(failed)) {}
  /// failures::NotFound{"Book", id} and the like.
  template <class Cause>
    requires(detail::is_one_of<Cause, failures::General>)
  Answer(Cause cause)
      : held_(std::in_place_type<Trouble>, contract::make_failure(std::move(cause))) {}
  explicit Answer(Trouble trouble) : held_(std::in_place_type<Trouble>, std::move(trouble)) {}
  Answer(NeedsInput needs) : held_(std::in_place_type<Trouble>, std::move(needs)) {}
  Answer(Question question) : held_(std::in_place_type<Trouble>, std::move(question.trouble)) {}
  Answer(tl::unexpected<Error> error)
      : held_(std::in_place_type<Trouble>, std::move(error.value())) {}
  Answer(tl::unexpected<model::Response> failed)
      : held_(std::in_place_type<Trouble>, std::move(failed.value())) {}
  Answer(Result<Response> result)
      : held_(result ? Held(std::move(*result))
                     : Held(std::in_place_type<Trouble>, std::move(result.error()))) {}

  /// The answer of one alternative, if Response is a variant.
  template <class T>
    requires(detail::is_one_of<T, Response>)
  Answer(Answer<T> other)
      : held_(other.trouble() ? Held(std::in_place_type<Trouble>, std::move(*other.trouble()))
                              : Held(Response(std::move(*other.response())))) {}

  /// nullptr: the answer is trouble().
  [[nodiscard]] Response* response() { return std::get_if<Response>(&held_); }
  [[nodiscard]] const Response* response() const { return std::get_if<Response>(&held_); }
  /// nullptr: the answer is response().
  [[nodiscard]] Trouble* trouble() { return std::get_if<Trouble>(&held_); }

 private:
  using Held = std::variant<Trouble, Response>;
  Held held_;
};

/// An answer that is text. With contract `none` it is a text block, without output schema.
struct Text {
  std::string text;  ///< UTF-8
  static constexpr auto fields() { return level::fields<&Text::text>(); }
};

/// An answer that has only the content blocks of Context::attach().
struct BlocksOnly {
  static constexpr auto fields() { return level::fields(); }
};

}  // namespace enfold::server
