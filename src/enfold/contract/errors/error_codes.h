// SPDX-License-Identifier: Apache-2.0
// The error vocabulary of every contract, tied together through model::ErrorKind.
// Codes are an open set, types a closed one.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <span>
#include <string_view>

namespace enfold::contract {

enum class Retry { no, after_check, after_delay, with_backoff };

struct TypeTraits {
  model::ErrorType type;
  int http_status;
  Retry retry;
  std::string_view advice;  ///< "fix input", "re-authenticate", …
};
[[nodiscard]] const TypeTraits& traits(model::ErrorType type);

/// What each contract calls one kind of failure when the source gave no code of its own.
struct KindTraits {
  model::ErrorKind kind;
  model::ErrorType type;          ///< response-v2 `error_type`
  std::string_view code;          ///< response-v2 `error_code`
  std::string_view scalpel_code;  ///< one of the twelve of scalpel-v1
  std::string_view category;      ///< memory
  int json_rpc;                   ///< generic, when a number is wanted
};
[[nodiscard]] const KindTraits& traits(model::ErrorKind kind);

struct CodeEntry {
  std::string_view code;
  model::ErrorType type;
  model::ErrorKind kind;
};
/// Every code the registry knows: response-v2, scalpel-v1, JSON-RPC and HTTP numbers as text.
[[nodiscard]] std::span<const CodeEntry> known_codes();
[[nodiscard]] const CodeEntry* find_code(std::string_view code);

/// The kind behind a code. An unknown code takes the type's usual kind, without a type `bug`.
[[nodiscard]] model::ErrorKind kind_of(std::string_view code,
                                       std::optional<model::ErrorType> type = std::nullopt);

/// The type a code has when the caller named none; unknown codes are `internal`.
[[nodiscard]] model::ErrorType type_of(std::string_view code);

/// Reads an `error_type`; `ai_provider` is accepted and means `unavailable`.
[[nodiscard]] std::optional<model::ErrorType> read_type(std::string_view text);

/// Last resort for prose without a code: the first matching phrase decides, else `bug`.
[[nodiscard]] model::ErrorKind guess_kind(std::string_view message);

}  // namespace enfold::contract
