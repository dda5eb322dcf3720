// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/headers.h"

#include "enfold/base/text.h"
#include "enfold/json/document.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

constexpr std::string_view kEncodedBegin = "=?base64?";
constexpr std::string_view kEncodedEnd = "?=";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool looks_encoded(std::string_view value) {
  return value.size() >= kEncodedBegin.size() + kEncodedEnd.size() &&
         same_header(value.substr(0, kEncodedBegin.size()), kEncodedBegin) &&
         value.ends_with(kEncodedEnd);
}

bool is_visible(char c) { return c >= 0x20 && c < 0x7F; }

std::string to_base64(std::string_view bytes) {
  std::string out = to_base64url(bytes);
  std::replace(out.begin(), out.end(), '-', '+');
  std::replace(out.begin(), out.end(), '_', '/');
  return out;
}

std::optional<RpcError> compare(HeaderFields fields, std::string_view header,
                                std::string_view body) {
  std::size_t named = 0;
  std::string_view found;
  for (const HeaderField& field : fields) {
    if (!same_header(field.name, header)) continue;
    ++named;
    found = field.value;
  }
  if (named > 1) {
    // Whoever stands between may read the other one.
    return header_mismatch(header, fmt::format("Expected one header {}, found {}", header, named));
  }
  if (named == 0) {
    return header_mismatch(header, fmt::format("Expected the header {} to say what the body says, "
                                               "{}; found no such header",
                                               header, json::quote(body)));
  }
  const auto decoded = decode_header_value(trimmed(found));
  if (decoded == body) return std::nullopt;
  return header_mismatch(
      header,
      fmt::format("Expected the header {} to say what the body says, {}; "
                  "found {}",
                  header, json::quote(body), decoded ? json::quote(*decoded) : "broken Base64"));
}

}  // namespace

bool detail::same_letters(const char* a, const char* b, std::size_t size) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  // Most peers spell names as we do, so that whole words decide; the last may overlap the one
  // before it.
  const auto same = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (lower(a[i]) != lower(b[i])) return false;
    }
    return true;
  };
  if (size < kWord) return same(0, size);
  for (std::size_t at = 0;; at = std::min(at + kWord, size - kWord)) {
    if (std::memcmp(a + at, b + at, kWord) != 0 && !same(at, at + kWord)) return false;
    if (at + kWord == size) return true;
  }
}

std::optional<std::string_view> find_header(HeaderFields fields, std::string_view name) {
  for (const HeaderField& field : fields) {
    if (same_header(field.name, name)) return trimmed(field.value);
  }
  return std::nullopt;
}

std::string encode_header_value(std::string_view text) {
  const bool safe = std::all_of(text.begin(), text.end(), is_visible) && !text.starts_with(' ') &&
                    !text.ends_with(' ') && !text.empty() && !looks_encoded(text);
  if (safe) return std::string(text);
  return std::string(kEncodedBegin) + to_base64(text) + std::string(kEncodedEnd);
}

std::optional<std::string> decode_header_value(std::string_view value) {
  if (looks_encoded(value)) {
    value.remove_prefix(kEncodedBegin.size());
    value.remove_suffix(kEncodedEnd.size());
    return from_base64(value);
  }
  const auto allowed = [](char c) { return is_visible(c) || c == '\t'; };
  if (!std::all_of(value.begin(), value.end(), allowed)) return std::nullopt;
  return std::string(value);
}

std::optional<std::string> name_of(Method method, json::View params) {
  const std::string_view member = info(method).name_param;
  if (member.empty()) return std::nullopt;
  return json::string_member(params, member);
}

std::vector<Header> standard_headers(std::string_view version, std::string_view method,
                                     json::View params) {
  std::vector<Header> out{{std::string(header::version), std::string(version)},
                          {std::string(header::method), encode_header_value(method)}};
  if (const auto name = name_of(method_from_name(method), params)) {
    out.push_back({std::string(header::name), encode_header_value(*name)});
  }
  return out;
}

std::optional<RpcError> check_headers(HeaderFields fields, std::string_view version,
                                      std::string_view method, json::View params) {
  if (auto problem = compare(fields, header::version, version)) return problem;
  if (auto problem = compare(fields, header::method, method)) return problem;
  const auto name = name_of(method_from_name(method), params);
  return name ? compare(fields, header::name, *name) : std::nullopt;
}

}  // namespace enfold::mcp
