// SPDX-License-Identifier: Apache-2.0
// Commands to type, for hints and advice: quoted for a shell, without secrets.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace enfold::cli {

/// Replaces a value that may be secret.
inline constexpr std::string_view kLeftOut = "…";

/// One word as a shell reads it: in single quotes, unless it needs none.
[[nodiscard]] std::string shell_quoted(std::string_view word);

/// A word of a command, quoted. Of NAME=VALUE and --NAME=VALUE the value is left out, and so is
/// what looks like a secret. `flag`: the name that the preceding word gives to this one; may be
/// empty.
[[nodiscard]] std::string shown_word(const std::string& word, const std::string& flag);

/// All words of a command.
[[nodiscard]] std::string shown_command(std::span<const std::string> words);

}  // namespace enfold::cli
