// SPDX-License-Identifier: Apache-2.0
// The failure that an answer without a contract describes: code, message, details, kind.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <string>

namespace enfold::contract::detail {

struct FailureReading {
  model::Failure failure;  ///< its message is empty if none was found
  /// The members of the data that are not in `failure`; nullopt: none. Set by failure_of_data only.
  std::optional<json::Value> rest;
  std::string reason;  ///< why the failure is of its kind
};

/// Reads the failure that the object at the root of an answer describes; if the root is a list, its
/// first item.
[[nodiscard]] FailureReading failure_of_data(json::View data);

/// Reads an `error` object by itself, such as that of a JSON-RPC response.
[[nodiscard]] FailureReading failure_of_error(json::View error);

/// Reads a text, such as the only block of a result with isError.
[[nodiscard]] FailureReading failure_of_text(std::string text);

/// If the failure has no message, its code becomes the message, else a default sentence.
[[nodiscard]] model::Failure with_message(model::Failure failure);

}  // namespace enfold::contract::detail
