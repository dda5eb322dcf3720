// SPDX-License-Identifier: Apache-2.0
// Writes an object that was read, with some members replaced, added or taken away. Members that
// nobody named stay where they were and as they were.
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

  /// nullopt, or an empty Write: the member is taken away.
  Overlay& text(std::string_view key, const std::optional<std::string>& value);
  Overlay& value(std::string_view key, const std::optional<json::Value>& value);
  Overlay& member(std::string_view key, Write write);
  Overlay& without(std::string_view key) { return member(key, {}); }

  /// `original` null: only what was named here.
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
