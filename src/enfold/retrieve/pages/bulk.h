// SPDX-License-Identifier: Apache-2.0
// Objects that have most of their bytes in one list, map or text: the bulk. A page of such an
// object is the object with a page of its bulk inside.
#pragma once

#include "enfold/json/document.h"

#include <span>
#include <string>
#include <vector>

namespace enfold::json {
class Writer;
}

namespace enfold::retrieve {

/// An item or member of a value.
struct Part {
  std::string pointer;  ///< in the archived answer
  json::View value;
};
/// The part of the container at `position`, which is less than its size. `pointer`: of the
/// container in the archived answer.
[[nodiscard]] Part part_of(json::View container, std::string pointer, std::size_t position);

/// The innermost value on the path that follows the largest member from object to object, as long
/// as that member has more than half of the bytes of all members.
struct Bulk {
  std::vector<std::size_t> path;  ///< positions of its members; empty: there is no bulk
  std::string pointer;            ///< of `value` in the archived answer
  json::View value;
};
/// The bulk of an object. `pointer`: of the object in the archived answer.
[[nodiscard]] Bulk bulk_of(json::View object, std::string pointer);

/// Writes the object with `part` in place of its bulk, which is at Bulk::path.
void write_around(json::View object, std::span<const std::size_t> path, const json::Value& part,
                  json::Writer& writer);

}  // namespace enfold::retrieve
