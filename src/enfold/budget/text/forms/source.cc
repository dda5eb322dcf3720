// SPDX-License-Identifier: Apache-2.0
// Source code: recognised by how its lines begin and end, shown by its definitions.
#include "enfold/budget/text/code.h"
#include "enfold/budget/text/counts.h"
#include "enfold/budget/text/digest.h"

#include <array>
#include <fmt/core.h>

namespace enfold::budget::text {
namespace {

bool is_one_of(std::string_view word, auto&& words) {
  return std::ranges::find(words, word) != std::end(words);
}

// Keywords that begin lines of code other than definitions (definition_of() finds those).
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

// The name at the beginning of the text; empty: there is none.
std::string_view first_name(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_character(text[end])) ++end;
  return text.substr(0, end);
}

// Whether the line ends so that the next one belongs to the same statement.
bool is_continued(std::string_view line) {
  return !line.empty() &&
         std::string_view(",(&|+-=:?<\\").find(line.back()) != std::string_view::npos &&
         !line.ends_with("public:") && !line.ends_with("private:") && !line.ends_with("protected:");
}

// Whether the line begins a function without a keyword of definition_of(): "int main(int argc) {",
// "void Reader::read()", "name() {", "const f = (a) => {". `before_line` and `next`: the lines
// around it.
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

// Whether the line may be code; prose and configuration have such lines too.
bool looks_like_code(std::string_view line) {
  if (is_comment(line) || definition_of(line).has_value()) return true;
  const char last = line.back();
  if (last == ';' || last == '{' || last == '}' || last == '(' || last == '[') return true;
  if (line == ")" || line == "]" || line == ")," || line == "]," || line == "end") return true;
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  const bool ends_like_code = last == ':' || last == ')' || last == ',' || last == '\\' ||
                              last == '=' || last == ']' || last == '|' || last == '&';
  const std::string_view name = first_name(line);
  const std::string_view after = trimmed(line.substr(name.size()), kBlank);
  // An assignment or a call.
  if (!name.empty() && (after.starts_with("= ") || after.starts_with("+= ") ||
                        after.starts_with(":= ") || after.starts_with("("))) {
    return true;
  }
  if (after.starts_with('.') && after.find_first_of("(=") != std::string_view::npos) return true;
  return is_one_of(word.substr(0, word.find('(')), kStatements) || ends_like_code;
}

// Whether only code has such lines; prose, Markdown and configuration have none.
bool is_strong(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  return definition_of(line).has_value() || line.ends_with(';') || line.ends_with('{') ||
         line == "}" || line == "};" || line == "end" ||
         ((word == "import" || word == "from" || word == "use" || word == "using" ||
           word.starts_with('#')) &&
          (word == "#include" || word == "#define" || rest.find(" import ") != rest.npos ||
           word == "import"));
}

constexpr std::size_t kMostNames = 16;  // in one fact

/// A definition that was found. `around`, `last_line` and `methods` are known only in languages
/// whose blocks follow from the indentation.
struct Found {
  Line line;
  Definition what;
  std::size_t indent = 0;
  std::size_t around = SIZE_MAX;  ///< index of the definition around it; SIZE_MAX: none
  std::size_t last_line = 0;      ///< of its code
  std::size_t methods = 0;        ///< of a class: functions defined in it

  [[nodiscard]] std::size_t lines() const { return last_line - line.number + 1; }
};

// The base classes in "(Base, other.Base, metaclass=Meta):"; nullopt: it ends on a later line.
std::optional<std::vector<std::string_view>> bases_of(std::string_view after_name) {
  std::vector<std::string_view> bases;
  if (after_name.starts_with(':')) return bases;
  const std::size_t end = after_name.rfind(')');
  if (!after_name.starts_with('(') || end == std::string_view::npos) return std::nullopt;
  std::size_t depth = 0;
  std::size_t begin = 1;
  for (std::size_t at = 1; at <= end; ++at) {
    const char c = after_name[at];
    if ((c == ',' && depth == 0) || at == end) {
      const std::string_view base = without_blanks(after_name.substr(begin, at - begin));
      const std::string_view name = base.substr(0, base.find('['));
      if (!name.empty() && name.find('=') == std::string_view::npos) bases.push_back(name);
      begin = at + 1;
    }
    if (c == '[' || c == '(') ++depth;
    if ((c == ']' || c == ')') && depth > 0) --depth;
  }
  return bases;
}

// Whether the definition opens a block with ':', as in "def f(x):" or "class A: pass". A signature
// of several lines counts too: its ':' is on a later line.
bool opens_by_colon(const Definition& definition) {
  if (definition.keyword != "def" && definition.keyword != "class") return false;
  const std::size_t end = definition.after_name.rfind(')');
  if (end == std::string_view::npos) {
    return definition.after_name.starts_with(':') || definition.after_name.starts_with('(');
  }
  return definition.after_name.find(':', end) != std::string_view::npos ||
         std::ranges::count(definition.after_name, '(') >
             std::ranges::count(definition.after_name, ')');
}

/// Reads definitions, comments and decorators. For Python also which definition is inside which.
class SourceReader {
 public:
  explicit SourceReader(Comments style) : code_(style), style_(style) {}

  /// Takes the lines in their order; `next`: the text of the line after it.
  void read(const Line& line, std::string_view next) {
    const CodeLine code = code_.read(line.text);
    if (code.comment) add_comment(*code.comment);
    if (code.code.empty()) return;
    if (!code.continues) read_statement(line, code, next);
    last_code_line_ = line.number;
  }
  void finish() {
    close(0);
    by_indent = by_indent && style_ == Comments::hash;
  }
  /// "Class.method".
  [[nodiscard]] std::string path(const Found& one) const {
    const std::string name(one.what.name);
    return one.around == SIZE_MAX ? name : path(found[one.around]) + "." + name;
  }

  std::vector<Found> found;
  Counts decorators, comments;  ///< `comments`: such as TODO, by this word
  bool by_indent = true;        ///< every definition of a class or function opens a block with ':'

 private:
  // Counts a comment that begins with a mark such as TODO.
  void add_comment(std::string_view text) {
    static constexpr std::array<std::string_view, 4> kMarks{"TODO", "FIXME", "XXX", "HACK"};
    const std::string_view name = first_name(text);
    if (is_one_of(name, kMarks)) comments.add(name);
  }

  void read_statement(const Line& line, const CodeLine& code, std::string_view next) {
    close(code.indent);
    if (code.code[0] == '@') {
      const std::string_view name = code.code.substr(1, code.code.find_first_of("( \t") - 1);
      if (!name.empty() && is_name_character(name[0])) decorators.add("@" + std::string(name));
    }
    auto definition = definition_of(code.code);
    const bool is_known = definition.has_value();
    if (!is_known && is_function(last_, code.code, next)) definition.emplace();
    last_ = code.code;
    if (!definition) return;
    by_indent = by_indent && is_known && opens_by_colon(*definition);
    Found one{line, *definition, code.indent};
    if (!open_.empty()) {
      one.around = open_.back();
      found[one.around].methods += definition->keyword == "def" ? 1 : 0;
    }
    open_.push_back(found.size());
    found.push_back(one);
  }

  // Ends the definitions that do not hold a line with this indentation.
  void close(std::size_t indent) {
    while (!open_.empty() && found[open_.back()].indent >= indent) {
      found[open_.back()].last_line = last_code_line_;
      open_.pop_back();
    }
  }

  CodeReader code_;
  Comments style_;
  std::vector<std::size_t> open_;   ///< indexes of the definitions around the next line
  std::string_view last_;           ///< the code of the last statement's first line
  std::size_t last_code_line_ = 0;  ///< number of the last line with code
};

// Classes by their number of methods and by their bases, and the longest function.
void add_structure(const SourceReader& source, Digest& digest) {
  Counts methods;
  std::map<std::string_view, std::vector<std::string>> derived;
  bool all_bases = true;
  const Found* longest = nullptr;
  for (const Found& one : source.found) {
    if (one.what.keyword == "def") {
      if (longest == nullptr || one.lines() > longest->lines()) longest = &one;
      continue;
    }
    std::string name = source.path(one);
    const auto bases = bases_of(one.what.after_name);
    all_bases = all_bases && bases;
    for (const std::string_view base : bases.value_or(std::vector<std::string_view>())) {
      derived[base].push_back(json::quote(name));
    }
    if (methods.of(name) > 0) name += fmt::format(" (line {})", one.line.number);
    methods.add(name, one.methods);
  }
  if (!methods.empty()) digest.add("", "methods", written(methods.by_count(), kMostNames));
  if (all_bases) {
    for (const auto& [base, names] : derived) {
      digest.add("subclasses", std::string(base), written_list(names, kMostNames));
    }
  }
  if (longest == nullptr) return;
  json::Writer writer;
  writer.begin_object().member("name", source.path(*longest));
  writer.member("line", longest->line.number).member("lines", longest->lines());
  digest.add("", "longest_function", std::move(writer.end_object()).finish().str());
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
  SourceReader source(comments_of(sample_of(text)));
  Line before;
  each_line(text, [&](const Line& line) {
    if (before.number > 0) source.read(before, line.text);
    before = line;
  });
  source.read(before, /*next=*/{});
  source.finish();
  Counts definitions;
  for (const Found& one : source.found) {
    if (one.what.keyword.empty()) continue;
    definitions.add((one.what.is_async ? "async " : "") + std::string(one.what.keyword));
  }
  if (!definitions.empty()) {
    digest.add("", "definitions", written(definitions.by_count(), kMostNames));
  }
  if (source.by_indent) add_structure(source, digest);
  if (!source.decorators.empty()) {
    digest.add("", "decorators", written(source.decorators.by_count(), kMostNames));
  }
  if (!source.comments.empty()) {
    digest.add("", "comments", written(source.comments.by_count(), kMostNames));
  }
  digest.columns = {"text"};
  if (source.by_indent) digest.columns.emplace_back("lines");
  // Definitions that are not inside of another come first.
  for (const bool outermost : {true, false}) {
    for (const Found& one : source.found) {
      if ((one.around == SIZE_MAX) != outermost) continue;
      Row row = row_of(one.line);
      if (source.by_indent) row.cells += fmt::format(",{}", one.lines());
      digest.add_row(std::move(row), most);
    }
  }
}

}  // namespace enfold::budget::text
