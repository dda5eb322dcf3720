// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/capabilities.h"

namespace enfold::mcp {
namespace {

const json::Value& nothing() {
  static const json::Value empty = json::parse_own("{}");
  return empty;
}

bool is_declared(const std::optional<json::View>& found) {
  return found && !found->is_null() && !(found->is_boolean() && !found->boolean());
}

}  // namespace

Capabilities::Capabilities() : object_(nothing()) {}

Capabilities::Capabilities(const json::Value& object)
    : object_(object->is_object() ? object : nothing()) {}

bool Capabilities::has(std::string_view name) const { return is_declared(object_->find(name)); }

bool Capabilities::has(std::string_view name, std::string_view part) const {
  const auto found = object_->find(name);
  return found && is_declared(found->find(part));
}

}  // namespace enfold::mcp
