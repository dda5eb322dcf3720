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
  std::string name;  ///< for messages; "call 3" if the third call of the file has no name
  std::string tool;
  json::Value arguments;                     ///< before substitute_variables()
  std::optional<bool> fails;                 ///< expected `isError`; nullopt: either
  std::map<std::string, std::string> saves;  ///< JSON Pointers into the result, by variable
};

/// The values that calls have saved, by name of the variable.
using SavedValues = std::map<std::string, json::Value, std::less<>>;

/// `invalid_input` for a wrong call, which the error names. A call may also have the members that
/// only the test runners of this project read, such as `expect` and `era` (kIgnoredMembers in the
/// source): they are ignored. Any other unknown member is an error.
[[nodiscard]] Result<std::vector<PlannedCall>> read_calls(const std::string& file);

/// Replaces "${variable}" in all strings of the arguments. A string that is only "${variable}"
/// becomes the saved value itself; inside a longer string the value is inserted as text.
/// `invalid_input` if no value was saved as that variable.
[[nodiscard]] Result<json::Value> substitute_variables(const json::Value& arguments,
                                                       const SavedValues& saved);

}  // namespace enfold::cli
