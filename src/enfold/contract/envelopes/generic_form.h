// SPDX-License-Identifier: Apache-2.0
// A response in the form of the generic contract: its shape (reading/shape.h), the part of the
// payload that becomes `data` in that shape, its page, and the rest of the payload as metadata.
#pragma once

#include "enfold/contract/contract.h"
#include "enfold/model/response.h"

#include <string>

namespace enfold::contract::detail {

/// How a payload was transformed into the `data` of generic; enough to undo it: take the item out
/// of a list of one, then the member out of its object, then put the value back into the rest of
/// the payload.
struct DataTransform {
  bool boxed = false;   ///< `data` was put into a list of one item
  std::string wrapped;  ///< the key of the one-member object that `data` was put into; empty: none
  std::string at;       ///< JSON Pointer to `data` in the payload; empty: `data` is the payload
  /// The payload with null at `at`; nullopt: `data` is the payload. Set by make_extension, because
  /// only an extension slot needs it; to_generic_form leaves it unset.
  std::optional<json::Value> rest;
  /// The payload itself, if `data` was read from a text in it or is not a part of it; else nullopt.
  std::optional<json::Value> original;
};
void undo_transform(model::Response& response, const DataTransform& transform);
[[nodiscard]] json::Value to_json(const DataTransform& transform);
/// nullopt: the object is not what to_json writes.
[[nodiscard]] std::optional<DataTransform> transform_from_json(json::View object);

struct GenericForm {
  model::Shape shape = model::Shape::single;
  model::Response response;                ///< its payload is `data`
  std::optional<DataTransform> transform;  ///< nullopt: `data` is the payload, unchanged
  std::string shape_reason;                ///< why this shape, for people
  bool has_paging = false;                 ///< the source says something about pages
  std::string page_reason;                 ///< why there is a next page or none; empty: not known
};
/// `whole`: the form of the whole answer, if the response is a part of it, so that the part does
/// not get another shape.
[[nodiscard]] GenericForm to_generic_form(const model::Response& response,
                                          const std::optional<WholeForm>& whole = std::nullopt);

/// `read_whole` of contract.h.
[[nodiscard]] WholeReading whole_of(const model::Response& response);

/// `object` with the members of `extra` appended; a key of `extra` that `object` has too gets a
/// trailing `_`. nullopt: both are nullopt.
[[nodiscard]] std::optional<json::Value> joined_members(const std::optional<json::Value>& object,
                                                        const std::optional<json::Value>& extra);

}  // namespace enfold::contract::detail
