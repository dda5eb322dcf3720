// SPDX-License-Identifier: Apache-2.0
// Whether a text without an error flag reads like a failure.
#include "enfold/base/text.h"
#include "enfold/contract/reading/outcome.h"
#include "enfold/contract/reading/words.h"

#include <algorithm>
#include <string>

namespace enfold::contract::detail {
namespace {

// Words at the start of a text by which programs and people announce a failure. Texts are compared
// in lower case, but only ASCII letters are lowered, so other words are listed in both cases.
constexpr std::string_view kFailureOpenings =
    "traceback|mcp error|access denied|permission denied|timed out|fetch failed|could not|couldn't|"
    "cannot|can't|unable to|failed to|failed:|failed.|oops|whoops|uh oh|uh-oh|sorry, |sorry. |i'm "
    "sorry|we're sorry|i couldn't|i could not|i was unable|i wasn't able|we couldn't|we could not|"
    "we were unable|unfortunately|something went wrong|an error|an unexpected error|an internal "
    "error|an exception|there was an error|there was a problem|the request failed|the request "
    "could not|the operation failed|the command failed|request failed|operation failed|command "
    "failed|internal server error|bad gateway|service unavailable|gateway timeout|too many "
    "requests|rate limit exceeded|rate limited|no such|invalid api key|invalid token|invalid "
    "credentials|invalid argument|invalid input|invalid request|invalid parameter|es ist ein "
    "fehler|leider|konnte nicht|une erreur|échec|Échec|impossible d|désolé|un error|se produjo un "
    "error|ha ocurrido|ocurrió un error|no se pudo|no fue posible|lo siento|erro|ocorreu um erro|"
    "não foi possível|falha|desculpe|errore|si è verificato|impossibile|spiacenti|er is een fout|"
    "kan niet|kon niet|mislukt|helaas|błąd|wystąpił błąd|nie można|nie udało|niestety|ошибка|"
    "Ошибка|не удалось|Не удалось|произошла ошибка|Произошла ошибка|к сожалению|К сожалению|エラー|"
    "申し訳|错误|錯誤|失败|失敗|发生错误|抱歉|오류|에러|실패|죄송";

// Nouns that announce a failure at the start of a text only before a colon or a word such as "in":
// "Error handling in Go" is a title.
constexpr std::string_view kFailureNouns =
    "error|failure|exception|fatal|panic|timeout|fehler|erreur|fout|failed|fallo|unauthorized|"
    "forbidden|bad request|not found|invalid";

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

// Whether the text after a noun such as "error" makes the noun the announcement of a failure.
bool is_announcement(std::string_view rest) {
  if (rest.empty() || !is_alphanumeric(rest.front())) {
    const std::size_t word = rest.find_first_not_of(" \t");
    // Nothing or punctuation follows the noun; a hyphen makes it a part of another word.
    if (word == std::string_view::npos || word == 0) return word != 0 || rest.front() != '-';
    rest.remove_prefix(word);
    if (!is_letter(rest.front())) return true;
    return holds_at_start(
        rest,
        "occurred|command|while|when|in|executing|calling|fetching|reading|writing|opening|parsing|"
        "loading|running|connecting|creating|updating|deleting|sending|getting|processing|during|"
        "from|code|no|at|because|with|after|on|to|retrieving|searching|querying|listing|error|"
        "waiting|exceeded|beim|bei|lors|al|ao|durante|nel|bij|invoking|accessing|saving|response");
  }
  return false;
}

// Whether the first clause of a text says in Chinese, Japanese or Korean that something failed:
// 发送失败:…
bool says_failed_early(std::string_view line) {
  constexpr std::size_t longest_clause = 48;  // bytes
  for (const std::string_view word : {"失败", "失敗", "실패"}) {
    const std::size_t at = line.find(word);
    if (at > longest_clause) continue;  // or the word does not occur
    const std::string_view rest = line.substr(at + word.size());
    if (rest.empty()) return true;
    for (const std::string_view after :
         {":", "：", ",", "，", "。", "!", "！", ".", "了", "し", "했"}) {
      if (rest.starts_with(after)) return true;
    }
  }
  return false;
}

// Whether a line begins with an HTTP status of a failure: "HTTP 503: …", "404 Not Found".
bool starts_with_status(std::string_view line) {
  const bool named = line.starts_with("http ") || line.starts_with("http/1.1 ");
  if (named) line.remove_prefix(line.find(' ') + 1);
  if (named && line.starts_with("error")) return true;
  if (line.size() < 3 || (line[0] != '4' && line[0] != '5')) return false;
  if (!is_digit(line[1]) || !is_digit(line[2])) return false;
  line.remove_prefix(3);
  if (named) return line.empty() || !is_alphanumeric(line.front());
  if (line.empty() || (line.front() != ' ' && line.front() != ':')) return false;
  return holds_at_start(trimmed(line, " :-"),
                        "not found|bad request|unauthorized|forbidden|internal server|bad gateway|"
                        "service unavailable|gateway time|too many requests|conflict|unprocessable|"
                        "method not|request timeout|payload too|client error|server error");
}

bool starts_like_failure(std::string_view line) {
  if (holds_at_start(line, kFailureOpenings)) return true;
  if (says_failed_early(line) || starts_with_status(line)) return true;
  for (std::size_t at = 0; at < kFailureNouns.size();) {
    const std::size_t end = std::min(kFailureNouns.find('|', at), kFailureNouns.size());
    const std::string_view noun = kFailureNouns.substr(at, end - at);
    if (line.starts_with(noun) && is_announcement(line.substr(noun.size()))) return true;
    at = end + 1;
  }
  return false;
}

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
  return holds_at_start(
             line,
             "fatal|cannot|can't|could not|unable to|failed to|panic|no such|npm err|npm error") ||
         (line.starts_with("error") && is_announcement(line.substr(5)));
}

// Whether a line says that a program ended without having done its work.
bool ends_program(std::string_view line) {
  for (const std::string_view phrase :
       {"giving up", "build failed", "compilation failed", "command failed", "aborting", "aborted.",
        "exit status 1", "exit code 1", "exited with code 1", "exit code: 1", "installation failed",
        "failed with status", "failed with error", "failed with exit", "returned an error",
        "deployment failed", "operation failed", "not recoverable"}) {
    if (line.find(phrase) != std::string_view::npos) return true;
  }
  for (const std::string_view end :
       {": command not found", ": no such file or directory", ": permission denied"}) {
    if (line.ends_with(end)) return true;
  }
  return line.find(": ***") != std::string_view::npos;  // make: *** [all] Error 2
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
  return gives_up(last) || gives_up(without_program(last)) || ends_program(last);
}

// Whether a tool reads logs: an answer of several lines is the log, and no failure of the call.
bool reads_logs(std::string_view tool) {
  return names_one_of(tool, "log logs logfile syslog journal console output trace");
}

}  // namespace

OutcomeReading outcome_of_text(std::string_view text, std::string_view tool) {
  const std::size_t start = text.find_first_not_of(" \t\r\n#*`[");
  if (start == std::string_view::npos) return {.reason = "text without an error flag"};
  const std::string line =
      to_lower(text.substr(start, std::min<std::size_t>(text.find('\n', start) - start, 200)));
  const std::string_view rest = trimmed(text.substr(start), " \t\r\n");
  if (rest.find('\n') != rest.npos && reads_logs(tool)) {
    return {.reason = "lines of a log"};
  }
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
