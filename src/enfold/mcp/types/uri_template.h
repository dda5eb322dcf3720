// SPDX-License-Identifier: Apache-2.0
// URI templates (RFC 6570) to match URIs with: {name} matches text without a slash, {+name} any
// text, {/a,b} segments of a path, {.a} {;a} {#a} text that begins with these signs, and {?a,b} at
// the end the parameters of a query, in any order. Only variables of a query may be missing or
// empty.
#pragma once

#include "enfold/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::mcp {

using UriVariables = std::vector<std::pair<std::string, std::string>>;  ///< names and values

class UriTemplate {
 public:
  /// `unsupported` for {a:3} and {a*}, for {a}{b}, because no URI tells where a ends, and for text
  /// after a query; `invalid_input` for braces that do not match and for a name used twice.
  [[nodiscard]] static Result<UriTemplate> parse(std::string_view text);

  /// The variables in their order with their values, percent-decoded; nullopt: no match. As RFC
  /// 6570 writes a slash in the value of {name} as %2F, a decoded value can have slashes.
  [[nodiscard]] std::optional<UriVariables> match(std::string_view uri) const;

  /// The names of the variables in their order.
  [[nodiscard]] std::vector<std::string> variables() const;

 private:
  /// Adds the variables of an expression, the text between two braces. `literal`: the text before
  /// it.
  [[nodiscard]] Status add_expression(std::string_view expression, std::string literal);
  /// Appends the parameters of the query to `out`; false: one is unknown or repeated.
  [[nodiscard]] bool match_query(std::string_view query, UriVariables& out) const;

  struct Part {
    std::string literal;    ///< before the variable
    std::string variable;   ///< empty in the last part
    bool reserved = false;  ///< {+name}: may match slashes
  };
  std::vector<Part> parts_;
  std::vector<std::string> query_;  ///< names of its parameters
};

}  // namespace enfold::mcp
