// SPDX-License-Identifier: Apache-2.0
// A file of calls for `enfold check`: a JSON array of {"tool", "arguments", "name", "error",
// "save"}. What one call saves, the next may use as "${variable}".
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace enfold::cli {

struct PlannedCall {
  std::string name;
  std::string tool;
  json::Value arguments;
  std::optional<bool> fails;                 ///< whether `isError` is expected
  std::map<std::string, std::string> saves;  ///< JSON Pointers into the result, by variable
};

using Saved = std::map<std::string, json::Value, std::less<>>;

/// `invalid_input` names the call that is broken. What only other players of such files read, as
/// `expect`, is known and not looked at; any other member is an error.
[[nodiscard]] Result<std::vector<PlannedCall>> read_calls(const std::string& file);

/// A string that is only "${variable}" becomes the value, in others its text is put in.
[[nodiscard]] Result<json::Value> filled(const json::Value& arguments, const Saved& saved);

}  // namespace enfold::cli
