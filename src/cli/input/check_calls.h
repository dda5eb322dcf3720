// SPDX-License-Identifier: Apache-2.0
// A file of calls for `enfold check`: a JSON array of {"tool", "arguments", "name", "error",
// "save"}. A call may use a value that an earlier call has saved, as "${variable}".
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace enfold::cli {

struct PlannedCall {
  std::string name;  ///< for messages; "call 3" for the third call without one
  std::string tool;
  json::Value arguments;                     ///< before substitute_variables()
  std::optional<bool> fails;                 ///< whether `isError` is expected; nullopt: either
  std::map<std::string, std::string> saves;  ///< JSON Pointers into the result, by variable
};

using SavedValues = std::map<std::string, json::Value, std::less<>>;

/// `invalid_input` names the call that is broken. A call may also have the members that only the
/// test runners of this project read, such as `expect` and `era` (kIgnoredMembers in the source):
/// they are ignored. Any other unknown member is an error.
[[nodiscard]] Result<std::vector<PlannedCall>> read_calls(const std::string& file);

/// Replaces "${variable}" in all strings of the arguments. A string that is nothing else becomes
/// the saved value itself; inside a longer string the value is inserted as text. `invalid_input` if
/// no value was saved under that name.
[[nodiscard]] Result<json::Value> substitute_variables(const json::Value& arguments,
                                                       const SavedValues& saved);

}  // namespace enfold::cli
