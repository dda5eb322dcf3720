// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/wrap.h"

#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::gateway {
namespace {

using State = ServerChange::State;

constexpr std::string_view kWhite = " \t\r\n";

struct Edit {
  TextRange range;
  std::string text;
};

std::string apply(const std::string& text, std::vector<Edit> edits) {
  std::ranges::sort(edits, {}, [](const Edit& edit) { return edit.range.begin; });
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out += text.substr(at, edit.range.begin - at) + edit.text;
    at = edit.range.end;
  }
  return out + text.substr(at);
}

std::string_view between(const std::string& text, std::size_t begin, std::size_t end) {
  return std::string_view(text).substr(begin, end - begin);
}

bool is_white(std::string_view text) {
  return text.find_first_not_of(kWhite) == std::string_view::npos;
}

std::string_view file_name(std::string_view program) {
  return program.substr(program.rfind('/') + 1);
}

bool is_enfold(std::string_view program) { return file_name(program) == "enfold"; }

// Index of the word after `enfold wrap … --`; 0: the command is not wrapped.
std::size_t wrapped_word(const std::vector<CommandWord>& words) {
  std::size_t at = 0;  // of enfold
  if (!words.empty() && file_name(words[0].text) == "npx") {
    at = 1;
    while (at < words.size() && words[at].text.starts_with('-')) ++at;
  }
  if (at + 1 >= words.size() || words[at + 1].text != "wrap") return 0;
  if (!is_enfold(words[at].text) && !(at > 0 && words[at].text.starts_with("enfold@"))) return 0;
  for (std::size_t i = at + 2; i + 1 < words.size(); ++i) {
    if (words[i].text == "--") return i + 1;
  }
  return 0;
}

std::string why_not(const ServerCommand& command) {
  const std::string& program = command.words.front().text;
  if (program.starts_with('~')) {
    return "its command begins with ~, which only the client expands; write the whole path";
  }
  const bool is_shell_text =
      program.find('/') == std::string::npos && program.find_first_of(kWhite) != std::string::npos;
  if (is_shell_text) {
    return "its command holds white space; write the arguments into args";
  }
  return {};
}

// Collects the edits of one file.
class Editor {
 public:
  Editor(const ClientSettings& settings, const std::string& program)
      : settings_(settings),
        text_(settings.text()),
        program_(settings.is_toml() ? toml_string(program) : json::quote(program)) {}

  void wrap(const ServerCommand& command) {
    if (command.is_list) {
      insert_words(command, 0, fmt::format("{}{}", program_, separator(command, 0)));
      return;
    }
    const CommandWord& program = command.words.front();
    const std::string raw(between(text_, program.range.begin, program.range.end));
    edits_.push_back({program.range, program_});
    if (!command.arguments) {
      add_list(command, raw);
    } else if (command.words.size() > 1) {
      insert_words(command, 1, "", raw + separator(command, 1));
    } else {
      const std::size_t at = command.arguments->begin + 1;
      edits_.push_back({{at, at}, fmt::format(R"("wrap", "--", {})", raw)});
    }
  }

  /// `has_list`: the original had a list of arguments.
  void unwrap(const ServerCommand& command, bool has_list) {
    const std::vector<CommandWord>& words = command.words;
    const std::size_t kept = wrapped_word(words);
    if (command.is_list) {
      edits_.push_back({{words[0].range.begin, words[kept].range.begin}, ""});
      return;
    }
    const TextRange program = words[kept].range;
    edits_.push_back({words[0].range, std::string(between(text_, program.begin, program.end))});
    if (kept + 1 < words.size()) {
      edits_.push_back({{words[1].range.begin, words[kept + 1].range.begin}, ""});
    } else if (has_list || !remove_list(command)) {
      edits_.push_back({{words[1].range.begin, end_of_last(command)}, ""});
    }
  }

  [[nodiscard]] std::string result() { return apply(text_, std::move(edits_)); }

 private:
  // What stands between two items of the list: as between the first two, else as after its bracket.
  [[nodiscard]] std::string separator(const ServerCommand& command, std::size_t first) const {
    const std::vector<CommandWord>& words = command.words;
    if (words.size() > first + 1) {
      const auto gap = between(text_, words[first].range.end, words[first + 1].range.begin);
      const std::size_t comma = gap.find(',');
      if (comma != std::string_view::npos && is_white(gap.substr(0, comma)) &&
          is_white(gap.substr(comma + 1))) {
        return "," + std::string(gap.substr(comma + 1));
      }
    }
    const auto lead = between(text_, command.arguments->begin + 1, words[first].range.begin);
    const bool is_line = is_white(lead) && lead.find('\n') != std::string_view::npos;
    return is_line ? "," + std::string(lead) : ", ";
  }

  void insert_words(const ServerCommand& command, std::size_t first, const std::string& before,
                    const std::string& after = {}) {
    const std::string next = separator(command, first);
    const std::size_t at = command.words[first].range.begin;
    edits_.push_back({{at, at}, fmt::format(R"({}"wrap"{}"--"{}{})", before, next, next, after)});
  }

  // Adds a member with the list of arguments behind the program.
  void add_list(const ServerCommand& command, const std::string& raw) {
    const std::size_t end = command.words.front().range.end;
    const std::string list = fmt::format(R"(["wrap", "--", {}])", raw);
    if (!settings_.is_toml()) {
      edits_.push_back(
          {{end, end},
           fmt::format(",{}\"args\"{}{}", gap_before_key(command), colon(command), list)});
      return;
    }
    const std::string prefix = toml_prefix(command);
    if (prefix.find_first_of("{,=]") != std::string::npos) {  // in an inline table
      edits_.push_back({{end, end}, ", args = " + list});
      return;
    }
    std::size_t at = std::min(text_.find('\n', end), text_.size());
    const bool is_crlf = at < text_.size() && at > end && text_[at - 1] == '\r';
    if (is_crlf) --at;
    edits_.push_back(
        {{at, at}, fmt::format("{}{}args = {}", is_crlf ? "\r\n" : "\n", prefix, list)});
  }

  // Removes the member that add_list added; false: it does not stand behind the program.
  [[nodiscard]] bool remove_list(const ServerCommand& command) {
    const std::size_t end = command.words.front().range.end;
    std::string_view gap = between(text_, end, command.arguments_key->begin);
    std::size_t begin = end;
    if (settings_.is_toml() && gap.find('\n') != std::string_view::npos) {
      // The line end before the list goes with it; a comment behind the program stays.
      const std::size_t line = gap.rfind('\n');
      if (gap.find('\n') != line) return false;
      begin = end + line - (line > 0 && gap[line - 1] == '\r' ? 1 : 0);
    } else {
      const std::size_t comma = gap.find(',');
      if (comma == std::string_view::npos || !is_white(gap.substr(0, comma)) ||
          !is_white(gap.substr(comma + 1))) {
        return false;
      }
    }
    edits_.push_back({{begin, command.arguments->end}, ""});
    return true;
  }

  // The end of the last argument, with the comma that may follow it.
  [[nodiscard]] std::size_t end_of_last(const ServerCommand& command) const {
    const std::size_t end = command.words.back().range.end;
    const auto rest = between(text_, end, command.arguments->end - 1);
    const std::size_t next = rest.find_first_not_of(kWhite);
    return next != std::string_view::npos && rest[next] == ',' ? end + next + 1 : end;
  }

  // White space before the key of the program.
  [[nodiscard]] std::string gap_before_key(const ServerCommand& command) const {
    const std::size_t key = command.program_key.begin;
    const std::size_t last = text_.find_last_not_of(kWhite, key - 1);
    const auto gap = between(text_, last + 1, key);
    const bool is_clean = text_[last] == '{' || text_[last] == ',';
    if (is_clean && !(gap.empty() && text_[last] == '{')) return std::string(gap);
    const std::size_t line = gap.rfind('\n');
    return line == std::string_view::npos ? " " : std::string(gap.substr(line));
  }

  [[nodiscard]] std::string colon(const ServerCommand& command) const {
    const auto gap = between(text_, command.program_key.end, command.words.front().range.begin);
    return gap.find_first_not_of(" \t:") == std::string_view::npos ? std::string(gap) : ": ";
  }

  // What precedes the last step of the key of the program in its line.
  [[nodiscard]] std::string toml_prefix(const ServerCommand& command) const {
    const std::size_t key = command.program_key.begin;
    const std::size_t line = key == 0 ? std::string::npos : text_.rfind('\n', key - 1);
    const std::size_t begin = line == std::string::npos ? first_byte() : line + 1;
    return std::string(between(text_, begin, key));
  }

  [[nodiscard]] std::size_t first_byte() const { return text_.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

  const ClientSettings& settings_;
  const std::string& text_;
  std::string program_;  ///< in quotes, as JSON and TOML have them
  std::vector<Edit> edits_;
};

std::vector<std::string> words_of(const ServerCommand& command, std::size_t first = 0) {
  std::vector<std::string> out;
  for (std::size_t i = first; i < command.words.size(); ++i) out.push_back(command.words[i].text);
  return out;
}

// The words that a server should have after a change; unset: any.
using Expected = std::vector<std::optional<std::vector<std::string>>>;

// Reads the new text and compares its servers with what they should be.
Status check_result(const ClientSettings& before, const std::string& text,
                    const Expected& expected) {
  const auto damaged = [&](const std::string& what) {
    return fail(ErrorCode::internal,
                fmt::format("cannot change {} without damage: {}", before.name(), what),
                before.name(), "the file was not changed; edit it by hand and report this");
  };
  const Result<ClientSettings> after = ClientSettings::read(text, before.name(), &before.format());
  if (!after) return damaged(after.error().message);
  if (after->servers().size() != before.servers().size()) return damaged("a server is missing");
  for (std::size_t i = 0; i < before.servers().size(); ++i) {
    const ServerEntry& was = before.servers()[i];
    const ServerEntry& is = after->servers()[i];
    if (is.name != was.name || is.command.has_value() != was.command.has_value()) {
      return damaged(fmt::format("the server {} is different", was.name));
    }
    if (expected[i] && words_of(*is.command) != *expected[i]) {
      return damaged(fmt::format("the command of {} is different", was.name));
    }
  }
  return {};
}

}  // namespace

std::size_t SettingsChange::count(State state) const {
  return static_cast<std::size_t>(std::ranges::count(servers, state, &ServerChange::state));
}

bool is_wrapped(const ServerCommand& command) { return wrapped_word(command.words) != 0; }

Result<SettingsChange> wrap_servers(const ClientSettings& settings, const std::string& program) {
  SettingsChange out;
  Expected expected;
  Editor editor(settings, program);
  for (const ServerEntry& server : settings.servers()) {
    ServerChange change{.name = server.name, .scope = server.scope};
    expected.emplace_back();
    if (!server.command) {
      change.state = State::left_out;
      change.why =
          server.problem.empty() ? "it runs at a URL; import it for enfold serve" : server.problem;
    } else if (is_wrapped(*server.command)) {
      change.state = State::unchanged;
    } else if (change.why = why_not(*server.command); !change.why.empty()) {
      change.state = State::left_out;
    } else {
      change.state = State::changed;
      editor.wrap(*server.command);
      std::vector<std::string> words = words_of(*server.command);
      words.insert(words.begin(), {program, "wrap", "--"});
      expected.back() = std::move(words);
    }
    out.servers.push_back(std::move(change));
  }
  out.text = editor.result();
  ENFOLD_TRY(check_result(settings, out.text, expected));
  return out;
}

Result<SettingsChange> unwrap_servers(const ClientSettings& settings,
                                      const ClientSettings* original) {
  SettingsChange out;
  Expected expected;
  Editor editor(settings, "");
  for (const ServerEntry& server : settings.servers()) {
    ServerChange change{.name = server.name, .scope = server.scope};
    expected.emplace_back();
    if (server.command && is_wrapped(*server.command)) {
      change.state = State::changed;
      const ServerEntry* was =
          original == nullptr ? nullptr : original->find(server.name, server.scope);
      const bool had_no_list = was != nullptr && was->command && !was->command->arguments;
      editor.unwrap(*server.command, !had_no_list);
      expected.back() = words_of(*server.command, wrapped_word(server.command->words));
    }
    out.servers.push_back(std::move(change));
  }
  out.text = editor.result();
  ENFOLD_TRY(check_result(settings, out.text, expected));
  return out;
}

}  // namespace enfold::gateway
