// SPDX-License-Identifier: Apache-2.0
// What becomes of the text of a configuration, in environment that are the same for every test.
#pragma once

#include "enfold/gateway/config/settings_from_config.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::gateway {

// A world with one variable and one file.
inline ConfigSources sources() {
  ConfigSources out;
  out.folder = "etc";
  out.variable = [](const std::string& name) -> std::optional<std::string> {
    if (name == "TOKEN") return "s3cret";
    return std::nullopt;
  };
  out.file = [](const std::filesystem::path& file) -> Result<std::string> {
    if (file == "etc/token.txt") return "from a file\n";
    return fail(ErrorCode::invalid_input, "expected a file that can be read", file.string(),
                "look");
  };
  return out;
}

inline tools::ConfigResult<ServeSettings> serve(const std::string& text) {
  const tools::ConfigResult<ReadConfig> read = read_config(text, "enfold.toml");
  if (!read) return tl::unexpected(read.error());
  return settings_from_config(*read, sources());
}

inline std::vector<Error> errors_of(const std::string& text) {
  const auto serving = serve(text);
  return serving ? std::vector<Error>{} : serving.error();
}

}  // namespace enfold::gateway
