// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/compile/uri.h"

#include "enfold/base/text.h"

#include <optional>

namespace enfold::schema::detail {
namespace {

struct Parts {
  std::optional<std::string_view> scheme;
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
  std::optional<std::string_view> fragment;
};

std::optional<std::string_view> read_scheme(std::string_view uri) {
  if (uri.empty() || !is_letter(uri.front())) return std::nullopt;
  for (std::size_t i = 1; i < uri.size(); ++i) {
    const char c = uri[i];
    if (c == ':') return uri.substr(0, i);
    if (!is_alphanumeric(c) && c != '+' && c != '-' && c != '.') break;
  }
  return std::nullopt;
}

// Splits `text` at `mark`; returns what follows it.
std::optional<std::string_view> cut(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + 1);
  text = text.substr(0, at);
  return rest;
}

Parts parse(std::string_view uri) {
  Parts parts;
  parts.fragment = cut(uri, '#');
  parts.query = cut(uri, '?');
  parts.scheme = read_scheme(uri);
  if (parts.scheme) uri.remove_prefix(parts.scheme->size() + 1);
  if (uri.substr(0, 2) == "//") {
    const std::size_t end = std::min(uri.find('/', 2), uri.size());
    parts.authority = uri.substr(2, end - 2);
    uri.remove_prefix(end);
  }
  parts.path = uri;
  return parts;
}

// Section 5.2.4.
std::string remove_dot_segments(std::string_view path) {
  std::string out;
  const auto drop_last = [&out] {
    const std::size_t slash = out.rfind('/');
    out.resize(slash == std::string::npos ? 0 : slash);
  };
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./") || path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../")) {
      path.remove_prefix(3);
      drop_last();
    } else if (path == "/..") {
      path = "/";
      drop_last();
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      const std::size_t end = std::min(path.find('/', 1), path.size());
      out += path.substr(0, end);
      path.remove_prefix(end);
    }
  }
  return out;
}

std::string merge(const Parts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  if (slash == std::string_view::npos) return std::string(path);
  return std::string(base.path.substr(0, slash + 1)) + std::string(path);
}

}  // namespace

SplitUri split_fragment(std::string_view uri) {
  SplitUri split{uri, {}};
  split.fragment = cut(split.document, '#').value_or(std::string_view{});
  return split;
}

std::string resolve_uri(std::string_view base_text, std::string_view reference_text) {
  const Parts base = parse(base_text);
  const Parts reference = parse(reference_text);
  Parts target = reference;
  std::string path;
  if (reference.scheme) {
    path = remove_dot_segments(reference.path);
  } else {
    target.scheme = base.scheme;
    if (reference.authority) {
      path = remove_dot_segments(reference.path);
    } else {
      target.authority = base.authority;
      if (reference.path.empty()) {
        path = std::string(base.path);
        if (!reference.query) target.query = base.query;
      } else if (reference.path.front() == '/') {
        path = remove_dot_segments(reference.path);
      } else {
        path = remove_dot_segments(merge(base, reference.path));
      }
    }
  }
  std::string out;
  if (target.scheme) out.append(*target.scheme) += ':';
  if (target.authority) out.append("//") += *target.authority;
  out += path;
  if (target.query) (out += '?') += *target.query;
  if (target.fragment) (out += '#') += *target.fragment;
  return out;
}

std::string percent_decode(std::string_view text) {
  return enfold::percent_decode(text).value_or(std::string(text));
}

}  // namespace enfold::schema::detail
