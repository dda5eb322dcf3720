// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/wrap.h"

#include "enfold/gateway/clients/enfold_command.h"
#include "enfold/gateway/clients/text_edits.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::gateway {
namespace {

using State = ServerChange::State;

constexpr std::string_view kWhite = " \t\r\n";

// The bytes [begin, end).
std::string_view between(const std::string& text, std::size_t begin, std::size_t end) {
  return std::string_view(text).substr(begin, end - begin);
}

bool is_white(std::string_view text) {
  return text.find_first_not_of(kWhite) == std::string_view::npos;
}

// Why a server with this command cannot be wrapped; empty: it can.
std::string why_not_wrapped(const ServerCommand& command) {
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

// Collects the edits that wrap or unwrap the servers of one file.
class Editor {
 public:
  Editor(const ClientSettings& settings, const std::vector<std::string>& program)
      : settings_(settings), text_(settings.text()) {
    for (const std::string& word : program) {
      added_.push_back(settings.is_toml() ? toml_string(word) : json::quote(word));
    }
    added_.insert(added_.end(), {R"("wrap")", R"("--")"});
  }

  void wrap(const ServerCommand& command) {
    if (command.is_list) return insert_words(command, /*first=*/0, added_);
    const CommandWord& program = command.words.front();
    std::vector<std::string> arguments(added_.begin() + 1, added_.end());
    arguments.emplace_back(between(text_, program.range.begin, program.range.end));
    edits_.push_back({program.range, added_.front()});
    if (!command.arguments) {
      add_list(command, fmt::format("[{}]", fmt::join(arguments, ", ")));
    } else if (command.words.size() > 1) {
      insert_words(command, /*first=*/1, arguments);
    } else {
      const std::size_t at = command.arguments->begin + 1;
      edits_.push_back({{at, at}, fmt::format("{}", fmt::join(arguments, ", "))});
    }
  }

  /// `had_arguments`: before it was wrapped, the server had a list of arguments, which must stay
  /// even if it becomes empty.
  void unwrap(const ServerCommand& command, const EnfoldCommand& enfold, bool had_arguments) {
    const std::vector<CommandWord>& words = command.words;
    const std::size_t kept = enfold.server;  // index of the server's program
    if (command.is_list || enfold.begin > 0) {
      edits_.push_back({{words[enfold.begin].range.begin, words[kept].range.begin}, ""});
      return;
    }
    const TextRange program = words[kept].range;
    edits_.push_back({words[0].range, std::string(between(text_, program.begin, program.end))});
    if (kept + 1 < words.size()) {
      edits_.push_back({{words[1].range.begin, words[kept + 1].range.begin}, ""});
    } else if (had_arguments || !remove_list(command)) {
      edits_.push_back({{words[1].range.begin, end_of_last(command)}, ""});
    }
  }

  [[nodiscard]] std::string result() { return apply_edits(text_, std::move(edits_)); }

 private:
  // The text to write between items of the list: that between the words `first` and `first` + 1; if
  // there is none, or a comment in it, a comma and the white space after the opening bracket.
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

  // Inserts the words, which are in quotes already, before the word at `first`.
  void insert_words(const ServerCommand& command, std::size_t first,
                    const std::vector<std::string>& quoted) {
    const std::string next = separator(command, first);
    std::string inserted;
    for (const std::string& word : quoted) inserted += word + next;
    const std::size_t at = command.words[first].range.begin;
    edits_.push_back({{at, at}, std::move(inserted)});
  }

  // Adds a member "args" after that of the program. `list`: its value.
  void add_list(const ServerCommand& command, const std::string& list) {
    const std::size_t end = command.words.front().range.end;
    if (!settings_.is_toml()) {
      edits_.push_back(
          {{end, end},
           fmt::format(",{}\"args\"{}{}", gap_before_key(command), colon(command), list)});
      return;
    }
    if (command.is_inline) {
      edits_.push_back({{end, end}, ", args = " + list});
      return;
    }
    const std::string prefix(
        between(text_, line_begin(command.program_key.begin), command.program_key.begin));
    std::size_t at = std::min(text_.find('\n', end), text_.size());
    const bool is_crlf = at < text_.size() && at > end && text_[at - 1] == '\r';
    if (is_crlf) --at;
    edits_.push_back(
        {{at, at}, fmt::format("{}{}args = {}", is_crlf ? "\r\n" : "\n", prefix, list)});
  }

  // Removes the member that add_list added; false, without a change: the text around it is not as
  // add_list wrote it.
  [[nodiscard]] bool remove_list(const ServerCommand& command) {
    const std::size_t end = command.words.front().range.end;
    if (command.arguments_key->begin < end) return remove_list_before(command);
    std::string_view gap = between(text_, end, command.arguments_key->begin);
    std::size_t begin = end;
    if (settings_.is_toml() && gap.find('\n') != std::string_view::npos) {
      // Removes the line end before the list too; a comment after the program stays.
      const std::size_t line_end = gap.rfind('\n');
      if (gap.find('\n') != line_end) return false;
      begin = end + line_end - (line_end > 0 && gap[line_end - 1] == '\r' ? 1 : 0);
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

  // Like remove_list, for a list that is before the program because a formatter has sorted the
  // members: removes its line, or the text up to the next member.
  [[nodiscard]] bool remove_list_before(const ServerCommand& command) {
    const bool has_own_line = settings_.is_toml() && !command.is_inline;
    const std::size_t key = command.arguments_key->begin;
    const std::size_t begin = has_own_line ? line_begin(key) : key;
    const std::string_view rest = std::string_view(text_).substr(command.arguments->end);
    const std::size_t mark = rest.find_first_not_of(has_own_line ? " \t\r" : kWhite);
    if (mark == std::string_view::npos || rest[mark] != (has_own_line ? '\n' : ',')) return false;
    std::size_t next = mark + 1;
    if (!has_own_line) next = rest.find_first_not_of(kWhite, next);
    if (next == std::string_view::npos || rest[next] == '/') return false;
    edits_.push_back({{begin, command.arguments->end + next}, ""});
    return true;
  }

  // The end of the last argument, with the comma that may follow it.
  [[nodiscard]] std::size_t end_of_last(const ServerCommand& command) const {
    const std::size_t end = command.words.back().range.end;
    const auto rest = between(text_, end, command.arguments->end - 1);
    const std::size_t next = rest.find_first_not_of(kWhite);
    return next != std::string_view::npos && rest[next] == ',' ? end + next + 1 : end;
  }

  // The white space to write before another key: that before the key of the program. After a
  // comment or an opening brace on the same line, only a part of it or one space.
  [[nodiscard]] std::string gap_before_key(const ServerCommand& command) const {
    const std::size_t key = command.program_key.begin;
    const std::size_t last = text_.find_last_not_of(kWhite, key - 1);
    const auto gap = between(text_, last + 1, key);
    const bool is_clean = text_[last] == '{' || text_[last] == ',';
    if (is_clean && !(gap.empty() && text_[last] == '{')) return std::string(gap);
    const std::size_t line = gap.rfind('\n');
    return line == std::string_view::npos ? " " : std::string(gap.substr(line));
  }

  // The colon to write after another key: as after the key of the program, with its white space.
  [[nodiscard]] std::string colon(const ServerCommand& command) const {
    const auto gap = between(text_, command.program_key.end, command.words.front().range.begin);
    return gap.find_first_not_of(" \t:") == std::string_view::npos ? std::string(gap) : ": ";
  }

  // The offset at which the line of the byte `at` begins.
  [[nodiscard]] std::size_t line_begin(std::size_t at) const {
    const std::size_t line = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    return line == std::string::npos ? first_byte() : line + 1;
  }

  // The offset after a byte order mark.
  [[nodiscard]] std::size_t first_byte() const { return text_.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

  const ClientSettings& settings_;
  const std::string& text_;
  std::vector<std::string> added_;  ///< the words of Enfold before the program, in quotes
  std::vector<TextEdit> edits_;
};

std::vector<std::string> words_of(const ServerCommand& command) {
  std::vector<std::string> out;
  for (const CommandWord& word : command.words) out.push_back(word.text);
  return out;
}

// The words of the command after unwrapping: without those of Enfold.
std::vector<std::string> unwrapped_words(const ServerCommand& command,
                                         const EnfoldCommand& enfold) {
  std::vector<std::string> out = words_of(command);
  const auto first = out.begin();
  out.erase(first + static_cast<std::ptrdiff_t>(enfold.begin),
            first + static_cast<std::ptrdiff_t>(enfold.server));
  return out;
}

// nullptr: the server is not in the list.
const WrappedServer* find(const std::vector<WrappedServer>& wrapped, const ServerEntry& server) {
  const auto found = std::ranges::find_if(wrapped, [&](const WrappedServer& one) {
    return one.name == server.name && one.scope == server.scope;
  });
  return found == wrapped.end() ? nullptr : &*found;
}

// For each server, the words that its command should have after the change; unset: not checked.
using Expected = std::vector<std::optional<std::vector<std::string>>>;

// Reads the new text. Fails if a server is missing or different, or if a command does not have the
// expected words.
Status check_result(const ClientSettings& before, const std::string& text,
                    const Expected& expected) {
  const auto damaged = [&](const std::string& what) {
    return fail(ErrorCode::internal,
                fmt::format("cannot change {} without damage: {}", before.path(), what),
                before.path(), "the file was not changed; edit it by hand and report this");
  };
  const Result<ClientSettings> after = before.with_text(text);
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

std::vector<WrappedServer> SettingsChange::wrapped() const {
  std::vector<WrappedServer> out;
  for (const ServerChange& one : servers) {
    if (one.state == State::changed) out.push_back({one.name, one.scope, one.had_arguments});
  }
  return out;
}

bool is_wrapped(const ServerCommand& command) { return find_enfold(command.words).has_value(); }

Result<SettingsChange> wrap_servers(const ClientSettings& settings,
                                    const std::vector<std::string>& program) {
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
    } else if (change.why = why_not_wrapped(*server.command); !change.why.empty()) {
      change.state = State::left_out;
    } else {
      change.state = State::changed;
      change.had_arguments = server.command->arguments.has_value();
      editor.wrap(*server.command);
      std::vector<std::string> words = program;
      words.insert(words.end(), {"wrap", "--"});
      std::ranges::move(words_of(*server.command), std::back_inserter(words));
      expected.back() = std::move(words);
    }
    out.servers.push_back(std::move(change));
  }
  out.text = editor.result();
  ENFOLD_TRY(check_result(settings, out.text, expected));
  return out;
}

Result<SettingsChange> unwrap_servers(const ClientSettings& settings,
                                      const std::vector<WrappedServer>* wrapped) {
  SettingsChange out;
  Expected expected;
  Editor editor(settings, /*program=*/{});
  for (const ServerEntry& server : settings.servers()) {
    ServerChange change{.name = server.name, .scope = server.scope};
    expected.emplace_back();
    if (const auto enfold = server.command ? find_enfold(server.command->words) : std::nullopt) {
      const WrappedServer* was = wrapped == nullptr ? nullptr : find(*wrapped, server);
      if (enfold->server == 0) {
        change.state = State::left_out;
        change.why = "its command has no server after --; edit it by hand";
      } else if (wrapped != nullptr && was == nullptr) {
        change.state = State::left_out;
        change.why = "`enfold import --wrap` did not write it; edit it by hand";
      } else {
        change.state = State::changed;
        editor.unwrap(*server.command, *enfold, was == nullptr || was->had_arguments);
        expected.back() = unwrapped_words(*server.command, *enfold);
      }
    }
    out.servers.push_back(std::move(change));
  }
  out.text = editor.result();
  ENFOLD_TRY(check_result(settings, out.text, expected));
  return out;
}

}  // namespace enfold::gateway
