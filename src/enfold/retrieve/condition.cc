// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/query.h"

#include <array>
#include <fmt/core.h>

namespace enfold::retrieve {
namespace {

constexpr int kDeepest = 64;    // nesting of `not` and parentheses
constexpr int kMostTerms = 64;  // comparisons; each takes a pass over the answer
constexpr std::string_view kComparisons = "=, !=, <, <=, >, >=, contains or exists";

enum class TokenKind { word, quoted, comparison, open, close, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;                            ///< unescaped for quoted text
  std::size_t at = 0;                          ///< byte offset in the condition
  Comparison comparison = Comparison::exists;  ///< used only by a token of kind comparison
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool ends_word(char c) {
  return is_space(c) || c == '(' || c == ')' || c == '=' || c == '<' || c == '>' || c == '!';
}

std::string shown(const Token& token) {
  return token.kind == TokenKind::end ? std::string("the end") : json::quote(token.text);
}

/// The hint for an operator of another query language; empty: the token is no such operator.
std::string advice_on(const Token& token) {
  struct ForeignOperator {
    std::string_view word, advice;
  };
  constexpr std::array<ForeignOperator, 10> operators{{
      {"&&", "write and"},
      {"||", "write or"},
      {"!", "write not"},
      {"is", "write = null or != null"},
      {"like", "write contains"},
      {"~", "write contains"},
      {"=~", "write contains; there are no patterns"},
      {"includes", "write contains"},
      {"has", "write contains, or exists for a member"},
      {"in", "write several conditions with or"},
  }};
  const std::string word = to_lower(token.text);
  for (const ForeignOperator& one : operators) {
    if (one.word == word) return std::string(one.advice);
  }
  return {};
}

// any     = all {"or" all}
// all     = negated {"and" negated}
// negated = "not" negated | "(" any ")" | term
// term    = path comparison literal | path ["not"] "contains" literal | path ["not"] "exists"
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Condition> parse() {
    ENFOLD_TRY(advance());
    if (token_.kind == TokenKind::end)
      return refuse("a condition", "write for example: state = open");
    Result<Condition> condition = parse_any(/*depth=*/0);
    if (!condition) return condition;
    if (token_.kind == TokenKind::close) return refuse("and, or, or the end", "remove the ')'");
    if (token_.kind != TokenKind::end) {
      return refuse("and, or, or the end", "put a value of several words in quotes");
    }
    return condition;
  }

 private:
  tl::unexpected<Error> refuse(std::string_view expected, std::string_view hint = {}) const {
    std::string advice = advice_on(token_);
    if (advice.empty()) advice = hint;
    return refuse_at(token_.at, fmt::format("expected {}, found {}", expected, shown(token_)),
                     std::move(advice));
  }
  tl::unexpected<Error> refuse_at(std::size_t at, std::string message, std::string hint) const {
    return fail(ErrorCode::invalid_input, std::move(message),
                fmt::format("character {} of the condition {}",
                            utf8::length(text_.substr(0, at)) + 1, json::quote(text_)),
                std::move(hint));
  }

  /// Reads the next token into `token_`.
  Status advance() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    token_ = Token{.at = at_};
    if (at_ == text_.size()) return {};
    const char c = text_[at_];
    if (c == '(' || c == ')') {
      token_.kind = c == '(' ? TokenKind::open : TokenKind::close;
      token_.text = text_[at_++];
      return {};
    }
    if (c == '"' || c == '\'') return read_quoted(c);
    if (c == '=' || c == '<' || c == '>' || c == '!') return read_symbol();
    while (at_ < text_.size() && !ends_word(text_[at_])) token_.text.push_back(text_[at_++]);
    token_.kind = TokenKind::word;
    return {};
  }

  Status read_symbol() {
    struct Symbol {
      std::string_view text;
      Comparison comparison;
    };
    constexpr std::array<Symbol, 8> symbols{{{"==", Comparison::equal},
                                             {"!=", Comparison::not_equal},
                                             {"<>", Comparison::not_equal},
                                             {"<=", Comparison::at_most},
                                             {">=", Comparison::at_least},
                                             {"=", Comparison::equal},
                                             {"<", Comparison::less},
                                             {">", Comparison::greater}}};
    for (const Symbol& symbol : symbols) {
      if (!text_.substr(at_).starts_with(symbol.text)) continue;
      token_ = {TokenKind::comparison, std::string(symbol.text), at_, symbol.comparison};
      at_ += symbol.text.size();
      return {};
    }
    token_.kind = TokenKind::word;
    token_.text = "!";  // the error shows it, with the advice for it
    return refuse(kComparisons);
  }

  Status read_quoted(char quote) {
    token_.kind = TokenKind::quoted;
    for (++at_; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == quote) {
        ++at_;
        return {};
      }
      if (c == '\\' && at_ + 1 < text_.size()) {
        c = text_[++at_];
        if (c == 'n') c = '\n';
        if (c == 't') c = '\t';
      }
      token_.text.push_back(c);
    }
    return refuse_at(token_.at,
                     fmt::format("expected a closing {} for the text that begins here", quote),
                     "close the quotes; inside them write \\\" for a quote");
  }

  [[nodiscard]] bool is_keyword(std::string_view word) const {
    return token_.kind == TokenKind::word && to_lower(token_.text) == word;
  }

  Result<Condition> parse_any(int depth) { return parse_chain("or", Condition::Kind::any, depth); }
  Result<Condition> parse_all(int depth) { return parse_chain("and", Condition::Kind::all, depth); }

  // Reads the operands of `and` or `or`, which `word` and `kind` name. `and` binds tighter. If
  // there is only one operand, the result is that operand.
  Result<Condition> parse_chain(std::string_view word, Condition::Kind kind, int depth) {
    const auto part = [&] {
      return kind == Condition::Kind::any ? parse_all(depth) : parse_negated(depth);
    };
    Result<Condition> first = part();
    if (!first || !is_keyword(word)) return first;
    Condition joined{.kind = kind};
    joined.parts.push_back(std::move(*first));
    while (is_keyword(word)) {
      ENFOLD_TRY(advance());
      Result<Condition> next = part();
      if (!next) return next;
      joined.parts.push_back(std::move(*next));
    }
    return joined;
  }

  /// `depth`: number of `not` and parentheses around this operand.
  Result<Condition> parse_negated(int depth) {
    if (depth > kDeepest) return refuse(fmt::format("at most {} levels of nesting", kDeepest));
    if (is_keyword("not")) {
      ENFOLD_TRY(advance());
      return negation_of(parse_negated(depth + 1));
    }
    if (token_.kind != TokenKind::open) return parse_term();
    const Token open = token_;
    ENFOLD_TRY(advance());
    Result<Condition> inside = parse_any(depth + 1);
    if (!inside) return inside;
    if (token_.kind == TokenKind::end) {
      return refuse_at(open.at, "expected a ')' for the '(' here, found the end", "add a ')'");
    }
    if (token_.kind != TokenKind::close) {
      return refuse("and, or, or ')'", "put a value of several words in quotes");
    }
    ENFOLD_TRY(advance());
    return inside;
  }

  static Result<Condition> negation_of(Result<Condition> inside) {
    if (!inside) return inside;
    Condition negation{.kind = Condition::Kind::negation};
    negation.parts.push_back(std::move(*inside));
    return negation;
  }

  Result<Condition> parse_term() {
    if (++terms_ > kMostTerms) {
      return refuse(fmt::format("at most {} comparisons", kMostTerms), "ask for less at once");
    }
    Condition condition;
    ENFOLD_TRY(condition.term.path, read_path());
    ENFOLD_TRY(advance());
    const bool negated = is_keyword("not");
    if (negated) {
      ENFOLD_TRY(advance());
    }
    if (is_keyword("contains") || is_keyword("exists")) {
      condition.term.comparison = is_keyword("exists") ? Comparison::exists : Comparison::contains;
    } else if (token_.kind == TokenKind::comparison && !negated) {
      condition.term.comparison = token_.comparison;
    } else {
      return refuse(negated ? std::string_view("contains or exists") : kComparisons,
                    "put a name of several words in quotes");
    }
    ENFOLD_TRY(advance());
    if (condition.term.comparison != Comparison::exists) {
      ENFOLD_TRY(read_literal(condition.term.literal));
    }
    return negated ? negation_of(std::move(condition)) : Result<Condition>(std::move(condition));
  }

  Result<std::vector<std::string>> read_path() const {
    if (token_.kind == TokenKind::quoted) return std::vector<std::string>{token_.text};
    const bool is_word = token_.kind == TokenKind::word && !is_keyword("and") && !is_keyword("or");
    if (!is_word) {
      return refuse("the name of a member", "write for example: state = open");
    }
    if (token_.text == ".") return std::vector<std::string>{};  // the record itself
    if (token_.text.starts_with('/')) {
      const Result<json::Pointer> pointer = json::Pointer::parse(token_.text);
      if (!pointer) return refuse_at(token_.at, pointer.error().message, pointer.error().hint);
      return pointer->tokens();
    }
    std::vector<std::string> path(1);
    for (const char c : token_.text) {
      if (c == '.') {
        path.emplace_back();
      } else {
        path.back().push_back(c);
      }
    }
    for (const std::string& name : path) {
      if (name.empty()) {
        return refuse("a dotted path such as user.name",
                      "put a name that holds a dot in quotes, or write a JSON Pointer");
      }
    }
    return path;
  }

  Status read_literal(Literal& literal) {
    const bool is_value = token_.kind == TokenKind::quoted || token_.kind == TokenKind::word;
    if (!is_value) return refuse("a value", "write a word, a number, or text in quotes");
    literal.text = token_.text;
    if (token_.kind == TokenKind::word) {
      if (is_number_text(literal.text)) {
        literal.kind = LiteralKind::number;
      } else if (is_keyword("true") || is_keyword("false")) {
        literal.kind = LiteralKind::boolean;
      } else if (is_keyword("null")) {
        literal.kind = LiteralKind::null;
      }
    }
    return advance();
  }

  std::string_view text_;
  std::size_t at_ = 0;  ///< offset after `token_`
  int terms_ = 0;       ///< number of comparisons read so far
  Token token_;         ///< the current token: read, but not used yet
};

}  // namespace

Result<Condition> parse_condition(std::string_view text) {
  if (text.size() > kLongestCondition) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected a condition of at most {} bytes, found {}", kLongestCondition,
                            text.size()),
                "where" /* the name of the argument */, "ask for less at once");
  }
  if (const auto bad = utf8::first_invalid(text)) {
    return fail(ErrorCode::invalid_input, "expected UTF-8 text",
                fmt::format("byte {} of the condition", *bad), "convert the text to UTF-8");
  }
  return Parser(text).parse();
}

}  // namespace enfold::retrieve
