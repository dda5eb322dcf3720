// SPDX-License-Identifier: Apache-2.0
// How a Tester reads what the server sent.
#pragma once

#include "enfold/server/testing.h"

namespace enfold::server::detail {

/// What stands at a JSON Pointer.
[[nodiscard]] std::optional<json::View> resolve(json::View value, std::string_view pointer);
/// Of the params of an elicitation.
[[nodiscard]] TestForm form_of(json::View params);
/// The questions in a result, by their keys.
[[nodiscard]] std::vector<std::pair<std::string, TestForm>> forms_in(json::View result);
/// Sets what is derived from TestAnswer::result.
void read_result(TestAnswer& answer);

}  // namespace enfold::server::detail
