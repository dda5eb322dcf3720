// SPDX-License-Identifier: Apache-2.0
// Which of the five shapes an answer has, and how its payload becomes the `data` of that shape.
// Deterministic: the order of the rules is the specification (docs/reference/contracts/generic.md),
// for `enfold parse` and for every conversion to generic alike.
#pragma once

#include "enfold/model/response.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract::detail {

struct Classified {
  model::Shape shape = model::Shape::single;
  /// For lists and catalogs: the member that holds the array. Without one the payload itself is
  /// the array, or the only item of it.
  std::optional<std::string> list_key;
};
[[nodiscard]] Classified classify(const model::Response& response);

/// What a member of a list answer counts, by its name and type.
enum class Counter { none, offset, limit, more, next, before, after, returned, total };
[[nodiscard]] Counter counter_of(std::string_view key, json::View value);

/// How a payload was turned into `data`, so that it can be turned back.
struct Lift {
  enum class How { taken, boxed, wrapped };
  How how = How::taken;
  std::string key;     ///< taken: where the list stood; wrapped: the name of the wrapping
  std::size_t at = 0;  ///< taken: before which of the other members
  json::Value rest;    ///< taken: the other members
};
void undo_lift(model::Response& response, const Lift& lift);
[[nodiscard]] json::Value to_json(const Lift& lift);
[[nodiscard]] std::optional<Lift> lift_from_json(json::View object);

/// The response as generic shows it: its payload is `data`, counters are in `page`, what stood
/// beside a list is in `metadata`.
struct Shown {
  model::Shape shape = model::Shape::single;
  model::Response response;
  std::optional<Lift> lift;  ///< nullopt: the payload is `data` as it is
};
[[nodiscard]] Shown show(const model::Response& response);

/// `object` with the members of `extra` after its own; a name that is taken gets a trailing `_`.
[[nodiscard]] std::optional<json::Value> joined_members(const std::optional<json::Value>& object,
                                                        const std::optional<json::Value>& extra);

/// Some operations of an action failed, as its own counters tell.
[[nodiscard]] bool counts_failures(json::View payload);

}  // namespace enfold::contract::detail
