// SPDX-License-Identifier: Apache-2.0
// URI templates (RFC 6570) as resource templates use them: {name} stands for text without a slash,
// {+name} for any text. Matching is the inverse of expansion.
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
  /// `unsupported` for operators other than +.
  [[nodiscard]] static Result<UriTemplate> parse(std::string_view text);

  /// The values of the variables, decoded; nullopt: the URI does not have this form.
  [[nodiscard]] std::optional<UriVariables> match(std::string_view uri) const;
  [[nodiscard]] std::string expand(const UriVariables& variables) const;

 private:
  struct Part {
    std::string literal;   ///< before the variable
    std::string variable;  ///< empty: the literal is the end
    bool reserved = false;
  };
  std::vector<Part> parts_;
};

}  // namespace enfold::mcp
