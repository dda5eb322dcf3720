// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/uri_template.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <utility>

namespace enfold::mcp {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alphanumeric(c) || c == '_' || c == '.' || c == '-';
  });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Leaves a % that no two hex digits follow as it is.
std::string percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const int high = at + 2 < text.size() ? hex_digit(text[at + 1]) : -1;
    const int low = at + 2 < text.size() ? hex_digit(text[at + 2]) : -1;
    if (text[at] == '%' && high >= 0 && low >= 0) {
      out.push_back(static_cast<char>(high * 16 + low));
      at += 2;
    } else {
      out.push_back(text[at]);
    }
  }
  return out;
}

// An operator of an expression: `first` is the text before the first variable of the expression,
// `further` the text before each further one.
struct Operator {
  char sign;
  std::string_view first;
  std::string_view further;
  bool reserved = false;  ///< the variables may contain slashes
  bool named = false;     ///< each value follows its name and =
};
constexpr std::array<Operator, 5> kOperators{
    {{.sign = '+', .first = "", .further = ",", .reserved = true},
     {.sign = '#', .first = "#", .further = ",", .reserved = true},
     {.sign = '.', .first = ".", .further = "."},
     {.sign = '/', .first = "/", .further = "/"},
     {.sign = ';', .first = ";", .further = ";", .named = true}}};

tl::unexpected<Error> bad_expression(std::string_view expression) {
  return fail(
      ErrorCode::unsupported,
      fmt::format("expected {{name}}, {{+name}}, {{#name}}, {{.a,b}}, {{/a,b}}, {{;a,b}} or "
                  "{{?a,b}} in a URI template, found {{{}}}",
                  expression));
}

}  // namespace

Status UriTemplate::add_expression(std::string_view expression, std::string literal) {
  Operator kind{.sign = ' ', .first = "", .further = ","};
  const char sign = expression.empty() ? '\0' : expression.front();
  const auto found = std::ranges::find(kOperators, sign, &Operator::sign);
  const bool in_query = sign == '?' || (sign == '&' && !query_.empty());
  std::string_view names = expression;
  if (found != kOperators.end()) kind = *found;
  if (found != kOperators.end() || in_query) names.remove_prefix(1);
  if (!query_.empty() && (sign != '&' || !literal.empty())) return bad_expression(expression);
  if (in_query && !literal.empty()) {
    parts_.push_back({.literal = std::exchange(literal, {}), .variable = {}});
  }
  for (bool first = true; first || !names.empty(); first = false) {
    const std::size_t comma = std::min(names.find(','), names.size());
    const std::string name(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
    if (!is_name(name)) return bad_expression(expression);
    const std::vector<std::string> others = variables();
    if (std::ranges::find(others, name) != others.end()) {
      return fail(
          ErrorCode::invalid_input,
          fmt::format("expected different variables in a URI template, found {} twice", name));
    }
    if (in_query) {
      query_.push_back(name);
      continue;
    }
    literal += first ? kind.first : kind.further;
    if (kind.named) literal += name + "=";
    if (literal.empty() && !parts_.empty()) {
      return fail(ErrorCode::unsupported,
                  "expected text between two variables of a URI template, found none");
    }
    parts_.push_back({std::exchange(literal, {}), name, kind.reserved});
  }
  return {};
}

Result<UriTemplate> UriTemplate::parse(std::string_view text) {
  UriTemplate out;
  const std::string where(text);
  while (true) {
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}', std::min(open, text.size()));
    std::string literal(text.substr(0, open));
    if (literal.find('}') != std::string::npos ||
        (open != std::string_view::npos && close == std::string_view::npos)) {
      return fail(ErrorCode::invalid_input, "expected braces that match in a URI template", where);
    }
    if (open == std::string_view::npos) {
      if (out.query_.empty()) {
        out.parts_.push_back({.literal = std::move(literal), .variable = {}});
      } else if (!literal.empty()) {
        return fail(ErrorCode::unsupported,
                    "expected the query at the end of a URI template, found text after it", where);
      } else if (out.parts_.empty() || !out.parts_.back().variable.empty()) {
        out.parts_.emplace_back();  // match() ends at a part without a variable
      }
      return out;
    }
    Status added = out.add_expression(text.substr(open + 1, close - open - 1), std::move(literal));
    if (!added) {
      added.error().where = where;
      return tl::unexpected(added.error());
    }
    text.remove_prefix(close + 1);
  }
}

std::vector<std::string> UriTemplate::variables() const {
  std::vector<std::string> names;
  for (const Part& part : parts_) {
    if (!part.variable.empty()) names.push_back(part.variable);
  }
  names.insert(names.end(), query_.begin(), query_.end());
  return names;
}

bool UriTemplate::match_query(std::string_view query, UriVariables& out) const {
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    const std::string name(one.substr(0, equals));
    const bool known = std::ranges::find(query_, name) != query_.end();
    const bool again = std::ranges::any_of(out, [&](const auto& had) { return had.first == name; });
    if (!known || again) return false;
    out.emplace_back(name, percent_decode(one.substr(std::min(equals + 1, one.size()))));
  }
  return true;
}

std::optional<UriVariables> UriTemplate::match(std::string_view uri) const {
  UriVariables out;
  std::string_view query;
  if (const std::size_t mark = uri.find('?'); !query_.empty() && mark != std::string_view::npos) {
    query = uri.substr(mark + 1);
    uri = uri.substr(0, mark);
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (!uri.starts_with(part.literal)) return std::nullopt;
    uri.remove_prefix(part.literal.size());
    if (part.variable.empty()) {
      return uri.empty() && match_query(query, out) ? std::optional(out) : std::nullopt;
    }
    // A variable ends where the next literal begins: at the literal's last occurrence if the
    // literal ends the template, else at its first.
    const Part& next = parts_[i + 1];
    std::size_t end = uri.size();
    if (next.variable.empty()) {
      if (!uri.ends_with(next.literal)) return std::nullopt;
      end -= next.literal.size();
    } else {
      end = uri.find(next.literal);
      if (end == std::string_view::npos) return std::nullopt;
    }
    const std::string_view value = uri.substr(0, end);
    if (value.empty() || (!part.reserved && value.find('/') != std::string_view::npos)) {
      return std::nullopt;
    }
    out.emplace_back(part.variable, percent_decode(value));
    uri.remove_prefix(end);
  }
  return std::nullopt;
}

}  // namespace enfold::mcp
