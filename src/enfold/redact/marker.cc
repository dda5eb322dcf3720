// SPDX-License-Identifier: Apache-2.0
// Finds redaction markers in arguments: writing one back would overwrite a real secret.
#include "enfold/json/pointer.h"
#include "enfold/redact/find/chars.h"
#include "enfold/redact/redact.h"

namespace enfold::redact {
namespace {

std::optional<std::string> marker_label(std::string_view text) {
  constexpr std::string_view kOpening = "[REDACTED:";
  for (std::size_t at = text.find(kOpening); at != std::string_view::npos;
       at = text.find(kOpening, at + 1)) {
    const std::size_t begin = at + kOpening.size();
    std::size_t end = begin;
    while (end < text.size() &&
           (detail::is(text[end], detail::kUpper | detail::kDigit) || text[end] == '_')) {
      ++end;
    }
    if (end > begin && detail::byte(text, end) == ']')
      return std::string(text.substr(begin, end - begin));
  }
  return std::nullopt;
}

std::optional<Marker> search(json::View value, const std::string& pointer);

std::optional<Marker> search_members(json::View object, const std::string& pointer) {
  for (const json::Member& member : object.members()) {
    const std::string below = json::below(pointer, member.key.string());
    if (auto label = marker_label(member.key.string())) {
      return Marker{below, *std::move(label), Finding::Where::key};
    }
    if (auto found = search(member.value, below)) return found;
  }
  return std::nullopt;
}

std::optional<Marker> search(json::View value, const std::string& pointer) {
  if (value.is_object()) return search_members(value, pointer);
  if (value.is_array()) {
    std::size_t index = 0;
    for (const json::View item : value.items()) {
      if (auto found = search(item, pointer + "/" + std::to_string(index++))) return found;
    }
    return std::nullopt;
  }
  if (!value.is_string()) return std::nullopt;
  if (auto label = marker_label(value.string())) return Marker{pointer, *std::move(label)};
  return std::nullopt;
}

}  // namespace

std::optional<Marker> find_marker(json::View arguments) {
  const std::string_view raw = arguments.raw();
  const bool possible =
      raw.find("REDACTED") != std::string_view::npos || raw.find("\\u00") != std::string_view::npos;
  return possible ? search(arguments, "") : std::nullopt;
}

}  // namespace enfold::redact
