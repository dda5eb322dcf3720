// SPDX-License-Identifier: Apache-2.0
// Recognises Enfold in the command of a server: `enfold wrap …` and `enfold serve …`, also by a
// path, by npx and by env.
#pragma once

#include "enfold/gateway/clients/settings.h"

#include <optional>
#include <string_view>
#include <vector>

namespace enfold::gateway {

struct EnfoldCommand {
  std::size_t begin = 0;   ///< index of the first word that belongs to Enfold: it, or npx
  std::size_t server = 0;  ///< index of the word after `--`; 0: none, as with --upstream
};

/// nullopt: the command does not start Enfold.
[[nodiscard]] std::optional<EnfoldCommand> find_enfold(const std::vector<CommandWord>& words);

/// The last step of a path.
[[nodiscard]] std::string_view file_name(std::string_view program);

}  // namespace enfold::gateway
