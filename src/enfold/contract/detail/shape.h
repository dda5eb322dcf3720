// SPDX-License-Identifier: Apache-2.0
// Which of the five shapes a raw payload has, and where its list stands. Deterministic: the
// order of the rules is the specification (docs/contracts/generic.md).
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract::detail {

struct Classified {
  model::Shape shape = model::Shape::single;
  /// For lists and catalogs: the member that holds the array. Empty: the payload itself is it.
  std::string list_key;
};

[[nodiscard]] Classified classify(const model::Response& response);

/// A list taken out of the object that it stood in: what is left of the object goes to page and
/// metadata, and `rest` and `key` allow to put it back together.
struct Lift {
  std::string key;
  json::Value rest;
  bool page_derived = false;
  bool metadata_derived = false;
};

/// The response as the generic contract shows it. nullopt: there is nothing to take out.
[[nodiscard]] std::optional<Lift> lift(model::Response& response, const Classified& classified);
void undo_lift(model::Response& response, const Lift& lift);

[[nodiscard]] json::Value to_json(const Lift& lift);
[[nodiscard]] std::optional<Lift> lift_from_json(json::View object);

/// success, error or partial as the counters of an action tell.
[[nodiscard]] bool is_partial_action(json::View payload);

}  // namespace enfold::contract::detail
