// SPDX-License-Identifier: Apache-2.0
// Source code: recognised by how its lines begin and end, shown by its definitions.
#include "enfold/budget/text/digest.h"

#include <array>

namespace enfold::budget::text {
namespace {

bool is_one_of(std::string_view word, auto&& words) {
  return std::ranges::find(words, word) != std::end(words);
}

// Words before the keyword of a definition.
constexpr auto kModifiers = std::to_array<std::string_view>(
    {"export",  "default",  "async",    "public",   "private",  "protected",  "static",
     "final",   "abstract", "pub",      "virtual",  "inline",   "constexpr",  "extern",
     "unsafe",  "override", "sealed",   "partial",  "internal", "open",       "data",
     "suspend", "declare",  "readonly", "template", "local",    "pub(crate)", "pub(super)"});

// Keywords that begin a definition; a name follows.
constexpr auto kKeywords = std::to_array<std::string_view>(
    {"def",       "class",    "func",      "fn",   "function",   "struct",    "enum",
     "interface", "trait",    "impl",      "type", "module",     "namespace", "object",
     "record",    "protocol", "extension", "mod",  "union",      "sub",       "defmodule",
     "defp",      "defn",     "macro",     "proc", "@interface", "function*"});

// Keywords that begin other lines of code.
constexpr auto kStatements = std::to_array<std::string_view>(
    {"import",   "from",    "return", "if",      "else",     "elif",    "for",    "while",
     "switch",   "case",    "try",    "catch",   "except",   "finally", "let",    "const",
     "var",      "use",     "using",  "package", "#include", "#define", "#ifdef", "#ifndef",
     "#endif",   "#pragma", "#if",    "#else",   "require",  "raise",   "throw",  "break",
     "continue", "pass",    "end",    "with",    "yield",    "await",   "new",    "delete",
     "self",     "this",    "match",  "select",  "defer",    "go",      "do",     "then",
     "fi",       "done",    "esac"});

// Keywords that come before a parenthesis without being the name of a function.
constexpr auto kNoNames = std::to_array<std::string_view>(
    {"if",  "for",    "while",  "switch", "catch",  "return",  "else",  "elif",  "case", "throw",
     "new", "delete", "sizeof", "assert", "except", "with",    "print", "not",   "and",  "or",
     "in",  "await",  "yield",  "using",  "do",     "foreach", "until", "unless"});

std::string_view first_name(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_character(text[end])) ++end;
  return text.substr(0, end);
}

bool opens_block(std::string_view line) {
  return line.ends_with('{') || line.ends_with(':') || line.ends_with("=>") ||
         line.ends_with("= {");
}

// "def name", "pub fn name(", "class Name:", "CREATE TABLE name (".
bool begins_with_definition(std::string_view line) {
  std::string_view rest = line;
  std::string_view word = take_word(rest);
  for (int i = 0; i < 5 && is_one_of(word, kModifiers); ++i) word = take_word(rest);
  if (equals_ignoring_case(word, "create")) {
    for (int i = 0; i < 4; ++i) {
      const std::string_view what = take_word(rest);
      for (const char* kind :
           {"table", "view", "function", "procedure", "index", "trigger", "type"}) {
        if (equals_ignoring_case(what, kind)) return true;
      }
    }
    return false;
  }
  const std::size_t bracket = word.find('<');  // impl<T>
  if (!is_one_of(word.substr(0, bracket), kKeywords)) return false;
  const std::string_view name = trimmed(rest, " \t*&(");
  if (name.empty() || !is_name_character(name[0]) || is_digit(name[0])) return false;
  // "type x = 3;" and prose such as "class of 1984" open nothing and take no arguments.
  const std::string_view behind = name.substr(first_name(name).size());
  return opens_block(line) || behind.starts_with('(') || behind.starts_with('<') ||
         behind.starts_with('[') || behind.starts_with(" =") || behind.starts_with(" struct") ||
         behind.starts_with(" interface") || word == "def" || behind.empty();
}

// Whether the next line belongs to the same statement.
bool is_continued(std::string_view line) {
  return !line.empty() &&
         std::string_view(",(&|+-=:?<\\").find(line.back()) != std::string_view::npos &&
         !line.ends_with("public:") && !line.ends_with("private:") && !line.ends_with("protected:");
}

// "int main(int argc) {", "void Reader::read()", "name() {", "const f = (a) => {".
bool is_function(std::string_view before_line, std::string_view line, std::string_view next) {
  const std::size_t open = line.find('(');
  if (open == std::string_view::npos || open == 0 || is_continued(before_line)) return false;
  if (std::ranges::count(line, '(') != std::ranges::count(line, ')')) return false;
  const bool opens = line.ends_with('{') || (line.ends_with(')') && without_blanks(next) == "{");
  if (!opens || line.find(';') != std::string_view::npos) return false;
  const std::string_view before = without_blanks(line.substr(0, open));
  std::string_view words = before;
  const std::string_view first = take_word(words);
  if (is_one_of(first_name(first), kNoNames) || first.starts_with('}') || first.starts_with('.')) {
    return false;
  }
  if (before.find('=') != std::string_view::npos) {
    return (first == "const" || first == "let" || first == "var" || first == "export") &&
           line.ends_with("=> {");
  }
  const char last = before.back();
  return is_name_character(last) && before.find_first_of("\"'") == std::string_view::npos;
}

bool is_comment(std::string_view line) {
  return line.starts_with("//") || line.starts_with("/*") || line.starts_with("* ") ||
         line == "*" || line.starts_with("*/") || line.starts_with("\"\"\"") ||
         line.starts_with("<!--") || line.starts_with("# ") || line.starts_with("-- ") ||
         line.starts_with("#!");
}

bool looks_like_code(std::string_view line) {
  if (is_comment(line) || begins_with_definition(line)) return true;
  const char last = line.back();
  if (last == ';' || last == '{' || last == '}' || last == '(' || last == '[') return true;
  if (line == ")" || line == "]" || line == ")," || line == "]," || line == "end") return true;
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  const bool ends_like_code = last == ':' || last == ')' || last == ',' || last == '\\' ||
                              last == '=' || last == ']' || last == '|' || last == '&';
  const std::string_view name = first_name(line);
  const std::string_view behind = trimmed(line.substr(name.size()), kBlank);
  // An assignment or a call.
  if (!name.empty() && (behind.starts_with("= ") || behind.starts_with("+= ") ||
                        behind.starts_with(":= ") || behind.starts_with("("))) {
    return true;
  }
  if (behind.starts_with('.') && behind.find_first_of("(=") != std::string_view::npos) return true;
  return is_one_of(word.substr(0, word.find('(')), kStatements) || ends_like_code;
}

// Lines that only code has; prose, Markdown and configuration have none.
bool is_strong(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  return begins_with_definition(line) || line.ends_with(';') || line.ends_with('{') ||
         line == "}" || line == "};" || line == "end" ||
         ((word == "import" || word == "from" || word == "use" || word == "using" ||
           word.starts_with('#')) &&
          (word == "#include" || word == "#define" || rest.find(" import ") != rest.npos ||
           word == "import"));
}

}  // namespace

bool is_source(const Sample& sample) {
  std::size_t code = 0;
  std::size_t strong = 0;
  std::size_t lines = 0;
  bool fenced = false;  // code inside of Markdown is no source file
  for (const std::string_view line : sample.lines) {
    const std::string_view text = without_blanks(line);
    if (text.starts_with("```")) {
      fenced = !fenced;
      ++lines;
      continue;
    }
    ++lines;
    if (fenced) continue;
    code += looks_like_code(text) ? 1 : 0;
    strong += is_strong(text) ? 1 : 0;
  }
  return lines >= 4 && code * 10 >= lines * 6 && strong * 12 >= lines && strong >= 2;
}

void digest_source(std::string_view text, std::size_t most, Digest& digest) {
  digest.columns = {"text"};
  std::string_view last;  // the last line that is neither blank nor a comment
  Line before;
  const auto look_at = [&](const Line& line, std::string_view next) {
    const std::string_view code = without_blanks(line.text);
    if (code.empty() || is_comment(code)) return;
    const bool defines = begins_with_definition(code) || is_function(last, code, next);
    last = code;
    if (defines && digest.rows.size() < most) digest.rows.push_back(row_of(line));
  };
  each_line(text, [&](const Line& line) {
    look_at(before, line.text);
    before = line;
  });
  look_at(before, {});
}

}  // namespace enfold::budget::text
