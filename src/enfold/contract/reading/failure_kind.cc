// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/failure_kind.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/words.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <vector>

namespace enfold::contract {
namespace {

using detail::has_word;
using detail::holds_any;
using model::ErrorKind;

struct PhraseGroup {
  ErrorKind kind;
  std::string_view phrases;  ///< separated by '|', in lower case
};

// Words that name a kind more exactly than any number does: services answer 403 for a used-up
// quota.
constexpr auto kStrongPhrases = std::to_array<PhraseGroup>({
    {ErrorKind::exhausted,
     "out of memory|no space left|disk full|disk usage exceeded|disk quota|watermark|too many open "
     "files|too many connections|too many clients|insufficient capacity|instance capacity|memory "
     "limit|cannot "
     "allocate memory|heap out of memory|heap limit|resource busy|device or resource|queue is full|"
     "pool exhausted|storage is full|speicher voll|kein speicherplatz"},
    {ErrorKind::throttled,
     "rate limit|rate-limit|rate_limit|ratelimit|too many requests|quota exceeded|exceeded your "
     "quota|exceeded your current quota|quota for|throttl|requests per|calls per|slow down|pull "
     "limit|request limit|usage limit|daily limit|hourly limit|rate exceeded|zu viele "
     "anfragen|trop "
     "de requêtes|demasiadas solicitudes"},
    {ErrorKind::tier_too_low,
     "upgrade to|upgrade your|upgrade the plan|upgrade required|requires pro|requires enterprise|"
     "requires the pro|requires the enterprise|requires a paid|paid plan|payment required|your "
     "plan|"
     "current plan|current license|license is|no license|subscription "
     "required|premium|insufficient "
     "credit|out of credit|insufficient funds|trial has"},
    {ErrorKind::flag_off,
     "feature flag|feature is disabled|feature disabled|is not enabled|not been enabled|is "
     "disabled|"
     "are disabled|has been disabled|disabled for|turned off|switched off|is deactivated"},
});

// The first group with a phrase in the message decides; the more exact phrases stand first.
constexpr auto kPhrases = std::to_array<PhraseGroup>({
    {ErrorKind::unauthenticated,
     "must be logged in|must be authenticated|must authenticate|unauthorized|unauthenticated|not "
     "authenticated|not logged in|logged in|log in|login required|"
     "sign in|authentication|authenticate|invalid api key|api key is|api key not|no api "
     "key|invalid "
     "credentials|bad credentials|credentials|invalid token|token expired|token has expired|token "
     "is|token was|expired token|session expired|session has expired|invalid_grant|jwt|anmeld|"
     "publickey|non authentifié|no autenticado|авторизов|認証|トークン|ログイン|未授权|登录"},
    {ErrorKind::bug,
     "internal server error|internal error|panic:|segmentation fault|assertion failed|nil pointer|"
     "null pointer|undefined method|is not a function|cannot read propert|core dumped|unhandled "
     "exception|stack overflow|division by zero|interner fehler|erreur interne"},
    {ErrorKind::timeout,
     "timeout|timed out|time out|deadline exceeded|took too "
     "long|zeitüberschreitung|délai|タイムアウト|超时"},
    {ErrorKind::too_large,
     "too large|too big|too long|longer than|exceeds maximum|exceeds the maximum|exceeds the limit|"
     "exceeds the size|larger than|context length|entity too|payload too|size limit|too many "
     "tokens"},
    {ErrorKind::bad_path,
     "invalid path|path traversal|outside allowed|outside of allowed|outside the "
     "allowed"},
    {ErrorKind::bad_input,
     "not a file|not a directory|not a git repository|syntax error|parse error|parsing "
     "error|unexpected "
     "token|unknown column|no such column|column \"|unknown option|unknown argument|unknown "
     "field|unknown "
     "parameter|unsupported argument|unrecognized|mismatched types|validation|malformed|is "
     "required|"
     "are required|field required|missing required|required parameter|required argument|required "
     "property|must be|must have|cannot be empty|can't be empty|may not be empty|can't be blank|"
     "can not be empty|should be a|has to be|not a valid|is invalid|ungültig|at most|at least|out "
     "of "
     "range|wrong type|type mismatch"},
    {ErrorKind::missing,
     "file not found|no such file|command not found|unknown tool|unknown resource"},
    {ErrorKind::not_built,
     "not implemented|not supported|unsupported|method not found|unknown method|not available in "
     "this "
     "version|noch nicht unterstützt"},
    {ErrorKind::conflict,
     "already|conflict|duplicate|unique constraint|is locked|state lock|locked by|lock "
     "file|version "
     "mismatch|precondition|checked out by|non-fast-forward|would be overwritten|was modified|has "
     "changed since|stale|in use|not allowed in state|not allowed while|bereits"},
    {ErrorKind::not_allowed,
     "permission|forbidden|access denied|access is denied|not allowed|not permitted|not authorized|"
     "not authorised|may not|denied|no right|read-only|read only|insufficient privilege|missing "
     "scope|scope|blocked the|does not let|not let "
     "you|berechtigung|verweigert|autorisé|refusé|denegado|запрещ|権限|拒否|没有权限|policy"},
    {ErrorKind::dependency_down,
     "connection refused|connection reset|connection closed|connection error|failed to "
     "connect|could "
     "not connect|unable to connect|cannot connect|can't connect|unreachable|network error|fetch "
     "failed|bad gateway|unavailable|failed to start|failed to launch|socket hang up|name "
     "resolution|"
     "temporarily|maintenance|not reachable|overloaded|is offline|no route to|getaddrinfo|dns|"
     "nicht erreichbar|connection timed|broken pipe|not responding|is down|daemon running"},
    {ErrorKind::missing,
     "not found|does not exist|doesn't exist|do not exist|no such|could not find|cannot find|can't "
     "find|unable to find|no files matching|no matching|not in this registry|there is no|no longer "
     "exists|was deleted|unknown |nicht gefunden|existiert nicht|introuvable|n'existe pas|no "
     "encontrado|no existe|見つかりません|存在しません|不存在|не найден"},
});

// Words that say little; they count only where nothing else is said.
constexpr auto kLastPhrases = std::to_array<PhraseGroup>({
    {ErrorKind::bad_input, "invalid|required|expected|missing|bad request|usage:"},
});

// Names of exceptions by which programs say what went wrong; the words of a code also count.
constexpr auto kExceptions = std::to_array<PhraseGroup>({
    {ErrorKind::missing,
     "filenotfounderror filenotfoundexception notfounderror notfoundexception nosuchfileexception "
     "doesnotexist objectdoesnotexist recordnotfound nosuchelementexception "
     "keynotfoundexception"},
    {ErrorKind::not_allowed,
     "permissionerror unauthorizedaccessexception accessdeniedexception securityexception "
     "permissiondenied"},
    {ErrorKind::timeout,
     "timeouterror timeoutexception sockettimeoutexception readtimeout connecttimeout "
     "readtimeouterror "
     "timeoutexpired asynctimeouterror"},
    {ErrorKind::dependency_down,
     "connectionerror connectionrefusederror connectionreseterror connectexception "
     "unknownhostexception connecterror maxretryerror newconnectionerror sslerror "
     "clientconnectorerror gaierror"},
    {ErrorKind::bad_input,
     "valueerror validationerror illegalargumentexception argumentexception argumenterror "
     "jsondecodeerror syntaxerror unicodedecodeerror zoderror programmingerror parseexception "
     "numberformatexception formatexception requestvalidationerror badrequest typeguarderror"},
    {ErrorKind::conflict, "integrityerror fileexistserror conflicterror concurrencyexception"},
    {ErrorKind::exhausted, "memoryerror outofmemoryerror outofmemoryexception"},
    {ErrorKind::not_built,
     "notimplementederror notimplementedexception unsupportedoperationexception"},
    {ErrorKind::bug,
     "keyerror indexerror attributeerror zerodivisionerror nameerror assertionerror "
     "nullpointerexception nullreferenceexception typeerror referenceerror rangeerror "
     "nomethoderror "
     "indexoutofboundsexception arrayindexoutofboundsexception unboundlocalerror recursionerror "
     "importerror modulenotfounderror illegalstateexception"},
});

// Words of a code such as `channel_not_found`, after words_of() and with spaces between them.
constexpr auto kCodePhrases = std::to_array<PhraseGroup>({
    {ErrorKind::throttled,
     "rate limit|ratelimit|rate exceeded|too many requests|toomanyrequests|throttl|quota exceeded|"
     "limit exceeded|slow down|over query limit|over quota"},
    {ErrorKind::tier_too_low, "paid|payment|upgrade required|plan |license|subscription|billing"},
    {ErrorKind::flag_off, "disabled|not enabled|feature off"},
    {ErrorKind::unauthenticated,
     "must be logged in|must be authenticated|must authenticate|unauthorized|unauthenticated|not "
     "authed|invalid auth|auth required|login required|expired "
     "token|"
     "token expired|invalid token|invalid client token|invalid grant|invalid api key|invalid "
     "access key|"
     "signature does not match|token revoked|bad credentials|session expired|authentication"},
    {ErrorKind::not_allowed,
     "denied|forbidden|not authorized|unauthorized operation|permission|not allowed|missing scope|"
     "access restricted|insufficient privilege|not in channel|restricted action|is archived"},
    {ErrorKind::exhausted, "capacity|exhausted|no space|out of memory|storage full|busy"},
    {ErrorKind::too_large, "too large|too long|too big|size exceeded|max length|context length"},
    {ErrorKind::timeout, "timeout|timed out|timedout|deadline"},
    {ErrorKind::conflict,
     "already|conflict|duplicate|conditional check failed|precondition|in use|locked|version "
     "mismatch|"
     "eresolve|not empty|state invalid|invalid state|concurrent"},
    {ErrorKind::missing,
     "not found|no such|missing resource|resource missing|unknown channel|does not exist|manifest "
     "unknown|name unknown|blob unknown|not exist|no results"},
    {ErrorKind::not_built,
     "not implemented|unsupported|not supported|unimplemented|method not found"},
    {ErrorKind::dependency_down,
     "unavailable|connection refused|connection reset|bad gateway|unreachable|network "
     "error|service "
     "down|dependency|upstream"},
    {ErrorKind::bad_input,
     "invalid|validation|malformed|bad request|missing required|missing param|missing field|syntax|"
     "parse error|parsing exception|out of range|bad user input|unprocessable|blank|too "
     "short|graphql "
     "parse|query shard|illegal argument|argument"},
    {ErrorKind::bug, "internal|server error|unexpected"},
});

// The class of an SQLSTATE, or a whole one where it differs from its class.
constexpr auto kSqlStates = std::to_array<PhraseGroup>({
    {ErrorKind::missing, "42P01 42883 3D000 42704"},
    {ErrorKind::not_allowed, "42501 25006"},
    {ErrorKind::timeout, "57014"},
    {ErrorKind::conflict, "23 40 55 42P07 42701"},
    {ErrorKind::unauthenticated, "28"},
    {ErrorKind::exhausted, "53"},
    {ErrorKind::dependency_down, "08 57"},
    {ErrorKind::bad_input, "22 42"},
});

template <std::size_t size>
std::optional<ErrorKind> find_phrase(const std::array<PhraseGroup, size>& groups,
                                     std::string_view text) {
  const auto found = std::ranges::find_if(
      groups, [&](const PhraseGroup& one) { return holds_any(text, one.phrases); });
  return found == groups.end() ? std::nullopt : std::optional(found->kind);
}

// The kind whose phrase stands first in the text: messages say first what happened.
template <std::size_t size>
std::optional<ErrorKind> first_phrase(const std::array<PhraseGroup, size>& groups,
                                      std::string_view text) {
  std::optional<ErrorKind> kind;
  std::size_t first = std::string_view::npos;
  for (const PhraseGroup& group : groups) {
    for (std::size_t at = 0; at < group.phrases.size();) {
      const std::size_t end = std::min(group.phrases.find('|', at), group.phrases.size());
      const std::size_t found = text.find(group.phrases.substr(at, end - at));
      if (found < first) {
        first = found;
        kind = group.kind;
      }
      at = end + 1;
    }
  }
  return kind;
}

template <std::size_t size>
std::optional<ErrorKind> find_word(const std::array<PhraseGroup, size>& groups,
                                   std::string_view word) {
  const auto found = std::ranges::find_if(
      groups, [&](const PhraseGroup& one) { return has_word(one.phrases, word); });
  return found == groups.end() ? std::nullopt : std::optional(found->kind);
}

bool is_sql_state(std::string_view code) {
  return code.size() == 5 && is_digit(code[0]) && is_digit(code[1]) &&
         std::ranges::all_of(code, [](char c) { return is_digit(c) || (c >= 'A' && c <= 'Z'); });
}

// Codes that say no more than that something failed.
bool is_general(std::string_view code) {
  return has_word(
      "400 500 -32603 -32600 -32602 -32000 -32001 -1 0 1 error failed failure bad_request "
      "badrequest "
      "invalid_request invalid_request_error internal_error internal_server_error unknown "
      "unknown_error general exception security_exception cluster_block_exception operation_failed "
      "api_error request_failed request_denied server_error graphql_validation_failed",
      to_lower(code));
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '-'; });
}

// E404 of npm, HTTP_404, status-503.
std::string_view number_in(std::string_view code) {
  const std::size_t digits = code.find_first_of("0123456789");
  if (digits == std::string_view::npos || digits == 0) return {};
  const std::string_view number = code.substr(digits);
  return number.size() == 3 && is_number(number) ? number : std::string_view();
}

bool is_word_character(char c) { return is_alphanumeric(c) || c == '_'; }

/// Calls `found` with every word of a text until it returns true.
template <class Function>
bool any_word(std::string_view text, Function&& found) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_character(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word_character(text[end])) ++end;
    if (found(text.substr(at, end - at), text.substr(end))) return true;
    at = end;
  }
  return false;
}

// The kind that an HTTP or JSON-RPC number, an errno name or the name of an exception in a line
// says.
std::optional<ErrorKind> named_in(std::string_view line) {
  std::optional<ErrorKind> kind;
  std::string_view before;
  any_word(line, [&](std::string_view word, std::string_view rest) {
    const bool first = word.data() == line.data();
    if (word.size() > 2 && word.front() == 'E') {
      if (const CodeEntry* const entry = find_code(word)) kind = entry->kind;
      if (!kind && word.size() == 4 && is_number(word.substr(1)))
        kind = kind_of_code(word.substr(1));
    } else if (word.size() == 3 && is_number(word)) {
      const bool announced =
          has_word("http status code error returned statuscode", to_lower(before));
      const bool phrase = rest.size() > 1 && rest[0] == ' ' && rest[1] >= 'A' && rest[1] <= 'Z';
      if (announced || (phrase && (first || word.data()[-1] == ' '))) kind = kind_of_code(word);
      if (kind && is_general(word)) kind.reset();
    }
    if (!kind && word.size() > 6) kind = find_word(kExceptions, to_lower(word));
    before = word;
    return kind.has_value();
  });
  return kind;
}

// "main.c:3:5: error:", "src/a.ts(3,5): error TS2304", "error[E0308]": a compiler speaks about its
// input.
bool is_compiler_message(std::string_view line) {
  const std::size_t at = line.find("error");
  if (at == std::string_view::npos) return false;
  if (line.substr(at).starts_with("error[E") || line.substr(at).starts_with("error TS"))
    return true;
  if (at < 3 || line.substr(at - 2, 2) != ": ") return false;
  const char before = line[at - 3];
  return is_digit(before) || before == ')';
}

// The lines of a message that name the failure: of a traceback the last one, else the first, and
// those that begin with "error".
std::vector<std::string_view> telling_lines(std::string_view message) {
  constexpr std::size_t most_lines = 40;
  constexpr std::size_t most_text = 400;
  std::vector<std::string_view> lines;
  std::string_view last;
  bool trace = false;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find('\n', at), message.size());
    const std::string_view line = trimmed(message.substr(at, end - at), " \t\r");
    at = end + 1;
    if (line.empty() || line.front() == '#') continue;
    trace = trace || line.starts_with("Traceback") || line.starts_with("goroutine ") ||
            line.starts_with("at ") || line.starts_with("stack backtrace");
    if (lines.size() < most_lines) lines.push_back(line.substr(0, most_text));
    if (!line.starts_with("at ") && !line.starts_with("File \"")) last = line.substr(0, most_text);
  }
  if (lines.empty()) return lines;
  if (trace && lines.front().starts_with("Traceback")) return {last};
  std::vector<std::string_view> out{lines.front()};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string lower = to_lower(lines[i].substr(0, 48));
    if (is_compiler_message(lines[i]) || lower.starts_with("error") || lower.starts_with("fatal") ||
        lower.starts_with("npm err")) {
      out.push_back(lines[i]);
    }
  }
  return out;
}

/// The kind that a message names, and whether by words that outweigh a number.
struct MessageReading {
  std::optional<ErrorKind> kind;
  bool strong = false;
};

MessageReading read_message(std::string_view message) {
  for (const std::string_view line : telling_lines(message)) {
    const std::string lower = to_lower(line);
    if (const auto kind = find_phrase(kStrongPhrases, lower)) return {kind, true};
    if (lower.find("did you mean") != std::string::npos) return {ErrorKind::correctable, false};
    if (is_compiler_message(line)) return {ErrorKind::bad_input, false};
    if (const auto kind = named_in(line)) return {kind, false};
    if (const auto kind = first_phrase(kPhrases, lower)) return {kind, false};
    if (const auto kind = find_phrase(kLastPhrases, lower)) return {kind, false};
  }
  return {};
}

}  // namespace

std::optional<ErrorKind> kind_of_code(std::string_view code) {
  if (const CodeEntry* const entry = find_code(code)) return entry->kind;
  if (is_number(code)) return std::nullopt;
  if (is_sql_state(code)) {
    const auto kind = find_word(kSqlStates, code);
    return kind ? kind : find_word(kSqlStates, code.substr(0, 2));
  }
  if (const auto kind = find_word(kExceptions, detail::plain(code))) return kind;
  if (const std::string_view number = number_in(code); !number.empty()) return kind_of_code(number);
  const std::size_t scope = code.find_last_of("#/:.");  // com.amazonaws…#ConditionalCheckFailed
  const std::string_view last = scope == std::string_view::npos ? code : code.substr(scope + 1);
  std::string words;
  for (const std::string& word : detail::words_of(last)) words += word + ' ';
  return find_phrase(kCodePhrases, words);
}

KindReading kind_of_failure(const FailureEvidence& evidence) {
  const MessageReading message = read_message(evidence.message);
  const auto code = evidence.code.empty() ? std::nullopt : kind_of_code(evidence.code);
  if (code && !is_general(evidence.code) && !(message.strong && is_number(evidence.code))) {
    return {*code, fmt::format("the code {}", evidence.code)};
  }
  const auto status = evidence.status.empty() ? std::nullopt : kind_of_code(evidence.status);
  if (status && !is_general(evidence.status) && !message.strong) {
    return {*status, fmt::format("status {}", evidence.status)};
  }
  if (message.kind) return {*message.kind, "words of the message"};
  if (code && evidence.code != "-32000") return {*code, fmt::format("the code {}", evidence.code)};
  if (status) return {*status, fmt::format("status {}", evidence.status)};
  return {ErrorKind::tool_error, "nothing says what went wrong"};
}

std::optional<model::Number> retry_after_of(std::string_view message) {
  const std::string lower = to_lower(message.substr(0, 400));
  for (const std::string_view phrase :
       {"retry after ", "retry in ", "try again in ", "available in "}) {
    const std::size_t at = lower.find(phrase);
    if (at == std::string::npos) continue;
    std::size_t end = at + phrase.size();
    while (end < lower.size() && (is_digit(lower[end]) || lower[end] == '.')) ++end;
    std::string number = lower.substr(at + phrase.size(), end - at - phrase.size());
    while (number.ends_with('.')) number.pop_back();
    if (number.empty() || !is_digit(number.front()) || number.size() > 9) continue;
    const bool minutes = std::string_view(lower).substr(end).starts_with(" minute");
    return minutes ? model::Number::of(std::stoll(number) * 60) : model::Number{number};
  }
  return std::nullopt;
}

}  // namespace enfold::contract
