// SPDX-License-Identifier: Apache-2.0
// Declarations of C and C++ that have a body. Goes from one declaration to the next; what a body
// holds is looked into only where it holds declarations itself.
#include "spans.h"

#include <optional>

namespace scalpel {
namespace {

// How deep declarations may lie in each other, and how many tokens one may have before its body.
// Real code stays far below; what lies beyond is passed over.
constexpr std::size_t kDeepest = 40;
constexpr std::size_t kLongestHeader = 200;

class Declarations {
 public:
  explicit Declarations(const Tokens& tokens) : tokens_(tokens) {}

  std::vector<Span> run() {
    read(0, tokens_.size());
    return std::move(spans_);
  }

 private:
  void read(std::size_t at, std::size_t end);
  void read_inside(std::size_t open, std::size_t close) {
    if (depth_ == kDeepest) return;
    ++depth_;
    read(open + 1, close);
    --depth_;
  }
  [[nodiscard]] std::size_t after_directive(std::size_t at) const;
  [[nodiscard]] std::size_t read_body(std::size_t first, std::size_t open, std::size_t end);
  [[nodiscard]] std::optional<std::size_t> keyword(std::size_t first, std::size_t open) const;
  [[nodiscard]] std::size_t parameters(std::size_t first, std::size_t open) const;
  [[nodiscard]] bool is_member_initializer(std::size_t first, std::size_t open) const;
  [[nodiscard]] std::string function_name(std::size_t parenthesis, std::size_t first) const;

  const Tokens& tokens_;
  std::size_t depth_ = 0;
  std::vector<Span> spans_;
};

// A directive ends with its line, unless a backslash takes it on.
std::size_t Declarations::after_directive(std::size_t at) const {
  std::size_t next = at + 1;
  while (next < tokens_.size() &&
         (!is_first_on_line(tokens_, next) || tokens_[next - 1].is("\\"))) {
    ++next;
  }
  return next;
}

void Declarations::read(std::size_t at, std::size_t end) {
  std::size_t first = at;  // of the declaration
  while (at < end) {
    const Token& token = tokens_[at];
    if (token.is("#") && is_first_on_line(tokens_, at)) {
      const bool between = first == at;
      at = after_directive(at);
      if (between) first = at;
    } else if (token.is(";")) {
      first = ++at;
    } else if (is_one(token, {"public", "private", "protected"}) && at + 1 < end &&
               tokens_[at + 1].is(":")) {
      at += 2;
      first = at;
    } else if (token.is("{")) {
      const std::size_t next = read_body(first, at, end);
      // `} name = …;` goes on; after the body of a function or namespace comes the next one.
      const bool is_over = !spans_.empty() && spans_.back().last + 1 == next;
      at = next;
      if (is_over || at - first > kLongestHeader) first = at;
    } else if (opens(token)) {
      at = closing_of(tokens_, at) + 1;
    } else {
      ++at;
    }
  }
}

// class, struct, union, enum or namespace outside of any brackets, those of templates included.
std::optional<std::size_t> Declarations::keyword(std::size_t first, std::size_t open) const {
  std::size_t angles = 0;
  for (std::size_t i = first; i < open; ++i) {
    if (tokens_[i].is("<")) ++angles;
    if (tokens_[i].is(">") && angles > 0) --angles;
    if (angles > 0) continue;
    if (is_one(tokens_[i], {"class", "struct", "union", "enum", "namespace"})) return i;
    if (tokens_[i].is("(") || tokens_[i].is("=")) return std::nullopt;
  }
  return std::nullopt;
}

// The first parenthesis of a declaration: that of its parameters. `open` when there is none.
std::size_t Declarations::parameters(std::size_t first, std::size_t open) const {
  for (std::size_t i = first; i < open; ++i) {
    if (tokens_[i].is("=") && !(i > first && tokens_[i - 1].is("operator"))) return open;
    if (tokens_[i].is("(") && i > first) {
      const bool call_operator = tokens_[i - 1].is("operator");
      if (!call_operator) return i;
      ++i;
    }
  }
  return open;
}

// Foo::Foo() : member{1} { … }: a brace right behind a name is not the body yet.
bool Declarations::is_member_initializer(std::size_t first, std::size_t open) const {
  if (open == 0 || !(is_word(tokens_, open - 1) || tokens_[open - 1].is(">"))) return false;
  const std::size_t close = closing_of(tokens_, parameters(first, open));
  for (std::size_t i = close; i < open; ++i) {
    if (tokens_[i].is(":")) return true;
  }
  return false;
}

// With the classes that it is spelled with: Account::close → Account.close.
std::string Declarations::function_name(std::size_t parenthesis, std::size_t first) const {
  std::size_t at = parenthesis;
  std::string name;
  while (at > first && tokens_[at - 1].kind == Token::Kind::mark &&
         !is_one(tokens_[at - 1], {"::", "*", "&", "~"})) {
    --at;  // operator== and its like
    name.insert(0, tokens_[at].spelled);
  }
  while (at > first) {
    const Token& token = tokens_[at - 1];
    if (token.kind == Token::Kind::word &&
        (name.empty() || name.front() == '.' || name.front() == '~' || token.is("operator"))) {
      name.insert(0, token.spelled);
    } else if (token.is("~") && !name.empty()) {
      name.insert(0, "~");
    } else if (token.is("::")) {
      name.insert(0, ".");
    } else {
      break;
    }
    --at;
  }
  return name.starts_with('.') ? name.substr(1) : name;
}

// `open` is a brace outside of all brackets. Gives the token to go on with.
std::size_t Declarations::read_body(std::size_t first, std::size_t open, std::size_t end) {
  const std::size_t close = closing_of(tokens_, open);
  if (close >= end) return end;
  if (open - first > kLongestHeader) return close + 1;
  if (const auto word = keyword(first, open)) {
    std::size_t named = *word + 1;
    while (named < open && (is_one(tokens_[named], {"class", "struct"}) ||
                            tokens_[named].kind != Token::Kind::word)) {
      ++named;
    }
    const bool scope = tokens_[*word].is("namespace");
    const std::string name(named < open ? tokens_[named].spelled : std::string_view());
    const bool holds_declarations = !tokens_[*word].is("enum");
    const std::size_t last =
        !scope && close + 1 < end && tokens_[close + 1].is(";") ? close + 1 : close;
    if (scope || !name.empty()) spans_.push_back({name, !scope, scope, first, last});
    const std::size_t mine = spans_.size();
    if (holds_declarations) read_inside(open, close);
    // What was found inside stands behind; the caller asks for the last, so mine moves there.
    if (mine > 0 && mine < spans_.size()) std::swap(spans_[mine - 1], spans_.back());
    return last + 1;
  }
  if (is_word(tokens_, first) && tokens_[first].is("extern") && open == first + 2) {
    read_inside(open, close);
    return close + 1;
  }
  const std::size_t parenthesis = parameters(first, open);
  if (parenthesis == open || is_member_initializer(first, open)) return close + 1;
  std::string name = function_name(parenthesis, first);
  if (!name.empty()) spans_.push_back({std::move(name), false, false, first, close});
  return close + 1;
}

}  // namespace

std::vector<Span> cpp_spans(const Tokens& tokens) { return Declarations(tokens).run(); }

}  // namespace scalpel
