// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/unwrap.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"

namespace enfold::contract::detail {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kLongestProse = 400;

bool opens_json(std::string_view text) { return text.starts_with('{') || text.starts_with('['); }

std::optional<json::Value> parse(std::string_view text, const Limits& limits) {
  auto document = json::parse(text, limits);
  return document ? std::optional(document->value()) : std::nullopt;
}

// The content of a fence that begins at `text`, if nothing but space follows it.
std::optional<std::string_view> fenced(std::string_view text) {
  if (!text.starts_with("```")) return std::nullopt;
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return std::nullopt;
  const std::string_view language = trimmed(text.substr(3, line - 3), kSpace);
  if (!language.empty() && language != "json" && language != "JSON") return std::nullopt;
  const std::size_t end = text.find("```", line);
  if (end == std::string_view::npos) return std::nullopt;
  if (!trimmed(text.substr(end + 3), kSpace).empty()) return std::nullopt;
  return trimmed(text.substr(line, end - line), kSpace);
}

// Two or more lines that are one object or array each.
std::optional<json::Value> lines_of(std::string_view text, const Limits& limits) {
  json::Writer writer;
  writer.begin_array();
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at), kSpace);
    at = end + 1;
    if (line.empty()) continue;
    if (!line.starts_with('{') || !line.ends_with('}')) return std::nullopt;
    const auto value = parse(line, limits);
    if (!value) return std::nullopt;
    writer.value(*value);
    ++count;
  }
  writer.end_array();
  return count >= 2 ? std::optional(std::move(writer).finish_value()) : std::nullopt;
}

}  // namespace

std::optional<TextReading> json_in_text(json::View source, const Limits& limits) {
  // Most texts hold no JSON; they are not even decoded.
  if (source.string_source().find_first_of("{[") == std::string_view::npos) return std::nullopt;
  const json::Buffer decoded = json::string_buffer(source);
  std::string_view text = trimmed(decoded.view(), kSpace);
  TextReading out;
  if (!opens_json(text) && !text.starts_with("```")) {
    const std::size_t brace = text.find("\n{");
    const std::size_t bracket = text.find("\n[");
    const std::size_t fence = text.find("\n```");
    const std::size_t start = std::min({brace, bracket, fence});
    if (start == std::string_view::npos || start > kLongestProse) return std::nullopt;
    out.prose = std::string(trimmed(text.substr(0, start), kSpace));
    text = text.substr(start + 1);
  }
  const std::string_view inside = fenced(text).value_or(text);
  if (!opens_json(inside)) return std::nullopt;
  if (auto value = parse(inside, limits)) {
    out.data = std::move(*value);
    return out;
  }
  if (auto list = lines_of(inside, limits)) {
    out.data = std::move(*list);
    out.is_lines = true;
    return out;
  }
  return std::nullopt;
}

}  // namespace enfold::contract::detail
