// SPDX-License-Identifier: Apache-2.0
// How Enfold reports what went wrong with its input: a value, never an exception.
// A tool's failure is data (model::Failure); an Error is ours.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace enfold {

enum class ErrorCode {
  invalid_input,
  unsupported,
  not_found,
  conflict,
  limit_exceeded,
  budget_too_small,
  protocol_violation,
  unauthorized,
  timed_out,
  cancelled,
  unavailable,
  internal,
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

/// How one code leaves the process: the only mapping there is, pinned by a test.
struct ErrorMapping {
  std::string_view name;
  int json_rpc;
  int http_status;
  int exit_code;
};
[[nodiscard]] const ErrorMapping& mapping(ErrorCode code);

}  // namespace enfold
