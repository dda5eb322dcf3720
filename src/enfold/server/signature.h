// SPDX-License-Identifier: Apache-2.0
// What a handler takes and returns, found from its type: a function, or an object with one const
// operator(), with or without noexcept.
#pragma once

#include "enfold/level/fields.h"
#include "enfold/server/answer.h"
#include "enfold/tools/declare/arguments.h"

#include <memory>
#include <type_traits>
#include <utility>

namespace enfold::server {

class Context;

namespace detail {

/// The response type of a handler that returns a T, a Result<T> or an Answer<T>.
template <class T>
struct ResponseOf {
  using Type = T;
};
template <class T>
struct ResponseOf<Result<T>> {
  using Type = T;
};
template <class T>
struct ResponseOf<Answer<T>> {
  using Type = T;
};

/// The parameters of a handler: a request, a context, both in this order, or none.
template <class... P>
struct Parameters {
  static constexpr bool valid = false;
};
template <>
struct Parameters<> {
  static constexpr bool valid = true;
  using Request = tools::NoArguments;
  template <class Function>
  static decltype(auto) call(const Function& function, const Request& /*asked*/, Context& /*c*/) {
    return function();
  }
};
template <>
struct Parameters<Context&> {
  static constexpr bool valid = true;
  using Request = tools::NoArguments;
  template <class Function>
  static decltype(auto) call(const Function& function, const Request& /*asked*/, Context& context) {
    return function(context);
  }
};
template <class Q>
  requires(!std::is_same_v<std::remove_cvref_t<Q>, Context>)
struct Parameters<Q> {
  static constexpr bool valid = std::is_convertible_v<const std::remove_cvref_t<Q>&, Q>;
  using Request = std::remove_cvref_t<Q>;
  template <class Function>
  static decltype(auto) call(const Function& function, const Request& asked, Context& /*c*/) {
    return function(asked);
  }
};
template <class Q>
  requires(!std::is_same_v<std::remove_cvref_t<Q>, Context>)
struct Parameters<Q, Context&> {
  static constexpr bool valid = std::is_convertible_v<const std::remove_cvref_t<Q>&, Q>;
  using Request = std::remove_cvref_t<Q>;
  template <class Function>
  static decltype(auto) call(const Function& function, const Request& asked, Context& context) {
    return function(asked, context);
  }
};

/// What F takes and returns. A type with no operator(), or with several, cannot be a handler.
template <class F>
struct FunctionOf {
  static constexpr bool callable = false;
};
template <class R, class... P>
struct FunctionOf<R (*)(P...)> {
  static constexpr bool callable = true;
  using Returned = R;
  using Taken = Parameters<P...>;
};
template <class R, class... P>
struct FunctionOf<R (*)(P...) noexcept> : FunctionOf<R (*)(P...)> {};
template <class C, class R, class... P>
struct FunctionOf<R (C::*)(P...) const> : FunctionOf<R (*)(P...)> {};
template <class C, class R, class... P>
struct FunctionOf<R (C::*)(P...) const noexcept> : FunctionOf<R (*)(P...)> {};
template <class F>
  requires requires { &F::operator(); }
struct FunctionOf<F> : FunctionOf<decltype(&F::operator())> {};

template <class Function>
struct Signature {
  using Traits = FunctionOf<Function>;
  using Request = typename Traits::Taken::Request;
  using Response = typename ResponseOf<std::remove_cvref_t<typename Traits::Returned>>::Type;

  static Answer<Response> invoke(const Function& function, const Request& asked, Context& context) {
    return Traits::Taken::call(function, asked, context);
  }
};

/// The first thing that is wrong with a handler. Server::tool has a message for each; one is
/// enough, because further errors would follow from the first.
enum class HandlerFault { none, not_callable, parameters };

template <class Function>
[[nodiscard]] constexpr HandlerFault fault_of() {
  if constexpr (!FunctionOf<Function>::callable) {
    return HandlerFault::not_callable;
  } else {
    return FunctionOf<Function>::Taken::valid ? HandlerFault::none : HandlerFault::parameters;
  }
}

/// The first fault in the declarations of a handler's request and response.
template <class Function>
[[nodiscard]] constexpr auto declarations_fault() {
  using Request = typename Signature<Function>::Request;
  using Response = level::detail::DeclarationFault<level::detail::Writing,
                                                   typename Signature<Function>::Response>;
  if constexpr (std::is_same_v<Request, json::Value>) {
    return Response{};
  } else {
    return tools::detail::RequestFault<Request>{} | Response{};
  }
}

/// Calls a member function of an object that the handler keeps, or that outlives it.
template <class Object, class Class, class R, class... P>
[[nodiscard]] auto bound(R (Class::*method)(P...), Object object) {
  return [method, object = std::move(object)](P... parameters) -> R {
    return ((*object).*method)(std::forward<P>(parameters)...);
  };
}
template <class Object, class Class, class R, class... P>
[[nodiscard]] auto bound(R (Class::*method)(P...) const, Object object) {
  return [method, object = std::move(object)](P... parameters) -> R {
    return ((*object).*method)(std::forward<P>(parameters)...);
  };
}

}  // namespace detail
}  // namespace enfold::server
