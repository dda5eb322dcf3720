// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/unwrap.h"

#include "enfold/base/text.h"
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/json/write.h"
#include "enfold/model/content.h"

#include <algorithm>

namespace enfold::contract::detail {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kLongestProse = 400;  // bytes of a text before the JSON

bool opens_json(std::string_view text) { return text.starts_with('{') || text.starts_with('['); }

std::optional<json::Value> parse(std::string_view text, const Limits& limits) {
  auto document = json::parse(text, limits);
  return document ? std::optional(document->value()) : std::nullopt;
}

// The content of a code fence of JSON with which the text begins; nullopt: there is no such fence,
// or text follows it.
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

// The list of the objects in a text of two or more lines that are one JSON object each; nullopt:
// the text has another form.
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

// A quick test that avoids decoding most texts, which hold no JSON; true: the text must be decoded
// and parsed to know. `source`: the text with its escapes.
bool may_hold_json(std::string_view source) {
  const std::size_t start = source.find_first_not_of(" \t");
  if (start == std::string_view::npos) return false;
  if (std::string_view("{[`\\").find(source[start]) != std::string_view::npos) return true;
  if (source == "true" || source == "false") return true;
  const std::string_view head = source.substr(0, 2 * kLongestProse);
  return head.find("\\n{") != std::string_view::npos ||
         head.find("\\n[") != std::string_view::npos ||
         head.find("\\n```") != std::string_view::npos;
}

// The lone member of an object that only wraps: {"output": …}, {"result": …}, {"content": "text"}.
std::optional<json::Member> lone_wrapper(json::View value) {
  if (!value.is_object() || value.size() != 1) return std::nullopt;
  for (const json::Member& member : value.members()) {
    const bool text = member.value.is_string();
    if (member.key.equals("content") && text) return member;
    const bool wraps = member.key.equals("output") || member.key.equals("result");
    if (wraps && (text || member.value.is_container())) return member;
  }
  return std::nullopt;
}

/// Unwraps lone members and texts until neither is left.
class Unwrapper {
 public:
  Unwrapper(const Limits& limits, Lists lists) : limits_(limits), lists_(lists) {}

  InnerData unwrap(json::Value value) {
    constexpr int most_layers = 8;
    InnerData out{.data = std::move(value)};
    for (int layer = 0; layer < most_layers; ++layer) {
      const json::View view = out.data.view();
      if (view.is_string()) {
        auto text = json_in_text(view, limits_, lists_);
        out.is_text = !text;
        if (!text) return out;
        out.data = std::move(text->data);
        out.path.clear();
        out.is_in_payload = false;
        if (text->is_lines) return out;
      } else if (const auto inside = lone_wrapper(view)) {
        if (out.is_in_payload) out.path.push_back(inside->key.string());
        out.data = json::Value(inside->value);
      } else {
        return out;
      }
    }
    return out;
  }

  // Several blocks: the list of their objects if each holds one, else the first block that holds
  // JSON, else all blocks as they are.
  InnerData unwrap_blocks(json::View blocks) {
    InnerData all{.data = json::Value(blocks)};
    json::Writer list;
    list.begin_array();
    std::size_t objects = 0;
    std::optional<std::size_t> first;  // the index of the first block that holds JSON
    InnerData found;                   // the data in it
    std::size_t index = 0;
    for (const json::View block : blocks.items()) {
      const auto text = model::text_of(block);
      const auto data = text ? json_in_text(*text, limits_, lists_) : std::nullopt;
      if (data && data->data.view().is_object() && data->prose.empty()) {
        list.value(data->data);
        ++objects;
      }
      if (data && !first) {
        first = index;
        found = unwrap(json::Value(*text));
      }
      ++index;
    }
    list.end_array();
    if (objects == blocks.size() && objects > 1) {
      all.data = std::move(list).finish_value();
      all.is_in_payload = false;
      return all;
    }
    if (!first) {
      all.is_text = blocks.size() != 0 && model::text_of(*blocks.item(0)).has_value();
      return all;
    }
    index = 0;
    for (const json::View block : blocks.items()) {
      if (index++ != *first) found.others.emplace_back(block);
    }
    found.is_in_payload = false;
    found.path.clear();
    return found;
  }

 private:
  const Limits& limits_;
  Lists lists_;
};

}  // namespace

std::optional<json::Value> parse_json_text(json::View text, const Limits& limits) {
  const std::string_view source = text.string_source();
  const std::size_t start = source.find_first_not_of(kSpace);
  if (start == std::string_view::npos) return std::nullopt;
  const bool maybe = opens_json(source.substr(start)) || source[start] == '\\';
  if (!maybe) return std::nullopt;
  json::Buffer inner = json::string_buffer(text);
  if (!opens_json(trimmed(inner.view(), kSpace))) return std::nullopt;
  auto document = json::parse(std::move(inner), limits);
  return document ? std::optional(document->value()) : std::nullopt;
}

std::optional<TextReading> json_in_text(json::View source, const Limits& limits, Lists lists) {
  if (!may_hold_json(source.string_source())) return std::nullopt;
  const json::Buffer decoded = json::string_buffer(source);
  std::string_view text = trimmed(decoded.view(), kSpace);
  TextReading out;
  if (text == "true" || text == "false") {
    out.data = *parse(text, limits);
    return out;
  }
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
  if (lists == Lists::skip) return std::nullopt;
  if (auto list = lines_of(inside, limits)) {
    out.data = std::move(*list);
    out.is_lines = true;
    return out;
  }
  return std::nullopt;
}

InnerData inner_data(const model::Response& response, const Limits& limits, Lists lists) {
  if (!response.payload) return {};
  Unwrapper unwrapper(limits, lists);
  if (response.wrapping == model::Wrapping::content && response.payload->view().is_array()) {
    return unwrapper.unwrap_blocks(response.payload->view());
  }
  return unwrapper.unwrap(*response.payload);
}

}  // namespace enfold::contract::detail
