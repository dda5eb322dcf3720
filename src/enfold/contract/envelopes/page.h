// SPDX-License-Identifier: Apache-2.0
// The member `pagination`: in `meta` of response-v2, in the extension slot (members.h) of contracts
// that have no such member.
#pragma once

#include "enfold/json/write.h"
#include "enfold/model/response.h"

#include <optional>

namespace enfold::contract::detail {

/// Whether the response has a next page; on the last page the slot has no pagination.
[[nodiscard]] bool has_next_page(const model::Response& response);
/// Writes nothing for a response without a page.
void write_page(json::Writer& writer, const model::Response& response);
[[nodiscard]] std::optional<model::Page> read_page(json::View object);

}  // namespace enfold::contract::detail
