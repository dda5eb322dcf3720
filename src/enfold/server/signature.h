// SPDX-License-Identifier: Apache-2.0
// Finds the parameters and result of a handler from its type. A handler is a function, or an object
// with one const operator(), with or without noexcept.
#pragma once

#include "enfold/level/fields.h"
#include "enfold/server/answer.h"
#include "enfold/tools/declare/arguments.h"

#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>

namespace enfold::server {

class Context;
template <class Response>
class Reply;

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

template <class P>
inline constexpr bool is_reply = false;
template <class T>
inline constexpr bool is_reply<Reply<T>> = true;

/// Whether a parameter can be the request.
template <class P>
concept RequestParameter =
    !std::is_same_v<std::remove_cvref_t<P>, Context> && !is_reply<std::remove_cvref_t<P>>;

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
template <RequestParameter Q>
struct Parameters<Q> {
  static constexpr bool valid = std::is_convertible_v<const std::remove_cvref_t<Q>&, Q>;
  using Request = std::remove_cvref_t<Q>;
  template <class Function>
  static decltype(auto) call(const Function& function, const Request& asked, Context& /*c*/) {
    return function(asked);
  }
};
template <RequestParameter Q>
struct Parameters<Q, Context&> {
  static constexpr bool valid = std::is_convertible_v<const std::remove_cvref_t<Q>&, Q>;
  using Request = std::remove_cvref_t<Q>;
  template <class Function>
  static decltype(auto) call(const Function& function, const Request& asked, Context& context) {
    return function(asked, context);
  }
};

/// The parameters without a last Reply<T>, which a handler that answers later takes; Replied: the
/// T, or void.
template <class... P>
struct WithoutReply {
  using Type = Parameters<P...>;
  using Replied = void;
};
template <class T>
struct WithoutReply<Reply<T>> {
  using Type = Parameters<>;
  using Replied = T;
};
template <class P, class T>
struct WithoutReply<P, Reply<T>> {
  using Type = Parameters<P>;
  using Replied = T;
};
template <class P, class Q, class T>
struct WithoutReply<P, Q, Reply<T>> {
  using Type = Parameters<P, Q>;
  using Replied = T;
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
  using Taken = typename WithoutReply<P...>::Type;
  using Replied = typename WithoutReply<P...>::Replied;  ///< void: the handler has no Reply
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

/// Request and response of a handler without a fault, and how it is called.
template <class Function>
struct Signature {
  using Traits = FunctionOf<Function>;
  using Request = typename Traits::Taken::Request;
  static constexpr bool is_deferred = !std::is_void_v<typename Traits::Replied>;
  using Response =
      std::conditional_t<is_deferred, typename Traits::Replied,
                         typename ResponseOf<std::remove_cvref_t<typename Traits::Returned>>::Type>;

  static Answer<Response> invoke(const Function& function, const Request& asked, Context& context) {
    return Traits::Taken::call(function, asked, context);
  }
  /// Calls a handler that answers later.
  static void start(const Function& function, const Request& asked, Context& context,
                    Reply<Response> reply) {
    const auto with_reply = [&]<class... P>(P&&... others) {
      function(std::forward<P>(others)..., std::move(reply));
    };
    Traits::Taken::call(with_reply, asked, context);
  }
};

// What is wrong with a handler: report() does not compile (level/faults.h).
template <class At>
struct WithoutObjectFault {
  static constexpr bool report() {
    ENFOLD_REJECT(level::Wrong<At>{},
                  "a handler that is a member function needs its object as the next parameter");
    return false;
  }
};
template <class At>
struct NotConstFault {
  static constexpr bool report() {
    ENFOLD_REJECT(
        level::Wrong<At>{},
        "a handler has one const operator(), because calls may run at the same time: a lambda "
        "cannot be mutable");
    return false;
  }
};
template <class At>
struct NotCallableFault {
  static constexpr bool report() {
    ENFOLD_REJECT(level::Wrong<At>{},
                  "a handler is a function, or an object with one const operator()");
    return false;
  }
};
template <class At>
struct ParametersFault {
  static constexpr bool report() {
    ENFOLD_REJECT(
        level::Wrong<At>{},
        "a handler takes (const Request&, server::Context&), one of them, or nothing; if it "
        "answers later, a server::Reply<Response> by value as its last parameter");
    return false;
  }
};
template <class At>
struct ReplyAndResultFault {
  static constexpr bool report() {
    ENFOLD_REJECT(
        level::Wrong<At>{},
        "a handler that takes a server::Reply returns void: it answers with Reply::finish()");
    return false;
  }
};
template <class At>
struct ConstObjectFault {
  static constexpr bool report() {
    ENFOLD_REJECT(level::Wrong<At>{},
                  "a member function that is not const needs an object that is not const");
    return false;
  }
};

/// The first fault in the declarations of a handler's request and response; NoFault: there is none.
template <class Function>
[[nodiscard]] constexpr auto declarations_fault() {
  using Request = typename Signature<Function>::Request;
  using Response = typename Signature<Function>::Response;
  using Written = level::detail::DeclarationFault<level::detail::Writing, Response,
                                                  level::ResponseOf<Function, Response>>;
  if constexpr (std::is_same_v<Request, json::Value>) {
    return Written{};
  } else {
    using Place = level::RequestOf<Function, Request>;
    return tools::detail::RequestFault<Request, Place>{} | Written{};
  }
}

/// The first thing that is wrong with the handler of a tool; NoFault: nothing. Only the first is
/// reported, because further errors would follow from it.
template <class Function>
[[nodiscard]] constexpr auto handler_fault() {
  if constexpr (std::is_member_function_pointer_v<Function>) {
    return WithoutObjectFault<Function>{};
  } else if constexpr (!FunctionOf<Function>::callable) {
    using Fault = std::conditional_t<requires { &Function::operator(); }, NotConstFault<Function>,
                                     NotCallableFault<Function>>;
    return Fault{};
  } else if constexpr (!FunctionOf<Function>::Taken::valid) {
    return ParametersFault<Function>{};
  } else if constexpr (Signature<Function>::is_deferred &&
                       !std::is_void_v<typename FunctionOf<Function>::Returned>) {
    return ReplyAndResultFault<Function>{};
  } else {
    return declarations_fault<Function>();
  }
}

template <class T>
inline constexpr bool is_object_pointer = std::is_pointer_v<T>;
template <class T>
inline constexpr bool is_object_pointer<std::shared_ptr<T>> = true;

/// The object of a member function as bound() takes it: a pointer or shared_ptr.
template <class Object>
[[nodiscard]] auto object_of(Object&& object) {
  using Held = std::remove_cvref_t<Object>;
  if constexpr (is_object_pointer<Held>) {
    return Held(std::forward<Object>(object));
  } else {
    if constexpr (!std::is_lvalue_reference_v<Object>) {
      ENFOLD_REJECT(level::Wrong<Held>{},
                    "the object of a member function must outlive the server: pass a variable, or "
                    "a std::shared_ptr");
    }
    return std::addressof(static_cast<std::remove_reference_t<Object>&>(object));
  }
}

/// A handler that calls a member function. `object`: a pointer to an object that outlives the
/// handler, or a shared_ptr.
template <class R, class... P, class Method, class Object>
[[nodiscard]] auto bound_with(Method method, Object object) {
  constexpr bool callable = std::is_invocable_v<Method, decltype(*object), P...>;
  if constexpr (!callable) ConstObjectFault<Method>::report();
  return [method, object = std::move(object)](P... parameters) -> R {
    if constexpr (callable) return ((*object).*method)(std::forward<P>(parameters)...);
    std::abort();
  };
}
template <class Object, class Class, class R, class... P>
[[nodiscard]] auto bound(R (Class::*method)(P...), Object object) {
  return bound_with<R, P...>(method, std::move(object));
}
template <class Object, class Class, class R, class... P>
[[nodiscard]] auto bound(R (Class::*method)(P...) const, Object object) {
  return bound_with<R, P...>(method, std::move(object));
}
template <class Object, class Class, class R, class... P>
[[nodiscard]] auto bound(R (Class::*method)(P...) &, Object object) {
  return bound_with<R, P...>(method, std::move(object));
}
template <class Object, class Class, class R, class... P>
[[nodiscard]] auto bound(R (Class::*method)(P...) const&, Object object) {
  return bound_with<R, P...>(method, std::move(object));
}

}  // namespace detail
}  // namespace enfold::server
