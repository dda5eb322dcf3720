// SPDX-License-Identifier: Apache-2.0
// Compiler errors about a declaration that cannot work. The first line of such an error says what
// is expected and names what is wrong: a member, a struct, or the type of a tool's handler. It does
// not name what is known only at run time, such as the name of a tool.
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

/// Names what is wrong: `At` is a Member, a struct or a handler. Converts to false.
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
/// Has no definition, so that g++ shows it with its arguments in the error.
template <class At, Sentence expected>
struct Expected;

}  // namespace enfold::level

// ENFOLD_REJECT(level::Wrong<At>{}, "what is expected") does not compile where it is instantiated;
// `At` must depend on a template parameter. There are two forms, because clang shows the condition
// and the text of a static_assert, g++ only the text; g++ shows the whole text of a template
// argument, clang only its first 32 characters.
#ifdef __clang__
#define ENFOLD_REJECT(wrong, expected) static_assert(wrong, expected)
#else
#define ENFOLD_REJECT(wrong, expected) \
  static_assert(::enfold::level::Expected<decltype(wrong), expected>::is_met, expected)
#endif
