// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/uri_template.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '-';
  });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
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

void append_encoded(std::string& out, std::string_view text, bool reserved) {
  constexpr std::string_view unreserved = "-._~";
  constexpr std::string_view reserved_marks = ":/?#[]@!$&'()*+,;=";
  for (const char c : text) {
    const bool plain = is_name({&c, 1}) || unreserved.find(c) != std::string_view::npos ||
                       (reserved && reserved_marks.find(c) != std::string_view::npos);
    if (plain) {
      out.push_back(c);
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
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
    const std::size_t close = text.find('}', open);
    std::string_view name = text.substr(open + 1, close - open - 1);
    part.reserved = name.starts_with('+');
    if (part.reserved) name.remove_prefix(1);
    if (!is_name(name)) {
      return fail(
          ErrorCode::unsupported,
          fmt::format("expected {{name}} or {{+name}} in a URI template, found {{{}}}", name),
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
    // A variable reaches to the literal behind it: the last such place at the end of the template,
    // the first one elsewhere.
    const Part& next = parts_[i + 1];
    std::size_t end = uri.size();
    if (next.variable.empty()) {
      if (!uri.ends_with(next.literal)) return std::nullopt;
      end -= next.literal.size();
    } else if (!next.literal.empty()) {
      end = uri.find(next.literal);
      if (end == std::string_view::npos) return std::nullopt;
    }
    const std::string_view value = uri.substr(0, end);
    if (value.empty() || (!part.reserved && value.find('/') != std::string_view::npos)) {
      return std::nullopt;
    }
    out.emplace_back(part.variable, decoded(value));
    uri.remove_prefix(end);
  }
  return std::nullopt;
}

std::string UriTemplate::expand(const UriVariables& variables) const {
  std::string out;
  for (const Part& part : parts_) {
    out += part.literal;
    for (const auto& [name, value] : variables) {
      if (name == part.variable && !name.empty()) append_encoded(out, value, part.reserved);
    }
  }
  return out;
}

}  // namespace enfold::mcp
