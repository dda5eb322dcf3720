// SPDX-License-Identifier: Apache-2.0
// A response in the form of the generic contract: its shape (reading/shape.h), the payload as
// `data` of that shape, its page, and the members beside it as metadata.
#pragma once

#include "enfold/model/response.h"

#include <string>
#include <vector>

namespace enfold::contract::detail {

/// How a payload was transformed into the `data` of generic; enough to undo it.
struct DataTransform {
  enum class How {
    extracted,  ///< `data` is one value of the payload; `rest` has null in its place
    boxed,      ///< `data` is a list of one, the payload
    wrapped,    ///< `data` is an object with one member, the payload
    replaced,   ///< `data` was read from text; `rest` is the payload
  };
  How how = How::extracted;
  std::string where;  ///< extracted: JSON Pointer; wrapped: the name of the member
  json::Value rest;
};
void undo_transform(model::Response& response, const DataTransform& transform);
[[nodiscard]] json::Value to_json(const DataTransform& transform);
[[nodiscard]] std::optional<DataTransform> transform_from_json(json::View object);

struct GenericForm {
  model::Shape shape = model::Shape::single;
  model::Response response;
  std::optional<DataTransform> transform;  ///< nullopt: `data` is the payload, unchanged
  std::vector<std::string> reasons;        ///< why this shape and this page, for people
};
[[nodiscard]] GenericForm to_generic_form(const model::Response& response);

/// `object` with the members of `extra` appended; a duplicate key gets a trailing `_`.
[[nodiscard]] std::optional<json::Value> joined_members(const std::optional<json::Value>& object,
                                                        const std::optional<json::Value>& extra);

}  // namespace enfold::contract::detail
