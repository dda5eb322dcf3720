// SPDX-License-Identifier: Apache-2.0
// Writes an object that was read, with some members replaced, added or removed. All other members
// keep their place and their bytes.
#pragma once

#include "enfold/json/write.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

class Overlay {
 public:
  using Write = std::function<void(json::Writer&)>;

  /// nullopt, or an empty Write: the member is removed.
  Overlay& text(std::string_view key, const std::optional<std::string>& value);
  Overlay& value(std::string_view key, const std::optional<json::Value>& value);
  Overlay& member(std::string_view key, Write write);
  Overlay& without(std::string_view key) { return member(key, {}); }

  /// `original` null: only the members that were named here.
  void write(json::Writer& writer, json::View original) const;          ///< the whole object
  void write_members(json::Writer& writer, json::View original) const;  ///< into an open object

 private:
  struct Named {
    std::string_view key;
    Write write;
  };
  std::vector<Named> named_;
};

}  // namespace enfold::mcp
