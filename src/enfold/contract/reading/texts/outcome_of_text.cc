// SPDX-License-Identifier: Apache-2.0
// Whether a text without an error flag reads like a failure.
#include "enfold/base/text.h"
#include "enfold/contract/reading/outcome.h"

#include <algorithm>
#include <string>

namespace enfold::contract::detail {
namespace {

// Words at the start of a text by which programs announce a failure.
constexpr std::string_view kFailureOpenings =
    "error|failed|failure|exception|traceback|fatal|mcp error|access denied|permission denied|"
    "timeout|timed out|fetch failed|could not|cannot|can't|unable to|fehler|erreur|errore|"
    "エラー|错误|ошибка|panic|oops|sorry, ";

// Whether a line begins with one of `openings`, separated by '|', as whole words.
bool holds_at_start(std::string_view line, std::string_view openings) {
  for (std::size_t at = 0; at < openings.size();) {
    const std::size_t end = std::min(openings.find('|', at), openings.size());
    const std::string_view opening = openings.substr(at, end - at);
    if (line.starts_with(opening)) {
      const std::size_t after = opening.size();
      if (after >= line.size() || !is_alphanumeric(line[after]) || !is_letter(opening.back())) {
        return true;
      }
    }
    at = end + 1;
  }
  return false;
}

bool starts_like_failure(std::string_view line) { return holds_at_start(line, kFailureOpenings); }

// Whether a line is like "Database error: no such table" or "Upload failed: quota".
bool announces_failure(std::string_view line) {
  constexpr std::size_t longest_head = 48;  // bytes before the colon
  const std::size_t colon = line.find(':');
  if (colon > longest_head) return false;  // or there is no colon
  const std::string_view head = line.substr(0, colon);
  if (std::ranges::any_of(head, is_digit)) return false;  // a time or a place in a log
  return head.ends_with("error") || head.ends_with("exception") || head.ends_with(" failed") ||
         head.ends_with(" failure");
}

// Whether a line begins like the one in which a program gives up.
bool gives_up(std::string_view line) {
  return holds_at_start(line,
                        "error|fatal|cannot|can't|could not|unable to|failed to|panic|no such");
}

// Removes the name of the program from "[in#0 @ 0x55] Error opening input" and "curl: (6) Could not
// resolve host".
std::string_view without_program(std::string_view line) {
  constexpr std::size_t longest_name = 24;
  if (line.starts_with('[') && line.find("] ") != line.npos)
    line = line.substr(line.find("] ") + 2);
  const std::size_t colon = line.find(": ");
  const std::string_view name = line.substr(0, std::min(colon, line.size()));
  const bool program = colon <= longest_name && std::ranges::all_of(name, [](char c) {
                         return is_alphanumeric(c) || c == '-' || c == '_' || c == '.' || c == '/';
                       });
  if (!program) return line;
  line = line.substr(colon + 2);
  const bool numbered = line.starts_with('(') && line.find(") ") != line.npos;
  return numbered ? line.substr(line.find(") ") + 2) : line;
}

// Whether the last line of a program's output says that it gave up. Not for logs, which have lines
// of levels such as info: a log that ends with an error is no failed call.
bool ends_with_failure(std::string_view text) {
  constexpr std::size_t longest_line = 200;
  std::string last;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line =
        to_lower(trimmed(text.substr(at, end - at), " \t\r").substr(0, longest_line));
    at = end + 1;
    if (holds_at_start(without_program(line), "info|debug|warn|trace|notice")) return false;
    if (!line.empty()) last = line;
  }
  return gives_up(without_program(last));
}

}  // namespace

OutcomeReading outcome_of_text(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n#*`[");
  if (start == std::string_view::npos) return {.reason = "text without an error flag"};
  const std::string line =
      to_lower(text.substr(start, std::min<std::size_t>(text.find('\n', start) - start, 200)));
  if (line == "false") return {.possible_failure = true, .reason = "the answer is false"};
  if (starts_like_failure(line) || announces_failure(line)) {
    return {.possible_failure = true, .reason = "the text reads like a failure"};
  }
  if (ends_with_failure(text)) {
    return {.possible_failure = true, .reason = "the text ends like a failure"};
  }
  return {.reason = "text without an error flag"};
}

}  // namespace enfold::contract::detail
