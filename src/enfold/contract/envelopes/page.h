// SPDX-License-Identifier: Apache-2.0
// The member `pagination` as response-v2 has it in `meta`, and contracts without one of their own
// in their slot.
#pragma once

#include "enfold/json/write.h"
#include "enfold/model/response.h"

#include <optional>

namespace enfold::contract::detail {

/// Whether there is more of what the response shows. The last page needs no place in a slot: to say
/// nothing is to say that this is all.
[[nodiscard]] bool goes_on(const model::Response& response);
/// Nothing for a response that is no page.
void write_page(json::Writer& writer, const model::Response& response);
[[nodiscard]] std::optional<model::Page> read_page(json::View object);

}  // namespace enfold::contract::detail
