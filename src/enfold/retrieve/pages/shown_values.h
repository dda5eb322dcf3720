// SPDX-License-Identifier: Apache-2.0
// What a page shows in place of bare values.
#pragma once

#include "enfold/retrieve/page.h"

namespace enfold::retrieve {

/// Selected lines with their numbers, members of maps with their names and other values with their
/// pointers, so that a model can fetch what is around them.
[[nodiscard]] json::Value with_pointers(const ResultPage& page);

/// Images, audio and other binary blocks are blocks of the answer again; the payload describes
/// them.
[[nodiscard]] json::Value take_media(json::View value, std::vector<json::Value>& blocks);

}  // namespace enfold::retrieve
