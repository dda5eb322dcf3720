// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/config/import.h"

#include "enfold/gateway/config/values.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxNameLength = 32;  // that settings_from_config.cc accepts

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Turns the name of a server in the client's settings into a valid name of an upstream.
std::string upstream_name(const std::string& settings_name) {
  std::string out;
  for (const char c : settings_name) {
    const char kept = is_letter_or_digit(c) || c == '_' ? c : '-';
    const bool repeats_separator =
        !is_letter_or_digit(kept) && (out.empty() || !is_letter_or_digit(out.back()));
    if (!repeats_separator && out.size() < kMaxNameLength) out += kept;
  }
  while (!out.empty() && !is_letter_or_digit(out.back())) out.pop_back();
  return out.empty() ? "server" : out;
}

// "PREFIX${NAME}", "PREFIX${env:NAME}" or "PREFIX${input:NAME}": text that ends in one environment
// variable, or in one value for which the client prompts its user.
struct Placeholder {
  std::string prefix;
  std::string variable;  ///< name of the environment variable that replaces either
};

std::optional<Placeholder> placeholder_of(const std::string& text) {
  const std::size_t begin = text.find("${");
  if (begin == std::string::npos || text.find('}', begin) != text.size() - 1) return std::nullopt;
  std::string inside = text.substr(begin + 2, text.size() - begin - 3);
  const bool is_prompt = inside.starts_with("input:");
  if (is_prompt || inside.starts_with("env:")) inside.erase(0, inside.find(':') + 1);
  if (is_prompt) inside = variable_name(inside);
  const bool is_name = !inside.empty() && std::ranges::all_of(inside, [](char c) {
    return is_letter_or_digit(c) || c == '_';
  });
  const bool is_folder = inside == "workspaceFolder" || inside == "userHome";
  if (!is_name || is_folder) return std::nullopt;
  return Placeholder{text.substr(0, begin), inside};
}

class Importer {
 public:
  explicit Importer(ImportResult& out) : out_(out) {}

  /// Reserves the variables of all placeholders in a value, so that no secret gets one of them.
  void reserve_variables(json::View value) {
    const auto found = value.is_string() ? placeholder_of(value.string()) : std::nullopt;
    if (found) secrets_.try_emplace(found->variable, value.string());
    for (const json::View item : value.items()) reserve_variables(item);
    for (const json::Member& member : value.members()) reserve_variables(member.value);
  }

  void import_server(const std::string& settings_name, json::View server) {
    settings_name_ = settings_name;
    if (!server.is_object()) {
      add_note("left out: not an object");
    } else if (is_disabled(server)) {
      add_note("left out: disabled");
    } else if (const auto type = server.find("type"); type && type->equals("sse")) {
      add_note("left out: HTTP+SSE is not supported; use its Streamable HTTP address");
    } else if (is_text(server.find("command"))) {
      begin_upstream();
      import_program(server);
    } else if (is_text(server.find("url"))) {
      begin_upstream();
      import_url(server);
    } else {
      add_note("left out: it has neither a command nor a url");
    }
  }

 private:
  void add_note(const std::string& text) {
    out_.notes.push_back(fmt::format("{}: {}", settings_name_, text));
  }

  [[nodiscard]] static bool is_text(std::optional<json::View> value) {
    return value && value->is_string();
  }

  [[nodiscard]] static bool is_disabled(json::View server) {
    const auto disabled = server.find("disabled");
    const auto enabled = server.find("enabled");
    return (disabled && disabled->boolean()) ||
           (enabled && enabled->is_boolean() && !enabled->boolean());
  }

  // Begins the table of an upstream with a unique name.
  void begin_upstream() {
    const std::string wanted = upstream_name(settings_name_);
    name_ = wanted;
    for (std::size_t number = 2; !names_.insert(name_).second; ++number) {
      // Four characters are left for "-" and a number.
      name_ = fmt::format("{}-{}", wanted.substr(0, kMaxNameLength - 4), number);
    }
    if (name_ != settings_name_) add_note(fmt::format("renamed to {}", name_));
    out_.toml += fmt::format("\n[upstreams.{}]\n", name_);
    ++out_.servers;
  }

  void write_key(const std::string& key, const std::string& value) {
    out_.toml += fmt::format("{} = {}\n", key, value);
  }

  void import_program(json::View server) {
    const std::string command = server.find("command")->string();
    write_key("command", toml_string(command));
    const auto args = server.find("args");
    if (args && args->size() > 0) import_args(*args);
    const bool is_enfold = command == "enfold" || command.ends_with("/enfold");
    const auto verb = args ? args->item(0) : std::nullopt;
    if (is_enfold && verb && verb->equals("wrap")) {
      add_note("runs behind enfold wrap; without wrap there is one process less");
    }
    import_table(server, "env");
    if (const auto cwd = server.find("cwd"); cwd && cwd->is_string()) {
      write_key("cwd", toml_string(plain_text(cwd->string(), "cwd")));
    }
    note_other_keys(server, {"command", "args", "env", "cwd", "type", "disabled", "enabled"});
  }

  void import_url(json::View server) {
    write_key("url", toml_value(server.find("url")->string(), "url", "", name_ + "_url"));
    import_table(server, "headers");
    note_other_keys(server, {"url", "headers", "type", "disabled", "enabled"});
  }

  void import_args(json::View args) {
    std::string list;
    std::string flag;  // the preceding flag, if it takes a value
    std::size_t index = 0;
    for (const json::View item : args.items()) {
      const std::string text = item.is_string() ? item.string() : json::to_text(item);
      list += (list.empty() ? "" : ", ") + toml_argument(text, flag, index++);
      flag = name_after_flag(text);
    }
    write_key("args", "[" + list + "]");
  }

  // The TOML value of a command line argument. In --name=VALUE only VALUE may be a secret. `flag`:
  // the preceding flag, if it takes a value; else empty.
  [[nodiscard]] std::string toml_argument(const std::string& text, const std::string& flag,
                                          std::size_t index) {
    const std::string place = fmt::format("args[{}]", index);
    const std::size_t equals = text.find('=');
    if (!text.starts_with('-') || equals == std::string::npos) {
      const std::string named = flag.empty() ? variable_name(place) : flag;
      return toml_value(text, place, flag, name_ + "_" + named);
    }
    const std::string name = text.substr(0, equals);
    const std::string secret = text.substr(equals + 1);
    if (placeholder_of(text) || !is_secret(secret, variable_name(name))) {
      return toml_value(text, place, "", name_ + "_" + place);
    }
    return from_variable(secret, name_ + "_" + name, text.substr(0, equals + 1), place);
  }

  void import_table(json::View server, const std::string& table) {
    const auto texts = server.find(table);
    if (!texts) return;
    for (const json::Member& member : texts->members()) {
      const std::string key = member.key.string();
      const json::View item = member.value;
      const std::string text = item.is_string() ? item.string() : json::to_text(item);
      const bool is_env = table == "env";
      write_key(fmt::format("{}.{}", table, toml_key(key)),
                toml_value(text, fmt::format("{} {}", table, key), key,
                           is_env ? key : name_ + "_" + key));
    }
  }

  // The TOML value of a text. A secret is not copied: the value then refers to the environment
  // variable `variable`. `key`, the name of the value, helps to recognise a secret.
  [[nodiscard]] std::string toml_value(const std::string& text, const std::string& place,
                                       const std::string& key, const std::string& variable) {
    if (const auto found = placeholder_of(text)) {
      add_note(fmt::format("{} is read from the variable {}", place, found->variable));
      return variable_reference(found->variable, found->prefix);
    }
    if (!is_secret(text, key.empty() ? key : variable_name(key))) {
      return toml_string(plain_text(text, place));
    }
    for (const std::string_view scheme : {"Bearer ", "Basic ", "token "}) {
      if (text.starts_with(scheme)) {
        return from_variable(text.substr(scheme.size()), variable, std::string(scheme), place);
      }
    }
    return from_variable(text, variable, "", place);
  }

  // Returns the text; adds a note if it holds a variable.
  [[nodiscard]] std::string plain_text(const std::string& text, const std::string& place) {
    if (text.find("${") != std::string::npos) {
      add_note(fmt::format("{} holds a variable that only the client can resolve: edit it", place));
    }
    return text;
  }

  // Refers to the variable `wanted`, or to another one if `wanted` is used for another secret.
  [[nodiscard]] std::string from_variable(const std::string& secret, const std::string& wanted,
                                          const std::string& prefix, const std::string& place) {
    std::string name = variable_name(wanted);
    for (std::size_t number = 1; secrets_.try_emplace(name, secret).first->second != secret;
         ++number) {
      name = variable_name(name_ + "_" + wanted);
      if (number > 1) name += fmt::format("_{}", number);
    }
    add_note(fmt::format("{} is a secret and was not copied: set the variable {}", place, name));
    return variable_reference(name, prefix);
  }

  [[nodiscard]] static std::string variable_reference(const std::string& variable,
                                                      const std::string& prefix) {
    if (prefix.empty()) return fmt::format("{{ env = {} }}", toml_string(variable));
    return fmt::format("{{ env = {}, prefix = {} }}", toml_string(variable), toml_string(prefix));
  }

  void note_other_keys(json::View server, const std::vector<std::string_view>& known) {
    for (const json::Member& member : server.members()) {
      const std::string key = member.key.string();
      if (std::ranges::find(known, key) == known.end()) add_note(key + " was not imported");
    }
  }

  ImportResult& out_;
  std::string settings_name_;                   ///< of the current server, in the client's settings
  std::string name_;                            ///< of the current upstream
  std::set<std::string> names_;                 ///< of all upstreams so far
  std::map<std::string, std::string> secrets_;  ///< or placeholders, by the name of their variable
};

std::optional<json::View> servers_in(json::View settings) {
  for (const std::string_view key : {"mcpServers", "servers"}) {
    const auto found = settings.find(key);
    if (found && found->is_object()) return found;
  }
  const auto inner = settings.find("mcp");
  return inner && inner->is_object() ? servers_in(*inner) : std::nullopt;
}

// Overwrites a range with spaces, so that the lines and columns of errors stay the same.
void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < std::min(end, text.size()); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

std::size_t end_of_string(const std::string& text, std::size_t quote) {
  std::size_t i = quote + 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return i + 1;
}

}  // namespace

std::string without_comments(std::string text) {
  std::size_t comma = std::string::npos;  // place of the last comma, if only white space followed
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view next = std::string_view(text).substr(i, 2);
    if (next == "//" || next == "/*") {
      const std::size_t found = next == "//" ? text.find('\n', i) : text.find("*/", i + 2);
      const std::size_t length = next == "//" ? 0 : 2;
      const std::size_t end = found == std::string::npos ? text.size() : found + length;
      blank(text, i, end);
      i = end;
      continue;
    }
    const char c = text[i];
    if ((c == '}' || c == ']') && comma != std::string::npos) text[comma] = ' ';
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
      comma = c == ',' ? i : std::string::npos;
    }
    i = c == '"' ? end_of_string(text, i) : i + 1;
  }
  return text;
}

Result<ImportResult> import_servers(json::View settings, const std::string& name) {
  const std::optional<json::View> servers = servers_in(settings);
  if (!servers) {
    return fail(ErrorCode::invalid_input,
                "expected an object with mcpServers or servers, found none of them", name,
                "pass the settings file of an MCP client");
  }
  ImportResult out;
  Importer importer(out);
  importer.reserve_variables(*servers);
  for (const json::Member& member : servers->members()) {
    importer.import_server(member.key.string(), member.value);
  }
  if (out.servers > 0) return out;
  return fail(ErrorCode::invalid_input, "expected at least one server that can be imported", name,
              out.notes.empty() ? "the list is empty" : out.notes.front());
}

}  // namespace enfold::gateway
