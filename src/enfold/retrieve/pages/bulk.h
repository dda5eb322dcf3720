// SPDX-License-Identifier: Apache-2.0
// Objects that have most of their bytes in one list, map or text, so that pages of that one are
// pages of the object.
#pragma once

#include "enfold/json/document.h"

#include <span>
#include <string>
#include <vector>

namespace enfold::json {
class Writer;
}

namespace enfold::retrieve {

/// The member that has most of the bytes of an object, and of that one again.
struct Bulk {
  std::vector<std::size_t> positions;  ///< of the members that lead there
  std::string pointer;
  json::View value;
};
[[nodiscard]] Bulk bulk_of(json::View object, std::string pointer);

/// The object with `part` in place of its bulk.
void write_around(json::View object, std::span<const std::size_t> positions,
                  const json::Value& part, json::Writer& writer);

}  // namespace enfold::retrieve
