// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/source_code.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/source_line.h"
#include "enfold/json/document.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <array>

namespace enfold::contract {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t kLongestText = 2000;  // bytes
constexpr std::size_t kLongestName = 256;   // bytes
constexpr std::size_t kMostAdvice = 8;      // items of a remediation
constexpr std::string_view kOmitted = "…";  // replaces what is removed

// Members of details and data that may be shown: they say what failed, where, and by how much.
constexpr auto kShownMembers = std::to_array<std::string_view>(
    {"action",      "actual",        "attempts",    "category",
     "code",        "column",        "constraint",  "count",
     "duration_ms", "elapsed_ms",    "end_column",  "end_line",
     "errno",       "error",         "error_code",  "error_type",
     "exit_code",   "expected",      "failed",      "feature",
     "field",       "file",          "file_path",   "filename",
     "found",       "hint",          "id",          "kind",
     "language",    "level",         "limit",       "line",
     "max",         "message",       "method",      "min",
     "mode",        "name",          "offset",      "ok",
     "operation",   "option",        "parameter",   "path",
     "pattern",     "phase",         "position",    "reason",
     "received",    "requested",     "required",    "required_tier",
     "resource_id", "resource_type", "retry_after", "retry_after_seconds",
     "retryable",   "rule",          "severity",    "signal",
     "size",        "source_code",   "status",      "status_code",
     "step",        "success",       "suggestions", "symbol",
     "target",      "tier",          "timeout",     "timeout_ms",
     "title",       "tool",          "total",       "type",
     "unit",        "url",           "used",        "valid",
     "version",     "warning"});

bool is_name_char(char c) {
  return is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("_./\\:@~+-#*").find(c) != npos;
}

// What ends the first line: line breaks of Unicode, code fences, and escaped line breaks (`\n`).
constexpr auto kBreaks = std::to_array<std::string_view>(
    {"\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029", "```", "~~~", "\\n", "\\r"});

std::string_view first_line(std::string_view whole) {
  const std::string_view text = utf8::prefix(whole, kLongestText + 1);
  std::size_t end = text.size();
  for (const std::string_view mark : kBreaks) {
    std::size_t found = text.find(mark);
    // Skips the `\n` in a path such as C:\new.
    while (found != npos && mark.front() == '\\') {
      const std::size_t word = text.find_last_of(" \t\"'(", found) + 1;
      if (text.substr(word + 1, 2) != ":\\") break;
      found = text.find(mark, found + 1);
    }
    end = std::min(end, found);
  }
  return text.substr(0, end);
}

// The line that holds the message. A Python traceback ends with it: `ValueError: bad value`.
std::string_view message_line(std::string_view text) {
  if (!text.starts_with("Traceback (most recent call last)")) return first_line(text);
  const std::string_view all = trimmed(text, " \t\r\n");
  const std::string_view last = all.substr(all.find_last_of('\n') + 1);
  const std::string_view name = last.substr(0, last.find(':'));
  const bool is_exception = name.ends_with("Error") || name.ends_with("Exception");
  return is_exception && is_plain_name(name) ? first_line(last) : first_line(text);
}

// The mark that ends the quotation which begins at `at`; empty: none begins there.
std::string_view closing_mark(std::string_view line, std::size_t at) {
  const char before = at > 0 ? line[at - 1] : ' ';
  switch (line[at]) {
    case '"': return "\"";
    case '`': return "`";
    case '\'': return is_alphanumeric(before) ? "" : "'";
    default: break;
  }
  const std::string_view rest = line.substr(at);
  if (rest.starts_with("“")) return "”";
  if (rest.starts_with("‘")) return "’";
  if (rest.starts_with("«")) return "»";
  return "";
}

// Where the closing mark is, from `from` on; npos: nowhere. An apostrophe inside a word ends no
// quotation.
std::size_t find_close(std::string_view line, std::size_t from, std::string_view mark) {
  std::size_t end = line.find(mark, from);
  while (mark == "'" && end != npos && end + 1 < line.size() && is_alphanumeric(line[end + 1])) {
    end = line.find(mark, end + 1);
  }
  return end;
}

// A line and the same line with its quoted spans blanked, of equal length.
struct Quoted {
  std::string text;
  std::string blanked;

  void add(std::string_view part) {
    text += part;
    blanked += part;
  }
  void add_blank(std::string_view part) {
    text += part;
    blanked.append(part.size(), detail::kBlank);
  }
};

// Replaces quoted spans that are no plain names by `…`.
Quoted omit_quoted_code(std::string_view line) {
  Quoted out;
  for (std::size_t i = 0; i < line.size();) {
    const std::string_view mark = closing_mark(line, i);
    if (mark.empty()) {
      out.add(line.substr(i++, 1));
      continue;
    }
    const std::size_t begin = i + mark.size();  // both marks have the same length
    const std::size_t end = find_close(line, begin, mark);
    const std::string_view span = line.substr(begin, end == npos ? npos : end - begin);
    out.add_blank(line.substr(i, mark.size()));
    out.add_blank(end != npos && (span.empty() || is_plain_name(span)) ? span : kOmitted);
    if (end == npos) return out;
    out.add_blank(mark);
    i = end + mark.size();
  }
  return out;
}

// Whether nothing but punctuation and `…` is left.
bool says_nothing(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with(kOmitted)) {
      at += kOmitted.size();
    } else if (is_alphanumeric(rest.front()) || static_cast<unsigned char>(rest.front()) >= 0x80) {
      return false;
    } else {
      ++at;
    }
  }
  return true;
}

// The functions below remove from their first argument what may not be shown; true: they changed
// it.

bool set_text(std::string& text, std::string shown) {
  if (shown == text) return false;
  text = std::move(shown);
  return true;
}

bool restrict_text(std::string& text) { return set_text(text, without_source(text)); }
bool restrict_name(std::string& text) {
  return !text.empty() && !is_plain_name(text) && set_text(text, "");
}

template <class T>
bool clear(T& value) {
  if (value == T{}) return false;
  value = T{};
  return true;
}

// Unlike ||, evaluates all arguments: each of them changes something.
bool any(std::initializer_list<bool> changes) {
  return std::ranges::find(changes, true) != changes.end();
}

bool restrict_texts(std::vector<std::string>& texts) {
  bool changed = texts.size() > kMostAdvice;
  if (changed) texts.resize(kMostAdvice);
  for (std::string& text : texts) changed |= restrict_text(text);
  return std::erase(texts, "") > 0 || changed;
}

bool restrict_names(std::vector<std::string>& names) {
  return std::erase_if(names, [](const std::string& name) {
           return !name.empty() && !is_plain_name(name);
         }) > 0;
}

// Whether the value is a scalar, or a list of names such as the nearest symbols.
bool is_scalar_or_names(json::View value) {
  if (!value.is_array()) return !value.is_container();
  return std::ranges::all_of(value.items(), [](const json::View item) {
    return !item.is_container() && (!item.is_string() || is_plain_name(item.string()));
  });
}

bool is_shown(const json::Member& member) {
  if (!is_scalar_or_names(member.value)) return false;
  const std::string key = member.key.string();
  return std::ranges::find(kShownMembers, key) != kShownMembers.end();
}

// A message before and after it was shortened, in lower case. Details that were read from the
// message must not repeat what was removed from it.
struct Shortened {
  std::string before;
  std::string after;

  // Whether the text was removed from the message.
  [[nodiscard]] bool hides(std::string_view text) const {
    const std::string wanted = to_lower(text);
    return before.find(wanted) != npos && after.find(wanted) == npos;
  }
};

// Keeps the members of an object that are in kShownMembers, without what `message` hides; any other
// value is removed.
bool restrict_members(std::optional<json::Value>& value, const Shortened& message = {}) {
  if (!value || value->view().is_null()) return false;
  if (!value->view().is_object()) return clear(value);
  bool changed = false;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : value->view().members()) {
    if (!is_shown(member)) {
      changed = true;
    } else if (!member.value.is_string()) {
      writer.key(member.key).value(member.value);
    } else {
      std::string text = member.value.string();
      bool differs = restrict_text(text);
      if (message.hides(text)) differs = set_text(text, "");
      changed = changed || differs;
      if (!differs) {
        writer.key(member.key).value(member.value);
      } else if (!text.empty()) {
        writer.member(member.key.string(), text);
      }
    }
  }
  writer.end_object();
  if (!changed) return false;
  json::Value shown = std::move(writer).finish_value();
  const bool empty = shown->size() == 0;
  value = empty ? std::nullopt : std::optional(std::move(shown));
  return true;
}

bool restrict_failure(model::Failure& failure) {
  Shortened message{.before = to_lower(failure.message)};
  const bool shortened = restrict_text(failure.message);
  message.after = to_lower(failure.message);
  const bool changed =
      any({shortened, restrict_name(failure.code), restrict_texts(failure.remediation),
           restrict_members(failure.details, shortened ? message : Shortened{})});
  if (shortened && failure.message.empty()) failure.message = "The tool failed with source code";
  return changed;
}

// A capability may list names: `languages:python,go`.
bool restrict_capabilities(std::vector<std::string>& capabilities) {
  return std::erase_if(capabilities, [](std::string capability) {
           std::erase(capability, ',');
           return !is_plain_name(capability);
         }) > 0;
}

bool restrict_tool(model::Response& response) {
  model::Tool& tool = response.tool;
  bool changed =
      any({restrict_name(tool.id), restrict_name(tool.version),
           restrict_capabilities(tool.capabilities), restrict_name(response.request_id)});
  for (model::UpgradeHint& hint : response.upgrade_hints) {
    changed |=
        any({restrict_text(hint.feature), restrict_name(hint.tier), restrict_text(hint.reason)});
  }
  return changed;
}

bool restrict_reduction(model::Reduction& reduction) {
  bool changed = any({restrict_names(reduction.dropped_ids), restrict_names(reduction.briefed),
                      restrict_names(reduction.clipped), restrict_names(reduction.columnar),
                      clear(reduction.facts), clear(reduction.index)});
  changed |= std::erase_if(reduction.archive, [](const model::ArchiveEntry& entry) {
               return !is_plain_name(entry.handle) || !is_plain_name(entry.hash);
             }) > 0;
  return changed;
}

// All fields but the failure, the payload and those of restrict_tool.
bool restrict_rest(model::Response& response) {
  bool changed = any({restrict_text(response.message), clear(response.page), clear(response.blocks),
                      clear(response.metadata)});
  for (model::Warning& warning : response.warnings) {
    changed |= any({restrict_name(warning.code), restrict_text(warning.message),
                    restrict_members(warning.context)});
  }
  if (auto& limit = response.rate_limit) {
    if (limit->reset_at) changed |= restrict_name(*limit->reset_at);
    if (limit->period) changed |= restrict_name(*limit->period);
  }
  if (response.reduction) changed |= restrict_reduction(*response.reduction);
  return changed;
}

}  // namespace

bool is_plain_name(std::string_view text) {
  if (text.empty() || text.size() > kLongestName) return false;
  if (std::ranges::all_of(text, is_name_char)) return true;
  // A path may have spaces: '/home/me/My files/a.py'.
  const bool path = text.front() == '/' && text.size() > 1 && is_alphanumeric(text[1]);
  const std::size_t dot = text.rfind('.');
  return path && dot != npos && text.size() - dot <= 6 && text.find("  ") == npos &&
         std::ranges::all_of(text, [](char c) { return is_name_char(c) || c == ' '; });
}

std::string without_source(std::string_view text) {
  Quoted line = omit_quoted_code(message_line(text));
  const std::size_t code = detail::find_source(line.blanked);
  if (code != npos) line.text.replace(code, npos, kOmitted);
  if (line.text.size() > kLongestText) {
    line.text = utf8::shortened(line.text, kLongestText - kOmitted.size());
  }
  while (line.text.ends_with(' ') || line.text.ends_with('\t')) line.text.pop_back();
  return says_nothing(line.text) && line.text != text ? std::string() : line.text;
}

bool withhold_source(model::Response& response) {
  if (!response.failure) return false;
  return any({restrict_failure(*response.failure), restrict_members(response.payload),
              restrict_tool(response), restrict_rest(response)});
}

}  // namespace enfold::contract
