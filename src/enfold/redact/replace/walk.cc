// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/replace/walk.h"

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/key_names.h"
#include "enfold/redact/replace/unescape.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace enfold::redact::detail {
namespace {

constexpr int kMostRounds = 4;   // times that a string is scanned again after a replacement
constexpr int kDeepestText = 3;  // levels of JSON inside strings; deeper JSON is plain text

// The keys of one object. The number of a key is the next one to append to another key that becomes
// the same: "#2", "#3".
using Names = std::unordered_map<std::string, std::size_t>;

class Walk {
 public:
  Walk(json::View root, const Scanner& scanner, const ReplacementStyles& styles,
       Redactions& redactions)
      : scanner_(scanner),
        styles_(styles),
        redactions_(redactions),
        base_(root.offset()),
        bytes_(root.raw()),
        candidates_(scanner.prefilter(), bytes_) {
    for (const std::string& allowed : scanner.policy().allow_pointers) {
      if (auto pointer = json::Pointer::parse(allowed)) allowed_.push_back(pointer->tokens());
    }
  }

  void redact(json::View root) {
    if (may_hold_secret(root) && !is_allowed()) visit(root, nullptr);
  }
  /// For JSON inside a string: findings are reported at that string. `text_depth`: the number of
  /// strings around this JSON. The allowed pointers do not apply inside the string.
  void report_at(std::string pointer, int text_depth) {
    fixed_pointer_ = std::move(pointer);
    text_depth_ = text_depth;
    allowed_.clear();
  }

 private:
  /// Whether the policy allows the value at `path_` to stay as it is.
  [[nodiscard]] bool is_allowed() const;
  /// `above`: the sensitive name that applies to the value; nullptr: none.
  void visit(json::View value, const SensitiveName* above);
  void visit_object(json::View object, const SensitiveName* above);
  void visit_array(json::View array, const SensitiveName* above);
  [[nodiscard]] Columns columns_in(json::View heading);
  void visit_row(json::View row, const Columns& columns);
  void visit_rows(json::View rows, const Columns& columns);
  std::string redact_key(json::View key, Names& names, json::View object);
  /// These two append the label of each secret to `labels`.
  [[nodiscard]] std::vector<Edit> find_edits(std::string_view source, ReplacementStyle chosen,
                                             std::vector<std::string_view>& labels) const;
  [[nodiscard]] std::vector<Edit> stable_edits(std::string_view source, ReplacementStyle chosen,
                                               std::vector<std::string_view>& labels) const;
  void replace_member(json::View value, const SensitiveName& above);
  void replace_number(json::View value, const SensitiveName& above);
  void redact_string(json::View value);
  bool redact_json(json::View value);
  void redact_plain_text(json::View value);

  [[nodiscard]] bool may_hold_secret(json::View value);
  /// The pointer at which findings are reported.
  [[nodiscard]] std::string pointer() const;
  [[nodiscard]] ReplacementStyle style(Finding::Where where) const;
  void report(std::string_view label, Finding::Where where);
  void edit(std::size_t begin, std::size_t end, std::string text) {
    redactions_.edits.push_back({begin, end, std::move(text)});
  }

  const Scanner& scanner_;
  const ReplacementStyles& styles_;
  Redactions& redactions_;
  std::size_t base_;        ///< offset of bytes_ in the document; edits are relative to bytes_
  std::string_view bytes_;  ///< of the root
  Candidates candidates_;   ///< in bytes_
  std::vector<std::string> path_;  ///< tokens of the visited place, with redacted keys
  std::vector<std::vector<std::string>> allowed_;  ///< tokens of Policy::allow_pointers
  /// Of the string around this JSON, see report_at; nullopt: pointer() is that of `path_`.
  std::optional<std::string> fixed_pointer_;
  int text_depth_ = 0;  ///< number of strings around this JSON
};

// Whether the prefilter finds a candidate in the value. Values must be asked about from left to
// right, because `candidates_` does not go back. Subtrees without a candidate are skipped.
bool Walk::may_hold_secret(json::View value) {
  const std::size_t begin = value.offset() - base_;
  const std::size_t end = begin + value.raw().size();
  Candidate next = candidates_.next(begin);
  // Escapes of non-ASCII characters, such as \u00e9, are common and harmless.
  while (next.at < end && next.anchors == kNestedEscape && !is_nested_escape(bytes_, next.at)) {
    next = candidates_.next(next.at + 1);
  }
  return next.at < end;
}

std::string Walk::pointer() const {
  if (fixed_pointer_) return *fixed_pointer_;
  std::string text;
  for (const std::string& token : path_) json::append_token(text, token);
  return text;
}

ReplacementStyle Walk::style(Finding::Where where) const {
  if (styles_.empty()) return ReplacementStyle::marker;
  const auto found = styles_.find({to_pattern(pointer()), where});
  return found == styles_.end() ? ReplacementStyle::marker : found->second;
}

void Walk::report(std::string_view label, Finding::Where where) {
  redactions_.findings.push_back({pointer(), label, where});
}

bool Walk::is_allowed() const {
  return std::any_of(allowed_.begin(), allowed_.end(), [&](const auto& pattern) {
    return std::equal(pattern.begin(), pattern.end(), path_.begin(), path_.end(),
                      [](const std::string& want, const std::string& token) {
                        return want == "*" || want == token;
                      });
  });
}

void Walk::visit(json::View value, const SensitiveName* above) {
  switch (value.kind()) {
    case json::Kind::object: visit_object(value, above); break;
    case json::Kind::array: visit_array(value, above); break;
    case json::Kind::string:
      if (above != nullptr) {
        replace_member(value, *above);
      } else {
        redact_string(value);
      }
      break;
    case json::Kind::number:
      if (above != nullptr) replace_number(value, *above);
      break;
    default: break;
  }
}

void Walk::visit_array(json::View array, const SensitiveName* above) {
  const auto pair = above == nullptr ? pair_in_list(array, scanner_) : std::nullopt;
  const Columns columns = array.size() > 1 ? columns_in(*array.item(0)) : Columns();
  std::size_t index = 0;
  for (const json::View item : array.items()) {
    path_.push_back(std::to_string(index));
    const SensitiveName* const here = pair && index == 1 ? &*pair : above;
    if ((here != nullptr || !columns.empty() || may_hold_secret(item)) && !is_allowed()) {
      if (!columns.empty() && index > 0) {
        visit_row(item, columns);
      } else {
        visit(item, here);
      }
    }
    path_.pop_back();
    ++index;
  }
}

// The sensitive names of a heading, if it may hold any.
Columns Walk::columns_in(json::View heading) {
  const bool possible = heading.is_array() && may_hold_secret(heading);
  return possible ? sensitive_columns(heading, scanner_) : Columns();
}

// One row of a table whose heading has sensitive names.
void Walk::visit_row(json::View row, const Columns& columns) {
  if (!row.is_array()) return visit(row, nullptr);
  std::size_t index = 0;
  for (const json::View cell : row.items()) {
    path_.push_back(std::to_string(index));
    const auto column = columns.find(index);
    const bool secret = column != columns.end() && cell.is_string() &&
                        is_secret_cell(column->second.key, column->second.name, cell.string());
    if (!is_allowed()) visit(cell, secret ? &column->second : nullptr);
    path_.pop_back();
    ++index;
  }
}

void Walk::visit_rows(json::View rows, const Columns& columns) {
  std::size_t index = 0;
  for (const json::View row : rows.items()) {
    path_.push_back(std::to_string(index++));
    if (!is_allowed()) visit_row(row, columns);
    path_.pop_back();
  }
}

// Whether a member of this name holds the value that the name of its object announces:
// `{"password": {"value": …}}`.
bool is_value_member(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {"value", "default", "example", "examples",
                                                      "const", "key",     "raw",     "plaintext"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// A sensitive name applies to a string or number, and to lists of them. It does not apply to the
// members of an object, which have other names, except is_value_member.
void Walk::visit_object(json::View object, const SensitiveName* above) {
  const auto pair = above == nullptr ? pair_in_object(object, scanner_) : std::nullopt;
  Columns columns;  // of the table whose rows may follow
  Names names;      // empty until redact_key changes a key
  for (const json::Member& member : object.members()) {
    const bool key_may_hold_secret = may_hold_secret(member.key);
    const bool paired = pair && is_pair_value(member.key);
    const bool rows = !columns.empty() && member.value.is_array();
    if (!key_may_hold_secret && above == nullptr && !paired && !rows &&
        !may_hold_secret(member.value)) {
      continue;
    }
    std::string name = member.key.string();
    const std::string shown = key_may_hold_secret ? visible_text(name) : name;
    if (key_may_hold_secret) name = redact_key(member.key, names, object);
    path_.push_back(std::move(name));
    if (member.value.is_array() && is_columns_key(member.key)) {
      columns = sensitive_columns(member.value, scanner_);
    }
    if (!is_allowed()) {
      const auto key = classify_visible_key(shown, scanner_.policy());
      if (key) {
        const SensitiveName here{*key, shown};
        visit(member.value, &here);
      } else if (above != nullptr && is_value_member(shown)) {
        const SensitiveName here{above->key, shown};
        visit(member.value, &here);
      } else if (paired) {
        visit(member.value, &*pair);
      } else if (rows) {
        visit_rows(member.value, columns);
      } else if (may_hold_secret(member.value)) {
        visit(member.value, nullptr);
      }
    }
    path_.pop_back();
  }
}

// Redacts a key and returns the redacted key. Adds a number if another key of `object` is the same.
std::string Walk::redact_key(json::View key, Names& names, json::View object) {
  const std::string_view source = key.string_source();
  ReplacementStyle chosen = style(Finding::Where::key);  // the path still ends at the object
  if (chosen == ReplacementStyle::empty) chosen = ReplacementStyle::none_fits;  // no empty keys
  std::vector<std::string_view> labels;
  auto edits = stable_edits(source, chosen, labels);
  if (edits.empty()) return key.string();
  std::string name = UnescapedText::json_string(apply_edits(source, edits)).text();
  if (names.empty()) {
    for (const json::Member& member : object.members()) names.emplace(member.key.string(), 2);
  }
  if (const auto [taken, is_new] = names.emplace(name, 2); !is_new) {
    std::string number;
    do {
      number = "#" + std::to_string(taken->second++);
    } while (!names.emplace(name + number, 2).second);
    name += number;
    edits.push_back({source.size(), source.size(), number});
  }
  const std::size_t begin = key.offset() - base_ + 1;
  for (Edit& each : edits) edit(begin + each.begin, begin + each.end, std::move(each.text));
  path_.push_back(name);
  for (const std::string_view label : labels) report(label, Finding::Where::key);
  path_.pop_back();
  return name;
}

// Finds the edits of a JSON string; offsets are relative to the first byte after the opening quote.
std::vector<Edit> Walk::find_edits(std::string_view source, ReplacementStyle chosen,
                                   std::vector<std::string_view>& labels) const {
  std::vector<Edit> edits;
  std::optional<UnescapedText> unescaped;
  if (source.find('\\') != std::string_view::npos) unescaped = UnescapedText::json_string(source);
  const std::string_view text = unescaped ? std::string_view(unescaped->text()) : source;
  for (const Secret& secret : scanner_.find(text)) {
    auto [begin, end] = std::pair(secret.begin, secret.end);
    if (unescaped) std::tie(begin, end) = unescaped->in_source(begin, end);
    const std::string_view found = text.substr(secret.begin, secret.end - secret.begin);
    edits.push_back({begin, end, replacement(chosen, secret.label, found)});
    labels.push_back(secret.label);
    redactions_.count_value(found);
  }
  return edits;
}

// Replacing a secret by a marker can reveal another one, so the result is scanned again. If that
// finds more, a single edit writes the final text of the whole string.
std::vector<Edit> Walk::stable_edits(std::string_view source, ReplacementStyle chosen,
                                     std::vector<std::string_view>& labels) const {
  auto edits = find_edits(source, chosen, labels);
  if (edits.empty() || chosen != ReplacementStyle::marker) return edits;
  std::string patched = apply_edits(source, edits);
  bool again = false;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto more = find_edits(patched, chosen, labels);
    if (more.empty()) break;
    patched = apply_edits(patched, more);
    again = true;
  }
  if (again) edits.assign(1, {0, source.size(), std::move(patched)});
  return edits;
}

void Walk::replace_member(json::View value, const SensitiveName& above) {
  const std::string text = value.string();
  bool is_secret = is_secret_member(above.key, above.name, text);
  if (!is_secret && may_hold_secret(value)) {
    // What is left beside the markers may be a secret too. It is replaced now, because redacting
    // the result again must change nothing.
    const std::string shown = redact_text(text, scanner_.policy());
    is_secret = shown != text && is_secret_member(above.key, above.name, shown);
    if (!is_secret) redact_string(value);
  }
  if (!is_secret) return;
  std::string_view label = refined_label(above.key, text);
  if (label == label::kAccessToken && starts_with_ignoring_case(text, "bearer "))
    label = label::kBearerToken;
  const std::size_t begin = value.offset() - base_ + 1;
  edit(begin, begin + value.string_source().size(),
       replacement(style(Finding::Where::value), label, text));
  report(label, Finding::Where::value);
  redactions_.count_value(text);
}

void Walk::replace_number(json::View value, const SensitiveName& above) {
  constexpr std::size_t kFewestDigits = 6;  // shorter numbers are counts and settings
  const KeyKind kind = above.key.kind;
  if (kind == KeyKind::token || kind == KeyKind::authorization || kind == KeyKind::cookie) return;
  const std::string_view text = value.number();
  const auto digits = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return is(c, kDigit); }));
  if (digits < kFewestDigits) return;
  std::string neutral = replacement_number(style(Finding::Where::value), digits);
  if (neutral == text) return;
  const std::size_t begin = value.offset() - base_;
  edit(begin, begin + text.size(), std::move(neutral));
  report(above.key.label, Finding::Where::value);
  redactions_.count_value(text);
}

void Walk::redact_string(json::View value) {
  if (may_hold_secret(value) && !redact_json(value)) redact_plain_text(value);
}

// Redacts JSON inside a string as JSON, so that the text and the structured content of an answer
// get the same result; false: the string is no JSON, or is nested too deep.
bool Walk::redact_json(json::View value) {
  const std::string_view source = value.string_source();
  const std::size_t first = source.find_first_not_of(" \t");
  if (text_depth_ >= kDeepestText || first == std::string_view::npos ||
      std::string_view("{[\\").find(source[first]) == std::string_view::npos) {
    return false;
  }
  const UnescapedText unescaped = UnescapedText::json_string(source);
  const auto document = json::parse(unescaped.text());
  if (!document) return false;
  const json::View root = document->root();
  Redactions inner;
  Walk walk(root, scanner_, styles_, inner);
  walk.report_at(pointer(), text_depth_ + 1);
  walk.redact(root);
  const std::size_t content = value.offset() - base_ + 1;  // after the opening quote
  for (const Edit& found : inner.edits) {
    const auto [begin, end] =
        unescaped.in_source(found.begin + root.offset(), found.end + root.offset());
    const std::string quoted = json::quote(found.text);
    edit(content + begin, content + end, quoted.substr(1, quoted.size() - 2));
  }
  redactions_.values.merge(inner.values);
  for (Finding& finding : inner.findings) {
    finding.where = Finding::Where::value;
    redactions_.findings.push_back(std::move(finding));
  }
  return true;
}

void Walk::redact_plain_text(json::View value) {
  // Most candidates turn out to be harmless. stable_edits is slower on strings with escapes, so it
  // runs only if there is a secret.
  const bool escaped = value.string_source().find('\\') != std::string_view::npos;
  if (escaped && scanner_.find(value.string()).empty()) return;
  std::vector<std::string_view> labels;
  auto edits = stable_edits(value.string_source(), style(Finding::Where::value), labels);
  const std::size_t begin = value.offset() - base_ + 1;
  for (Edit& each : edits) edit(begin + each.begin, begin + each.end, std::move(each.text));
  for (const std::string_view label : labels) report(label, Finding::Where::value);
}

}  // namespace

Redactions collect_redactions(json::View root, const Scanner& scanner,
                              const ReplacementStyles& styles) {
  Redactions result;
  Walk walk(root, scanner, styles, result);
  walk.redact(root);
  return result;
}

}  // namespace enfold::redact::detail
