// SPDX-License-Identifier: Apache-2.0
// Finds the upstream for a tool or prompt name that a client uses, and the upstream's own name of
// it. The cost of a lookup does not depend on the number of tools or upstreams.
#pragma once

#include "enfold/gateway/upstream/upstream_set.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace enfold::gateway {

struct Route {
  Upstream* upstream = nullptr;  ///< nullptr: no upstream has it
  std::string name;              ///< the upstream's own name
};

class Routes {
 public:
  explicit Routes(const UpstreamSet& upstreams) : upstreams_(upstreams) {}

  /// The name of a tool or a prompt as clients see it.
  [[nodiscard]] std::string shown(const Upstream& upstream, std::string_view name) const;
  [[nodiscard]] Route tool(std::string_view shown) const;
  [[nodiscard]] Route prompt(std::string_view shown) const;
  [[nodiscard]] Route task(std::string_view shown_id) const;
  /// For a request about all tasks: the first upstream that has any.
  [[nodiscard]] Route tasks() const;

  /// Called when a list of tools or prompts, or the set of upstreams, has changed.
  void invalidate() { is_current_ = false; }

 private:
  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Names = std::unordered_map<std::string, Route, NameHash, std::equal_to<>>;

  [[nodiscard]] Route by_prefix(std::string_view shown, bool allows_empty) const;
  [[nodiscard]] Route in(const Names& names, std::string_view shown) const;
  void rebuild() const;

  const UpstreamSet& upstreams_;
  // Only names that may have been cut: for all others the prefix names the upstream.
  mutable bool is_current_ = false;
  mutable Names tools_;
  mutable Names prompts_;
};

}  // namespace enfold::gateway
