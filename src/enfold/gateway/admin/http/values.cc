// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/http/values.h"

#include "enfold/base/hidden_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace enfold::gateway {
namespace {

constexpr std::size_t kLongestFileName = 100;  // bytes

constexpr std::array<std::string_view, 4> kCounts{"limit", "offset", "before", "after"};
// The members of a budget, in a body or as parameters of the query.
constexpr std::array<std::string_view, 4> kSizes{"tokens", "characters", "lines", "target"};
constexpr std::array<std::string_view, 5> kWhat{"whole", "cut", "repaired", "redacted", "failed"};
constexpr std::array<std::string_view, 6> kOutcomes{
    "ok", "partial", "failed", "input_required", "refused", "cancelled"};
constexpr std::array<std::string_view, 14> kTexts{
    "client", "contract", "level", "cursor", "pointer",  "range", "lines",
    "find",   "regex",    "where", "sql",    "upstream", "key",   "token"};

Error wrong(std::string_view where, std::string_view expected, std::string_view found) {
  constexpr std::size_t kMost = 60;  // bytes of the value
  return {ErrorCode::invalid_input,
          fmt::format("expected {}, found {}", expected, visible_line(found.substr(0, kMost))),
          std::string(where), "docs/reference/admin-api.md lists the values"};
}

bool is_number(std::string_view text, std::uint64_t least) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() && value >= least;
}

bool is_positive(json::View value) {
  const auto number = value.integer();
  return number && *number > 0;
}

Status check_query(const AdminRequest& request) {
  const auto check = [&](const auto& names, const auto& is_right,
                         std::string_view expected) -> Status {
    for (const std::string_view name : names) {
      const std::string& value = request.parameter(name);
      if (!value.empty() && !is_right(value)) return tl::unexpected(wrong(name, expected, value));
    }
    return {};
  };
  const auto one_of = [&](std::string_view name, const auto& words) {
    return check(
        std::array{name},
        [&](const std::string& value) { return std::ranges::find(words, value) != words.end(); },
        fmt::format("one of {}", fmt::join(words, ", ")));
  };
  ENFOLD_TRY(
      check(kCounts, [](const std::string& value) { return is_number(value, 0); }, "a number"));
  ENFOLD_TRY(check(
      kSizes, [](const std::string& value) { return is_number(value, 1); }, "a positive number"));
  ENFOLD_TRY(one_of("what", kWhat));
  return one_of("outcome", kOutcomes);
}

Status check_body(json::View body) {
  const auto set = [](json::View object, std::string_view name) {
    const auto found = object.find(name);
    return found && !found->is_null() ? found : std::nullopt;
  };
  for (const std::string_view name : kTexts) {
    const auto value = set(body, name);
    if (value && !value->is_string()) return tl::unexpected(wrong(name, "a string", value->raw()));
  }
  if (const auto value = set(body, "call"); value && !value->is_boolean()) {
    return tl::unexpected(wrong("call", "true or false", value->raw()));
  }
  const auto budget = set(body, "budget");
  if (!budget) return {};
  if (!budget->is_object()) return tl::unexpected(wrong("budget", "an object", budget->raw()));
  for (const std::string_view name : kSizes) {
    const auto value = set(*budget, name);
    if (!value || is_positive(*value)) continue;
    return tl::unexpected(wrong(fmt::format("budget/{}", name), "a positive number", value->raw()));
  }
  return {};
}

}  // namespace

Status check_values(const AdminRequest& request) {
  ENFOLD_TRY(check_query(request));
  return request.body->is_object() ? check_body(request.body.view()) : Status();
}

std::string file_name_of(std::string_view name) {
  std::string safe(name.substr(0, kLongestFileName));
  for (char& c : safe) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (!is_plain) c = '_';
  }
  if (safe.empty() || safe.front() == '.' || safe.front() == '-') safe.insert(safe.begin(), '_');
  return safe;
}

}  // namespace enfold::gateway
