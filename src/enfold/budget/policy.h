// SPDX-License-Identifier: Apache-2.0
// What an operator, a tool or a call says about how a payload is to be cut. The default says
// nothing: everything is then chosen from the payload itself.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace enfold::budget {

/// Patterns are JSON Pointers in which a token `*` stands for any token: "/items/*/body".
struct Policy {
  std::string id;     ///< member that names an item; empty: chosen by uniqueness and cost
  std::string label;  ///< member that says what an item is about; empty: chosen
  std::vector<std::string> protect;  ///< patterns: never cut while data is shown at all
  std::vector<std::string> keep;     ///< patterns: shown before others, and in every brief
  std::vector<std::string> drop;     ///< patterns: gone with any cut, unless kept or protected
  std::size_t clip = 160;            ///< bytes of each string in a brief item
  std::string order_by;              ///< member of list items; "-score": highest first
  std::vector<std::string> terms;    ///< of the call's arguments: items that hold them come first
  bool columnar = false;             ///< lists as {"cols":[…],"rows":[[…]]} where it saves a tenth
  bool partial = true;               ///< levels that may be used; reference_only always may
  bool summary = true;
  bool explain = false;  ///< also say what became of every part
  friend bool operator==(const Policy&, const Policy&) = default;
};

/// Unknown members and wrong types are errors that name the place.
[[nodiscard]] Result<Policy> read_policy(json::View settings);

/// Words in the strings of a call's arguments, in order, each once, at most eight.
[[nodiscard]] std::vector<std::string> terms_of(json::View arguments);

}  // namespace enfold::budget
