// SPDX-License-Identifier: Apache-2.0
// Recognises Enfold in the command of a server: `enfold wrap …` and `enfold serve …`, also with a
// path, or started by npx or env.
#pragma once

#include "enfold/gateway/clients/settings.h"

#include <optional>
#include <string_view>
#include <vector>

namespace enfold::gateway {

struct EnfoldCommand {
  std::size_t begin = 0;  ///< index of the first word of Enfold's command: enfold or npx
  /// Index of the wrapped server's program, after `--`; 0: none, as in `enfold serve` or with
  /// --upstream.
  std::size_t server = 0;
};

/// nullopt: the command does not start Enfold.
[[nodiscard]] std::optional<EnfoldCommand> find_enfold(const std::vector<CommandWord>& words);

/// The file name of a path: "enfold" of "/usr/bin/enfold".
[[nodiscard]] std::string_view file_name(std::string_view program);

}  // namespace enfold::gateway
