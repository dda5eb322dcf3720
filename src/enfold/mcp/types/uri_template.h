// SPDX-License-Identifier: Apache-2.0
// URI templates (RFC 6570) of the forms that resource templates use: {name} matches text without a
// slash, {+name} any text; neither matches an empty text.
#pragma once

#include "enfold/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::mcp {

using UriVariables = std::vector<std::pair<std::string, std::string>>;

class UriTemplate {
 public:
  /// `unsupported` for operators other than + and for {a}{b}, of which no URI tells where a ends;
  /// `invalid_input` for braces that do not match.
  [[nodiscard]] static Result<UriTemplate> parse(std::string_view text);

  /// The variables in their order with their values, percent-decoded; nullopt: no match.
  [[nodiscard]] std::optional<UriVariables> match(std::string_view uri) const;

 private:
  struct Part {
    std::string literal;    ///< before the variable
    std::string variable;   ///< empty in the last part
    bool reserved = false;  ///< {+name}: may match slashes
  };
  std::vector<Part> parts_;
};

}  // namespace enfold::mcp
