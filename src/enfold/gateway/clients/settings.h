// SPDX-License-Identifier: Apache-2.0
// The settings of a client: their exact text, the MCP servers in it, and the range of each word of
// their commands in the text, so that words can be replaced without changing any other byte. Reads
// JSON, JSON with comments and trailing commas, and TOML.
#pragma once

#include "enfold/gateway/clients/formats.h"
#include "enfold/gateway/config/toml.h"

#include <optional>

namespace enfold::gateway {

/// Bytes of a text: [begin, end).
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// A word of the command line of a server.
struct CommandWord {
  std::string text;  ///< decoded
  TextRange range;   ///< of the string in the text, with its quotes
};

/// How a server is started.
struct ServerCommand {
  std::vector<CommandWord> words;  ///< the program, then its arguments
  bool is_list = false;            ///< one list holds the program and its arguments
  bool is_inline = false;          ///< the server is in an inline table of TOML
  /// The key of the member with the program, such as "command". In TOML an empty range at its
  /// begin, because its end is not known. With `is_list` an empty range at 0: it is not needed.
  TextRange program_key;
  std::optional<TextRange> arguments;  ///< the list with its brackets; unset: there is none
  /// The key "args", as in `program_key`; unset: there is no such member.
  std::optional<TextRange> arguments_key;
};

struct ServerEntry {
  std::string name;
  std::string scope;    ///< the project that the server is configured for; empty: none
  std::string pointer;  ///< JSON Pointer to `value` in the settings
  json::View value;
  std::optional<ServerCommand> command;  ///< unset: the server is not started by a command
  std::string problem;                   ///< why `command` is unset; empty: it has a URL
};

class ClientSettings {
 public:
  /// `path`: of the file, for messages and to detect the format. `format` nullptr: it is
  /// detected. A text of white space and comments only has no servers. `invalid_input`, with the
  /// place, for a text that is not valid, and for repeated members where servers are listed.
  [[nodiscard]] static Result<ClientSettings> read(std::string text, const std::string& path,
                                                   const ClientFormat* format = nullptr);

  /// Reads another text of the same file in the same format.
  [[nodiscard]] Result<ClientSettings> with_text(std::string text) const;

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const ClientFormat& format() const { return *format_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_toml() const { return toml_.has_value(); }
  [[nodiscard]] json::View root() const { return root_.view(); }
  [[nodiscard]] const std::vector<ServerEntry>& servers() const { return servers_; }
  /// Whether the text has an object for servers, even if it has no members.
  [[nodiscard]] bool has_server_list() const { return has_server_list_; }
  /// nullptr: there is no such server.
  [[nodiscard]] const ServerEntry* find(std::string_view name, std::string_view scope) const;

 private:
  ClientSettings() = default;
  [[nodiscard]] Status parse(bool is_toml);
  [[nodiscard]] Status parse_toml();
  [[nodiscard]] Status find_all_servers();
  /// Adds the servers at `rest`, a JSON Pointer that starts at `map`; * matches every member.
  /// `pointer`: of `map` itself; `scope`: the member that * has matched.
  [[nodiscard]] Status find_servers(json::View map, const std::string& pointer,
                                    std::string_view rest, const std::string& scope);
  [[nodiscard]] Status add_servers(json::View map, const std::string& pointer,
                                   const std::string& scope);
  /// How the server is started; nullopt: not by a command. Then sets `problem` to the reason,
  /// unless the server has a URL.
  [[nodiscard]] Result<std::optional<ServerCommand>> command_of(json::View server,
                                                                const std::string& pointer,
                                                                std::string& problem) const;
  /// Fails if a member is repeated. `only`: the key to look at; nullopt: all keys.
  [[nodiscard]] Status refuse_repeated_members(json::View object,
                                               std::optional<std::string_view> only = {}) const;
  [[nodiscard]] bool is_inline(std::string_view pointer) const;
  [[nodiscard]] TextRange value_range(json::View value, const std::string& pointer) const;
  /// In TOML only the begin of a key is known: the range is empty.
  [[nodiscard]] TextRange key_range(json::View object, std::string_view key,
                                    const std::string& pointer) const;
  [[nodiscard]] std::size_t offset_of(TextPlace place) const;

  std::string text_;
  std::string path_;
  const ClientFormat* format_ = nullptr;
  json::Value root_;
  std::optional<Toml> toml_;        ///< unset: the text is JSON
  std::vector<std::size_t> lines_;  ///< offset of each line, for TOML
  std::vector<ServerEntry> servers_;
  bool has_server_list_ = false;
};

/// Whether the settings disable a server, so that the client does not start it.
[[nodiscard]] bool is_disabled(json::View server);

/// Replaces comments and trailing commas, which some clients allow in JSON, and a byte order mark
/// with spaces: every other byte keeps its offset.
[[nodiscard]] std::string without_comments(std::string text);

}  // namespace enfold::gateway
