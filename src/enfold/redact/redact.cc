// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/redact.h"

#include "enfold/base/hidden_text.h"
#include "enfold/json/pointer.h"
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/scanner.h"
#include "enfold/redact/replace/unescape.h"
#include "enfold/redact/replace/walk.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>
#include <set>

namespace enfold::redact {
namespace {

using detail::Place;
using detail::Redactions;
using detail::ReplacementStyle;
using detail::ReplacementStyles;

// The value met its limits when it was read; the redacted copy must not fail on them.
Limits wide_limits() {
  Limits limits;
  limits.max_bytes = kLargestDocument;
  limits.max_depth = std::numeric_limits<std::uint32_t>::max();
  limits.max_elements = std::numeric_limits<std::size_t>::max();
  limits.max_containers = std::numeric_limits<std::size_t>::max();
  return limits;
}

bool is_at_or_below(const std::string& pointer, const std::string& root) {
  return pointer.starts_with(root) &&
         (pointer.size() == root.size() || pointer[root.size()] == '/');
}

// The findings that may cause a violation at `broken`: those at that pointer, else those below it.
// All keys of an object are replaced in the same way, so the place of a key is its object.
std::set<Place> possible_causes(const std::string& broken, const std::vector<Finding>& findings) {
  std::set<Place> exact;
  std::set<Place> beneath;
  for (const Finding& finding : findings) {
    const std::string object = finding.pointer.substr(0, finding.pointer.rfind('/'));
    const bool key = finding.where == Finding::Where::key;
    const Place place{detail::to_pattern(key ? object : finding.pointer), finding.where};
    if (finding.pointer == broken || (key && object == broken)) exact.insert(place);
    if (is_at_or_below(finding.pointer, broken)) beneath.insert(place);
  }
  return exact.empty() ? beneath : exact;
}

// The places that violate the schema in `after`, but not in `before`.
std::vector<std::string> newly_broken(json::View before, json::View after, const Policy& policy) {
  std::vector<std::string> broken = policy.broken_places(after);
  if (broken.empty()) return broken;
  const auto already = policy.broken_places(before);
  std::erase_if(broken, [&](const std::string& place) {
    return std::find(already.begin(), already.end(), place) != already.end();
  });
  return broken;
}

// Chooses the next style at each place that may have caused a violation at `broken`; false if every
// such place has tried all styles already.
bool try_next_replacement(ReplacementStyles& styles, const std::vector<std::string>& broken,
                          const std::vector<Finding>& findings) {
  std::set<Place> places;
  for (const std::string& pointer : broken) places.merge(possible_causes(pointer, findings));
  bool has_next = false;
  for (const Place& place : places) {
    ReplacementStyle& style = styles[place];
    if (style == ReplacementStyle::none_fits) continue;
    style = static_cast<ReplacementStyle>(static_cast<int>(style) + 1);
    has_next = true;
  }
  return has_next;
}

// The label of the first complete marker in the text; nullopt: there is none.
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

// The text without what a reader does not see in it: hidden characters, terminal codes, controls.
std::string without_unseen(std::string_view text) {
  return without_hidden(detail::UnescapedText::visible(text).text());
}

// As marker_label, also for a marker that something unseen splits: a tool would get the marker.
std::optional<std::string> seen_marker_label(const std::string& text) {
  if (auto label = marker_label(text)) return label;
  if (text.find('[') == std::string::npos) return std::nullopt;
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F; });
  return is_plain ? std::nullopt : marker_label(without_unseen(text));
}

// The first marker in the value, which is at `pointer`.
std::optional<Marker> search(json::View value, const std::string& pointer);

std::optional<Marker> search_members(json::View object, const std::string& pointer) {
  for (const json::Member& member : object.members()) {
    const std::string below = json::below(pointer, member.key.string());
    if (auto label = seen_marker_label(member.key.string())) {
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
  if (auto label = seen_marker_label(value.string())) return Marker{pointer, *std::move(label)};
  return std::nullopt;
}

}  // namespace

Result<RedactionResult> redact(json::View value, const Policy& policy) {
  const detail::Scanner scanner(policy);
  ReplacementStyles styles;
  while (true) {
    Redactions found = detail::collect_redactions(value, scanner, styles);
    if (found.edits.empty()) return RedactionResult{.value = json::Value(value)};
    ENFOLD_TRY(const json::Document document,
               json::parse(detail::edited_buffer(value.raw(), found.edits), wide_limits()));
    json::Value replaced = document.value();
    std::vector<std::string> broken;
    if (policy.broken_places) broken = newly_broken(value, replaced.view(), policy);
    if (try_next_replacement(styles, broken, found.findings)) continue;
    // Only violations that a replacement may have caused are reported.
    std::erase_if(broken,
                  [&](const auto& at) { return possible_causes(at, found.findings).empty(); });
    RedactionResult result{.value = std::move(replaced),
                           .findings = std::move(found.findings),
                           .count = found.values.size(),
                           .changed = true,
                           .unfit = std::move(broken)};
    if (result.findings.size() > kMostFindings) result.findings.resize(kMostFindings);
    return result;
  }
}

std::optional<Marker> find_marker(json::View arguments) {
  const std::string_view raw = arguments.raw();
  // A marker may be written with escapes, and may be split by characters that are not seen.
  const bool possible =
      raw.find("REDACTED") != std::string_view::npos ||
      std::ranges::any_of(raw, [](char c) { return c == '\\' || c < ' ' || c == 0x7F; });
  return possible ? search(arguments, "") : std::nullopt;
}

std::string marker(std::string_view label) { return fmt::format("[REDACTED:{}]", label); }

std::vector<Secret> find_secrets(std::string_view text, const Policy& policy) {
  return detail::Scanner(policy).find(text);
}

std::string redact_text(std::string_view text, const Policy& policy) {
  const detail::Scanner scanner(policy);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool may_be_json =
      first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  if (may_be_json && scanner.prefilter().passes(text)) {
    if (const auto document = json::parse(text)) {
      auto edits = detail::collect_redactions(document->root(), scanner, /*styles=*/{}).edits;
      for (detail::Edit& edit : edits) {
        edit.begin += document->root().offset();
        edit.end += document->root().offset();
      }
      return detail::apply_edits(text, edits);
    }
  }
  constexpr int kMostScans = 4;  // replacing a secret can reveal another one
  std::string redacted(text);
  for (int scan = 0; scan < kMostScans; ++scan) {
    const auto secrets = scanner.find(redacted);
    if (secrets.empty()) break;
    std::vector<detail::Edit> edits;
    edits.reserve(secrets.size());
    for (const Secret& secret : secrets) {
      edits.push_back({secret.begin, secret.end, marker(secret.label)});
    }
    redacted = detail::apply_edits(redacted, edits);
  }
  return redacted;
}

}  // namespace enfold::redact
