// SPDX-License-Identifier: Apache-2.0
// Variables in the settings of a client, such as ${env:TOKEN}, each client in its own syntax.
#pragma once

#include "enfold/gateway/clients/formats.h"

#include <optional>

namespace enfold::gateway {

/// A piece of a text.
struct TextPiece {
  enum class Kind : std::uint8_t {
    text,
    variable,  ///< an environment variable
    input,     ///< a value for which the client prompts its user
    file,      ///< the content of a file
    folder,    ///< userHome or workspaceFolder
    unknown,   ///< a variable that only the client knows
  };
  Kind kind = Kind::text;
  std::string text;                     ///< the text, or the name; of unknown as it is written
  std::optional<std::string> fallback;  ///< of ${NAME:-fallback}
  friend bool operator==(const TextPiece&, const TextPiece&) = default;
};

/// `syntax`: VariableSyntax flags. Neighbours of kind text are joined.
[[nodiscard]] std::vector<TextPiece> split_variables(std::string_view text, unsigned syntax);

}  // namespace enfold::gateway
