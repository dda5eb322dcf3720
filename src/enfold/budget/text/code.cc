// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/text/code.h"

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
     "defp",      "defn",     "macro",     "proc", "@interface", "function*", "fun"});

bool opens_block(std::string_view line) {
  return line.ends_with('{') || line.ends_with(':') || line.ends_with("=>");
}

// The name at the beginning of the text; empty: there is none.
std::string_view first_name(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_character(text[end])) ++end;
  return text.substr(0, end);
}

}  // namespace

Comments comments_of(const Sample& sample) {
  std::size_t hash = 0;
  std::size_t slash = 0;
  std::size_t dash = 0;
  for (const std::string_view line : sample.lines) {
    const std::string_view text = without_blanks(line);
    if (text.starts_with("//") || text.starts_with("/*") || text.ends_with(';') ||
        text.ends_with('{') || text.starts_with('}')) {
      ++slash;
    } else if (text.starts_with("# ") || text.starts_with("#!") || text.ends_with(':') ||
               text == "end") {
      ++hash;
    } else if (text.starts_with("--")) {
      ++dash;
    }
  }
  if (dash > hash && dash > slash) return Comments::dash;
  return hash > slash ? Comments::hash : Comments::slash;
}

bool CodeReader::begins_comment(std::string_view rest) const {
  switch (comments_) {
    case Comments::hash: return rest[0] == '#';
    case Comments::slash: return rest.starts_with("//");
    case Comments::dash: return rest.starts_with("--");
  }
  return false;
}

std::size_t CodeReader::skip_string(std::string_view line, std::size_t at) {
  const std::string_view rest = line.substr(at);
  for (const std::string_view mark : {"\"\"\"", "'''"}) {
    if (!rest.starts_with(mark)) continue;
    const std::size_t end = rest.find(mark, mark.size());
    if (end != std::string_view::npos) return at + end + mark.size();
    open_ = mark;
    return line.size();
  }
  std::size_t end = at + 1;
  while (end < line.size() && line[end] != line[at]) end += line[end] == '\\' ? 2 : 1;
  if (end < line.size()) return end + 1;
  if (line[at] == '`') open_ = "`";
  // A single apostrophe may be a lifetime in Rust or a digit separator, and then begins no string.
  return line[at] == '\'' && comments_ == Comments::slash ? at + 1 : line.size();
}

CodeLine CodeReader::read(std::string_view line) {
  CodeLine found;
  while (found.indent < line.size() && is_blank(line[found.indent])) ++found.indent;
  const std::string_view was_open = open_;
  found.continues = !open_.empty() || brackets_ > 0;
  std::size_t at = found.indent;
  std::size_t end = line.size();
  while (at < line.size()) {
    if (!open_.empty()) {
      const std::size_t close = line.find(open_, at);
      if (close == std::string_view::npos) break;
      at = close + open_.size();
      open_ = {};
      continue;
    }
    const char c = line[at];
    if (begins_comment(line.substr(at))) {
      end = at;
      const std::string_view marks = comments_ == Comments::hash ? "#" : "/-!";
      found.comment = without_blanks(trimmed(line.substr(at), marks));
      break;
    }
    if (c == '/' && comments_ == Comments::slash && line.substr(at).starts_with("/*")) {
      if (at == found.indent) found.comment = without_blanks(line.substr(at + 2)), end = at;
      open_ = "*/";
      at += 2;
    } else if (c == '"' || c == '\'' || (c == '`' && comments_ == Comments::slash)) {
      at = skip_string(line, at);
    } else {
      if (c == '(' || c == '[' || c == '{') ++brackets_;
      if ((c == ')' || c == ']' || c == '}') && brackets_ > 0) --brackets_;
      ++at;
    }
  }
  // In these languages blocks are in brackets, so an open one does not mean that a line continues.
  if (comments_ != Comments::hash) brackets_ = 0;
  found.code = without_blanks(line.substr(found.indent, end - std::min(found.indent, end)));
  // If a bracket was counted as open by mistake, every later line would seem to continue its line.
  // A definition ends that.
  const bool in_bracket = found.continues && was_open.empty();
  if (in_bracket && found.code.ends_with(':') && definition_of(found.code)) {
    brackets_ = 0;
    found.continues = false;
  }
  return found;
}

std::optional<Definition> definition_of(std::string_view line) {
  Definition found;
  std::string_view rest = line;
  std::string_view word = take_word(rest);
  for (int i = 0; i < 5 && is_one_of(word, kModifiers); ++i) {
    found.is_async = found.is_async || word == "async";
    word = take_word(rest);
  }
  if (equals_ignoring_case(word, "create")) {
    for (int i = 0; i < 4; ++i) {
      const std::string_view what = take_word(rest);
      for (const char* kind :
           {"table", "view", "function", "procedure", "index", "trigger", "type"}) {
        if (!equals_ignoring_case(what, kind)) continue;
        found.keyword = kind;
        found.name = first_name(trimmed(rest));
        return found;
      }
    }
    return std::nullopt;
  }
  found.keyword = word.substr(0, word.find('<'));  // impl<T>
  if (!is_one_of(found.keyword, kKeywords)) return std::nullopt;
  // "func (r *Reader) read()" has the receiver first.
  if (found.keyword == "func" && without_blanks(rest).starts_with('(')) {
    rest.remove_prefix(std::min(rest.find(')'), rest.size() - 1) + 1);
  }
  const std::string_view name =
      rest.substr(std::min(rest.find_first_not_of(" \t*&("), rest.size()));
  if (name.empty() || !is_name_character(name[0]) || is_digit(name[0])) return std::nullopt;
  found.name = first_name(name);
  // "type x = 3;" and prose such as "class of 1984" open nothing and take no arguments.
  found.after_name = name.substr(found.name.size());
  const std::string_view after = found.after_name;
  const bool defines = opens_block(line) || after.starts_with('(') || after.starts_with('<') ||
                       after.starts_with('[') || after.starts_with(" =") ||
                       after.starts_with(" struct") || after.starts_with(" interface") ||
                       after.starts_with(" extends ") || after.starts_with(" implements ") ||
                       after.starts_with(" : ") || after.starts_with(" < ") || word == "def" ||
                       after.empty();
  return defines ? std::optional(found) : std::nullopt;
}

}  // namespace enfold::budget::text
