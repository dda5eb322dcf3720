// SPDX-License-Identifier: Apache-2.0
#include "fuzz/regex_peer.h"

#include <regex>
#include <string>

namespace enfold::fuzz {

std::optional<bool> matches_with_std(std::string_view pattern, std::string_view text) {
  try {
    const std::regex compiled(std::string(pattern), std::regex::ECMAScript);
    return std::regex_search(std::string(text), compiled);
  } catch (const std::regex_error&) {
    return std::nullopt;
  }
}

}  // namespace enfold::fuzz
