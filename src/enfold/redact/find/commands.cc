// SPDX-License-Identifier: Apache-2.0
// Passwords after an option on a command line (`curl -u`, `mysql -p`), and in the lines of pgpass
// files.
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/forms.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/find/scanner.h"

#include <algorithm>

namespace enfold::redact::detail {
namespace {

// Where the password of an option is.
enum class Form : std::uint8_t {
  next,      ///< the next word, or the rest of the word with the option
  attached,  ///< only the rest of the word with the option
  login,     ///< as `next`, in user:password
  percent,   ///< as `next`, in user%password
};

struct Option {
  std::string_view flag;
  Form form;
  std::string_view programs;  ///< separated by blanks
};

constexpr std::array kOptions = {
    Option{"-u", Form::login, "curl wget"},
    Option{"-U", Form::login, "curl"},
    Option{"--user", Form::login, "curl"},
    Option{"--proxy-user", Form::login, "curl"},
    Option{"-a", Form::login, "http https xh"},
    Option{"-A", Form::login, "ab"},
    Option{"-U", Form::percent, "smbclient rpcclient net winexe wmic"},
    Option{"-p", Form::attached,
           "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mariadb "
           "mariadb-dump mariadb-admin mycli 7z 7za 7zz rar unrar"},
    Option{"-p", Form::next,
           "sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport login arangosh"},
    Option{"-P", Form::next,
           "sqlcmd bcp osql isql tsql zip unzip mosquitto_pub mosquitto_sub ipmitool"},
    Option{"-a", Form::next, "redis-cli valkey-cli keydb-cli redis-benchmark"},
    Option{"-w", Form::next, "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd"},
    Option{"-A", Form::next, "snmpget snmpwalk snmpset snmpbulkwalk"},
    Option{"-X", Form::next, "snmpget snmpwalk snmpset snmpbulkwalk"},
    Option{"-pw", Form::next, "plink pscp putty"},
    Option{"-pass pass:", Form::attached, "openssl"},
    Option{"-passin pass:", Form::attached, "openssl"},
    Option{"-passout pass:", Form::attached, "openssl"},
};

bool is_listed(std::string_view programs, std::string_view word) {
  while (!programs.empty()) {
    const std::size_t end = std::min(programs.find(' '), programs.size());
    if (programs.substr(0, end) == word) return true;
    programs.remove_prefix(std::min(end + 1, programs.size()));
  }
  return false;
}

// Whether the command that goes on at `at` begins there: the byte before ends another one. A line
// that ends with a backslash goes on in the next.
bool starts_command(std::string_view text, std::size_t at) {
  const char c = text[at - 1];
  if (is(c, kNewline)) {
    const bool is_crlf = c == '\n' && at > 1 && text[at - 2] == '\r';
    const std::size_t line_end = at - (is_crlf ? 2 : 1);
    return line_end == 0 || text[line_end - 1] != '\\';
  }
  return c == '|' || c == ';' || (c == '&' && at > 1 && text[at - 2] == '&');
}

// Whether one of `programs` (Option::programs) is a word of the command before `at`.
bool is_run_before(std::string_view text, std::size_t at, std::string_view programs) {
  constexpr std::size_t kLongestCommand = 200;  // bytes
  std::size_t word_end = at;
  for (std::size_t i = at; at - i < kLongestCommand; --i) {
    if (i > 0 && is(text[i - 1], kToken)) continue;
    if (word_end > i && is_listed(programs, text.substr(i, word_end - i))) return true;
    if (i == 0 || starts_command(text, i)) return false;
    word_end = i - 1;
  }
  return false;
}

// Start and end of the word of a command line at `at`, without its quotes. An unquoted word ends
// before a quote, and options stand behind blanks or quotes (match_option), so the words of all
// options of a text do not overlap: reading them takes linear time.
std::pair<std::size_t, std::size_t> read_word(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (byte(text, begin) == '\\' && begin - at < 4) ++begin;
  if (!is_quote(byte(text, begin))) begin = at;
  const char quote = is_quote(byte(text, begin)) ? text[begin++] : '\0';
  std::size_t end = begin;
  while (end < text.size()) {
    const char c = text[end];
    if (quote != '\0' ? c == quote || is(c, kNewline) : is(c, kSpace) || is_quote(c)) break;
    ++end;
  }
  while (quote != '\0' && end > begin && text[end - 1] == '\\') --end;
  return {begin, end};
}

// Whether the argument of an option is a password and not a placeholder or another option.
bool is_password(std::string_view value) {
  if (marker_length(value) != 0) return !without_markers(value).empty();
  return value.size() >= kShortestPassword && value.front() != '-' && value.front() != '$' &&
         (value.front() != '<' || has_random_run(value)) && !is_placeholder(value) &&
         !is_sample_password(value);
}

// The password of the option at `flag`, whatever the program.
Match match_password(std::string_view text, std::size_t flag, const Option& option) {
  std::size_t at = flag + option.flag.size();
  const bool spaced = is(byte(text, at), kBlank) || byte(text, at) == '=';
  if (option.form == Form::attached && spaced) return std::nullopt;
  if (option.flag.starts_with("--") && !spaced) return std::nullopt;
  if (spaced) at = run_end(text, at + 1, kBlank, kMostBlanks);
  auto [begin, end] = read_word(text, at);
  if (option.form == Form::login || option.form == Form::percent) {
    const char divider = option.form == Form::login ? ':' : '%';
    const std::size_t found = text.substr(0, end).find(divider, begin);
    if (found == std::string_view::npos || found == begin) return std::nullopt;
    begin = found + 1;
  }
  if (!is_password(text.substr(begin, end - begin))) return std::nullopt;
  return Secret{begin, end, label::kPassword};
}

// The end of the password at `at`: that of the line, which is written \n in a quoted text, or the
// quote. `quote`: before the line; '\0': there is none.
std::size_t end_of_pgpass(std::string_view text, std::size_t at, char quote) {
  std::size_t end = at;
  for (; end < text.size() && !is(text[end], kNewline); ++end) {
    const bool is_escape =
        text[end] == '\\' && (byte(text, end + 1) == 'n' || byte(text, end + 1) == 'r');
    if (quote != '\0' && (text[end] == quote || is_escape)) break;
  }
  while (end > at && (is(text[end - 1], kBlank) || (quote != '\0' && text[end - 1] == '\\'))) --end;
  return end;
}

// Whether a line of pgpass may name this host with any port. Schedules and permissions have the
// form of such lines too: `job:*:run:daily:every day`.
bool is_any_port_host(std::string_view host) {
  return host == "*" || host == "localhost" || host.find('.') != std::string_view::npos;
}

}  // namespace

// `at`: the option, or the blank before it.
Match match_option(std::string_view text, std::size_t at) {
  const std::size_t flag = text[at] == '-' ? at : at + 1;
  if (flag > 0 && !is(text[flag - 1], kSpace) && !is_quote(text[flag - 1])) return std::nullopt;
  for (const Option& option : kOptions) {
    if (text.compare(flag, option.flag.size(), option.flag) != 0) continue;
    const Match match = match_password(text, flag, option);
    if (match && is_run_before(text, flag, option.programs)) return match;
  }
  return std::nullopt;
}

// A line host:port:database:user:password, or a quoted text that begins with one; `at` is the first
// colon. The password may have blanks in it, unless it is long: then it is the first word only, as
// what follows may be a text without line ends.
Match match_pgpass(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestField = 128;  // bytes
  constexpr std::size_t kLongestPhrase = 128;
  std::size_t begin = at;
  while (begin > 0 && at - begin < kLongestField && is(text[begin - 1], kName)) --begin;
  if (begin == at && byte(text, at - 1) == '*') --begin;
  const char before = begin == 0 ? '\n' : text[begin - 1];
  const std::size_t port = at + 1;
  std::size_t end = byte(text, port) == '*' ? port + 1 : run_end(text, port, kDigit, 6);
  const bool starts_line = is(before, kNewline) || is_quote(before);
  if (begin == at || end == port || !starts_line) return std::nullopt;
  if (text[port] == '*' && !is_any_port_host(text.substr(begin, at - begin))) return std::nullopt;
  for (int field = 0; field < 2; ++field) {  // database and user
    if (byte(text, end) != ':') return std::nullopt;
    const std::size_t start = end + 1;
    end = byte(text, start) == '*' ? start + 1 : run_end(text, start, kName, kLongestField);
    if (end == start) return std::nullopt;
  }
  if (byte(text, end) != ':') return std::nullopt;
  const std::size_t password = end + 1;
  if (is(byte(text, password), kSpace)) return std::nullopt;
  end = end_of_pgpass(text, password, is_quote(before) ? before : '\0');
  if (end - password > kLongestPhrase) {
    end = std::min(end, text.substr(0, end).find_first_of(" \t", password));
  }
  if (!is_password(text.substr(password, end - password))) return std::nullopt;
  return Secret{password, end, label::kPassword};
}

}  // namespace enfold::redact::detail
