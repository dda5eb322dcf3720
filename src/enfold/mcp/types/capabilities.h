// SPDX-License-Identifier: Apache-2.0
// What a side says that it can do. The object is kept as it came: capabilities nobody here knows
// (experimental ones, extensions) are carried like the others.
#pragma once

#include "enfold/json/write.h"

#include <string_view>

namespace enfold::mcp {

class Capabilities {
 public:
  Capabilities();  ///< none
  explicit Capabilities(const json::Value& object);

  /// Declared, and not with false or null.
  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name, std::string_view part) const;
  [[nodiscard]] const json::Value& value() const { return object_; }

  friend bool operator==(const Capabilities&, const Capabilities&) = default;

 private:
  json::Value object_;
};

}  // namespace enfold::mcp
