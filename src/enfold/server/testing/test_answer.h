// SPDX-License-Identifier: Apache-2.0
// How a Tester reads what the server sent.
#pragma once

#include "enfold/server/testing.h"

namespace enfold::server::detail {

/// The value at a JSON Pointer; nullopt: there is none.
[[nodiscard]] std::optional<json::View> resolve(json::View value, std::string_view pointer);
/// The form in the params of elicitation/create.
[[nodiscard]] TestForm form_of(json::View params);
/// The forms in a result with resultType input_required, with their keys; empty: it has none.
[[nodiscard]] std::vector<std::pair<std::string, TestForm>> forms_in(json::View result);
/// Sets the members of TestAnswer that are derived from its `result`.
void read_result(TestAnswer& answer);

}  // namespace enfold::server::detail
