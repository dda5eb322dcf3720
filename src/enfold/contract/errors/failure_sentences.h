// SPDX-License-Identifier: Apache-2.0
// Reads the sentences in which programs name a wrong field or a missing thing.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract::detail {

struct WrongInput {
  std::string field;  ///< empty: the message names no wrong input
  /// What the input violates: required, type, pattern, enum, range, format, or the word that a
  /// validator uses for it; empty: the message does not say.
  std::string constraint;
  std::string pattern;  ///< the regular expression to match; empty: the message has none
  /// The value that was sent; JSON null: none was sent; nullopt: the message does not say.
  std::optional<json::Value> received;
};

struct MissingThing {
  std::string type;  ///< "spec", "file"; may be empty
  std::string id;    ///< empty: the message names no missing thing
};

/// Reads a sentence such as "field 'x' must match ^a$, got 'y'".
[[nodiscard]] WrongInput wrong_input_in(std::string_view message);

/// Reads a sentence such as "Spec not found: x".
[[nodiscard]] MissingThing missing_thing_in(std::string_view message);

/// The constraint (WrongInput) that words such as "is required" name; empty: none.
[[nodiscard]] std::string_view constraint_in(std::string_view text);

}  // namespace enfold::contract::detail
