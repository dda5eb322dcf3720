// SPDX-License-Identifier: Apache-2.0
// Puts `enfold wrap --` before the command of every stdio server in the settings of a client, and
// removes it again. Only the bytes of commands and arguments change.
#pragma once

#include "enfold/gateway/clients/settings.h"

namespace enfold::gateway {

/// What was done, or not, about one server.
struct ServerChange {
  enum class State : std::uint8_t {
    changed,    ///< wrapped, or unwrapped
    unchanged,  ///< was wrapped already, or is not wrapped
    left_out,   ///< cannot be wrapped
  };
  std::string name;
  std::string scope;
  State state = State::unchanged;
  std::string why;  ///< of left_out
};

struct SettingsChange {
  std::string text;  ///< the new text of the file
  std::vector<ServerChange> servers;
  [[nodiscard]] std::size_t count(ServerChange::State state) const;
};

/// Whether the command of a server begins with `enfold wrap … --`, also by npx.
[[nodiscard]] bool is_wrapped(const ServerCommand& command);

/// `program`: the command to write, such as "enfold". The result is read again and compared, so
/// that a text that was not understood is an error and never a damaged file.
[[nodiscard]] Result<SettingsChange> wrap_servers(const ClientSettings& settings,
                                                  const std::string& program);

/// `original`: the settings before they were wrapped, if they are known: a list of arguments that
/// only wrap_servers added is then removed with its member. Without them an empty list stays.
[[nodiscard]] Result<SettingsChange> unwrap_servers(const ClientSettings& settings,
                                                    const ClientSettings* original);

}  // namespace enfold::gateway
