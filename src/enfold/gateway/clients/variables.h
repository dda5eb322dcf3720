// SPDX-License-Identifier: Apache-2.0
// Variables in the settings of a client, such as ${env:TOKEN}, each client in its own syntax.
#pragma once

#include "enfold/gateway/clients/formats.h"

#include <optional>

namespace enfold::gateway {

/// A piece of a text: plain text or one variable.
struct TextPiece {
  enum class Kind : std::uint8_t {
    text,
    variable,  ///< an environment variable
    input,     ///< a value for which the client prompts its user
    file,      ///< the content of a file
    folder,    ///< userHome or workspaceFolder
    unknown,   ///< in ${…}, but of no known form: only the client can replace it
  };
  Kind kind = Kind::text;
  /// Of plain text the text; of a variable its name, path or id; of `unknown` the whole ${…}.
  std::string text;
  std::optional<std::string> fallback;  ///< of ${NAME:-fallback}
  friend bool operator==(const TextPiece&, const TextPiece&) = default;
};

/// The pieces of a text. `syntax`: VariableSyntax flags. No two neighbours are plain text.
[[nodiscard]] std::vector<TextPiece> split_variables(std::string_view text, unsigned syntax);

}  // namespace enfold::gateway
