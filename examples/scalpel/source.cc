// SPDX-License-Identifier: Apache-2.0
#include "source.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <utility>

namespace scalpel {
namespace {

using Kind = Token::Kind;

constexpr std::size_t kNone = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Tokenizer {
 public:
  Tokenizer(std::string_view text, Language language) : text_(text), language_(language) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
        step(at_ + 1);
      } else if (!skip_comment()) {
        read_token(c);
      }
    }
    pair_brackets();
    return std::move(tokens_);
  }

 private:
  // Any closing bracket closes the last open one: broken code is read as well as it can be.
  void pair_brackets() {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("(") || token.is("[") || token.is("{")) open.push_back(i);
      if (open.empty() || !(token.is(")") || token.is("]") || token.is("}"))) continue;
      tokens_[open.back()].closed_by = i;
      open.pop_back();
    }
  }

  [[nodiscard]] bool sees(std::string_view what) const {
    return text_.substr(at_, what.size()) == what;
  }
  [[nodiscard]] std::size_t find(std::string_view what, std::size_t from) const {
    const std::size_t found = text_.find(what, from);
    return found == kNone ? text_.size() : found;
  }

  // Goes to `end`, counting the lines on the way.
  void step(std::size_t end) {
    end = std::min(end, text_.size());
    const std::string_view passed = text_.substr(at_, end - at_);
    line_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
    at_ = end;
  }

  void add(Kind kind, std::size_t end, std::string_view spelled) {
    Token token{kind, spelled, at_, std::min(end, text_.size()), line_, line_, 0};
    step(end);
    token.last_line = line_;
    tokens_.push_back(token);
  }

  bool skip_comment() {
    if (language_ == Language::python) {
      if (!sees("#")) return false;
      step(find("\n", at_));
      return true;
    }
    if (sees("//")) {
      step(find("\n", at_));
    } else if (sees("/*")) {
      step(find("*/", at_ + 2) + 2);
    } else {
      return false;
    }
    return true;
  }

  void read_token(char c) {
    if (c == '"' || c == '\'') return read_text("");
    if (c == '`' && is_script(language_)) return read_template();
    if (c == '`' && language_ == Language::go) return read_raw_text();
    if (is_digit(c)) return read_number();
    if (is_word(c)) return read_word();
    if (c == '/' && is_script(language_) && may_begin_regex()) return read_regex();
    read_mark();
  }

  // 1'000 is one number in C++.
  void read_number() {
    std::size_t end = at_ + 1;
    const auto goes_on = [&](char c) {
      return is_word(c) || c == '.' || (c == '\'' && language_ == Language::cpp);
    };
    while (end < text_.size() && goes_on(text_[end])) ++end;
    add(Kind::number, end, text_.substr(at_, end - at_));
  }

  // A word directly before a quote is the prefix of the literal: f"…", R"(…)".
  void read_word() {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    const bool quoted = end < text_.size() && (text_[end] == '"' || text_[end] == '\'');
    const bool has_prefixes = language_ == Language::python || language_ == Language::cpp;
    if (!quoted || word.size() > 3 || !has_prefixes) return add(Kind::word, end, word);
    if (language_ == Language::cpp && word.ends_with('R') && text_[end] == '"') {
      return read_delimited_text(end);
    }
    read_text(word);
  }

  // R"delimiter( … )delimiter"
  void read_delimited_text(std::size_t quote) {
    const std::size_t open = find("(", quote);
    std::string close = ")";
    close += text_.substr(quote + 1, open - quote - 1);
    close += '"';
    const std::size_t end = find(close, open);
    add(Kind::text, end + close.size(), inside(open + 1, end));
  }

  // A text of Go without escapes, over as many lines as it likes.
  void read_raw_text() {
    const std::size_t end = find("`", at_ + 1);
    add(Kind::text, end + 1, inside(at_ + 1, end));
  }

  [[nodiscard]] std::string_view inside(std::size_t begin, std::size_t end) const {
    return begin < end ? text_.substr(begin, end - begin) : std::string_view();
  }

  void read_text(std::string_view prefix) {
    const std::size_t quote_at = at_ + prefix.size();
    const char mark = text_[quote_at];
    std::string quote(1, mark);
    const std::string triple(3, mark);
    if (language_ == Language::python && text_.substr(quote_at, 3) == triple) quote = triple;
    // A quote after a backslash does not end the text, in a raw text neither.
    std::size_t end = quote_at + quote.size();
    while (end < text_.size() && text_.substr(end, quote.size()) != quote) {
      if (text_[end] == '\n' && quote.size() == 1) break;  // never closed: the line ends it
      end += text_[end] == '\\' ? 2 : 1;
    }
    end = std::min(end, text_.size());
    const std::string_view content = inside(quote_at + quote.size(), end);
    const bool formatted =
        language_ == Language::python && prefix.find_first_of("fF") != kNone && has_hole(content);
    add(formatted ? Kind::template_text : Kind::text, end + quote.size(), content);
  }

  // {{ is a brace, { begins a value.
  [[nodiscard]] static bool has_hole(std::string_view content) {
    for (std::size_t i = 0; i < content.size(); ++i) {
      if (content[i] != '{') continue;
      if (i + 1 >= content.size() || content[i + 1] != '{') return true;
      ++i;
    }
    return false;
  }

  // Up to the last backtick; what is put in may hold braces and further templates.
  void read_template() {
    std::size_t end = at_ + 1;
    std::size_t depth = 0;
    bool hole = false;
    while (end < text_.size() && (depth > 0 || text_[end] != '`')) {
      if (text_[end] == '\\') {
        ++end;
      } else if (text_.substr(end, 2) == "${") {
        ++depth;
        ++end;
        hole = true;
      } else if (depth > 0 && text_[end] == '{') {
        ++depth;
      } else if (depth > 0 && text_[end] == '}') {
        --depth;
      }
      ++end;
    }
    end = std::min(end, text_.size());
    add(hole ? Kind::template_text : Kind::text, end + 1, inside(at_ + 1, end));
  }

  // After a value a slash divides.
  [[nodiscard]] bool may_begin_regex() const {
    if (tokens_.empty()) return true;
    const Token& before = tokens_.back();
    if (before.kind == Kind::word) return before.is("return") || before.is("typeof");
    return before.kind == Kind::mark && !before.is(")") && !before.is("]") && !before.is("}");
  }

  void read_regex() {
    std::size_t end = at_ + 1;
    bool in_class = false;
    while (end < text_.size() && text_[end] != '\n' && (in_class || text_[end] != '/')) {
      if (text_[end] == '\\')
        ++end;
      else if (text_[end] == '[')
        in_class = true;
      else if (text_[end] == ']')
        in_class = false;
      ++end;
    }
    end = std::min(end, text_.size());
    add(Kind::text, end + 1, inside(at_ + 1, end));
  }

  void read_mark() {
    static constexpr std::array<std::string_view, 18> kPairs{
        "->", "::", "==", "!=", "<=", ">=", "=>", "+=", "-=",
        "*=", "/=", "%=", "&&", "||", "++", "--", "<<", ":="};
    for (const std::string_view pair : kPairs) {
      if (sees(pair)) return add(Kind::mark, at_ + 2, text_.substr(at_, 2));
    }
    add(Kind::mark, at_ + 1, text_.substr(at_, 1));
  }

  std::string_view text_;
  Language language_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::vector<Token> tokens_;
};

constexpr std::array<std::pair<std::string_view, Language>, 19> kEndings{{
    {".py", Language::python},      {".pyi", Language::python},     {".js", Language::javascript},
    {".mjs", Language::javascript}, {".cjs", Language::javascript}, {".jsx", Language::javascript},
    {".ts", Language::typescript},  {".mts", Language::typescript}, {".cts", Language::typescript},
    {".tsx", Language::typescript}, {".go", Language::go},          {".c", Language::cpp},
    {".cc", Language::cpp},         {".cpp", Language::cpp},        {".cxx", Language::cpp},
    {".h", Language::cpp},          {".hh", Language::cpp},         {".hpp", Language::cpp},
    {".hxx", Language::cpp},
}};

}  // namespace

std::optional<Language> language_of(std::string_view path) {
  const std::string lower = enfold::to_lower(path.substr(path.rfind('/') + 1));
  for (const auto& [ending, language] : kEndings) {
    if (lower.ends_with(ending)) return language;
  }
  return std::nullopt;
}

std::vector<Token> tokens_of(std::string_view text, Language language) {
  return Tokenizer(text, language).run();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_first_on_line(const std::vector<Token>& tokens, std::size_t index) {
  return index == 0 || tokens[index - 1].last_line < tokens[index].line;
}

std::size_t closing_of(const std::vector<Token>& tokens, std::size_t open) {
  const std::size_t close = open < tokens.size() ? tokens[open].closed_by : 0;
  return close > 0 ? close : tokens.size();
}

}  // namespace scalpel
