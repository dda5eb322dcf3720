// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/import.h"

#include "enfold/base/text.h"
#include "enfold/gateway/clients/enfold_command.h"
#include "enfold/gateway/clients/import_values.h"
#include "enfold/gateway/config/read_upstreams.h"
#include "enfold/gateway/config/values.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace enfold::gateway {
namespace {

// A valid name of an upstream, made of the name that the client's settings give the server.
std::string upstream_name(const std::string& settings_name) {
  std::string out;
  for (const char c : settings_name) {
    const char kept = is_alphanumeric(c) || c == '_' ? c : '-';
    const bool repeats_separator =
        !is_alphanumeric(kept) && (out.empty() || !is_alphanumeric(out.back()));
    if (!repeats_separator && out.size() < kMaxUpstreamNameLength) out += kept;
  }
  while (!out.empty() && !is_alphanumeric(out.back())) out.pop_back();
  return out.empty() ? "server" : out;
}

class Importer {
 public:
  Importer(ImportResult& out, const ImportOptions& options)
      : out_(out),
        options_(options),
        values_(options, [this](const std::string& text) { add_note(text); }) {}

  /// Reserves the variables of all placeholders, so that no secret gets one of them.
  void reserve_variables(const ClientSettings& settings) {
    values_.use_file(settings);
    for (const ServerEntry& server : settings.servers()) values_.reserve(server.value);
  }

  /// Imports the servers of a file. With options.project, leaves out those of other projects.
  void import_file(const ClientSettings& settings) {
    settings_ = &settings;
    values_.use_file(settings);
    std::size_t others = 0;
    for (const ServerEntry& server : settings.servers()) {
      const bool is_other =
          options_.project && !server.scope.empty() && server.scope != options_.project->string();
      is_other ? static_cast<void>(++others) : import_server(server);
    }
    if (others == 0) return;
    out_.notes.push_back(fmt::format(
        "{}: left out {} of other projects; pass the file to import all", settings.path(), others));
  }

 private:
  void import_server(const ServerEntry& entry) {
    settings_name_ = entry.name;
    const json::View server = entry.value;
    if (!server.is_object()) {
      add_note("left out: not an object");
    } else if (is_disabled(server)) {
      add_note("left out: disabled");
    } else if (const auto type = server.find("type"); type && type->equals("sse")) {
      add_note("left out: HTTP+SSE is not supported; use its Streamable HTTP address");
    } else if (entry.command) {
      begin_upstream();
      import_program(entry);
      end_upstream();
    } else if (const auto url = url_of(server); is_text(url)) {
      begin_upstream();
      import_url(server, *url);
      end_upstream();
    } else {
      add_note("left out: " +
               (entry.problem.empty() ? "it has neither a command nor a url" : entry.problem));
    }
  }

  void add_note(const std::string& text) {
    out_.notes.push_back(fmt::format("{}: {}", settings_name_, text));
  }

  [[nodiscard]] static bool is_text(std::optional<json::View> value) {
    return value && !value->string_source().empty();
  }

  [[nodiscard]] std::optional<json::View> url_of(json::View server) const {
    for (const std::string_view key : {"httpUrl", "serverUrl", "url"}) {
      if (const auto found = server.find(key)) return found;
    }
    return std::nullopt;
  }

  // Begins the table of an upstream with a unique name: `end_upstream` writes it.
  void begin_upstream() {
    first_note_ = out_.notes.size();
    const std::string wanted = upstream_name(settings_name_);
    name_ = wanted;
    for (std::size_t number = 2; names_.contains(name_); ++number) {
      // Four characters are left for "-" and a number.
      name_ = fmt::format("{}-{}", wanted.substr(0, kMaxUpstreamNameLength - 4), number);
    }
    if (name_ != settings_name_) add_note(fmt::format("renamed to {}", name_));
    values_.use_upstream(name_);
    table_.clear();
  }

  // Adds the table to the result. If another file has the same server under the same name, replaces
  // the notes about the server by one that says so.
  void end_upstream() {
    const auto same = tables_.find({upstream_name(settings_name_), table_});
    if (same != tables_.end() && same->second != settings_) {
      out_.notes.resize(first_note_);
      add_note(fmt::format("is in {} too; imported once", settings_->path()));
      return;
    }
    tables_.try_emplace({upstream_name(settings_name_), table_}, settings_);
    names_.insert(name_);
    out_.toml += fmt::format("\n[upstreams.{}]\n{}", name_, table_);
    ++out_.servers;
  }

  void write_key(const std::string& key, const std::string& value) {
    table_ += fmt::format("{} = {}\n", key, value);
  }

  void import_program(const ServerEntry& entry) {
    const json::View server = entry.value;
    const std::vector<CommandWord>& words = entry.command->words;
    write_key("command", toml_string(values_.resolved(words.front().text, "command")));
    import_args(words);
    if (const auto enfold = find_enfold(words); enfold && enfold->server > 0) {
      add_note("runs behind enfold wrap; without wrap there is one process less");
    }
    const auto command = server.find("command");
    const bool is_object = command && command->is_object();  // an old form of Zed
    import_table(is_object ? *command : server, "env", "env");
    import_table(server, "environment", "env");
    import_passthrough(server);
    if (const auto cwd = server.find("cwd"); cwd && cwd->is_string()) {
      write_key("cwd", toml_string(values_.resolved(cwd->string(), "cwd")));
    }
    import_common(server, {"command", "args", "env", "environment", "env_vars", "cwd"});
  }

  void import_url(json::View server, json::View url) {
    write_key("url", values_.value(url.string(), "url", "", name_ + "_url"));
    import_table(server, "headers", "headers");
    import_table(server, "http_headers", "headers");
    import_header_variables(server);
    const bool may_be_sse =
        settings_->format().url_may_be_sse && !server.find("type") && !server.find("httpUrl");
    if (may_be_sse) add_note("its url may be one of HTTP+SSE, which is not supported");
    import_common(server, {"url", "httpUrl", "serverUrl", "headers", "http_headers",
                           "env_http_headers", "bearer_token_env_var"});
  }

  // Imports what programs and URLs have in common. Adds a note for each member that is neither
  // imported nor in `known`.
  void import_common(json::View server, std::vector<std::string_view> known) {
    import_timeouts(server, known);
    for (const std::string_view name : {"includeTools", "enabled_tools"}) {
      import_tools(server, name, "tools_allow");
    }
    for (const std::string_view name : {"excludeTools", "disabledTools", "disabled_tools"}) {
      import_tools(server, name, "tools_deny");
    }
    known.insert(known.end(), {"type", "disabled", "enabled", "source", "includeTools",
                               "enabled_tools", "excludeTools", "disabledTools", "disabled_tools"});
    for (const json::Member& member : server.members()) {
      const std::string key = member.key.string();
      if (std::ranges::find(known, key) == known.end()) add_note(key + " was not imported");
    }
  }

  // Adds the names of imported members to `known`.
  void import_timeouts(json::View server, std::vector<std::string_view>& known) {
    // Enfold's default.
    constexpr std::chrono::milliseconds kCallTimeout = std::chrono::minutes(30);
    // The longest duration that the configuration allows: 30 days.
    constexpr double kMaxMs = 720.0 * 3600 * 1000;
    for (const TimeoutMember& member : settings_->format().timeouts) {
      const auto value = server.find(member.name);
      if (!value) continue;
      const std::optional<double> number = value->real();
      const double ms = number.value_or(0) * static_cast<double>(member.unit.count());
      if (ms < 1 || ms > kMaxMs) continue;  // import_common notes that it was not imported
      known.push_back(member.name);
      const auto timeout = std::chrono::milliseconds(static_cast<std::int64_t>(ms));
      const std::string text = timeout.count() % 1000 == 0
                                   ? fmt::format("\"{}s\"", timeout.count() / 1000)
                                   : fmt::format("\"{}ms\"", timeout.count());
      write_key(member.is_startup ? "startup_timeout" : "idle_timeout", text);
      if (!member.is_startup && timeout > kCallTimeout) write_key("call_timeout", text);
    }
  }

  // `name`: the member with the list of tools; `key`: that of the configuration.
  void import_tools(json::View server, std::string_view name, const std::string& key) {
    const auto list = server.find(name);
    if (!list || !list->is_array() || list->size() == 0) return;
    std::string out;
    for (const json::View item : list->items()) {
      if (!item.is_string()) continue;
      out += (out.empty() ? "" : ", ") + toml_string(item.string());
    }
    write_key(key, "[" + out + "]");
  }

  // Codex lists the environment variables that it passes to a server: "NAME" or
  // { name = "NAME", source = … }.
  void import_passthrough(json::View server) {
    const auto list = server.find("env_vars");
    if (!list || !list->is_array()) return;
    std::string out;
    for (const json::View item : list->items()) {
      const std::optional<json::View> name = item.is_object() ? item.find("name") : item;
      if (!is_text(name)) continue;
      out += (out.empty() ? "" : ", ") + toml_string(name->string());
    }
    if (!out.empty()) write_key("env_passthrough", "[" + out + "]");
  }

  // Codex also names environment variables whose values are headers.
  void import_header_variables(json::View server) {
    if (const auto token = server.find("bearer_token_env_var"); is_text(token)) {
      write_key("headers.Authorization", ImportValues::variable(token->string(), "Bearer "));
    }
    const auto headers = server.find("env_http_headers");
    if (!headers) return;
    for (const json::Member& member : headers->members()) {
      if (!is_text(member.value)) continue;
      write_key("headers." + toml_key(member.key.string()),
                ImportValues::variable(member.value.string(), ""));
    }
  }

  void import_args(const std::vector<CommandWord>& words) {
    if (words.size() < 2) return;
    std::string list;
    std::string flag;  // the preceding flag, if it takes a value
    for (std::size_t i = 1; i < words.size(); ++i) {
      list += (list.empty() ? "" : ", ") + toml_argument(words[i].text, flag, i - 1);
      flag = name_after_flag(words[i].text);
    }
    write_key("args", "[" + list + "]");
  }

  // The TOML value of a command line argument. In --name=VALUE only VALUE may be a secret. `flag`:
  // the preceding flag, if it takes a value; else empty. `index`: 0 for the first argument.
  [[nodiscard]] std::string toml_argument(const std::string& text, const std::string& flag,
                                          std::size_t index) {
    const std::string place = fmt::format("args[{}]", index);  // for notes
    const std::size_t equals = text.find('=');
    if (!text.starts_with('-') || equals == std::string::npos) {
      const std::string named = flag.empty() ? variable_name(place) : flag;
      return values_.value(text, place, flag, name_ + "_" + named);
    }
    const std::string name = text.substr(0, equals);
    const std::string secret = text.substr(equals + 1);
    if (values_.is_placeholder(text) || !is_secret(secret, variable_name(name))) {
      return values_.value(text, place, "", name_ + "_" + place);
    }
    return values_.secret(secret, name_ + "_" + name, text.substr(0, equals + 1), place);
  }

  // `member`: the server's member that maps names to texts; `table`: that of the configuration.
  void import_table(json::View server, std::string_view member, const std::string& table) {
    const auto texts = server.find(member);
    if (!texts) return;
    for (const json::Member& one : texts->members()) {
      const std::string key = one.key.string();
      const json::View item = one.value;
      // Of a repeated key only the last value is imported: the client uses it, and TOML allows no
      // repetition.
      if (!settings_->is_toml() && texts->find(key)->offset() != item.offset()) continue;
      const std::string text = item.is_string() ? item.string() : json::to_text(item);
      write_key(fmt::format("{}.{}", table, toml_key(key)),
                values_.value(text, fmt::format("{} {}", table, key), key,
                              table == "env" ? key : name_ + "_" + key));
    }
  }

  ImportResult& out_;
  const ImportOptions& options_;
  ImportValues values_;
  const ClientSettings* settings_ = nullptr;  ///< the current file
  std::string settings_name_;                 ///< of the current server, in the client's settings
  std::string name_;                          ///< of the current upstream
  std::string table_;                         ///< of the current upstream, without its header
  std::size_t first_note_ = 0;                ///< index of the current upstream's first note
  std::set<std::string> names_;               ///< of all upstreams so far
  /// The file of each imported server, by the name wanted for the upstream and its table.
  std::map<std::pair<std::string, std::string>, const ClientSettings*> tables_;
};

}  // namespace

Result<ImportResult> import_servers(std::span<const ClientSettings> files,
                                    const ImportOptions& options) {
  ImportResult out;
  Importer importer(out, options);
  for (const ClientSettings& settings : files) importer.reserve_variables(settings);
  for (const ClientSettings& settings : files) importer.import_file(settings);
  if (out.servers > 0) return out;
  const std::string where = files.size() == 1 ? files.front().path() : std::string();
  const bool has_list = std::ranges::any_of(files, &ClientSettings::has_server_list);
  if (!has_list) {
    return fail(ErrorCode::invalid_input, "expected a list of MCP servers, found none", where,
                "pass the settings file of an MCP client; `enfold import --list` shows those of "
                "this user");
  }
  return fail(ErrorCode::invalid_input, "expected at least one server that can be imported", where,
              out.notes.empty() ? "the list is empty" : out.notes.front());
}

}  // namespace enfold::gateway
