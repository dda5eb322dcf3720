// SPDX-License-Identifier: Apache-2.0
// Settings for fitting, from the operator, the tool or the call. By default everything is derived
// from the payload.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace enfold::budget {

/// Patterns are JSON Pointers in which `*` matches any token: "/items/*/body".
struct Policy {
  std::string id;     ///< member that identifies an item; empty: chosen by uniqueness and cost
  std::string label;  ///< member that describes an item; empty: chosen
  std::vector<std::string> protect;  ///< patterns: shown whole whenever data is shown
  std::vector<std::string> keep;     ///< patterns: shown first, and in every brief
  std::vector<std::string> drop;     ///< patterns: dropped first, unless kept or protected
  std::size_t clip = 160;            ///< bytes of each string in a brief item
  std::string order_by;              ///< member of list items; "-score": highest first
  std::vector<std::string>
      terms;              ///< words of the call's arguments: items that contain them come first
  bool columnar = false;  ///< lists as {"cols":[…],"rows":[[…]]} if that saves 10 %
  bool partial = true;    ///< allowed fidelity levels; reference_only is always allowed
  bool summary = true;
  bool explain = false;  ///< fill Fitted::parts
  friend bool operator==(const Policy&, const Policy&) = default;
};

/// Unknown members and wrong types are errors with their JSON Pointer.
[[nodiscard]] Result<Policy> read_policy(json::View settings);

/// The distinct words in the strings of a call's arguments, at most eight.
[[nodiscard]] std::vector<std::string> terms_of(json::View arguments);

}  // namespace enfold::budget
