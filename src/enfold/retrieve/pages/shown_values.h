// SPDX-License-Identifier: Apache-2.0
// What a page shows in place of bare values.
#pragma once

#include "enfold/retrieve/page.h"

namespace enfold::retrieve {

/// The values of a page as a list of objects: lines with their numbers, members of maps with their
/// names and other values with their pointers, so that a model can fetch what is around them.
[[nodiscard]] json::Value with_pointers(const ResultPage& page);

/// If `value` or an item of it is an image, audio or another binary block, appends that to
/// `blocks`, the content blocks of the answer. Returns the value with descriptions in their places.
[[nodiscard]] json::Value take_media(json::View value, std::vector<json::Value>& blocks);

}  // namespace enfold::retrieve
