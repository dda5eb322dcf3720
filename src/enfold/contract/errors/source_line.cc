// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/source_line.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <array>

namespace enfold::contract::detail {
namespace {

constexpr std::size_t npos = std::string_view::npos;

// Words that begin a statement if an identifier follows. Those of the first list are rare in
// English prose and count everywhere; those of the second list count only at the start of a clause.
constexpr auto kStatements = std::to_array<std::string_view>(
    {"async",  "await",   "const",   "def",    "del",   "echo",  "elif",   "elsif",  "enum",
     "export", "fn",      "foreach", "func",   "goto",  "impl",  "import", "lambda", "let",
     "mut",    "printf",  "println", "pub",    "puts",  "raise", "return", "sizeof", "struct",
     "throw",  "typedef", "typeof",  "unless", "var",   "yield", "SELECT", "INSERT", "UPDATE",
     "DELETE", "CREATE",  "ALTER",   "DROP",   "WHERE", "INTO",  "FROM",   "JOIN",   "TABLE"});
constexpr auto kClauseStatements = std::to_array<std::string_view>(
    {"abstract", "begin",     "bool",  "case",     "char",    "class",     "delete",  "do",
     "double",   "else",      "end",   "extends",  "final",   "float",     "for",     "from",
     "function", "global",    "if",    "include",  "int",     "interface", "local",   "long",
     "module",   "namespace", "new",   "override", "package", "print",     "private", "protected",
     "public",   "require",   "set",   "static",   "string",  "super",     "switch",  "template",
     "type",     "union",     "unset", "until",    "use",     "using",     "val",     "void",
     "when",     "while",     "with",  "source"});
// Statements whose operand is often a quoted text.
constexpr auto kBeforeTexts = std::to_array<std::string_view>(
    {"echo", "import", "include", "print", "printf", "puts", "raise", "require", "source", "use"});

bool is_word_char(char c) {
  return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
// The character at `i`, and the one before `i`; NUL outside of the line.
char at(std::string_view line, std::size_t i) { return i < line.size() ? line[i] : '\0'; }
char before(std::string_view line, std::size_t i) { return i > 0 ? line[i - 1] : '\0'; }

std::string_view word_at(std::string_view line, std::size_t from) {
  std::size_t end = from;
  while (end < line.size() && is_word_char(line[end])) ++end;
  return line.substr(from, end - from);
}

template <std::size_t count>
bool contains(const std::array<std::string_view, count>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Whether a word is no word of a sentence: snake_case, camelCase, a1.
bool is_identifier(std::string_view word) {
  bool lower = false;
  for (const char c : word) {
    if (c == '_' || is_digit(c)) return !std::ranges::all_of(word, is_digit);
    if (lower && c >= 'A' && c <= 'Z') return true;
    lower = lower || (c >= 'a' && c <= 'z');
  }
  return false;
}

// Whether position `i` follows ": ", "; ", ", ", ". ", "(" or a dash, or begins the line.
bool begins_clause(std::string_view line, std::size_t i) {
  while (i > 0 && line[i - 1] == ' ') --i;
  return i == 0 || std::string_view(":;,.(-").find(line[i - 1]) != npos ||
         line.substr(0, i).ends_with("—");
}

// Whether `word`, which is at `i`, begins a statement.
bool is_statement(std::string_view line, std::size_t i, std::string_view word) {
  const bool anywhere = contains(kStatements, word);
  if (!anywhere && !(begins_clause(line, i) && contains(kClauseStatements, word))) return false;
  std::size_t next = i + word.size();
  while (at(line, next) == ' ' || at(line, next) == '*' || at(line, next) == '&') ++next;
  const std::string_view second = word_at(line, next);
  if (word == "for" && line.substr(next + second.size()).starts_with(" in ")) return true;
  return is_identifier(second) || (at(line, next) == kBlank && contains(kBeforeTexts, word));
}

// Whether the `(` at `i` belongs to a call with arguments: f(x) and f(x, y); not `f()`, `error(s)`,
// `file.py(12)` or `word (remark)`.
bool is_call(std::string_view line, std::size_t i) {
  if (!is_word_char(before(line, i))) return false;
  const std::size_t close = line.find(')', i);
  const std::string_view inside = line.substr(i + 1, close == npos ? npos : close - i - 1);
  if (inside.empty() || inside == "s" || inside == "es") return false;
  return inside.find_first_not_of("0123456789,: ") != npos;
}

// Whether the `length` bytes at `i` have a space before them, and a space or the line's end after
// them.
bool is_spaced(std::string_view line, std::size_t i, std::size_t length) {
  return before(line, i) == ' ' && (at(line, i + length) == ' ' || i + length == line.size());
}

// Whether the dot at `i` belongs to the call of a method of an identifier: x_y.f().
bool is_method_call(std::string_view line, std::size_t i) {
  std::size_t start = i;
  while (start > 0 && is_word_char(line[start - 1])) --start;
  const std::string_view method = word_at(line, i + 1);
  return !method.empty() && at(line, i + 1 + method.size()) == '(' &&
         is_identifier(line.substr(start, i - start));
}

// Whether the operator at `i` is between two numbers, as prose has it too: `12 > 10` and `3 * 4`.
bool is_between_numbers(std::string_view line, std::size_t i) {
  std::size_t left = i;
  while (left > 0 && line[left - 1] == ' ') --left;
  std::size_t right = i + 1;
  while (at(line, right) == ' ' || at(line, right) == '=') ++right;
  return is_digit(before(line, left)) && is_digit(at(line, right));
}

// Whether the `=` at `i` belongs to a setting in a message: `key=12`.
bool is_setting(std::string_view line, std::size_t i) {
  const std::size_t end = std::min(line.find_first_of(" ,;)", i + 1), line.size());
  const std::string_view value = line.substr(i + 1, end - i - 1);
  return is_word_char(before(line, i)) && !value.empty() &&
         value.find_first_not_of("0123456789.") == npos;
}

bool is_path_char(char c) { return is_word_char(c) || c == '.' || c == '-' || c == '/'; }

// Whether the backslash at `i` belongs to a path: `C:\dir\file`.
bool is_in_windows_path(std::string_view line, std::size_t i) {
  std::size_t start = i;
  while (start > 0 && line[start - 1] != ' ') --start;
  return is_letter(at(line, start)) && at(line, start + 1) == ':' && at(line, start + 2) == '\\';
}

// Whether a character after `<` makes it a tag (`<p`, `</p`, `<?xml`) or an arrow (`x <- f()`,
// `<-channel`).
bool continues_tag_or_arrow(char next) {
  return is_letter(next) || next == '/' || next == '?' || next == '-';
}

// Whether the character at `i` occurs here only in source code.
bool is_mark(std::string_view line, std::size_t i) {
  const char c = line[i];
  const char next = at(line, i + 1);
  switch (c) {
    case '{':
    case '}':
    case '|': return true;
    case '(': return is_call(line, i);
    case ';': return next != ' ' || line.ends_with(" do") || line.ends_with(" then");
    case '=': return next == '=' || next == '>' || before(line, i) == '!' || !is_setting(line, i);
    case '-': return next == '>' && !is_spaced(line, i, 2);
    case '<':
      return continues_tag_or_arrow(next) ||
             (is_spaced(line, i, 1) && !is_between_numbers(line, i));
    case '>':
    case '+':
    case '*':
    case '%': return (is_spaced(line, i, 1) || i == 0) && !is_between_numbers(line, i);
    case '&': return next == '&' || (is_word_char(next) && !is_word_char(before(line, i)));
    case '$': return is_word_char(next) || next == '{' || next == '(';
    case '/': return (next == '/' && before(line, i) != ':') || next == '*';
    case '#': return is_letter(next) && !is_path_char(before(line, i));
    case '@': return is_letter(next) && begins_clause(line, i);
    case '\\': return !is_in_windows_path(line, i);
    case '[': return begins_clause(line, i) && next == ' ';
    case ':': return next == '=' || (next == ':' && at(line, i + 2) == '<');
    case '?': return next == ' ' && line.find(" : ", i) != npos;
    case '.': return is_method_call(line, i);
    default: return false;
  }
}

// Whether the line is one of a listing or a diff: `12<tab>code`, `> code`, `+code`.
bool is_listing(std::string_view line) {
  if (line.empty()) return false;
  if (line.front() == '+' || line.front() == '>' || line.front() == '|') return true;
  if (line.front() == '-') return at(line, 1) != '-';
  std::size_t number = 0;
  while (is_digit(at(line, number))) ++number;
  return number > 0 && at(line, number) == '\t';
}

// Whether the text before a colon belongs to the code after it: in `x_1: u32 = 5` it does, in
// `TypeError: x = 5` it does not.
bool is_declared(std::string_view clause) {
  return is_identifier(clause) && word_at(clause, 0) == clause && !clause.ends_with("Error") &&
         !clause.ends_with("Exception");
}

// Where the statement that holds position `i` begins: after the last ": " or ". " before `i` (or at
// the start of the line), unless the text before that belongs to the code too (is_declared).
std::size_t clause_start(std::string_view line, std::size_t i) {
  std::size_t end = i;
  for (std::size_t from = i; from > 0; --from) {
    const std::string_view head = line.substr(0, from);
    if (!head.ends_with(": ") && !head.ends_with(". ")) continue;
    if (end != i && !is_declared(line.substr(from, end - from))) return end + 2;
    end = from - 2;
  }
  return end == i || is_declared(line.substr(0, end)) ? 0 : end + 2;
}

}  // namespace

std::size_t find_source(std::string_view line) {
  if (line.starts_with("  ") || line.starts_with('\t') || is_listing(line)) return 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (is_mark(line, i)) return clause_start(line, i);
    if (!is_word_char(line[i]) || is_word_char(before(line, i))) continue;
    if (is_statement(line, i, word_at(line, i))) return i;
  }
  return npos;
}

}  // namespace enfold::contract::detail
