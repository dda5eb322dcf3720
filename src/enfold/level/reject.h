// SPDX-License-Identifier: Apache-2.0
// Compiler errors about a declaration that cannot work. The first line of such an error says what
// is expected and names what is wrong: a member, a struct, or the type of a tool's handler. What
// is known at run time only, such as the name of a tool, the compiler cannot say.
#pragma once

#include <cstddef>

namespace enfold::level {

/// A member as compiler errors name it, and the type of its value. `named` is nullptr if the
/// declaration does not name the member by a template argument.
template <class Struct, auto named, class Type>
struct Member;

/// What the handler of a tool takes or returns, as compiler errors name it.
template <class Handler, class Type>
struct RequestOf;
template <class Handler, class Type>
struct ResponseOf;

/// What is wrong: a Member, a struct, a handler. Converts to false.
template <class At>
struct Wrong {
  constexpr operator bool() const { return false; }  // NOLINT(google-explicit-constructor)
};

/// A text as a template argument.
template <std::size_t size>
struct Sentence {
  char text[size]{};
  consteval Sentence(const char (&from)[size]) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < size; ++i) text[i] = from[i];
  }
};
/// Has no definition, so g++ names it with its arguments.
template <class At, Sentence expected>
struct Expected;

}  // namespace enfold::level

// ENFOLD_REJECT(level::Wrong<At>{}, "what is expected") does not compile where it is instantiated;
// `At` depends on a template parameter. Of a static_assert, clang shows condition and text, g++ the
// text alone. Of a template argument, g++ shows the whole text, clang its first 32 characters.
#ifdef __clang__
#define ENFOLD_REJECT(wrong, expected) static_assert(wrong, expected)
#else
#define ENFOLD_REJECT(wrong, expected) \
  static_assert(::enfold::level::Expected<decltype(wrong), expected>::is_met, expected)
#endif
