// SPDX-License-Identifier: Apache-2.0
// Puts `enfold wrap --` before the command of every stdio server in the settings of a client, and
// removes it again. Only the bytes of commands and arguments change.
#pragma once

#include "enfold/gateway/clients/settings.h"

namespace enfold::gateway {

/// What wrap_servers or unwrap_servers did with one server.
struct ServerChange {
  enum class State : std::uint8_t {
    changed,    ///< wrapped, or unwrapped
    unchanged,  ///< nothing to do: it starts Enfold already, or (to unwrap) does not start it
    left_out,   ///< cannot be wrapped or unwrapped; `why` has the reason
  };
  std::string name;
  std::string scope;
  State state = State::unchanged;
  std::string why;            ///< for the user; empty: it is not `left_out`
  bool had_arguments = true;  ///< before it was wrapped, the server had a list of arguments
};

struct WrappedServer {
  std::string name;
  std::string scope;
  bool had_arguments = true;  ///< as in ServerChange
  friend bool operator==(const WrappedServer&, const WrappedServer&) = default;
};

struct SettingsChange {
  std::string text;                   ///< the new text of the file
  std::vector<ServerChange> servers;  ///< all servers of the file
  [[nodiscard]] std::size_t count(ServerChange::State state) const;
  /// The servers that were changed, for unwrap_servers.
  [[nodiscard]] std::vector<WrappedServer> wrapped() const;
};

/// Whether the command of a server starts `enfold wrap` or `enfold serve`, also by npx or env.
[[nodiscard]] bool is_wrapped(const ServerCommand& command);

/// `program`: the words to write before `wrap --`, such as "enfold". The new text is read again and
/// compared with the old settings; if anything else has changed, the result is an error.
[[nodiscard]] Result<SettingsChange> wrap_servers(const ClientSettings& settings,
                                                  const std::vector<std::string>& program);

/// `wrapped`: the servers that wrap_servers changed. Only these are unwrapped: the user wrote the
/// commands of the other servers. A list of arguments that wrap_servers added is removed with its
/// member. nullptr: it is not known which; every server with `--` is unwrapped, and an empty list
/// stays.
[[nodiscard]] Result<SettingsChange> unwrap_servers(const ClientSettings& settings,
                                                    const std::vector<WrappedServer>* wrapped);

}  // namespace enfold::gateway
