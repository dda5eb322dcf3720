// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/uri_template.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/core.h>

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

}  // namespace

Result<UriTemplate> UriTemplate::parse(std::string_view text) {
  UriTemplate out;
  const std::string_view whole = text;
  while (true) {
    const std::size_t open = text.find('{');
    Part part{std::string(text.substr(0, open)), {}, false};
    if (part.literal.find('}') != std::string::npos ||
        (open != std::string_view::npos && text.find('}', open) == std::string::npos)) {
      return fail(ErrorCode::invalid_input, "expected braces that match in a URI template",
                  std::string(whole));
    }
    if (open == std::string_view::npos) {
      out.parts_.push_back(std::move(part));
      return out;
    }
    if (part.literal.empty() && !out.parts_.empty()) {
      return fail(ErrorCode::unsupported,
                  "expected text between two variables of a URI template, found none",
                  std::string(whole));
    }
    const std::size_t close = text.find('}', open);
    const std::string_view expression = text.substr(open, close + 1 - open);
    std::string_view name = expression.substr(1, expression.size() - 2);
    part.reserved = name.starts_with('+');
    if (part.reserved) name.remove_prefix(1);
    if (!is_name(name)) {
      return fail(
          ErrorCode::unsupported,
          fmt::format("expected {{name}} or {{+name}} in a URI template, found {}", expression),
          std::string(whole));
    }
    part.variable = name;
    out.parts_.push_back(std::move(part));
    text.remove_prefix(close + 1);
  }
}

std::optional<UriVariables> UriTemplate::match(std::string_view uri) const {
  UriVariables out;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (!uri.starts_with(part.literal)) return std::nullopt;
    uri.remove_prefix(part.literal.size());
    if (part.variable.empty()) return uri.empty() ? std::optional(out) : std::nullopt;
    // A variable ends where the next literal begins: at its last occurrence if the literal ends the
    // template, else at its first.
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
