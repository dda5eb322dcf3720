// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/failure_sentences.h"

#include "enfold/base/text.h"
#include "enfold/contract/reading/words.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <array>

namespace enfold::contract::detail {
namespace {

constexpr std::size_t kMaxNameBytes = 200;
constexpr std::size_t kMaxLineBytes = 200;  // the rest of a line is not read
constexpr std::string_view kQuotes = "'\"`";

// A quoted span of a line; npos: there is none.
struct Span {
  std::string_view text;                       ///< without the quotes
  std::size_t begin = std::string_view::npos;  ///< at the opening quote
  std::size_t end = std::string_view::npos;    ///< after the closing quote
};

// The first text in quotes from `at` on, of at most kMaxNameBytes. An apostrophe inside a word is
// no quote.
Span quoted(std::string_view line, std::size_t at = 0) {
  for (; at < line.size(); ++at) {
    at = line.find_first_of(kQuotes, at);
    if (at == std::string_view::npos) return {};
    if (at > 0 && is_alphanumeric(line[at - 1])) continue;
    const std::size_t end = line.find(line[at], at + 1);
    if (end == std::string_view::npos) return {};
    if (end > at + 1 && end - at <= kMaxNameBytes)
      return {line.substr(at + 1, end - at - 1), at, end + 1};
  }
  return {};
}

bool is_name_character(char c) {
  return is_alphanumeric(c) || std::string_view("_-.[]$").find(c) != std::string_view::npos;
}

// The name, quoted or not, that begins at `at`; empty: none does.
std::string_view name_from(std::string_view line, std::size_t at) {
  while (at < line.size() && (line[at] == ' ' || line[at] == ':')) ++at;
  if (const Span span = quoted(line, at); span.begin == at) return span.text;
  std::size_t end = at;
  while (end < line.size() && (is_name_character(line[end]) || line[end] == '/')) ++end;
  while (end > at && line[end - 1] == '.') --end;
  return line.substr(at, end - at);
}

// The name, quoted or not, that ends before `at`; empty: none does.
std::string_view name_before(std::string_view line, std::size_t at) {
  while (at > 0 && line[at - 1] == ' ') --at;
  if (at > 1 && kQuotes.find(line[at - 1]) != std::string_view::npos) {
    const std::size_t open = line.rfind(line[at - 1], at - 2);
    return open == std::string_view::npos ? std::string_view()
                                          : line.substr(open + 1, at - open - 2);
  }
  std::size_t begin = at;
  while (begin > 0 && is_name_character(line[begin - 1])) --begin;
  return line.substr(begin, at - begin);
}

// Whether a word in the place of a name is an ordinary word of the sentence.
bool is_no_name(std::string_view word) {
  return word.empty() || word.size() > kMaxNameBytes ||
         has_word<
             "a an the this that it you we they which value values input field fields parameter "
             "parameters argument arguments property string number request body data string json "
             "and or which there what file error param key column option of in">(to_lower(word));
}

// The field that a line names; empty: none. `lower` is the line in lower case, here and below.
std::string_view field_in(std::string_view line, std::string_view lower) {
  // "missing field `port`", "parameter 'state' must", "Missing required argument: path".
  for (const std::string_view noun :
       {"field", "parameter", "argument", "property", "param", "column", "option", "key"}) {
    for (std::size_t at = lower.find(noun); at != std::string_view::npos;
         at = lower.find(noun, at + 1)) {
      std::size_t end = at + noun.size();
      if (end < lower.size() && lower[end] == 's') ++end;
      while (end < lower.size() && (lower[end] == ' ' || lower[end] == ':')) ++end;
      // A name without quotes counts only if "missing" is before the noun, or a colon after it.
      const bool announced = lower.find("missing") < at || lower.substr(end - 2, 2) == ": ";
      if (const Span span = quoted(line, end); span.begin == end) return span.text;
      const std::string_view name = name_from(line, end);
      if (announced && end < line.size() && !is_no_name(name)) return name;
    }
  }
  // "spec_id is required", "limit must be between", "copies: expected at most 9".
  for (const std::string_view verb :
       {" is required", " are required", " must ", " should ", " cannot be ", " can't be ",
        " may not be ", " is not a valid", " is not valid", " is invalid", " contains invalid",
        ": expected ", ": must ", ": invalid", ": required", " has to be "}) {
    const std::size_t at = lower.find(verb);
    if (at == std::string_view::npos) continue;
    const std::string_view name = name_before(line, at);
    if (!is_no_name(name)) return name;
  }
  return {};
}

// The text from `^` to the next `$`; empty: there is none.
std::string pattern_in(std::string_view line) {
  const std::size_t at = line.find('^');
  if (at == std::string_view::npos) return {};
  const std::size_t end = line.find('$', at);
  return end == std::string_view::npos ? std::string() : std::string(line.substr(at, end + 1 - at));
}

// A received value as messages write it: null, a number, or a text.
json::Value value_of(std::string_view text) {
  const bool nothing = has_word<"null none undefined nothing missing">(to_lower(text));
  if (nothing) return json::parse_own("null");
  if (const auto number = json::parse(text); number && number->root().is_number()) {
    return number->value();
  }
  return json::string_value(text);
}

// The value that was sent, as WrongInput::received.
std::optional<json::Value> received_in(std::string_view line, std::string_view lower) {
  for (const std::string_view word : {", got ", " but got ", ", received ", "received: ", ", was ",
                                      " but was ", ", found ", " but found ", "input_value="}) {
    const std::size_t at = lower.find(word);
    if (at == std::string_view::npos) continue;
    const std::size_t from = at + word.size();
    if (const Span span = quoted(line, from); span.begin == from) {
      return json::string_value(span.text);
    }
    const std::size_t end = std::min(line.find_first_of(" ,;)]", from), line.size());
    std::string_view text = line.substr(from, end - from);
    if (text.ends_with('.')) text.remove_suffix(1);
    if (!text.empty()) return value_of(text);
  }
  return std::nullopt;
}

// The input that a message of pydantic names; nullopt: the message has another form.
// "quantity\n  Input should be … [type=greater_than, input_value=-3, input_type=int]"
std::optional<WrongInput> pydantic_input(std::string_view message) {
  constexpr std::string_view mark = "[type=";
  const std::size_t at = message.find(mark);
  if (at == std::string_view::npos || message.find("input_value=", at) == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t newline = message.rfind('\n', at);  // the field is the line before it
  if (newline == std::string_view::npos || newline == 0) return std::nullopt;
  const std::size_t previous = message.rfind('\n', newline - 1);
  const std::size_t begin = previous == std::string_view::npos ? 0 : previous + 1;
  const std::string_view field = trimmed(message.substr(begin, newline - begin), " \t\r");
  const std::string_view rest = message.substr(at, kMaxLineBytes);
  const std::string_view type = rest.substr(mark.size(), rest.find_first_of(",]") - mark.size());
  if (type == "missing") {
    return WrongInput{std::string(field), "required", {}, json::parse_own("null")};
  }
  return WrongInput{std::string(field), std::string(type),
                    pattern_in(message.substr(newline, at - newline)), received_in(rest, rest)};
}

// The name of a type of thing, such as "resource group", in the words between the last punctuation
// before `at` and `at`, without articles. Of more than three words, the last.
std::string thing_before(std::string_view line, std::size_t at) {
  std::string_view text = trimmed(line.substr(0, at), " ");
  const std::size_t start = text.find_last_of(":()[],;'\"`");
  if (start != std::string_view::npos) text = trimmed(text.substr(start + 1), " ");
  for (const std::string_view article : {"The ", "the ", "A ", "a ", "No ", "no "}) {
    if (text.starts_with(article)) text.remove_prefix(article.size());
  }
  if (std::ranges::count(text, ' ') > 2) text = text.substr(text.find_last_of(' ') + 1);
  return has_word<"name id named with it is was">(to_lower(text)) ? std::string() : to_lower(text);
}

constexpr std::string_view kNoSuch = "no such ";

// The missing thing that a line names; an empty id: none.
MissingThing missing_in_line(std::string_view line) {
  const std::string lower = to_lower(line);
  if (const std::size_t at = lower.find("no such file"); at != std::string::npos) {
    if (const Span span = quoted(line, at); !span.text.empty()) {
      return {"file", std::string(span.text)};
    }
    if (const Span span = quoted(line); !span.text.empty()) return {"file", std::string(span.text)};
    const std::size_t colon = line.substr(0, at).rfind(':');
    if (colon == std::string_view::npos) return {};
    const std::size_t space = line.substr(0, colon).rfind(' ');
    return {"file", std::string(line.substr(space + 1, colon - space - 1))};
  }
  if (const std::size_t at = lower.find(kNoSuch); at != std::string::npos) {
    const std::size_t from = at + kNoSuch.size();
    const std::size_t end = line.find_first_of(":'\"`", from);
    if (end == std::string_view::npos) return {};
    return {std::string(trimmed(lower.substr(from, end - from), " ")),
            std::string(name_from(line, end))};
  }
  for (const std::string_view phrase : {" not found", " does not exist", " doesn't exist",
                                        " could not be found", " cannot be found", " not exist"}) {
    const std::size_t at = lower.find(phrase);
    if (at == std::string::npos) continue;
    const std::size_t after = at + phrase.size();
    if (line.substr(after).starts_with(": ")) {
      return {thing_before(line, at), std::string(name_from(line, after))};
    }
    if (const Span span = quoted(line); !span.text.empty()) {
      return {thing_before(line, span.begin), std::string(span.text)};
    }
  }
  return {};
}

// Calls `read` with each of the first 40 lines, cut to kMaxLineBytes, until it returns true.
template <class Function>
void each_line(std::string_view text, Function&& read) {
  constexpr std::size_t most_lines = 40;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size() && count < most_lines; ++count) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (read(text.substr(at, std::min(end - at, kMaxLineBytes)))) return;
    at = end + 1;
  }
}

}  // namespace

std::string_view constraint_in(std::string_view text) {
  struct Words {
    std::string_view constraint;
    std::string_view phrases;
  };
  constexpr auto words = std::to_array<Words>({
      {"required", "required|missing|blank|be empty|not-null|be null|no value"},
      {"pattern", "match|pattern|regex"},
      {"enum", "one of|enum|not included in|not a valid choice|allowed values"},
      {"range",
       "between|at least|at most|greater|less|out of range|exceed|maximum|minimum|too short|too "
       "long|larger|smaller"},
      {"type",
       "type|integer|a number|a string|a boolean|an array|an object|a list|expected string|"
       "expected number|expected boolean|parsing"},
      {"format", "format|valid url|valid email|valid date|valid uuid"},
  });
  const std::string lower = to_lower(text);
  for (const Words& one : words) {
    if (holds_any(lower, one.phrases)) return one.constraint;
  }
  return {};
}

WrongInput wrong_input_in(std::string_view message) {
  if (auto found = pydantic_input(message)) return std::move(*found);
  WrongInput out;
  each_line(message, [&](std::string_view line) {
    const std::string lower = to_lower(line);
    const std::string_view field = field_in(line, lower);
    if (field.empty()) return false;
    out.field = field;
    out.pattern = pattern_in(line);
    out.constraint = out.pattern.empty() ? constraint_in(line) : "pattern";
    out.received = received_in(line, lower);
    return true;
  });
  return out;
}

MissingThing missing_thing_in(std::string_view message) {
  MissingThing out;
  each_line(message, [&](std::string_view line) {
    out = missing_in_line(line);
    return !out.id.empty();
  });
  return out;
}

}  // namespace enfold::contract::detail
