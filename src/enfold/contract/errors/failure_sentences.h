// SPDX-License-Identifier: Apache-2.0
// The words in which programs name a wrong field or a missing thing.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract::detail {

struct WrongInput {
  std::string field;
  std::string constraint;  ///< required, type, pattern, enum, range, format or its own
  std::string pattern;
  std::optional<json::Value> received;  ///< null: nothing
};

struct MissingThing {
  std::string type;
  std::string id;
};

/// Of a sentence such as "field 'x' must match ^a$, got 'y'"; without a field: it names none.
[[nodiscard]] WrongInput wrong_input_in(std::string_view message);

/// Of a sentence such as "Spec not found: x"; without an id: it names none.
[[nodiscard]] MissingThing missing_thing_in(std::string_view message);

/// The constraint that words such as "is required" name; empty: none.
[[nodiscard]] std::string_view constraint_in(std::string_view text);

}  // namespace enfold::contract::detail
