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
    unchanged,  ///< starts Enfold already, or is not wrapped
    left_out,   ///< cannot be wrapped, or is not to be unwrapped
  };
  std::string name;
  std::string scope;
  State state = State::unchanged;
  std::string why;            ///< of left_out
  bool had_arguments = true;  ///< before it was wrapped, it had a list of arguments
};

/// A server that wrap_servers changed.
struct WrappedServer {
  std::string name;
  std::string scope;
  bool had_arguments = true;
  friend bool operator==(const WrappedServer&, const WrappedServer&) = default;
};

struct SettingsChange {
  std::string text;  ///< the new text of the file
  std::vector<ServerChange> servers;
  [[nodiscard]] std::size_t count(ServerChange::State state) const;
  /// The servers that were changed, for unwrap_servers.
  [[nodiscard]] std::vector<WrappedServer> wrapped() const;
};

/// Whether the command of a server starts `enfold wrap` or `enfold serve`, also by npx or env.
[[nodiscard]] bool is_wrapped(const ServerCommand& command);

/// `program`: the words to write before `wrap --`, such as "enfold". The result is read again and
/// compared, so that a text that was not understood is an error and never a damaged file.
[[nodiscard]] Result<SettingsChange> wrap_servers(const ClientSettings& settings,
                                                  const std::vector<std::string>& program);

/// `wrapped`: the servers that wrap_servers changed; others stay as they are, because the user
/// wrote their options. A list of arguments that only wrap_servers added is removed with its
/// member. nullptr: unknown; every server that has `--` is unwrapped, and an empty list stays.
[[nodiscard]] Result<SettingsChange> unwrap_servers(const ClientSettings& settings,
                                                    const std::vector<WrappedServer>* wrapped);

}  // namespace enfold::gateway
