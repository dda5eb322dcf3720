// SPDX-License-Identifier: Apache-2.0
// How Enfold reports errors in its input: as values, never as exceptions.
// A tool's failure is data (model::Failure); an Error is Enfold's report about its own input.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace enfold {

enum class ErrorCode {
  invalid_input,
  unsupported,
  not_found,
  conflict,
  limit_exceeded,      ///< of Limits or another fixed bound
  budget_too_small,    ///< of tokens, characters or lines: not even a reference fits
  protocol_violation,  ///< by the other side of a connection
  unauthorized,
  timed_out,
  cancelled,
  unavailable,  ///< a server, file or store that should answer does not
  internal,     ///< a failure of Enfold or of the system, not of the input
};

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;  ///< what was expected and what was found
  std::string where;    ///< "line 3, column 7 (byte 41)", a JSON Pointer, a file; may be empty
  std::string hint;     ///< what to do about it; may be empty

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string where = {}, std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(where), std::move(hint)});
}

/// What a code becomes in JSON-RPC, in HTTP and as exit code of the program; pinned by a test.
struct ErrorMapping {
  std::string_view name;
  int json_rpc;
  int http_status;
  int exit_code;
};
[[nodiscard]] const ErrorMapping& mapping(ErrorCode code);

}  // namespace enfold
// NOLINTBEGIN(bugprone-macro-parentheses): declarations and names cannot stand in parentheses.
#define ENFOLD_JOIN_(a, b) a##b
#define ENFOLD_JOIN(a, b) ENFOLD_JOIN_(a, b)
#define ENFOLD_TRY_STATUS_(expression)                                                            \
  do {                                                                                            \
    if (auto status_ = (expression); !status_) return tl::unexpected(std::move(status_).error()); \
  } while (false)
#define ENFOLD_TRY_VALUE_(result, declaration, expression)       \
  auto result = (expression);                                    \
  if (!result) return tl::unexpected(std::move(result).error()); \
  declaration = *std::move(result)
#define ENFOLD_TRY_VALUE(declaration, expression) \
  ENFOLD_TRY_VALUE_(ENFOLD_JOIN(enfold_try_, __LINE__), declaration, expression)
// Expands to its third argument, which is the name of the macro for the number of arguments that
// ENFOLD_TRY got: ENFOLD_TRY_VALUE for two, ENFOLD_TRY_STATUS_ for one.
#define ENFOLD_TRY_CHOOSE(one, two, name, ...) name
// NOLINTEND(bugprone-macro-parentheses)
/// Returns the error of a Result from the function that uses the macro, or goes on with its value:
///   ENFOLD_TRY(const json::Value value, read(text));
///   ENFOLD_TRY(check(value));
#define ENFOLD_TRY(...) \
  ENFOLD_TRY_CHOOSE(__VA_ARGS__, ENFOLD_TRY_VALUE, ENFOLD_TRY_STATUS_, )(__VA_ARGS__)
