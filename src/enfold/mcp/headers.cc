// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/headers.h"

#include "enfold/base/text.h"

#include <algorithm>
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
  const auto named = std::count_if(fields.begin(), fields.end(), [&](const HeaderField& field) {
    return same_header(field.name, header);
  });
  if (named > 1) {
    // Whoever stands between may read the other one.
    return header_mismatch(header, fmt::format("Expected one header {}, found {}", header, named));
  }
  const auto found = find_header(fields, header);
  if (!found) {
    return header_mismatch(header, fmt::format("Expected the header {} to say what the body says, "
                                               "{}; found no such header",
                                               header, json::quote(body)));
  }
  const auto decoded = decode_header_value(*found);
  if (decoded == body) return std::nullopt;
  return header_mismatch(
      header,
      fmt::format("Expected the header {} to say what the body says, {}; "
                  "found {}",
                  header, json::quote(body), decoded ? json::quote(*decoded) : "broken Base64"));
}

}  // namespace

bool same_header(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char z) {
           return x == z || lower(x) == lower(z);
         });
}

std::optional<std::string_view> find_header(HeaderFields fields, std::string_view name) {
  for (const HeaderField& field : fields) {
    if (!same_header(field.name, name)) continue;
    std::string_view value = field.value;
    while (value.starts_with(' ') || value.starts_with('\t')) value.remove_prefix(1);
    while (value.ends_with(' ') || value.ends_with('\t')) value.remove_suffix(1);
    return value;
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
  return text_member(params, member);
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
