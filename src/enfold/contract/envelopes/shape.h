// SPDX-License-Identifier: Apache-2.0
// Classifies a response into one of the five shapes of generic and transforms its payload into the
// `data` of that shape. The order of the rules is specified in docs/reference/contracts/generic.md.
#pragma once

#include "enfold/model/response.h"

namespace enfold::contract::detail {

struct Classification {
  model::Shape shape = model::Shape::single;
  /// For lists and catalogs: the member that holds the array. Without one the payload itself is
  /// the array, or the only item of it.
  std::optional<std::string> list_key;
};
[[nodiscard]] Classification classify(const model::Response& response);

/// The meaning of a member beside a list, by its name and type.
enum class Counter { none, offset, limit, more, next, before, after, returned, total };
[[nodiscard]] Counter counter_of(std::string_view key, json::View value);

/// How a payload was transformed into the `data` of generic; enough to undo it.
struct DataTransform {
  enum class How { extracted, boxed, wrapped };
  How how = How::extracted;
  std::string key;     ///< extracted: the key of the list; wrapped: the name of the wrapping
  std::size_t at = 0;  ///< extracted: position of the list among the members
  json::Value rest;    ///< extracted: the other members
};
void undo_transform(model::Response& response, const DataTransform& transform);
[[nodiscard]] json::Value to_json(const DataTransform& transform);
[[nodiscard]] std::optional<DataTransform> transform_from_json(json::View object);

/// A response prepared for generic: the payload is `data`, counters are in `page`, the other
/// members beside a list are in `metadata`.
struct GenericForm {
  model::Shape shape = model::Shape::single;
  model::Response response;
  std::optional<DataTransform> transform;  ///< nullopt: `data` is the payload, unchanged
};
[[nodiscard]] GenericForm to_generic_form(const model::Response& response);

/// `object` with the members of `extra` appended; a duplicate key gets a trailing `_`.
[[nodiscard]] std::optional<json::Value> joined_members(const std::optional<json::Value>& object,
                                                        const std::optional<json::Value>& extra);

/// Whether the counters of an action say that some of its operations failed.
[[nodiscard]] bool counts_failures(json::View payload);

}  // namespace enfold::contract::detail
