// SPDX-License-Identifier: Apache-2.0
// Writes a JSON object again, with some members replaced, added or removed. All other members keep
// their place and their bytes.
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

  /// Each of these replaces or adds a member; nullopt, or an empty Write, removes it. At most one
  /// of them may be called for a key. The keys must outlive the overlay.
  Overlay& text(std::string_view key, const std::optional<std::string>& value);
  Overlay& value(std::string_view key, const std::optional<json::Value>& value);
  Overlay& member(std::string_view key, Write write);
  Overlay& without(std::string_view key) { return member(key, {}); }

  /// Writes the original object with these changes. Null counts as an empty object.
  void write(json::Writer& writer, json::View original) const;          ///< with its braces
  void write_members(json::Writer& writer, json::View original) const;  ///< into an open object

 private:
  struct Change {
    std::string_view key;
    Write write;  ///< empty: remove the member
  };
  std::vector<Change> changes_;
};

}  // namespace enfold::mcp
