// SPDX-License-Identifier: Apache-2.0
#include "scope.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/retrieve/records/needle.h"

#include <fmt/core.h>

namespace memory {
namespace {

namespace failures = enfold::contract::failures;

constexpr std::size_t kDeepest = 10;
constexpr std::size_t kLongest = 200;

tl::unexpected<enfold::model::Response> refuse(std::string_view asked, std::string_view why) {
  return tl::unexpected(enfold::contract::make_failure(failures::Other{
      .message = fmt::format("scope: expected {}, found \"{}\"", why,
                             enfold::utf8::shortened(asked, kLongest)),
      .code = "INVALID_SCOPE",
      .extra = {.remediation = {"Name a scope such as work/projects/enfold; scope_list shows "
                                "those that there are."}}}));
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Letters of other scripts are bytes above 0x7F and stay as they are.
bool is_allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string normal_part(std::string_view part) {
  while (!part.empty() && is_space(part.front())) part.remove_prefix(1);
  while (!part.empty() && is_space(part.back())) part.remove_suffix(1);
  std::string out;
  for (const char c : part) {
    if (is_space(c)) {
      if (out.back() != '-') out += '-';
    } else {
      out += c;
    }
  }
  return enfold::retrieve::fold_case(out);
}

}  // namespace

tl::expected<std::string, enfold::model::Response> normal_scope(std::string_view asked) {
  std::string scope;
  std::size_t depth = 0;
  for (std::string_view rest = asked; !rest.empty();) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string part = normal_part(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (part.empty()) continue;
    if (part == "." || part == "..") return refuse(asked, "names, not . and ..");
    for (const char c : part) {
      if (!is_allowed(c)) return refuse(asked, "letters, digits, -, _ and . between the slashes");
    }
    scope += (scope.empty() ? "" : "/") + part;
    ++depth;
  }
  if (scope.empty()) return refuse(asked, "at least one name");
  if (depth > kDeepest) return refuse(asked, fmt::format("at most {} names", kDeepest));
  if (scope.size() > kLongest) return refuse(asked, fmt::format("at most {} bytes", kLongest));
  return scope;
}

}  // namespace memory
