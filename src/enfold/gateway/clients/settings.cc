// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/settings.h"

#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::gateway {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Overwrites a range with spaces and keeps line breaks, so that errors name the right line and
// column.
void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < std::min(end, text.size()); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

// The offset after the closing quote. `quote`: offset of the opening one.
std::size_t end_of_string(const std::string& text, std::size_t quote) {
  std::size_t i = quote + 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return i + 1;
}

// The object with the program and its arguments (always "args"), its JSON Pointer, and the key of
// the program.
struct ProgramMembers {
  json::View object;
  std::string pointer;
  std::string_view program = "command";
};

// Old versions of Zed write the program into an object: {"command": {"path": …, "args": …}}.
ProgramMembers program_members(json::View server, const std::string& pointer) {
  const auto command = server.find("command");
  if (command && command->is_object()) {
    return {*command, json::below(pointer, "command"), "path"};
  }
  return {server, pointer};
}

// Whether one list has the program and its arguments.
bool is_command_list(const std::optional<json::View>& program) {
  return program && program->is_array() && program->size() > 0 && program->item(0)->is_string();
}

// Removes the first step of a JSON Pointer and returns it.
std::string_view next_step(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('/', 1), rest.size());
  const std::string_view step = rest.substr(1, end - 1);
  rest.remove_prefix(end);
  return step;
}

}  // namespace

std::string without_comments(std::string text) {
  if (text.starts_with(kByteOrderMark)) blank(text, 0, kByteOrderMark.size());
  std::size_t comma = std::string::npos;  // offset of the last comma, if only white space followed
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view next = std::string_view(text).substr(i, 2);
    if (next == "//" || next == "/*") {
      const std::size_t found =
          next == "//" ? text.find_first_of("\r\n", i) : text.find("*/", i + 2);
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

Result<ClientSettings> ClientSettings::read(std::string text, const std::string& path,
                                            const ClientFormat* format) {
  ClientSettings out;
  out.text_ = std::move(text);
  out.path_ = path;
  ENFOLD_TRY(out.parse(format != nullptr ? format->is_toml : path.ends_with(".toml")));
  out.format_ = format != nullptr ? format : &detect_client_format(path, out.root());
  ENFOLD_TRY(out.find_all_servers());
  return out;
}

Result<ClientSettings> ClientSettings::with_text(std::string text) const {
  ClientSettings out;
  out.text_ = std::move(text);
  out.path_ = path_;
  out.format_ = format_;
  ENFOLD_TRY(out.parse(is_toml()));
  ENFOLD_TRY(out.find_all_servers());
  return out;
}

Status ClientSettings::find_all_servers() {
  for (const std::string_view pointer : format_->servers) {
    ENFOLD_TRY(find_servers(root(), "", pointer, ""));
    // OpenCode 2 has {"mcp": {"servers": {…}}}, OpenCode 1 {"mcp": {…}}: in the form of OpenCode 2,
    // "servers" is not the name of a server.
    if (has_server_list_ && pointer == "/mcp/servers") break;
  }
  return {};
}

Status ClientSettings::parse(bool is_toml) {
  if (is_toml) return parse_toml();
  const std::string plain = without_comments(text_);
  if (trimmed(plain, " \t\r\n").empty()) {
    root_ = json::parse_own("{}");
    return {};
  }
  Result<json::Document> document = json::parse(plain);
  if (!document) {
    Error error = std::move(document).error();
    error.where = error.where.empty() ? path_ : fmt::format("{}, {}", path_, error.where);
    return tl::unexpected(std::move(error));
  }
  root_ = document->value();
  if (root_->is_object()) return {};
  return fail(ErrorCode::invalid_input,
              fmt::format("expected an object, found {}", json::name(root_->kind())), path_,
              "is this the settings file of an MCP client?");
}

Status ClientSettings::parse_toml() {
  const bool has_mark = text_.starts_with(kByteOrderMark);
  ENFOLD_TRY(toml_, read_toml(std::string_view(text_).substr(has_mark ? 3 : 0), path_,
                              TomlExtras::as_text));
  root_ = toml_->value;
  lines_.push_back(has_mark ? kByteOrderMark.size() : 0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
  return {};
}

Status ClientSettings::find_servers(json::View map, const std::string& pointer,
                                    std::string_view rest, const std::string& scope) {
  if (rest.empty()) return add_servers(map, pointer, scope);
  const std::string_view step = next_step(rest);
  if (!map.is_object()) return {};
  if (step != "*") {
    const auto inner = map.find(step);
    if (!inner || !inner->is_object()) return {};
    ENFOLD_TRY(refuse_repeated_members(map, step));
    return find_servers(*inner, json::below(pointer, step), rest, scope);
  }
  ENFOLD_TRY(refuse_repeated_members(map));
  for (const json::Member& member : map.members()) {
    const std::string key = member.key.string();
    ENFOLD_TRY(find_servers(member.value, json::below(pointer, key), rest, key));
  }
  return {};
}

Status ClientSettings::add_servers(json::View map, const std::string& pointer,
                                   const std::string& scope) {
  // {"mcp": {"servers": {"type": "local", …}}} of OpenCode 1 is a server named "servers".
  const auto type = map.find("type");
  if (pointer == "/mcp/servers" && type && type->is_string()) return {};
  ENFOLD_TRY(refuse_repeated_members(map));
  has_server_list_ = true;
  for (const json::Member& member : map.members()) {
    ServerEntry entry{.name = member.key.string(), .scope = scope, .value = member.value};
    entry.pointer = json::below(pointer, entry.name);
    if (member.value.is_object()) {
      ENFOLD_TRY(entry.command, command_of(member.value, entry.pointer, entry.problem));
    } else {
      entry.problem = "not an object";
    }
    servers_.push_back(std::move(entry));
  }
  return {};
}

Result<std::optional<ServerCommand>> ClientSettings::command_of(json::View server,
                                                                const std::string& pointer,
                                                                std::string& problem) const {
  const ProgramMembers members = program_members(server, pointer);
  ENFOLD_TRY(refuse_repeated_members(server));
  ENFOLD_TRY(refuse_repeated_members(members.object));
  const auto program = members.object.find(members.program);
  const std::string program_pointer = json::below(members.pointer, members.program);
  ServerCommand out;
  const auto add_items = [&](json::View list, const std::string& at) {
    std::size_t index = 0;
    for (const json::View item : list.items()) {
      const TextRange range = value_range(item, fmt::format("{}/{}", at, index++));
      out.words.push_back({item.is_string() ? item.string() : json::to_text(item), range});
    }
  };
  if (is_command_list(program)) {
    out.is_list = true;
    out.arguments = value_range(*program, program_pointer);
    add_items(*program, program_pointer);
    return out;
  }
  if (!program || program->string_source().empty()) {
    const bool has_url =
        std::ranges::any_of(std::array{"url", "httpUrl", "serverUrl"},
                            [&](const char* key) { return server.find(key).has_value(); });
    if (!has_url) problem = "it has neither a command nor a url";
    return std::nullopt;
  }
  out.is_inline = is_inline(program_pointer);
  out.program_key = key_range(members.object, members.program, program_pointer);
  out.words.push_back({program->string(), value_range(*program, program_pointer)});
  const auto arguments = members.object.find("args");
  if (!arguments) return out;
  const std::string arguments_pointer = json::below(members.pointer, "args");
  if (!arguments->is_array()) {
    problem = fmt::format("args is not a list but {}", json::name(arguments->kind()));
    return std::nullopt;
  }
  out.arguments = value_range(*arguments, arguments_pointer);
  out.arguments_key = key_range(members.object, "args", arguments_pointer);
  add_items(*arguments, arguments_pointer);
  return out;
}

// It is unknown which of the values the client uses, because programs differ in this.
Status ClientSettings::refuse_repeated_members(json::View object,
                                               std::optional<std::string_view> only) const {
  if (toml_) return {};  // the TOML parser has refused repeated members
  for (const json::Member& member : object.members()) {
    const std::string key = member.key.string();
    if (only && key != *only) continue;
    if (object.find(key)->offset() == member.value.offset()) continue;
    return fail(
        ErrorCode::invalid_input, fmt::format("expected each member once, found \"{}\" again", key),
        fmt::format("{}, {}", path_, json::describe_place(text_, object.find(key)->offset())),
        "remove one of them");
  }
  return {};
}

TextRange ClientSettings::value_range(json::View value, const std::string& pointer) const {
  if (!toml_) return {value.offset(), value.offset() + value.raw().size()};
  return {offset_of(toml_->values.at(pointer)), offset_of(toml_->ends.at(pointer))};
}

TextRange ClientSettings::key_range(json::View object, std::string_view key,
                                    const std::string& pointer) const {
  if (toml_) {
    const std::size_t begin = offset_of(toml_->keys.at(pointer));
    return {begin, begin};
  }
  for (const json::Member& member : object.members()) {
    if (!member.key.equals(key)) continue;
    return {member.key.offset(), member.key.offset() + member.key.raw().size()};
  }
  return {};
}

// Whether a value is in an inline table of TOML, at any depth.
bool ClientSettings::is_inline(std::string_view pointer) const {
  for (; toml_ && !pointer.empty(); pointer = pointer.substr(0, pointer.rfind('/'))) {
    if (toml_->inline_tables.contains(pointer)) return true;
  }
  return false;
}

// Columns of a TextPlace count code points.
std::size_t ClientSettings::offset_of(TextPlace place) const {
  if (place.line > lines_.size()) return text_.size();
  std::size_t at = lines_[place.line - 1];
  for (std::size_t column = 1; column < place.column && at < text_.size(); ++column) {
    static_cast<void>(utf8::next(text_, at));
  }
  return at;
}

bool is_disabled(json::View server) {
  const auto disabled = server.find("disabled");
  const auto enabled = server.find("enabled");
  return (disabled && disabled->boolean()) ||
         (enabled && enabled->is_boolean() && !enabled->boolean());
}

const ServerEntry* ClientSettings::find(std::string_view name, std::string_view scope) const {
  const auto found = std::ranges::find_if(servers_, [&](const ServerEntry& server) {
    return server.name == name && server.scope == scope;
  });
  return found == servers_.end() ? nullptr : &*found;
}

}  // namespace enfold::gateway
